/* SPDX-License-Identifier: MIT */
/*
 * cache_sector.c - how much of a line a miss fetches
 */
#include "micro.h"

/* Further out than that what something fetches ahead cannot be told from a longer line. */
enum { SECOND = 1 };

static void run(struct lab *lab, const struct subject *subject)
{
	char why[160] = "";
	double tag, fetched;

	if (!cache_level(lab, subject) || (subject->depth && cache_is_bent(lab, subject->depth)))
		return;
	engine_conflicts(lab, subject->depth);
	tag = engine_tag_line(lab, subject->depth, why, sizeof(why));
	if (isfinite(tag) && subject->depth > SECOND)
		tag = fmin(tag, engine_tag_line(lab, SECOND, why, sizeof(why)));
	fetched = isnan(tag) ? NAN : engine_fetch_line(lab, subject->depth, why, sizeof(why));
	if (isnan(fetched))
		lab_outcome(lab, UNCLEAR, why);
	else if (fetched > tag)
		lab_outcome(lab, UNCLEAR,
			    "more than a line comes together: something fetches ahead, and may complete lines");
	else if (lab->timer->noise != NOISE_QUIET &&
		 fetched != engine_fetch_line(lab, subject->depth, why, sizeof(why)))
		lab_outcome(lab, UNCLEAR, "it came out differently when asked again");
	else
		lab_measured(lab, fetched, fetched, fetched, 0.95, "pairs and shifted conflicts");
}

const struct micro micro_cache_sector = {
	.name = "cache.LEVEL.sector",
	.what = "bytes of a line that a miss fetches: less than the line where that has parts (sub-blocks)",
	.unit = "bytes",
	.story =
		"Idea     Two opinions on the line. Groups of places that overfill a set stop doing so when half of them move\n"
		"         by a line: that is what a tag stands for. A second touch near a first misses when it is in another\n"
		"         part: that is what was fetched.\n"
		"Answer   What was fetched, where it is no more than a line; the line where lines are fetched whole.\n"
		"Assumes  Lines and their parts are powers of two.\n"
		"Fails as unclear where no set is known, and where a prefetcher completes lines or pairs of them.",
	.needs = { "?cache.LEVEL.line", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

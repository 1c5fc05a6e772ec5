/* SPDX-License-Identifier: MIT */
/*
 * line_constructive.c - bytes that come from memory together
 */
#include "micro.h"

/* Beside others a second answer must be the same; the confidence is by the noise. */
static const double CONFIDENCE[] = { [NOISE_QUIET] = 0.99, [NOISE_NOISY] = 0.95, [NOISE_HOSTILE] = 0.8 };

static void run(struct lab *lab, const struct subject *subject)
{
	char why[160] = "";
	struct fetched fetched;

	(void)subject;
	if (!explored_memory(lab))
		return;
	fetched = engine_fetch_block(lab, why, sizeof(why));
	if (isfinite(fetched.bytes) && lab->timer->noise != NOISE_QUIET &&
	    fetched.bytes != engine_fetch_block(lab, why, sizeof(why)).bytes) {
		lab_outcome(lab, UNCLEAR, "two looks do not agree: the noise is too loud");
		return;
	}
	if (isnan(fetched.bytes)) {
		lab_outcome(lab, UNCLEAR, why);
		return;
	}
	if (fetched.behind || fetched.before)
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "what lies %s comes along, too, whatever block it is in: that is not counted",
			 !fetched.before  ? "behind"
			 : fetched.behind ? "on either side"
					  : "before");
	lab_measured(lab, fetched.bytes, fetched.bytes, fetched.bytes, CONFIDENCE[lab->timer->noise], "pairs");
}

const struct micro micro_line_constructive = {
	.name = "line.constructive",
	.what = "bytes that come from memory together",
	.unit = "bytes",
	.story =
		"Idea     Touch a place in a block that no level holds any more, then another, and another block in between:\n"
		"         what came along is in some cache by then, be it by a line, a sector or a prefetcher of pairs.\n"
		"Answer   The smallest gap at which the second touch goes to memory, upwards or downwards in an aligned block.\n"
		"Assumes  Blocks are powers of two and aligned. What fetches the next line helps in one direction only, and\n"
		"         is noted, not counted.\n"
		"Fails as unclear where half comes along, or where there is too little memory to make the caches forget.",
	.needs = { "cache.levels", "?memory.latency" },
	.thorough = true,
	.run = run,
};

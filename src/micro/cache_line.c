/* SPDX-License-Identifier: MIT */
/*
 * cache_line.c - bytes that one tag of a level stands for
 */
#include "micro.h"

static const char *const line_above[] = { "", "cache.l1d.line", "cache.l2.line", "cache.l3.line", "cache.l4.line" };

static void run(struct lab *lab, const struct subject *subject)
{
	char why[160] = "", also[160] = "", reason[340];
	double tag, fetched, above;

	if (!cache_level(lab, subject))
		return;
	engine_conflicts(lab, subject->depth);
	tag = engine_tag_line(lab, subject->depth, why, sizeof(why));
	above = subject->depth ? lab_fact(lab, line_above[subject->depth]) : tag;
	if (lab->timer->noise != NOISE_QUIET || isnan(above))
		above = lab->hierarchy->line;
	/* What is fetched ahead, into this level or through it, comes each time, and looks like a longer line; random
	 * references tell in the second level, where it is quiet. */
	if (isfinite(tag) && subject->depth > (lab->timer->noise == NOISE_QUIET) && !(tag <= above)) {
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "pairs of lines come together, as a line or because something fetches ahead");
		lab_measured(lab, above, fmin(above, lab->hierarchy->line), tag, 0.7, "shifted conflicts");
		return;
	}
	if (isfinite(tag)) {
		lab_measured(lab, tag, tag, tag, 0.99, "shifted conflicts");
		return;
	}
	/* A level that may not be there has no line. */
	if (subject->depth && cache_is_bent(lab, subject->depth))
		return;
	fetched = engine_fetch_line(lab, subject->depth, also, sizeof(also));
	if (lab->timer->noise != NOISE_QUIET && fetched != engine_fetch_line(lab, subject->depth, also, sizeof(also)))
		fetched = NAN;
	/* Less than the nearest level's line may be part of one, fetched alone; beside others it is a look that was
	 * disturbed. */
	if (subject->depth && lab->timer->noise != NOISE_QUIET && fetched < lab->hierarchy->line) {
		snprintf(also, sizeof(also),
			 "%.0f bytes seem to come together, which is less than a line of the nearest level", fetched);
		fetched = NAN;
	}
	/* Pairs cannot tell a long line from a prefetcher; a line no longer than the nearest needs no prefetcher, and
	 * lines as long as those above are the usual case. A line may also be fetched in parts. */
	if (isfinite(fetched)) {
		bool plain = subject->depth == 0 || fetched <= lab->hierarchy->line;

		if (!plain)
			snprintf(
				lab->finding.note, sizeof(lab->finding.note),
				"%.0f bytes come together, as a line, as part of one, or because something fetches ahead",
				fetched);
		lab_measured(lab, plain ? fetched : fmin(above, fetched), plain ? fetched : lab->hierarchy->line,
			     2 * fetched, plain ? 0.8 : 0.7, "pairs");
		return;
	}
	/* The other half of a longer line would come each time. */
	if (lab->hierarchy->level[subject->depth].told_apart) {
		snprintf(lab->finding.note, sizeof(lab->finding.note), "the next line comes along now and then");
		lab_measured(lab, lab->hierarchy->line, lab->hierarchy->line, 2 * lab->hierarchy->line, 0.7, "pairs");
		return;
	}
	snprintf(reason, sizeof(reason), "%s; %s", why, also);
	lab_outcome(lab, UNCLEAR, reason);
}

const struct micro micro_cache_line = {
	.name = "cache.LEVEL.line",
	.what = "bytes that one tag of the level stands for",
	.unit = "bytes",
	.story =
		"Idea     Two groups of places that overfill a set stop doing so when one group moves to the next set.\n"
		"         Where no set is known: a second touch near the first is a hit when both came in one line.\n"
		"Answer   The smallest shift that ends the conflicts, or the smallest gap at which the second touch misses.\n"
		"Assumes  Lines are powers of two.\n"
		"Fails as a range, without confidence, where no set is known: a prefetcher looks like a longer line.",
	.needs = { "?cache.LEVEL.ways", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

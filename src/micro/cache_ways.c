/* SPDX-License-Identifier: MIT */
/*
 * cache_ways.c - how many lines of one set a level holds
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_level(lab, subject);
	const struct conflicts *conflicts;
	double off;

	if (!level)
		return;
	engine_conflicts_again(lab, subject->depth);
	conflicts = engine_conflicts(lab, subject->depth);
	if (!conflicts->found) {
		bool doubtful = lab->timer->noise == NOISE_HOSTILE ||
				(subject->depth && subject->depth >= lab->hierarchy->believed);
		struct reduction found = { .ways = 0 };

		if (!doubtful)
			found = engine_reduction(lab, subject->depth);
		/* Beside neighbours a critical place may be missed. */
		if (found.ways > 0 && lab->timer->noise != NOISE_QUIET)
			lab_measured(lab, found.ways, fmax(1, found.low - 1), found.high + 1, 0.8, "eviction sets");
		else if (found.ways > 0)
			lab_measured(lab, found.ways, found.low, found.high, found.low < found.high ? 0.7 : 0.95,
				     "eviction sets");
		lab_outcome(lab, UNCLEAR, conflicts->why);
		return;
	}
	if (conflicts->exclusive)
		lab_note(lab, "ways in reach", conflicts->way, level->reach / conflicts->way, "");
	off = cache_miscount(lab);
	lab_measured(lab, conflicts->ways, conflicts->ways - off, conflicts->ways + off, off > 0 ? 0.8 : 0.99,
		     conflicts->exclusive ? "stride law, less the level above" : "stride law");
}

const struct micro micro_cache_ways = {
	.name = "cache.LEVEL.ways",
	.what = "lines of one set that the level holds",
	.unit = "count",
	.story =
		"Idea     Of places a stride apart a cache holds half as many when the stride doubles, until they all fall\n"
		"         into one set; then it holds as many as it has ways. Random references tell how many it holds\n"
		"         from their mean time, for every policy; a control on as many pages takes the TLB out.\n"
		"         Where no stride leads to sets: places at one offset of many pages are put in until one is too\n"
		"         many for its set; those without which nothing misses are counted.\n"
		"Answer   The number at which it stays, checked by sets that just fit and sets that just do not; or the\n"
		"         number of critical places less one, when two pools of pages agree.\n"
		"Assumes  Two places at one offset share a set or not, whatever the offset.\n"
		"Fails as unclear where neither way comes to an answer twice.",
	.needs = { "cache.levels" },
	.instance = cache_instance,
	.run = run,
};

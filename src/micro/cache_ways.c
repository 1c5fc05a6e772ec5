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
		"Answer   The number at which it stays, checked by sets that just fit and sets that just do not.\n"
		"Assumes  Physically contiguous memory above the size of a page, and an index of plain address bits.\n"
		"Fails as unclear where the number does not halve or the sets are not sharp.",
	.needs = { "cache.levels" },
	.instance = cache_instance,
	.run = run,
};

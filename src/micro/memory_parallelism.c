/* SPDX-License-Identifier: MIT */
/*
 * memory_parallelism.c - loads from memory that are under way at once
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab))
		traffic_parallelism(lab, lab->hierarchy->levels);
}

const struct micro micro_memory_parallelism = {
	.name = "memory.parallelism",
	.what = "loads from memory that one CPU has under way at once",
	.unit = "count",
	.story =
		"Idea     k chains of pointers side by side, each of which waits for itself alone, take k loads in the time of one,\n"
		"         until something is full: the misses that the levels above can have under way, or the way to them.\n"
		"Answer   The time of a load of one chain over that of the quickest of 1 to 96 chains; whole where that is one.\n"
		"         Control: one chain among none takes as long as one that is timed in the usual way.\n"
		"Assumes  The caches' reach is known. Places lie 256 bytes apart, so that lines that come in pairs do not matter;\n"
		"         translation is looked up once for all places of a page, and page walkers may still be the limit.\n"
		"Fails as blocked when there is not memory enough; unclear where 96 chains are not enough.\n",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

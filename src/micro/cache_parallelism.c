/* SPDX-License-Identifier: MIT */
/*
 * cache_parallelism.c - loads that a level has under way at once
 */
#include "micro.h"

/* What the nearest level serves is no miss of anybody's. */
static bool instance(int index, struct subject *subject)
{
	return cache_instance(index + 1, subject);
}

static void run(struct lab *lab, const struct subject *subject)
{
	if (cache_level(lab, subject))
		traffic_parallelism(lab, subject->depth);
}

const struct micro micro_cache_parallelism = {
	.name = "cache.LEVEL.parallelism",
	.what = "loads served by the level that are under way at once",
	.unit = "count",
	.story =
		"Idea     k chains of pointers side by side, each of which waits for itself alone, take k loads in the time of one,\n"
		"         until something is full: the misses that the levels above can have under way, or the way to them.\n"
		"Answer   The time of a load of one chain over that of the quickest of 1 to 96 chains; whole where that is one.\n"
		"         Control: one chain among none takes as long as one that is timed in the usual way.\n"
		"Assumes  The reach of the level and of the one above are known. Translation is looked up once for all places of a\n"
		"         page; where it is still in the way, the machine's page walkers may be the limit.\n"
		"Fails as absent for levels that are not there; l1d is not asked: what it serves misses nothing.\n",
	.needs = { "?cpu.frequency", "?cache.LEVEL.reach" },
	.instance = instance,
	.run = run,
};

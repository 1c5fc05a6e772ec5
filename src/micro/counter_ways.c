/* SPDX-License-Identifier: MIT */
/*
 * counter_ways.c - lines of one set, by counted misses
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_cache(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_ways(lab, event), 1);
}

const struct micro micro_counter_ways = {
	.name = "counter.cache.LEVEL.ways",
	.what = "lines of one set, by counted misses",
	.unit = "count",
	.story =
		"Idea     AMP's: if there are k ways, 2k places size / k apart lie in one set and miss; with fewer than k they fit.\n"
		"         There are several columns of them, lest a level above keeps them from being seen.\n"
		"Answer   The first k that divides the number of lines and thrashes. The most common of eight votes.\n"
		"Assumes  A trusted counter, and sets by the line's number.\n"
		"Fails as unclear where the index is hashed.",
	.needs = { "counter.events" },
	.instance = counter_cache_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * counter_tlb_ways.c - translations of one set, by counted misses
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_tlb(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_ways(lab, event), 1);
}

const struct micro micro_counter_tlb_ways = {
	.name = "counter.tlb.LEVEL.ways",
	.what = "translations of one set, by counted misses",
	.unit = "count",
	.story =
		"Idea     As counter.cache.LEVEL.ways, with pages for lines.\n"
		"Answer   The first k that divides the number of entries, of which 2k pages so far apart thrash one set.\n"
		"Assumes  A trusted counter, and sets by the page's number.\n"
		"Fails as unclear where the index is hashed.",
	.needs = { "counter.events" },
	.instance = counter_tlb_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

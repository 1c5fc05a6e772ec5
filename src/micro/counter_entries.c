/* SPDX-License-Identifier: MIT */
/*
 * counter_entries.c - pages of which none is missed
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_tlb(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_size(lab, event), 1);
}

const struct micro micro_counter_entries = {
	.name = "counter.tlb.LEVEL.entries",
	.what = "translations of which none is counted as missed",
	.unit = "count",
	.story =
		"Idea     As counter.cache.LEVEL.size, with pages for lines.\n"
		"Answer   The largest number of pages, one place in each, of which none is missed round and round; what an entry covers\n"
		"         that holds several neighbours counts as one. The most common of eight votes.\n"
		"Assumes  A trusted counter.\n"
		"Fails as another number where the counter counts walks of the tables, and not what the nearest TLB lacks: then it is\n"
		"         that of the last one.",
	.needs = { "counter.events" },
	.instance = counter_tlb_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * counter_tlb_unified.c - does code take entries from data, by counted misses
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_tlb(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_unified(lab, event), 1);
}

const struct micro micro_counter_tlb_unified = {
	.name = "counter.tlb.LEVEL.unified",
	.what = "code takes entries from data, by counted misses",
	.unit = "bool",
	.story =
		"Idea     As counter.cache.LEVEL.unified, with pages for lines.\n"
		"Answer   Yes when a third of the loads misses its translation, no when none does more than beside a little code.\n"
		"Assumes  A trusted counter of the loads.\n"
		"Fails as unclear in between.",
	.needs = { "counter.events" },
	.instance = counter_data_tlb_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

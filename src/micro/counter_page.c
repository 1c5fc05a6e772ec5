/* SPDX-License-Identifier: MIT */
/*
 * counter_page.c - bytes that one translation covers
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_tlb(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_line(lab, event), 1);
}

const struct micro micro_counter_page = {
	.name = "counter.tlb.LEVEL.page",
	.what = "bytes that one counted translation covers",
	.unit = "bytes",
	.story =
		"Idea     As counter.cache.LEVEL.line, with pages for lines.\n"
		"Answer   The smallest distance at which both of a pair are missed; of code half of the length that misses twice.\n"
		"Assumes  A trusted counter.\n"
		"Fails as more than a page where neighbours share an entry (R10000: two pages of 16 KiB, and AMP printed 32 KiB).",
	.needs = { "counter.events" },
	.instance = counter_tlb_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

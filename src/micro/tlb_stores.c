/* SPDX-License-Identifier: MIT */
/*
 * tlb_stores.c - do loads and stores use the same entries of a TLB?
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum stat_verdict shared;

	if (!tlb_level(lab, subject))
		return;
	shared = engine_tlb_stores(lab, subject->depth);
	if (shared == STAT_UNDECIDED)
		lab_outcome(lab, UNCLEAR,
			    "loads take neither as long beside many stored pages as beside few, nor as a "
			    "TLB that stores use would make them, or now this and now that");
	else
		lab_measured(lab, shared == STAT_YES, shared == STAT_YES, shared == STAT_YES, 0.9,
			     "loads beside stores");
}

const struct micro micro_tlb_stores = {
	.name = "tlb.LEVEL.stores",
	.what = "loads and stores use the same entries of the TLB",
	.unit = "bool",
	.story =
		"Idea     Loads from pages that fill three quarters of the TLB, and between them stores to as many others.\n"
		"Answer   Yes when many stored pages cost more beside many loaded ones than beside few, by what the third of\n"
		"         the loads that would miss costs.\n"
		"Assumes  What tlb.LEVEL.entries assumes.\n"
		"Fails as absent when there is no such TLB; unclear where it costs something between the two.",
	.needs = { "?tlb.LEVEL.entries", "?cpu.frequency" },
	.instance = tlb_data_instance,
	.thorough = true,
	.run = run,
};

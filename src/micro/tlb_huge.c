/* SPDX-License-Identifier: MIT */
/*
 * tlb_huge.c - huge pages that a TLB knows
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	struct paging *huge = engine_huge_paging(lab);
	const struct tlb_sets *sets;

	if (!paging_is_huge(lab)) {
		lab_outcome(lab, ABSENT, "huge pages are no larger than others to the hardware");
		return;
	}
	if (huge->status != MACHINE_RAN) {
		lab_outcome(lab, BLOCKED, huge->why);
		return;
	}
	if (subject->depth >= huge->levels) {
		/* A TLB for more pages than there is memory for does not show. */
		lab_outcome(lab, UNCLEAR,
			    "no walk over as many huge pages as there is memory for was slower than another");
		return;
	}
	sets = engine_tlb_sets(lab, huge, subject->depth);
	if (sets->found) {
		snprintf(lab->finding.note, sizeof(lab->finding.note), "%.0f ways", sets->ways);
		tlb_counted(lab, sets, sets->sets);
	} else {
		tlb_by_law(lab, &huge->tlb[subject->depth], subject->depth);
	}
}

const struct micro micro_tlb_huge = {
	.name = "tlb.LEVEL.huge",
	.what = "huge pages that the TLB knows",
	.unit = "count",
	.story =
		"Idea     The same as tlb.LEVEL.entries, with huge pages.\n"
		"Answer   Ways times sets where they are found, else by the law. Some TLBs hold pages of all sizes, others\n"
		"         have entries of their own for huge ones, or none.\n"
		"Assumes  What tlb.LEVEL.entries assumes. Levels count from the one that the fewest huge pages fill.\n"
		"Fails as absent without huge pages; unclear where half a gigabyte of them is not enough to fill the TLB.",
	.needs = { "page.huge" },
	.instance = tlb_data_instance,
	.thorough = true,
	.run = run,
};

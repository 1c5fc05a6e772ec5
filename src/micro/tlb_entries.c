/* SPDX-License-Identifier: MIT */
/*
 * tlb_entries.c - pages that a TLB knows
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct tlb *tlb = tlb_level(lab, subject);
	const struct tlb_sets *sets;

	if (!tlb)
		return;
	/* Every other page of a TLB's is half of its sets, and all of what a walk of the system's pages sees. */
	if (subject->code && isnan(lab_fact(lab, "page.size")))
		lab_outcome(lab, UNCLEAR,
			    "page.size is not known: what the TLB holds is not told from half of its sets");
	sets = tlb_sets(lab, subject);
	if (sets->found)
		tlb_counted(lab, sets, sets->sets);
	else
		tlb_by_law(lab, tlb, subject->depth);
}

const struct micro micro_tlb_entries = {
	.name = "tlb.LEVEL.entries",
	.what = "pages that the TLB knows",
	.unit = "count",
	.story =
		"Idea     References drawn from N pages at random find the translation with E/N when the TLB has E entries,\n"
		"         whatever its policy. They touch as few lines for any N: many pages share a few frames, so that\n"
		"         caches add the same to all times.\n"
		"         A walk round n pages a stride apart misses no translation as long as the TLB holds them all\n"
		"         (X-Ray's compact sequences); beyond the nearest TLB pages beside them crowd out the one above.\n"
		"Answer   Ways times sets where a stride leads to sets that any pages of them agree with; else E of the law.\n"
		"Assumes  Pages may share frames (memfd). Where a cache suffers from that, as AMD's do, 64 frames are used\n"
		"         instead of four, and each line has one address.\n"
		"Fails as absent when there are fewer TLBs; unclear beside others when the nearest TLB's sets do not show, and for\n"
		"         code when page.size is not known.",
	.needs = { "?cpu.frequency", "?page.size" },
	.instance = tlb_instance,
	.run = run,
};

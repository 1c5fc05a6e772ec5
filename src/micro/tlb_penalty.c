/* SPDX-License-Identifier: MIT */
/*
 * tlb_penalty.c - cycles that a page costs which a TLB lacks
 */
#include "micro.h"

static const double UNTOLD = 0.5; /* of a penalty: one that may be so much more is not known */

static void run(struct lab *lab, const struct subject *subject)
{
	const struct tlb *tlb = tlb_level(lab, subject);

	if (!tlb)
		return;
	if (tlb->error > UNTOLD * tlb->penalty)
		lab_outcome(lab, UNCLEAR,
			    "no walk goes over many more pages than the TLB knows, whose tables stay in a cache");
	else
		lab_measured(lab, tlb->penalty, tlb->penalty - tlb->error, tlb->penalty + tlb->error, 0.85,
			     "resident-set law");
}

const struct micro micro_tlb_penalty = {
	.name = "tlb.LEVEL.penalty",
	.what = "cycles that a load takes more when the TLB lacks its page and the next one has it",
	.unit = "cycles",
	.story =
		"Idea     Random references over N pages take so much longer the fewer of them the TLB knows.\n"
		"Answer   What the TLB's term adds to a load; or, where a chain of nothing but loads takes clearly less or\n"
		"         more when it goes round more pages than the TLB has, what that takes. For the last TLB it is a page\n"
		"         walk, with the tables in the caches.\n"
		"Assumes  What tlb.LEVEL.entries assumes.\n"
		"Fails as absent when there is no such TLB; unclear when it has about as many entries as walks have pages.",
	.needs = { "?tlb.LEVEL.entries", "?cpu.frequency" },
	.instance = tlb_instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * tlb_policy.c - which page of a full set the nearest TLB forgets
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	return index == 0 && tlb_instance(index, subject);
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct tlb_sets *sets;
	struct policy policy;

	if (!tlb_level(lab, subject))
		return;
	sets = tlb_sets(lab, subject);
	if (sets->found && sets->ways < 2) {
		lab_outcome(lab, ABSENT, "a set holds one page: there is nothing to choose");
		return;
	}
	policy = engine_tlb_policy(lab, lab->paging);
	policy_tell(lab, &policy);
}

const struct micro micro_tlb_policy = {
	.name = "tlb.LEVEL.policy",
	.what = "which page of a full set the TLB forgets when another comes",
	.unit = "text",
	.story =
		"Idea     That of cache.LEVEL.policy, with pages for lines: references to the pages of one set, in an order made\n"
		"         up at random and walked over and over, miss so many times in a lap. All pages lie on a few frames, so\n"
		"         that caches miss none of them.\n"
		"Answer   The policy whose numbers are those counted, by the names of cache.LEVEL.policy, or its manner.\n"
		"Assumes  Sets are known, of 32 pages at most.\n"
		"Fails as unclear where no policy comes near.",
	.needs = { "?tlb.LEVEL.ways", "?cpu.frequency" },
	.instance = instance,
	.thorough = true,
	.run = run,
};

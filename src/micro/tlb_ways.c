/* SPDX-License-Identifier: MIT */
/*
 * tlb_ways.c - pages of one set that a TLB knows
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct tlb_sets *sets;

	if (!tlb_level(lab, subject))
		return;
	sets = tlb_sets(lab, subject);
	if (sets->found && sets->sets == 1)
		snprintf(lab->finding.note, sizeof(lab->finding.note), "fully associative");
	if (sets->hashed) {
		snprintf(lab->finding.note, sizeof(lab->finding.note), "hashed index: no stride leads to a set");
		lab_measured(lab, sets->ways, sets->ways, sets->ways, 0.9, "reduction");
	} else if (sets->found)
		tlb_counted(lab, sets, 1);
	else
		lab_outcome(lab, UNCLEAR, sets->why);
}

/* Of code's TLBs the nearest one's sets alone are looked for. */
static bool instance(int index, struct subject *subject)
{
	return tlb_instance(index, subject) && !(subject->code && subject->depth > 0);
}

const struct micro micro_tlb_ways = {
	.name = "tlb.LEVEL.ways",
	.what = "pages of one set that the TLB knows",
	.unit = "count",
	.story =
		"Idea     Of pages a stride apart a TLB holds half as many when the stride doubles, until they all fall into\n"
		"         one set; then it holds as many as it has ways.\n"
		"Answer   The number at which it stays, also for odd multiples of the stride, and for any pages of the set. A\n"
		"         TLB that holds as many at every stride is fully associative. Where no stride leads to sets, pages as\n"
		"         chance has them are left out as long as the rest is too much for some set: the last ones are its\n"
		"         own, one too many.\n"
		"Assumes  The number of sets is a power of two, or up to 15 times one.\n"
		"Fails as unclear where no stride leads to sets, and two such reductions do not agree.",
	.needs = { "?tlb.LEVEL.entries", "?cpu.frequency" },
	.instance = instance,
	.run = run,
};

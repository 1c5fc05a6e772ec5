/* SPDX-License-Identifier: MIT */
/*
 * tlb_reach.c - bytes that a TLB knows the translation of
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct finding *entries;
	double page = lab_fact(lab, "page.size");
	char name[32];

	snprintf(name, sizeof(name), "tlb.%s.entries", subject->level);
	entries = findings_get(lab->findings, name);
	lab_measured(lab, page * entries->value, page * entries->low, page * entries->high, entries->confidence,
		     entries->method);
}

const struct micro micro_tlb_reach = {
	.name = "tlb.LEVEL.reach",
	.what = "memory that the TLB knows the translation of",
	.unit = "bytes",
	.story = "Idea     As many pages as it has entries.\n"
		 "Answer   tlb.LEVEL.entries times page.size.\n"
		 "Assumes  Each entry stands for one page. Where neighbours share an entry it is more.\n"
		 "Fails as absent when there is no such TLB.",
	.needs = { "tlb.LEVEL.entries", "page.size" },
	.instance = tlb_instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * tlb_unified.c - does a TLB hold the pages of code and of data?
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	static const char *const names[] = { "l1i", "l2i" };

	if (index >= (int)(sizeof(names) / sizeof(names[0])))
		return false;
	*subject = (struct subject){ .level = names[index], .depth = index, .code = true };
	return true;
}

static void run(struct lab *lab, const struct subject *subject)
{
	if (tlb_level(lab, subject))
		code_told(lab, engine_code_tlb_unified(lab, subject->depth));
}

const struct micro micro_tlb_unified = {
	.name = "tlb.LEVEL.unified",
	.what = "the TLB holds the pages of code and of data",
	.unit = "bool",
	.story =
		"Idea     Jumps that wait for a load each, into as many pages of code and of data as would fill three quarters\n"
		"         of the TLB each.\n"
		"Answer   Yes when many pages of data cost more beside many pages of code than beside few.\n"
		"Assumes  What tlb.LEVEL.entries assumes.\n"
		"Fails as absent when there is no such TLB; unclear where noise is as large as what would show.",
	.needs = { "?tlb.LEVEL.entries", "?cpu.frequency", "?page.size" },
	.instance = instance,
	.thorough = true,
	.run = run,
};

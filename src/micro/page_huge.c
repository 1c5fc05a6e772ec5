/* SPDX-License-Identifier: MIT */
/*
 * page_huge.c - bytes that one translation covers where huge pages are asked for
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct paging *huge;
	double bytes;

	(void)subject;
	if (!paged(lab))
		return;
	huge = engine_huge_paging(lab);
	if (huge->seen.bytes == 0) {
		lab_outcome(lab, UNCLEAR, huge->seen.why);
		return;
	}
	if (!paging_is_huge(lab))
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "no larger than others: the system gives none, or small ones lie below");
	/* Neighbours that share an entry do so here, too. */
	bytes = paging_is_huge(lab) ? huge->page : fmin(huge->page, lab->paging->page);
	lab_measured(lab, bytes, bytes, bytes, 0.99, "pairs of touches");
}

const struct micro micro_page_huge = {
	.name = "page.huge",
	.what = "bytes that one translation covers where huge pages are asked for",
	.unit = "bytes",
	.story =
		"Idea     The same as page.size, in memory that the system was asked to make of huge pages.\n"
		"Answer   The distance from which on two touches need two translations: a guest's huge page on a host's\n"
		"         small ones is small to the TLB.\n"
		"Assumes  What page.size assumes; and memory enough for more huge pages than a TLB knows.\n"
		"Fails as unclear where no distance up to 32 MiB makes a difference, or memory does not suffice.",
	.needs = { "?cpu.frequency", "page.size" },
	.thorough = true,
	.run = run,
};

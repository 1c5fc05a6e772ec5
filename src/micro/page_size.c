/* SPDX-License-Identifier: MIT */
/*
 * page_size.c - bytes that one translation covers
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct paging *paging = paged(lab);

	(void)subject;
	if (!paging)
		return;
	if (paging->seen.bytes == 0) {
		lab_outcome(lab, UNCLEAR, paging->seen.why);
		return;
	}
	if (paging->sharing > 1)
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "%.0f neighbours share an entry of a TLB where their frames lie in a row", paging->sharing);
	lab_measured(lab, paging->page, paging->page, paging->page, 0.99, "pairs of touches");
}

const struct micro micro_page_size = {
	.name = "page.size",
	.what = "bytes that one translation covers, as the hardware has it",
	.unit = "bytes",
	.story =
		"Idea     More blocks of memory than a TLB knows, and two touches in each. The second needs a translation\n"
		"         of its own when it lies in another page (BlackjackBench's strides, with the caches taken out: as\n"
		"         many lines are touched at every distance, in sets that do not depend on it).\n"
		"Answer   The distance from which on the second touch costs more. Where neighbours share an entry of a TLB\n"
		"         because their frames lie in a row, the page is that of frames that do not, and a note says so.\n"
		"Assumes  Pages are powers of two, from 512 bytes up.\n"
		"Fails as unclear when no distance makes a difference.",
	.needs = { "?cpu.frequency" },
	.run = run,
};

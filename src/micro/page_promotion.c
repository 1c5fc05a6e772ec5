/* SPDX-License-Identifier: MIT */
/*
 * page_promotion.c - whether the system makes pages larger by itself
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	struct promotion promotion;

	(void)subject;
	if (!paged(lab))
		return;
	promotion = engine_promotion(lab);
	if (promotion.larger == STAT_UNDECIDED) {
		lab_outcome(lab, UNCLEAR, "what plain memory is translated in does not show");
		return;
	}
	if (promotion.larger == STAT_NO)
		snprintf(lab->finding.note, sizeof(lab->finding.note), "not within %.0f ms of use",
			 promotion.after / 1e6);
	else if (promotion.after > 0)
		snprintf(lab->finding.note, sizeof(lab->finding.note), "within %.0f ms of use", promotion.after / 1e6);
	else
		snprintf(lab->finding.note, sizeof(lab->finding.note), "from the first touch on");
	lab_measured(lab, promotion.larger == STAT_YES, promotion.larger == STAT_YES, promotion.larger == STAT_YES,
		     promotion.larger == STAT_YES ? 0.95 : 0.85, "pairs of touches");
}

const struct micro micro_page_promotion = {
	.name = "page.promotion",
	.what = "memory gets larger pages than page.size without being asked",
	.unit = "bool",
	.story =
		"Idea     Some systems hand out huge pages from the first touch on, others make small ones larger while a\n"
		"         program uses them. Either way a translation comes to cover more.\n"
		"Answer   Whether page.size is larger in memory for which nothing was asked, at once or after a quarter of a\n"
		"         second of use. The memory of all other parameters is asked for in pages of one kind, and keeps\n"
		"         them.\n"
		"Assumes  What page.size assumes. A system that waits for longer is not waited for.\n"
		"Fails as no where larger pages make no difference to the hardware, as on a host's small ones.",
	.needs = { "?cpu.frequency", "page.size" },
	.thorough = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * l1i_size.c - the capacity of the nearest cache of code
 */
#include "micro.h"

static const double ADDS_UP = 0.06,
		    SCATTERED = 0.12; /* how far sets and law may differ; and the law of scattered blocks */
static const double CROWDED = 1.75; /* times what is held on frames in no order before some set is full */

enum { BESIDE = 1 }; /* others are in its sets as in those of a further level; see l1i_ways.c */

static void run(struct lab *lab, const struct subject *subject)
{
	const struct coding *coding = coded_nearest(lab);
	const struct code_sets *sets;
	double size, others, crowded = 1;

	(void)subject;
	if (lab->coding)
		coding_note(lab, lab->coding);
	if (!coding)
		return;
	sets = engine_code_sets(lab);
	size = sets->ways * sets->way;
	others = cache_miscount(lab, BESIDE) * sets->way;
	if (code_pages(lab) == WALK_BASE_PAGES && coding->level[0].reach > engine_code_paging(lab)->page)
		crowded = CROWDED;
	if (sets->found &&
	    fabs(size / coding->level[0].reach - 1) < (coding->scattered && !sets->by_chance ? SCATTERED : ADDS_UP))
		lab_measured(lab, size, fmax(sets->size_low - others, sets->way), sets->size_high + others,
			     sets->by_chance || others > 0 || sets->low < sets->high ? 0.8 : 0.95,
			     sets->by_chance ? "scattered blocks" : "ways times stride");
	else if (lab->timer->noise == NOISE_HOSTILE)
		lab_outcome(lab, UNCLEAR, "sets do not show, and in such noise the law alone is not to be believed");
	else
		lab_measured(lab, coding->level[0].reach, coding->level[0].low, coding->level[0].high * crowded,
			     coding->soft || crowded > 1 ? 0.6 : 0.85, "resident-set law");
}

const struct micro micro_l1i_size = {
	.name = "cache.l1i.size",
	.what = "capacity of the nearest cache that holds code",
	.unit = "bytes",
	.story =
		"Idea     Jumps whose targets nothing foresees, over N places of 64 bytes: a cache that holds R of them has the\n"
		"         next one with R/N, whatever its policy, and whatever runs ahead on straight code. The twin makes the\n"
		"         same jumps where all pages lie on one frame: predictors and TLBs are alike, and what is left goes\n"
		"         by physical addresses. Micro-ops may: of longer instructions they hold more bytes, a cache does not.\n"
		"Answer   The first reach that stays; where sets are found, ways times stride.\n"
		"Assumes  Code can be written for this kind of CPU (x86-64, AArch64, RISC-V), and pages may share frames.\n"
		"Fails as absent where code comes from a level that data use, as behind a trace cache.",
	.needs = { "?cpu.frequency", "?page.size", "?page.huge", "?cache.l1d.size" },
	.thorough = true,
	.run = run,
};

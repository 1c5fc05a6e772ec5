/* SPDX-License-Identifier: MIT */
/*
 * l1i_ways.c - lines of one set that the nearest cache of code holds
 */
#include <math.h>

#include "micro.h"

/* Whoever has the other half of the core has lines in these sets, as neighbours have in those of a further level:
 * beside one Emerald Rapids kept 7 of 8. */
enum { BESIDE = 1 };

static void run(struct lab *lab, const struct subject *subject)
{
	const struct code_sets *sets;
	double others = cache_miscount(lab, BESIDE), low, high;

	(void)subject;
	if (!coded_nearest(lab))
		return;
	sets = engine_code_sets(lab);
	low = fmax(1, sets->low - others);
	high = sets->high + others;
	if (sets->found)
		lab_measured(lab, sets->ways, low, high, sets->by_chance || low < high ? 0.8 : 0.95,
			     sets->by_chance ? "scattered blocks" : "stride law");
	else
		lab_outcome(lab, UNCLEAR, sets->why);
}

const struct micro micro_l1i_ways = {
	.name = "cache.l1i.ways",
	.what = "lines of one set that the nearest cache of code holds",
	.unit = "count",
	.story =
		"Idea     Of places a stride apart a cache holds half as many when the stride doubles, until they all fall into\n"
		"         one set; then it holds as many as it has ways. Jumps among them that nothing foresees tell how many\n"
		"         it holds; as many in other lines of the same pages take TLBs and predictors off.\n"
		"Answer   The number at which it stays, also for odd multiples of the stride.\n"
		"Assumes  The number of sets is a power of two, or up to 15 times one.\n"
		"Fails as unclear where no stride leads to sets.",
	.needs = { "?cpu.frequency", "?page.size", "?page.huge", "?cache.l1d.size" },
	.thorough = true,
	.run = run,
};

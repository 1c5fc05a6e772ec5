/* SPDX-License-Identifier: MIT */
/*
 * l1i_unified.c - does the nearest cache of code hold data, too?
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct coding *coding = coded_nearest(lab);

	(void)subject;
	if (coding)
		code_told(lab, engine_code_unified(lab, 0));
}

const struct micro micro_l1i_unified = {
	.name = "cache.l1i.unified",
	.what = "the nearest cache of code holds data, too",
	.unit = "bool",
	.story = "Idea     What cache.LEVEL.unified does, for the nearest level.\n"
		 "Answer   Yes when large data cost more beside much code than beside little.\n"
		 "Assumes  What cache.l1i.size assumes.\n"
		 "Fails as absent where there is no cache of code; unclear where noise is as large as what would show.",
	.needs = { "?cache.l1i.size" },
	.thorough = true,
	.run = run,
};

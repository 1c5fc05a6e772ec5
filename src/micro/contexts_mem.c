/* SPDX-License-Identifier: MIT */
/*
 * contexts_mem.c - threads that can do loads from the nearest cache at once
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	teams_contexts(lab, TEAMS_MEM);
}

const struct micro micro_contexts_mem = {
	.name = "contexts.mem",
	.what = "threads that can do loads from the nearest cache at once",
	.unit = "count",
	.story = CONTEXTS_STORY("a chain of loads in the nearest cache"),
	.needs = CONTEXTS_NEEDS,
	.run = run,
};

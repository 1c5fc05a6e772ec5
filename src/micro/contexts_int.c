/* SPDX-License-Identifier: MIT */
/*
 * contexts_int.c - threads that can do divisions of integers at once
 */
#include "micro.h"

static void want(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	teams_contexts_want(lab, TEAMS_INT);
}

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	teams_contexts(lab, TEAMS_INT);
}

const struct micro micro_contexts_int = {
	.name = "contexts.int",
	.what = "threads that can do divisions of integers at once",
	.unit = "count",
	.story = CONTEXTS_STORY("a chain of divisions"),
	.needs = CONTEXTS_NEEDS,
	.want = want,
	.run = run,
};

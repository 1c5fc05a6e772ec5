/* SPDX-License-Identifier: MIT */
/*
 * contexts_fp.c - threads that can do divisions of floats at once
 */
#include "micro.h"

static void want(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	teams_contexts_want(lab, TEAMS_FP);
}

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	teams_contexts(lab, TEAMS_FP);
}

const struct micro micro_contexts_fp = {
	.name = "contexts.fp",
	.what = "threads that can do divisions of floats at once",
	.unit = "count",
	.story = CONTEXTS_STORY("a chain of divisions"),
	.needs = CONTEXTS_NEEDS,
	.want = want,
	.run = run,
};

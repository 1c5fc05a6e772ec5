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
	.story =
		"Idea     BlackjackBench's: one thread, two, three and so on do the same work, a chain of divisions.\n"
		"         The time of the slowest stays as it is until they have to share something.\n"
		"Answer   The number before the first step: a thread that takes a quarter longer than such a CPU does alone.\n"
		"         Threads are put onto CPUs, one of each core first; where all are equally fast the system also puts\n"
		"         them anywhere, and where that says otherwise it is a range.\n"
		"Assumes  The system puts threads onto CPUs that are idle.\n"
		"Fails as a range when it does not.",
	.needs = { "smp.cpus", "?smp.cores" },
	.want = want,
	.run = run,
};

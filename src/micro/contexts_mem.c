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
	.story =
		"Idea     BlackjackBench's: one thread, two, three and so on do the same work, a chain of loads in the nearest cache.\n"
		"         The time of the slowest stays as it is until they have to share something.\n"
		"Answer   The number before the first step: a thread that takes a quarter longer than such a CPU does alone.\n"
		"         Threads are put onto CPUs, one of each core first; where all are equally fast the system also puts\n"
		"         them anywhere, and where that says otherwise it is a range.\n"
		"Assumes  The system puts threads onto CPUs that are idle.\n"
		"Fails as a range when it does not.",
	.needs = { "smp.cpus", "?smp.cores" },
	.run = run,
};

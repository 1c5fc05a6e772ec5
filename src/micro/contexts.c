/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - threads that can do one kind of work at once
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	static const char *const names[] = { [TEAMS_INT] = "int", [TEAMS_FP] = "fp", [TEAMS_MEM] = "mem" };

	if (index >= (int)(sizeof(names) / sizeof(names[0])))
		return false;
	subject->kind = names[index];
	subject->work = (enum teams_kind)index;
	return true;
}

static void want(struct lab *lab, const struct subject *subject)
{
	teams_contexts_want(lab, subject->work);
}

static void run(struct lab *lab, const struct subject *subject)
{
	teams_contexts(lab, subject->work);
}

const struct micro micro_contexts = {
	.name = "contexts.KIND",
	.what = "threads that can divide integers (int) or floats (fp) or load (mem) at once, none slower",
	.unit = "count",
	.story =
		"Idea     BlackjackBench's: one thread, two, three and so on do the same work: a chain of divisions of\n"
		"         integers (int) or of floats (fp), or of loads in the nearest cache (mem). The time of the slowest\n"
		"         stays as it is until they have to share something.\n"
		"Answer   The number before the first step: a thread that takes a quarter longer than such a CPU does alone.\n"
		"         Threads are put onto CPUs, one of each core first; where all are equally fast the system also puts\n"
		"         them anywhere, and where that says otherwise it is a range.\n"
		"Assumes  The system puts threads onto CPUs that are idle.\n"
		"Fails as a range when it does not.",
	.needs = { "smp.cpus", "?smp.cores" },
	.instance = instance,
	.want = want,
	.run = run,
};

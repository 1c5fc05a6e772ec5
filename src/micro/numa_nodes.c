/* SPDX-License-Identifier: MIT */
/*
 * numa_nodes.c - groups of CPUs that are near to memory of their own
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct nodes *nodes = explored_memory(lab) ? common_nodes(lab) : NULL;

	(void)subject;
	if (!nodes)
		return;
	snprintf(lab->finding.note, sizeof(lab->finding.note), "memory of %d of %d CPUs%s%s", nodes->rows,
		 lab->timer->machine->identity.cpus,
		 nodes->bound     ? "; what they touch first lies elsewhere, so it was bound"
		 : nodes->refused ? "; the system lets none be bound"
				  : "",
		 nodes->hidden ? "; some pieces of it are further away than others, whoever touched them first" : "");
	lab_measured(lab, nodes->count, nodes->count, nodes->count, nodes->hidden ? 0.7 : 0.9,
		     nodes->bound ? "memory bound" : "memory first touched");
}

const struct micro micro_numa_nodes = {
	.name = "numa.nodes",
	.what = "groups of CPUs that are near to memory of their own",
	.unit = "count",
	.story =
		"Idea     The system gives memory near to the CPU that first touches it. Each CPU walks over its own, and over\n"
		"         that of the others, round and round through more than the last cache holds. Then over memory that\n"
		"         the system was asked to bind near the same CPUs: where that is not as far, all of it is bound.\n"
		"Answer   Two CPUs are of one node when neither pays more for the other's memory than for his own, and of two\n"
		"         when both do. CPUs of each group of comm.tree are looked at, of the smallest groups that are\n"
		"         eight or fewer: four in all, at least; more of them where a group has several nodes.\n"
		"Assumes  Memory is near to whom touches it first, or the system lets it be bound, and a group of comm.tree\n"
		"         has one memory where there are more than four of them.\n"
		"Fails as unclear when it fits no nodes, when more of them may be than were met, and, with the word\n"
		"         unstable, when the host moves CPUs. Memory that a host spreads over nodes of its own is noted, where\n"
		"         pieces of it differ.",
	.needs = { "cache.levels", "?comm.tree", "?memory.latency" },
	.thorough = true,
	.run = run,
};

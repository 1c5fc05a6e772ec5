/* SPDX-License-Identifier: MIT */
/*
 * numa_latency.c - how far each node's memory is from each node's CPUs
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct nodes *nodes = explored_memory(lab) ? common_nodes(lab) : NULL;
	struct matrix *matrix = nodes ? matrix_new("ns", nodes->count) : NULL;

	(void)subject;
	if (!nodes)
		return;
	for (int a = 0; matrix && a < matrix->size; a++)
		for (int b = 0; b < matrix->size; b++)
			matrix->cells[a * matrix->size + b] = nodes->far[a][b];
	lab_measured_matrix(lab, matrix, 0.85, nodes->bound ? "memory bound" : "memory first touched",
			    "no walk over memory was undisturbed");
}

const struct micro micro_numa_latency = {
	.name = "numa.latency",
	.what = "time of a load from each node's memory, by the node of the CPU",
	.unit = "matrix",
	.story =
		"Idea     As numa.nodes.\n"
		"Answer   Rows are the nodes of memory, columns those of CPUs, by their lowest CPU. memory.latency, and what\n"
		"         a walk takes more than the same CPU's over memory of its own, over the share of references that\n"
		"         no cache serves there.\n"
		"Assumes  As numa.nodes and memory.latency.\n"
		"Fails as numa.nodes does.",
	.needs = { "numa.nodes", "memory.latency" },
	.thorough = true,
	.run = run,
};

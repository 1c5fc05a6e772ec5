/* SPDX-License-Identifier: MIT */
/*
 * numa_bandwidth.c - bytes that each node's CPUs read from each node's memory in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct nodes *nodes = explored_memory(lab) ? common_nodes(lab) : NULL;

	(void)subject;
	if (nodes)
		lab_measured_matrix(lab, traffic_remote(lab, nodes), 0.8,
				    nodes->bound ? "streams over memory bound" : "streams over memory first touched",
				    "no stream through memory was undisturbed");
}

const struct micro micro_numa_bandwidth = {
	.name = "numa.bandwidth",
	.what = "bytes/s that one CPU reads from each node's memory, by the node of the CPU",
	.unit = "matrix",
	.story =
		"Idea     As numa.nodes; but the CPU streams, and nothing waits, as with memory.bandwidth.\n"
		"Answer   Rows are the nodes of memory, columns those of CPUs, by their lowest CPU: bytes over time of one\n"
		"         CPU of the node, the most of a few looks.\n"
		"Assumes  As numa.nodes and memory.bandwidth.\n"
		"Fails as numa.nodes does, and as blocked where there is not memory enough for all nodes.",
	.needs = { "numa.nodes" },
	.thorough = true,
	.run = run,
};

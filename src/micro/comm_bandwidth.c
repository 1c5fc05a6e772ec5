/* SPDX-License-Identifier: MIT */
/*
 * comm_bandwidth.c - how fast blocks go from one CPU to another
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	double bytes;
	struct matrix *matrix = common_bandwidth(lab, &bytes);

	(void)subject;
	if (!matrix)
		return;
	snprintf(lab->finding.note, sizeof(lab->finding.note), "blocks of %.0f KiB; %d of %d CPUs", bytes / 1024,
		 matrix->size, lab->timer->machine->identity.cpus);
	lab_measured_matrix(lab, matrix, 0.8, "blocks to and fro", "no pair of the CPUs in the matrix was measured");
}

const struct micro micro_comm_bandwidth = {
	.name = "comm.bandwidth",
	.what = "rate at which blocks go from one CPU to another",
	.unit = "matrix",
	.story =
		"Idea     BlackjackBench's: a producer and a consumer. Two CPUs take turns at adding to every line of a block.\n"
		"Answer   Bytes of the block in half of a round, at its quickest. Blocks of 4 KiB up to more than the last\n"
		"         level holds, or 16 MiB where it is not known, are tried with a pair of each level of comm.tree;\n"
		"         the matrix is for the size at which the slowest of these pairs is quickest, of those that all\n"
		"         pairs can pass in two seconds. Up to 16 CPUs are in it, of more than that some from each level.\n"
		"         The evidence has the other sizes, and where levels differ.\n"
		"Assumes  Both CPUs are there at once.\n"
		"Fails as blocked when threads cannot be put onto CPUs.",
	.needs = { "?comm.tree" },
	.run = run,
};

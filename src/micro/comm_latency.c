/* SPDX-License-Identifier: MIT */
/*
 * comm_latency.c - how long a line takes from one CPU to another
 */
#include "micro.h"

enum { MOST = 64 }; /* rows of the matrix */

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_passes(lab);
	int n = teamwork ? teamwork->count : 0, size = n < MOST ? n : MOST;
	struct matrix *matrix = teamwork ? matrix_new("ns", size) : NULL;

	(void)subject;
	if (!teamwork)
		return;
	for (int i = 0; matrix && i < size; i++) {
		int a = (int)((long)i * n / size);

		matrix->labels[i] = teams_cpu(lab, a);
		for (int j = 0; j < size; j++)
			matrix->cells[i * size + j] =
				teamwork->passes[(size_t)a * (size_t)n + (size_t)((long)j * n / size)];
	}
	lab_measured_matrix(lab, matrix, 0.9, "line to and fro", "no pair of the CPUs in the matrix was measured");
}

const struct micro micro_comm_latency = {
	.name = "comm.latency",
	.what = "time that a line takes from one CPU to another",
	.unit = "matrix",
	.story =
		"Idea     Two CPUs take turns at adding to a word; whose turn it is follows from the word itself.\n"
		"Answer   Half of a round, there and back, at its quickest; the median of several places in memory, whose\n"
		"         lines have different homes. Of more than 64 CPUs the matrix has 64, and what was not measured\n"
		"         is empty. So are pairs beside which somebody else was on the core each time, and that took longer\n"
		"         than others of their level.\n"
		"Assumes  Both CPUs are there at once.\n"
		"Fails as blocked when threads cannot be put onto CPUs.",
	.needs = { "?comm.tree" },
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * smp_cores.c - cores: CPUs that do not slow one another down
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_cores_surely(lab);
	int cores = 0;

	(void)subject;
	for (int i = 0; teamwork && i < teamwork->count; i++)
		cores += teamwork->core[i] == i;
	if (teamwork)
		lab_measured(lab, cores, cores, cores, teams_cores_confidence(teamwork), "pairs of crowds");
}

const struct micro micro_smp_cores = {
	.name = "smp.cores",
	.what = "cores among the CPUs",
	.unit = "count",
	.story =
		"Idea     X-Ray's: a crowd of additions fills a core. Two CPUs that are threads of one core slow down each\n"
		"         other's; CPUs of different cores do not.\n"
		"Answer   CPUs, less those that share a core with another. Pairs that are near to each other by how long\n"
		"         a line takes between them are tried, and some that are not.\n"
		"Assumes  What slows all CPUs down slows a chain of operations as much, and a chain is not slowed down\n"
		"         by a sibling.\n"
		"Fails as unclear, with the word unstable, when pairs slow each other down at one time and not at another:\n"
		"         the host moves its CPUs, or somebody else uses their siblings.",
	.needs = { "?comm.tree" },
	.run = run,
};

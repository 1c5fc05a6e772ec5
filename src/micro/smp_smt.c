/* SPDX-License-Identifier: MIT */
/*
 * smp_smt.c - threads of a core
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_cores_surely(lab);
	int most = 0;

	(void)subject;
	for (int i = 0; teamwork && i < teamwork->count; i++) {
		int threads = 0;

		for (int j = 0; j < teamwork->count; j++)
			threads += teamwork->core[j] == teamwork->core[i];
		most = threads > most ? threads : most;
	}
	if (teamwork)
		lab_measured(lab, most, most, most, teams_cores_confidence(teamwork), "pairs of crowds");
}

const struct micro micro_smp_smt = {
	.name = "smp.smt",
	.what = "threads of a core, as many as the one with most has",
	.unit = "count",
	.story = "Idea     As smp.cores.\n"
		 "Answer   CPUs of the core that has most of them among those we may use.\n"
		 "Assumes  As smp.cores.\n"
		 "Fails as smp.cores does.",
	.needs = { "smp.cores" },
	.run = run,
};

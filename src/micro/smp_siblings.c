/* SPDX-License-Identifier: MIT */
/*
 * smp_siblings.c - which CPUs are one core
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_cores_surely(lab);
	size_t size = teamwork ? (size_t)teamwork->count * 12 + 1 : 0, used = 0;
	char *text = teamwork ? calloc(size, 1) : NULL;
	int cores = 0;

	(void)subject;
	if (!teamwork)
		return;
	for (int first = 0; text && first < teamwork->count; first++) {
		const char *between = cores ? " " : "";

		if (teamwork->core[first] != first)
			continue;
		cores++;
		for (int i = first; i < teamwork->count; i++) {
			if (teamwork->core[i] != first)
				continue;
			used += (size_t)snprintf(text + used, size - used, "%s%d", between, teams_cpu(lab, i));
			between = ",";
		}
	}
	lab->finding.text = text;
	if (text)
		lab_measured(lab, cores, cores, cores, teams_cores_confidence(teamwork), "pairs of crowds");
	else
		lab_outcome(lab, FAILED, "out of memory");
}

const struct micro micro_smp_siblings = {
	.name = "smp.siblings",
	.what = "which CPUs are one core",
	.unit = "text",
	.story = "Idea     As smp.cores.\n"
		 "Answer   The CPUs of each core with commas between them, cores with blanks.\n"
		 "Assumes  As smp.cores.\n"
		 "Fails as smp.cores does.",
	.needs = { "smp.cores" },
	.run = run,
};

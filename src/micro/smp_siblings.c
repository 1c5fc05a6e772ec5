/* SPDX-License-Identifier: MIT */
/*
 * smp_siblings.c - which CPUs are one core
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_cores_surely(lab);
	int cores;

	(void)subject;
	if (!teamwork)
		return;
	lab->finding.text = teams_groups(lab, teamwork->core, &cores);
	if (lab->finding.text)
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

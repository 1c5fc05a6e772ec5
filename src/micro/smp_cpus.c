/* SPDX-License-Identifier: MIT */
/*
 * smp_cpus.c - CPUs that work at once
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_speeds(lab);
	char reason[160];

	(void)subject;
	if (!teamwork)
		return;
	if (teams_whole(teamwork)) {
		lab_measured(lab, teamwork->count, teamwork->count, teamwork->count, 0.99, "chains at once");
		return;
	}
	snprintf(reason, sizeof(reason),
		 "%d CPUs may be used, and together they were there for %.2f CPUs' worth of time", teamwork->count,
		 teamwork->granted);
	lab_outcome(lab, UNCLEAR, reason);
}

const struct micro micro_smp_cpus = {
	.name = "smp.cpus",
	.what = "CPUs that work at once",
	.unit = "count",
	.story =
		"Idea     A chain of operations leaves a core's units idle most of the time, so that even threads of one\n"
		"         core do not slow it down. As many chains as there are CPUs we may use, each on its own, go on\n"
		"         for longer than a quota's period.\n"
		"Answer   All of them, if together they were there for nine tenths of the time.\n"
		"Assumes  The system lets threads be put onto CPUs.\n"
		"Fails as unclear when a quota, or the host, gives less time than that.",
	.run = run,
};

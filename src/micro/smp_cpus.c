/* SPDX-License-Identifier: MIT */
/*
 * smp_cpus.c - CPUs that work at once
 */
#include "micro.h"

static const double A_WHILE = 1.2e8, PIECE = 2e5; /* ns: longer than the period of a quota; */
static const double WHOLE = 0.9; /* of its time a CPU has to be there for us */

enum { TURNS = 3 };

/* CPUs' worth of time that as many threads got, each on its CPU. */
static double granted(struct lab *lab, int count)
{
	struct timer *timer = lab->timer;
	struct team_member *members = stat_scratch((size_t)count, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)count, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_RUN, .members = members, .count = count, .ns = A_WHILE };
	long laps = (long)fmax(1, (double)timer->tick_laps * PIECE / timer->sample);
	double sum = 0;

	for (int i = 0; i < count; i++)
		members[i] = (struct team_member){ .cpu = teams_cpu(lab, i), .nano = timer->tick, .length = laps };
	if (teams_work(lab, &team, &reading))
		for (int i = 0; i < count; i++)
			sum += fmin(1, teams_rate(&parts[i], laps, reading.ns) * teams_pace(&parts[i], laps));
	free(members);
	free(parts);
	return sum;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct machine_identity *identity = &lab->timer->machine->identity;
	int count = identity->cpus;
	double most = 0;
	char reason[160];

	(void)subject;
	for (int turn = 0; turn < TURNS && most < WHOLE * count && !lab->settled; turn++) {
		double sum = granted(lab, count);

		lab_note(lab, "chains at once, in CPUs' worth of time", count, sum, "");
		most = fmax(most, sum);
	}
	if (most >= WHOLE * count) {
		lab_measured(lab, count, count, count, 0.99, "chains at once");
		return;
	}
	snprintf(reason, sizeof(reason),
		 "%d CPUs may be used, and together they were there for %.2f CPUs' worth of time", count, most);
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

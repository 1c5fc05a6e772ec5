/* SPDX-License-Identifier: MIT */
/*
 * speeds.c - a chain of operations on every CPU at once: how fast each of them is, and how much of it we get
 *
 * A chain leaves a core's units idle most of the time, so that even threads of one core do not slow each other down.
 */
#include <math.h>
#include <stdlib.h>

#include "teams.h"

enum { TURNS = 3 };

/* ns. The first is longer than the usual period of a quota; of the pieces all are looked at, since the first are slow
 * where a clock rises. */
static const double A_WHILE = 1.2e8, PIECE = 1.8e6;
static const double WHOLE = 0.9; /* of its time a CPU has to be there for us */
static const double OTHER = 1.1; /* times as fast: another kind of core */

/* CPUs' worth of time that they got. */
static double work_at_once(struct lab *lab, struct teamwork *teamwork)
{
	struct timer *timer = lab->timer;
	int count = teamwork->count;
	struct team_member *members = stat_scratch((size_t)count, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)count, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_RUN, .members = members, .count = count, .ns = A_WHILE };
	long laps = (long)fmax(1, (double)timer->tick_laps * PIECE / timer->sample);
	double sum = 0;

	for (int i = 0; i < count; i++)
		members[i] = (struct team_member){
			.cpu = teams_cpu(lab, i), .home = TEAM_ANYWHERE, .nano = timer->tick, .length = laps
		};
	if (teams_work(lab, &team, &reading))
		for (int i = 0; i < count; i++) {
			double pace = teams_pace(&parts[i], laps);

			teamwork->chain[i] = fmin(teamwork->chain[i], pace);
			sum += isnan(pace) ? 0 : fmin(1, teams_rate(&parts[i], laps, reading.ns) * pace);
		}
	free(members);
	free(parts);
	return sum;
}

/* CPUs that are equally fast are of one kind. */
static void sort_kinds(struct teamwork *teamwork)
{
	double cuts[TREE_LEVELS];

	teamwork->kinds = stat_gaps(teamwork->chain, teamwork->count, OTHER, cuts, TREE_LEVELS);
	for (int i = 0; i < teamwork->count; i++)
		for (teamwork->kind[i] = 0;
		     teamwork->kind[i] < teamwork->kinds - 1 && teamwork->chain[i] > cuts[teamwork->kind[i]];)
			teamwork->kind[i]++;
}

const struct teamwork *teams_speeds(struct lab *lab)
{
	struct teamwork *teamwork = teams_of(lab);

	if (!teamwork)
		return NULL;
	for (int turn = 0; turn < TURNS && !(teamwork->granted >= WHOLE * teamwork->count) && !lab->settled; turn++) {
		double sum = work_at_once(lab, teamwork);

		lab_note(lab, "chains at once, in CPUs' worth of time", teamwork->count, sum, "");
		teamwork->granted = fmax(teamwork->granted, sum);
	}
	if (lab->settled)
		return NULL;
	sort_kinds(teamwork);
	return teamwork;
}

bool teams_whole(const struct teamwork *teamwork)
{
	return teamwork->granted >= WHOLE * teamwork->count;
}

/* SPDX-License-Identifier: MIT */
/*
 * passes.c - how long a line takes from one CPU to another, for as many pairs as it takes to know them all
 */
#include <math.h>
#include <stdio.h>

#include "teams.h"

enum { ROUNDS = 32, PLACES = 8, FEW_PLACES = 4, MANY_CPUS = 32, ENOUGH = 4, AGAIN = 64, LONGEST = 5 };

static const double A_WHILE = 6e4; /* ns of one team; four times as long, LONGEST times, where nothing comes of it */
static const double OTHER = 1.3; /* times as long, or as short: another pair of CPUs */
static const double STABLE = 0.97; /* of the pairs that are looked at again must be as they were */
static const double SURE = 0.95; /* of the pairs must be as far apart as the tree has it */

/* One way, at one place; NaN: there was no time for it. */
static double look(struct lab *lab, int a, int b, uint64_t bytes, int place)
{
	struct team_member members[2] = { { .cpu = teams_cpu(lab, a), .home = TEAM_ANYWHERE },
					  { .cpu = teams_cpu(lab, b), .home = TEAM_ANYWHERE } };
	struct team_part parts[2];
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_PASS, .members = members, .count = 2, .bytes = bytes, .place = place };

	members[0].length = members[1].length = bytes ? 1 : ROUNDS;
	for (int longer = 0; longer < LONGEST; longer++) {
		team.ns = A_WHILE * (double)(1 << 2 * longer);
		if (!teams_try(lab, &team, &reading)) {
			lab_outcome(lab, BLOCKED, reading.why[0] ? reading.why : "there was no time left for it");
			return NAN;
		}
		if (parts[0].count >= ENOUGH && parts[1].count >= ENOUGH)
			break;
	}
	return fmin(teams_pace(&parts[0], members[0].length), teams_pace(&parts[1], members[1].length)) / 2;
}

double teams_pass(struct lab *lab, int a, int b, uint64_t bytes, int places)
{
	double ns[PLACES];

	places = places < PLACES ? places : PLACES;
	for (int i = 0; i < places; i++)
		ns[i] = look(lab, a, b, bytes, i);
	return stat_median(ns, places);
}

static double distance(void *context, int a, int b)
{
	struct lab *lab = context;
	struct teamwork *teamwork = lab->teamwork;
	int n = teamwork->count;
	double ns = timer_over(lab->timer) ? NAN : teams_pass(lab, a, b, 0, n > MANY_CPUS ? FEW_PLACES : PLACES);

	teamwork->passes[(size_t)a * (size_t)n + (size_t)b] = ns;
	teamwork->passes[(size_t)b * (size_t)n + (size_t)a] = ns;
	return ns;
}

/* Does a pair take as long as it did? What comes in the way only ever adds, so it gets a second chance. */
static bool is_same(struct lab *lab, int a, int b)
{
	const struct teamwork *teamwork = lab->teamwork;
	double before = teamwork->passes[(size_t)a * (size_t)teamwork->count + (size_t)b];
	bool same = false;

	for (int look = 0; look < 2 && !same; look++) {
		double now = teams_pass(lab, a, b, 0, FEW_PLACES);

		same = now < OTHER * before && before < OTHER * now;
	}
	return same;
}

/* Its neighbour, of those whose distance is known. */
static int nearest(const struct teamwork *teamwork, int cpu)
{
	const double *row = &teamwork->passes[(size_t)cpu * (size_t)teamwork->count];
	int best = -1;

	for (int i = 0; i < teamwork->count; i++)
		if (i != cpu && !isnan(row[i]) && (best < 0 || row[i] < row[best]))
			best = i;
	return best;
}

/* Each CPU and its neighbour once more, and some other pairs: CPUs that the host moves are near to others by now. */
static bool stays(struct lab *lab)
{
	struct teamwork *teamwork = lab->teamwork;
	int n = teamwork->count, pairs = n * (n - 1) / 2, step = pairs / AGAIN + 1, at = 0, same = 0, looked = 0;

	for (int a = 0; a < n; a++) {
		int b = nearest(teamwork, a);

		looked += b >= 0;
		same += b >= 0 && is_same(lab, a, b);
	}
	for (int a = 1; a < n; a++)
		for (int b = 0; b < a; b++) {
			if (at++ % step || isnan(teamwork->passes[(size_t)a * (size_t)n + (size_t)b]))
				continue;
			looked++;
			same += is_same(lab, a, b);
		}
	return same >= STABLE * looked;
}

static bool measure(struct lab *lab, struct teamwork *teamwork)
{
	struct tree_space space = { distance, lab, teamwork->count };

	teamwork->tree = tree_find(&space);
	if (!teamwork->tree) {
		snprintf(teamwork->why, sizeof(teamwork->why), "%s",
			 lab->settled ? lab->finding.reason : "some pairs of CPUs never passed a line in time");
		return false;
	}
	/* Two CPUs are one group however long a line takes between them. */
	teamwork->unstable = teamwork->count > 2 && (!stays(lab) || teamwork->tree->fits < SURE);
	if (teamwork->unstable)
		snprintf(teamwork->why, sizeof(teamwork->why),
			 "unstable: who is near to whom differs from look to look, or fits no groups");
	return true;
}

const struct teamwork *teams_passes(struct lab *lab)
{
	struct teamwork *teamwork;

	if (teams_alone(lab))
		return NULL;
	teamwork = teams_of(lab);
	if (!teamwork)
		return NULL;
	if (!teamwork->tree && !teamwork->why[0])
		measure(lab, teamwork);
	if (teamwork->tree)
		return teamwork;
	lab_outcome(lab, BLOCKED, teamwork->why);
	return NULL;
}

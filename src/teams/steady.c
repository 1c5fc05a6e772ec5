/* SPDX-License-Identifier: MIT */
/*
 * steady.c - are pairs of CPUs as far apart as they were
 *
 * A host that moves CPUs makes them near to others; somebody else on a CPU's core makes it slow with all others, for as
 * long as he is there. A crowd of additions, which he slows down, and a chain, which he does not, tell the one from the
 * other.
 */
#include <math.h>

#include "steady.h"

enum { LOOKS = 4, PLACES = 4, AGAIN = 64, ODD = 1, MANY = 50, CHECKS = 3 };

static const double OTHER = 1.3; /* times as long, or as short: another pair of CPUs */
static const double BESIDE = 1.15; /* times as long: a crowd that has not the core to itself */
static const double ALIKE = 0.1; /* of their speed */
static const double PIECE = 5e3, A_WHILE = 5e4; /* ns */
static const double EXCUSED = 0.5; /* of the pairs at most have somebody else beside them */

static double pace(struct lab *lab, int cpu, const struct nano *nano, long laps)
{
	struct team_member member = { .cpu = teams_cpu(lab, cpu), .home = TEAM_ANYWHERE, .nano = nano };
	struct team_part part;
	struct team_reading reading = { .parts = &part };
	struct team team = { .task = TEAM_RUN, .members = &member, .count = 1, .ns = A_WHILE };

	member.length = (long)fmax(1, (double)laps * PIECE / lab->timer->sample);
	return teams_try(lab, &team, &reading) ? teams_pace(&part, member.length) : NAN;
}

/* A lap of the crowd in laps of the chain; what either takes at its best is remembered. */
static double crowding(struct lab *lab, int cpu)
{
	const struct timer *timer = lab->timer;
	struct teamwork *teamwork = lab->teamwork;
	double lap = pace(lab, cpu, timer->tick, timer->tick_laps),
	       share = pace(lab, cpu, timer->crowd, timer->crowd_laps) / lap;

	teamwork->lap[cpu] = fmin(teamwork->lap[cpu], lap);
	teamwork->share[cpu] = fmin(teamwork->share[cpu], share);
	return share;
}

/* Is somebody else on the core right now? Of CPUs that are equally fast, one at least was alone at some time. */
static bool is_beside_others(struct lab *lab, int cpu)
{
	const struct teamwork *teamwork = lab->teamwork;
	double least = INFINITY, share;

	for (int i = 0; i < teamwork->count; i++)
		if (isnan(teamwork->share[i]))
			crowding(lab, i);
	share = crowding(lab, cpu);
	for (int i = 0; i < teamwork->count; i++)
		if (fabs(log(teamwork->lap[i] / teamwork->lap[cpu])) < ALIKE)
			least = fmin(least, teamwork->share[i]);
	return share > BESIDE * least;
}

static enum stat_verdict is_same(struct lab *lab, int a, int b)
{
	const struct teamwork *teamwork = lab->teamwork;
	double before = teamwork->passes[(size_t)a * (size_t)teamwork->count + (size_t)b];

	for (int look = 0; look < LOOKS; look++) {
		double now = teams_pass(lab, a, b, 0, PLACES);

		if (now < OTHER * before && before < OTHER * now)
			return STAT_YES;
	}
	return is_beside_others(lab, a) || is_beside_others(lab, b) ? STAT_UNDECIDED : STAT_NO;
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

struct tally {
	int looked, excused, odd;
};

static void count(struct lab *lab, int a, int b, struct tally *tally)
{
	enum stat_verdict verdict = is_same(lab, a, b);

	tally->looked++;
	tally->excused += verdict == STAT_UNDECIDED;
	tally->odd += verdict == STAT_NO;
}

bool steady_holds(struct lab *lab)
{
	struct teamwork *teamwork = lab->teamwork;
	int n = teamwork->count, pairs = n * (n - 1) / 2, step = pairs / AGAIN + 1, at = 0;
	struct tally tally = { 0, 0, 0 };

	for (int a = 0; a < n && !timer_over(lab->timer); a++) {
		int b = nearest(teamwork, a);

		if (b >= 0)
			count(lab, a, b, &tally);
	}
	for (int a = 1; a < n; a++)
		for (int b = 0; b < a && !timer_over(lab->timer); b++)
			if (at++ % step == 0 && !isnan(teamwork->passes[(size_t)a * (size_t)n + (size_t)b]))
				count(lab, a, b, &tally);
	/* Two CPUs that changed places make more than one pair odd, however many there are. */
	return tally.odd <= (tally.looked >= MANY ? ODD : 0) && tally.excused <= EXCUSED * tally.looked;
}

bool steady_haunted(struct lab *lab, bool loose)
{
	const struct tree *tree = lab->teamwork->tree;

	for (int i = 0; i < tree->count; i++) {
		int beside = 0;

		if (!loose && tree_size(tree, 0, i) > 1)
			continue;
		while (beside < CHECKS && is_beside_others(lab, i))
			beside++;
		if (beside == CHECKS)
			return true;
	}
	return false;
}

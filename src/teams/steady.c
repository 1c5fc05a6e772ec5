/* SPDX-License-Identifier: MIT */
/*
 * steady.c - are pairs of CPUs as far apart as they were
 *
 * A host that moves CPUs makes them near to others; somebody else on a CPU's core makes it slow with all others, for as
 * long as he is there. A crowd of additions, which he slows down, and a chain, which he does not, tell the one from the
 * other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steady.h"

enum { LOOKS = 6, PLACES = 4, AGAIN = 64, ODD = 1, MANY = 50, TRIPLES = 4, TURNS = 5 };

static const double OTHER = 1.3; /* times as long, or as short: another pair of CPUs */
static const double LONGER = 2.2; /* times as long, at most, where somebody is beside both */
static const double MISFIT = 1.15; /* times as far, or as near, as pairs of its level */
static const double BESIDE = 1.15; /* times as long: a crowd that has not the core to itself */
static const double ALIKE = 0.1; /* of their speed */
static const double PIECE = 5e3, A_WHILE = 5e4; /* ns */
static const double PAUSE = 5e7, PATIENCE = 1e9; /* ns, in which whoever is beside somebody may go away; for all */
static const double EXCUSED = 0.75; /* of the pairs at most have somebody else beside them */

static double pace(struct lab *lab, int cpu, const struct nano *nano, long laps)
{
	struct team_member member = { .cpu = teams_cpu(lab, cpu), .home = TEAM_ANYWHERE, .nano = nano };
	struct team_part part;
	struct team_reading reading = { .parts = &part };
	struct team team = { .task = TEAM_RUN, .members = &member, .count = 1, .ns = A_WHILE };

	member.length = (long)fmax(1, (double)laps * PIECE / lab->timer->sample);
	return teams_try(lab, &team, &reading) ? teams_pace(&part, member.length) : NAN;
}

/* A lap of the crowd, ns. What it takes at its best is remembered; where that is much less than it was, nothing was
 * sure.
 */
static double crowd(struct lab *lab, int cpu)
{
	struct teamwork *teamwork = lab->teamwork;
	size_t cells = (size_t)teamwork->count * (size_t)teamwork->count;
	double now = pace(lab, cpu, lab->timer->crowd, lab->timer->crowd_laps), *best = &teamwork->crowd[cpu];

	if (BESIDE * now < *best)
		memset(teamwork->sure, 0, sizeof(bool) * cells);
	*best = fmin(*best, now);
	return now;
}

/* Of CPUs that are equally fast, one at least was alone at some time. */
bool steady_crowded(struct lab *lab, int cpu)
{
	const struct teamwork *teamwork = lab->teamwork;
	double least = INFINITY, now = crowd(lab, cpu);

	for (int i = 0; i < teamwork->count; i++) {
		if (isnan(teamwork->crowd[i]))
			crowd(lab, i);
		if (fabs(log(teamwork->chain[i] / teamwork->chain[cpu])) < ALIKE)
			least = fmin(least, teamwork->crowd[i]);
	}
	return now > BESIDE * least;
}

/* A pair that took longer may be beside somebody; one that took less was, if nobody made sure of it. */
static enum stat_verdict is_same(struct lab *lab, int a, int b)
{
	const struct teamwork *teamwork = lab->teamwork;
	double before = *teams_passed(teamwork, a, b);

	for (int look = 1; look <= LOOKS; look++) {
		double now = teams_pass(lab, a, b, 0, PLACES);

		if (now < OTHER * before && before < OTHER * now)
			return STAT_YES;
		if (look % 2)
			continue;
		if (now < before && teamwork->careful && !*teams_sure(teamwork, a, b))
			return STAT_UNDECIDED;
		if (steady_crowded(lab, a) || steady_crowded(lab, b))
			return STAT_UNDECIDED;
	}
	return STAT_NO;
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
			if (at++ % step == 0 && !isnan(*teams_passed(teamwork, a, b)))
				count(lab, a, b, &tally);
	/* Two CPUs that changed places make more than one pair odd, however many there are. */
	return tally.odd <= (tally.looked >= MANY ? ODD : 0) && tally.excused <= EXCUSED * tally.looked;
}

void steady_forget(struct lab *lab)
{
	enum { UNSURE, OPEN, HOLDS };
	const struct teamwork *teamwork = lab->teamwork;
	struct machine *machine = lab->timer->machine;
	size_t n = (size_t)teamwork->count;
	char *state = stat_scratch(n * n, sizeof(*state));
	double until = machine->ops->clock(machine) + PATIENCE;

	/* A crowd that is quicker than ever, on the way, leaves nothing sure. */
	for (size_t i = 0; i < n * n; i++)
		state[i] = teamwork->sure[i] ? OPEN : UNSURE;
	for (int turn = 0, open = 1; turn < TURNS && open; turn++) {
		open = 0;
		for (int a = 0; a < teamwork->count && machine->ops->clock(machine) < until; a++)
			for (int b = a + 1; b < teamwork->count; b++) {
				char *pair = &state[(size_t)a * n + (size_t)b];
				enum stat_verdict same = *pair == OPEN ? is_same(lab, a, b) : STAT_UNDECIDED;

				if (same != STAT_UNDECIDED)
					*pair = same == STAT_YES ? HOLDS : UNSURE;
				open += *pair == OPEN;
			}
		machine->ops->wait(machine, open ? PAUSE : 0);
	}
	/* What is open may be for somebody beside them, unless CPUs move. */
	for (int a = 0; a < teamwork->count; a++)
		for (int b = a + 1; b < teamwork->count; b++)
			if (state[(size_t)a * n + (size_t)b] < (teamwork->moved ? HOLDS : OPEN))
				*teams_passed(teamwork, a, b) = *teams_passed(teamwork, b, a) = NAN;
	free(state);
}

/* However often one looks, and with nobody beside them. */
static bool is_far(struct lab *lab, int a, int b, double near)
{
	for (int look = 0; look < LOOKS; look++)
		if (!(teams_pass(lab, a, b, 0, PLACES) > LONGER * near))
			return false;
	return !steady_crowded(lab, a) && !steady_crowded(lab, b);
}

/* Near to two who are far from each other, further than somebody else beside them explains: that was not at one time,
 * and one of the two is not near any more. Or else it fits no groups, or the two were never as far. */
bool steady_moved(struct lab *lab)
{
	struct teamwork *teamwork = lab->teamwork;
	int tried = 0;

	for (int b = 0; b < teamwork->count; b++)
		for (int a = nearest(teamwork, b), c = 0; a >= 0 && c < teamwork->count && tried < TRIPLES; c++) {
			double near = fmax(*teams_passed(teamwork, a, b), *teams_passed(teamwork, b, c));

			if (c == a || c == b || isnan(*teams_passed(teamwork, b, c)) ||
			    !(*teams_passed(teamwork, a, c) > LONGER * near))
				continue;
			tried++;
			if (!is_far(lab, a, c, near)) {
				*teams_sure(teamwork, a, c) = false;
				continue;
			}
			if (!is_far(lab, a, b, near) && !is_far(lab, b, c, near))
				continue;
			snprintf(
				teamwork->why, sizeof(teamwork->why),
				"unstable: the host moves CPUs: %d was near to %d and to %d, which are far from each other",
				teams_cpu(lab, b), teams_cpu(lab, a), teams_cpu(lab, c));
			return true;
		}
	return false;
}

bool steady_lonely(const struct tree *tree)
{
	for (int i = 0; i < tree->count; i++)
		if (tree_size(tree, 0, i) == 1)
			return true;
	return false;
}

/* The lowest member of the CPU's group on a level; below the first it is itself. */
static int lowest(const struct tree *tree, int level, int cpu)
{
	return level < 0 ? cpu : tree->group[level][cpu];
}

/* May the pair, which is not sure, be on a lower level, and take longer for somebody beside it? */
static bool may_be_nearer(const struct teamwork *teamwork, int a, int b)
{
	int level = tree_level(teamwork->tree, a, b);
	double ns = *teams_passed(teamwork, a, b);

	return !isnan(ns) && level > 0 && ns < LONGER * teamwork->tree->distance[level - 1];
}

bool steady_witnessed(const struct teamwork *teamwork)
{
	const struct tree *tree = teamwork->tree;
	size_t n = (size_t)tree->count;
	bool *told = stat_scratch(n * n, sizeof(*told)), all = true;

	for (int sure = 1; sure >= 0; sure--)
		for (int a = 0; a < tree->count; a++)
			for (int b = 0; b < a; b++) {
				int level = tree_level(tree, a, b), one = lowest(tree, level - 1, a),
				    other = lowest(tree, level - 1, b);
				bool *apart = &told[(size_t)(one < other ? one : other) * n +
						    (size_t)(one < other ? other : one)];

				if (*teams_sure(teamwork, a, b))
					*apart = true;
				else if (!sure && !*apart && may_be_nearer(teamwork, a, b))
					all = false;
			}
	free(told);
	return all;
}

static bool is_misfit(const struct teamwork *teamwork, int a, int b)
{
	double usual = teamwork->tree->distance[tree_level(teamwork->tree, a, b)];

	return fabs(log(*teams_passed(teamwork, a, b) / usual)) > log(MISFIT);
}

void steady_doubt(struct teamwork *teamwork)
{
	int n = teamwork->count, *misfits = stat_scratch((size_t)n, sizeof(*misfits)), most = 0;

	for (int a = 0; a < n; a++)
		for (int b = 0; b < a; b++)
			if (is_misfit(teamwork, a, b)) {
				misfits[a]++;
				misfits[b]++;
			}
	for (int i = 0; i < n; i++)
		most = misfits[i] > most ? misfits[i] : most;
	for (int a = 0; a < n; a++)
		for (int b = 0; b < a; b++)
			if (2 * misfits[a] > most || 2 * misfits[b] > most)
				*teams_sure(teamwork, a, b) = false;
	free(misfits);
}

/* SPDX-License-Identifier: MIT */
/*
 * siblings.c - which CPUs are one core: those that slow down each other's crowd of additions, but not a chain
 *
 * Everything that slows down all of a machine's CPUs (a clock that falls when more of them work) slows the chain, too.
 * What others do comes and goes, so the quickest moments of both count, and pairs are looked at more than once.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "teams.h"

enum { LOOKS = 3, MOST_LOOKS = 9, SMALL_SET = 16, PIVOTS = 6, CONTROLS = 8 };

static const double PIECE = 2e4, A_WHILE = 6e5; /* ns */
static const double SHARED = 1.3, APART = 1.15; /* times as long beside a sibling, at least; beside another core */

static const double UNSTABLE = 0.2; /* share of pairs that seemed one core at one time and two at another */
static const double PAUSE = 1e7; /* ns between two looks at the same pair */

/* ns a lap of two loops on two CPUs, beside each other or each alone; false: they do not run. */
static bool pace(struct lab *lab, const struct nano *nano, long laps, const int *cpus, bool beside, double *ns)
{
	struct team_member members[2];
	struct team_part parts[2];
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_RUN, .members = members, .count = beside ? 2 : 1, .ns = A_WHILE };

	for (int i = 0; i < 2; i++)
		members[i] = (struct team_member){
			.cpu = teams_cpu(lab, cpus[i]), .home = TEAM_ANYWHERE, .nano = nano, .length = laps
		};
	if (beside) {
		if (!teams_work(lab, &team, &reading))
			return false;
	} else {
		struct team_part second;

		if (!teams_work(lab, &team, &reading))
			return false;
		members[0] = members[1];
		second = parts[0];
		if (!teams_work(lab, &team, &reading))
			return false;
		parts[1] = parts[0];
		parts[0] = second;
	}
	for (int i = 0; i < 2; i++)
		ns[i] = teams_pace(&parts[i], laps);
	return true;
}

/* How many times as long the crowd takes beside the other, less what the chain does; the lesser of the two CPUs'.
 * In the order alone, beside, beside, alone, and the quickest of each counts. */
static double slowdown(struct lab *lab, int a, int b)
{
	struct timer *timer = lab->timer;
	const struct nano *loops[2] = { timer->crowd, timer->tick };
	const long laps[2] = { timer->crowd_laps, timer->tick_laps };
	int cpus[2] = { a, b };
	double slower[2] = { NAN, NAN };

	for (int loop = 0; loop < 2; loop++) {
		double least[2][2] = { { INFINITY, INFINITY }, { INFINITY, INFINITY } }, ns[2];
		long pieces = (long)fmax(1, (double)laps[loop] * PIECE / timer->sample);

		for (int turn = 0; turn < 4; turn++) {
			bool beside = turn == 1 || turn == 2;

			if (!pace(lab, loops[loop], pieces, cpus, beside, ns))
				return NAN;
			for (int i = 0; i < 2; i++)
				least[beside][i] = fmin(least[beside][i], ns[i]);
		}
		slower[loop] = fmin(least[1][0] / least[0][0], least[1][1] / least[0][1]);
	}
	return slower[0] / fmax(1, slower[1]);
}

/* Looks until two thirds agree. `doubt` counts pairs whose looks did not all agree. */
static enum stat_verdict siblings(struct lab *lab, int a, int b, int *doubt)
{
	int yes = 0, no = 0;
	char what[96];

	for (int look = 0; look < MOST_LOOKS; look++) {
		double times = slowdown(lab, a, b);

		if (isnan(times) && lab->settled)
			return STAT_UNDECIDED;
		yes += times > SHARED;
		no += times < APART;
		snprintf(what, sizeof(what), "crowd of additions, CPU %d beside %d", teams_cpu(lab, a),
			 teams_cpu(lab, b));
		lab_note(lab, what, look, times, times > SHARED ? "one core" : times < APART ? "two cores" : "");
		if (no == 2 && !yes)
			return STAT_NO;
		if (look + 1 >= LOOKS && (yes >= 2 * no || no >= 2 * yes) && yes + no >= LOOKS)
			break;
		lab->timer->machine->ops->wait(lab->timer->machine, PAUSE);
	}
	*doubt += yes > 0 && no > 0;
	return yes >= 2 * no && yes ? STAT_YES : no >= 2 * yes && no ? STAT_NO : STAT_UNDECIDED;
}

struct sorting {
	struct teamwork *teamwork;
	int doubt, pairs, found, undecided;
};

static void compare(struct lab *lab, struct sorting *sorting, int a, int b)
{
	int *core = sorting->teamwork->core;
	enum stat_verdict verdict;

	/* Both known to be of one core already. */
	if (core[a] == core[b] || lab->settled)
		return;
	verdict = siblings(lab, a, b, &sorting->doubt);
	sorting->pairs++;
	sorting->undecided += verdict == STAT_UNDECIDED;
	if (verdict != STAT_YES)
		return;
	sorting->found++;
	for (int i = 0, from = core[a] > core[b] ? core[a] : core[b], to = core[a] < core[b] ? core[a] : core[b];
	     i < sorting->teamwork->count; i++)
		if (core[i] == from)
			core[i] = to;
}

/* Cores within a set of CPUs: of a large one some CPUs are tried against all, and if none has a sibling, nobody has. */
static void sort_set(struct lab *lab, struct sorting *sorting, const int *set, int size)
{
	int pivots = size > SMALL_SET ? PIVOTS : size, found = sorting->found;

	for (int p = 0; p < pivots; p++)
		for (int i = 0; i < size; i++) {
			int pivot = size > SMALL_SET ? p * size / pivots : p;

			if (i > pivot || (size > SMALL_SET && i != pivot))
				compare(lab, sorting, set[pivot], set[i]);
		}
	if (size <= SMALL_SET || sorting->found == found)
		return;
	for (int p = 0; p < size; p++)
		for (int i = p + 1; i < size; i++)
			compare(lab, sorting, set[p], set[i]);
}

/* Pairs of the tree's smallest groups, where a core's CPUs would be; and some that are further apart, as a control. */
static void sort_cores(struct lab *lab, struct sorting *sorting)
{
	struct teamwork *teamwork = sorting->teamwork;
	int n = teamwork->count, *set = stat_scratch((size_t)n, sizeof(*set));
	bool grouped = teamwork->tree && !teamwork->unstable;

	for (int first = 0; first < n; first++) {
		int size = 0;

		for (int i = 0; i < n; i++)
			if (grouped ? teamwork->tree->group[0][i] == first : first == 0)
				set[size++] = i;
		sort_set(lab, sorting, set, size);
	}
	for (int i = 0; grouped && teamwork->tree->levels > 1 && i < CONTROLS; i++) {
		int a = i * n / CONTROLS, b = n - 1 - a;

		if (teamwork->tree->group[0][a] != teamwork->tree->group[0][b])
			compare(lab, sorting, a, b);
	}
	free(set);
}

const struct teamwork *teams_cores(struct lab *lab)
{
	struct teamwork *teamwork = teams_of(lab);
	struct sorting sorting = { .teamwork = teamwork };

	if (!teamwork)
		return NULL;
	if (teamwork->cored)
		return teamwork;
	for (int i = 0; i < teamwork->count; i++)
		teamwork->core[i] = i;
	if (teamwork->count > 1) {
		if (!teams_passes(lab))
			return NULL;
		sort_cores(lab, &sorting);
		if (lab->settled)
			return NULL;
		teamwork->cored_doubt = sorting.pairs ? (double)(sorting.doubt + sorting.undecided) / sorting.pairs : 0;
	}
	teamwork->cored = true;
	return teamwork;
}

const struct teamwork *teams_cores_surely(struct lab *lab)
{
	const struct teamwork *teamwork = teams_cores(lab);
	char reason[160];

	if (!teamwork || teamwork->cored_doubt <= UNSTABLE)
		return teamwork;
	snprintf(reason, sizeof(reason),
		 "unstable: %.0f %% of the pairs slowed each other down at one time and not at another",
		 100 * teamwork->cored_doubt);
	lab_outcome(lab, UNCLEAR, reason);
	return NULL;
}

double teams_cores_confidence(const struct teamwork *teamwork)
{
	return teamwork->cored_doubt > 0 ? 0.8 : 0.97;
}

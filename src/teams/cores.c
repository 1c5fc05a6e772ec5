/* SPDX-License-Identifier: MIT */
/*
 * cores.c - which CPUs are one core
 *
 * First all CPUs at once: where nobody is slower than alone there are no siblings. Of those who are, pairs, each more
 * than once; one pair of each of the tree's smallest groups at a time, since these do not disturb one another.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "siblings.h"

enum { LOOKS = 3, MOST_PAIRS = 276 }; /* of one group: those of 24 CPUs */

static const double UNSTABLE = 0.1; /* share of pairs that seemed one core at one time and two at another */

static enum stat_verdict verdict(const struct sibling_pair *pair)
{
	return pair->yes >= 2 * pair->no && pair->yes  ? STAT_YES
	       : pair->no >= 2 * pair->yes && pair->no ? STAT_NO
						       : STAT_UNDECIDED;
}

/* Looks at them until two thirds of the looks at each agree. */
static bool judge(struct lab *lab, struct sibling_pair *pairs, int count)
{
	struct sibling_pair **open = stat_scratch((size_t)count, sizeof(*open));
	int left = count;

	for (int look = 0; look < SIBLINGS_LOOKS && left && !lab->settled; look++) {
		left = 0;
		for (int i = 0; i < count; i++)
			if (!pairs[i].over)
				open[left++] = &pairs[i];
		if (left && !siblings_look(lab, open, left))
			break;
		for (int i = 0; i < left; i++)
			open[i]->over = (open[i]->no == 2 && !open[i]->yes) ||
					(open[i]->yes + open[i]->no >= LOOKS && verdict(open[i]) != STAT_UNDECIDED);
		lab->timer->machine->ops->wait(lab->timer->machine, SIBLINGS_PAUSE);
	}
	free(open);
	return !lab->settled;
}

static void join(struct teamwork *teamwork, int a, int b)
{
	int *core = teamwork->core, from = core[a] > core[b] ? core[a] : core[b],
	    to = core[a] < core[b] ? core[a] : core[b];

	for (int i = 0; i < teamwork->count; i++)
		if (core[i] == from)
			core[i] = to;
}

/* The smallest group of the tree in which it is not alone: cores of another clock may be a level of their own. All are
 * one where there is no tree to go by. */
static int group_of(const struct teamwork *teamwork, int cpu)
{
	const struct tree *tree = teamwork->tree;
	int level = 0;

	if (!tree || teamwork->unstable)
		return 0;
	while (level < tree->levels - 1 && tree_size(tree, level, cpu) == 1)
		level++;
	return level * teamwork->count + tree->group[level][cpu];
}

/* The next pair of each group that is not known yet. Returns how many. */
static int next_pairs(const struct teamwork *teamwork, const int *suspects, int count, bool *tried,
		      struct sibling_pair *pairs)
{
	int found = 0;

	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++) {
			int a = suspects[i], b = suspects[j], group = group_of(teamwork, a);
			bool taken = tried[i * count + j] || group != group_of(teamwork, b) ||
				     teamwork->core[a] == teamwork->core[b];

			for (int k = 0; k < found && !taken; k++)
				taken = group_of(teamwork, pairs[k].a) == group;
			if (taken)
				continue;
			tried[i * count + j] = true;
			pairs[found++] = (struct sibling_pair){ .a = a, .b = b };
		}
	return found;
}

static void pair_up(struct lab *lab, struct teamwork *teamwork, const int *suspects, int count)
{
	struct sibling_pair *pairs = stat_scratch((size_t)count, sizeof(*pairs));
	bool *tried = stat_scratch((size_t)count * (size_t)count, sizeof(*tried));
	int found, all = 0, doubts = 0, rounds = 0;

	while ((found = next_pairs(teamwork, suspects, count, tried, pairs)) > 0 && rounds++ < MOST_PAIRS &&
	       judge(lab, pairs, found))
		for (int i = 0; i < found; i++) {
			all++;
			doubts += (pairs[i].yes && pairs[i].no) || verdict(&pairs[i]) == STAT_UNDECIDED;
			if (verdict(&pairs[i]) == STAT_YES)
				join(teamwork, pairs[i].a, pairs[i].b);
		}
	teamwork->cored_doubt = fmax(teamwork->cored_doubt, all ? (double)doubts / all : 0);
	teamwork->crowded = teamwork->crowded || rounds > MOST_PAIRS;
	free(tried);
	free(pairs);
}

/* All of it once. False, and the finding settled, when they cannot work. */
static bool sort_cores(struct lab *lab, struct teamwork *teamwork)
{
	int *suspects = stat_scratch((size_t)teamwork->count, sizeof(*suspects)), count;

	for (int i = 0; i < teamwork->count; i++)
		teamwork->core[i] = i;
	count = siblings_suspects(lab, suspects);
	if (!lab->settled)
		pair_up(lab, teamwork, suspects, count);
	free(suspects);
	return !lab->settled;
}

bool teams_cores_hold(struct lab *lab)
{
	struct teamwork *teamwork = lab->teamwork;
	size_t bytes = sizeof(int) * (size_t)teamwork->count;
	int *before = stat_scratch((size_t)teamwork->count, sizeof(*before));
	bool same;

	memcpy(before, teamwork->core, bytes);
	same = sort_cores(lab, teamwork) && memcmp(before, teamwork->core, bytes) == 0;
	teamwork->moved = teamwork->moved || !same;
	free(before);
	return same;
}

const struct teamwork *teams_cores(struct lab *lab)
{
	struct teamwork *teamwork = teams_of(lab);

	if (!teamwork || teamwork->cored)
		return teamwork;
	for (int i = 0; i < teamwork->count; i++)
		teamwork->core[i] = i;
	if (teamwork->count > 1) {
		/* Of CPUs that a host moves nobody is anybody's sibling. */
		if (!teams_passes(lab) || (!teamwork->moved && !sort_cores(lab, teamwork)))
			return NULL;
		/* Twice, since it may do so later. */
		if (!teamwork->moved)
			teams_cores_hold(lab);
		if (!teamwork->unstable)
			teams_passes_hold(lab);
		if (lab->settled)
			return NULL;
	}
	teamwork->cored = true;
	return teamwork;
}

const struct teamwork *teams_cores_surely(struct lab *lab)
{
	const struct teamwork *teamwork = teams_cores(lab);
	char reason[256];

	if (!teamwork ||
	    (teamwork->cored_doubt <= UNSTABLE && !teamwork->crowded && !teamwork->unstable && !teamwork->moved))
		return teamwork;
	if (teamwork->unstable)
		snprintf(reason, sizeof(reason), "%s", teamwork->why);
	else if (teamwork->moved)
		snprintf(reason, sizeof(reason),
			 "unstable: CPUs that slowed each other down once did not later on, or others did");
	else if (teamwork->crowded)
		snprintf(reason, sizeof(reason),
			 "too many CPUs slow one another down, and no distances tell which: %d pairs were tried",
			 MOST_PAIRS);
	else
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

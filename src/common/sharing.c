/* SPDX-License-Identifier: MIT */
/*
 * sharing.c - which CPUs have something in common
 *
 * A pivot goes outwards: some of the shell of CPUs around it, by the hinted groups, are asked about one by one. Where
 * they all share, the shell does; where none does, all of it is asked about at once, and when that finds somebody, by
 * halves, until it is known who. Beyond a shell that does not share, nobody is expected to. Of a pivot like one before,
 * two questions tell whether it is the same with him.
 */
#include <math.h>
#include <stdlib.h>

#include "sharing.h"

enum { SAMPLES = 3, WHOLE = 32, HOPELESS = 2, MIXED = -2 };

struct asking {
	const struct sharing_space *space;
	struct sharing *sharing;
	int pivot;
	bool *joins; /* the pivot */
	bool *known; /* the group of this CPU */
	int *shell, *level; /* of each pivot how many shells join it, or MIXED; -1: it was none */
};

static enum stat_verdict ask(struct asking *asking, const int *set, int size)
{
	const struct sharing_space *space = asking->space;
	bool hopeless =
		asking->sharing->undecided >= HOPELESS && 2 * asking->sharing->undecided > asking->sharing->asked;
	enum stat_verdict verdict = hopeless ? STAT_UNDECIDED : space->shares(space->context, asking->pivot, set, size);

	asking->sharing->asked++;
	if (verdict != STAT_UNDECIDED || size > 1)
		return verdict;
	asking->sharing->open[asking->sharing->undecided % SHARING_OPEN] =
		(struct sharing_pair){ asking->pivot, set[0] };
	asking->sharing->undecided++;
	return verdict;
}

/* All of the set that share. One by one is what counts; many at once may get in one another's way elsewhere. */
static int sift(struct asking *asking, const int *set, int size)
{
	if (size == 0)
		return 0;
	if (size > asking->space->together)
		return sift(asking, set, size / 2) + sift(asking, set + size / 2, size - size / 2);
	if (ask(asking, set, size) == STAT_NO)
		return 0;
	if (size == 1) {
		/* Undecided is counted, and is no yes. */
		asking->joins[set[0]] = ask(asking, set, 1) == STAT_YES;
		return asking->joins[set[0]];
	}
	return sift(asking, set, size / 2) + sift(asking, set + size / 2, size - size / 2);
}

/* Some of many, evenly; returns how many are left. */
static int thin_out(int *set, int size, int most)
{
	if (size <= most)
		return size;
	for (int i = 0; i < most; i++)
		set[i] = set[(long)i * size / most];
	return most;
}

static bool is_hinted(const struct asking *asking, int level, int cpu)
{
	const int *hint = asking->space->hint[level];

	return hint[cpu] == hint[asking->pivot];
}

/* Adds those of a shell that do not join yet and whom nobody else has; says whether somebody else has some. */
static int take_shell(const struct asking *asking, int level, int size, bool *taken)
{
	for (int i = 0; i < asking->space->count; i++) {
		if (i == asking->pivot || asking->joins[i] || !is_hinted(asking, level, i) ||
		    (level > 0 && is_hinted(asking, level - 1, i)))
			continue;
		if (asking->known[i])
			*taken = true;
		else
			asking->shell[size++] = i;
	}
	return size;
}

/* Of the first, one in the middle and the last: how many share, and all of them join. */
static int try_some(struct asking *asking, int size, int *tried)
{
	int yes = 0;

	*tried = 0;
	for (int i = 0; i < SAMPLES && i < size; i++) {
		int at = size <= SAMPLES ? i : i * (size - 1) / (SAMPLES - 1), one = asking->shell[at];

		asking->joins[one] = ask(asking, &one, 1) == STAT_YES;
		yes += asking->joins[one];
		++*tried;
	}
	return yes;
}

/* Everybody further out, some of many: the groups may be none of the hinted ones. */
static bool look_outside(struct asking *asking, int from)
{
	bool taken = false;
	int size = 0;

	for (int level = from; level < asking->space->hints; level++)
		size = take_shell(asking, level, size, &taken);
	return sift(asking, asking->shell, thin_out(asking->shell, size, asking->space->together)) > 0;
}

/* How many levels of hints join the pivot as a whole; MIXED: its group is none of the hinted ones. */
static int reach_out(struct asking *asking)
{
	int hints = asking->space->hints;

	for (int level = 0; level < hints; level++) {
		bool taken = false;
		int size = take_shell(asking, level, 0, &taken), tried, yes = try_some(asking, size, &tried), found = 0;

		if (yes == tried && !taken) {
			for (int i = 0; i < size; i++)
				asking->joins[asking->shell[i]] = true;
			continue;
		}
		/* Whoever said no is asked about again among the others: a no that was a mistake shows. */
		if (size > tried && !yes)
			found = sift(asking, asking->shell, thin_out(asking->shell, size, WHOLE));
		if (yes || found) {
			size = take_shell(asking, level, 0, &taken);
			sift(asking, asking->shell, size);
			return MIXED;
		}
		return level + 1 < hints && look_outside(asking, level + 1) ? MIXED : level;
	}
	return hints;
}

/* Alike by the sizes of all groups that they are in. */
static bool alike(const struct sharing_space *space, int a, int b)
{
	for (int level = 0; level < space->hints; level++) {
		int sizes[2] = { 0, 0 };

		for (int i = 0; i < space->count; i++) {
			sizes[0] += space->hint[level][i] == space->hint[level][a];
			sizes[1] += space->hint[level][i] == space->hint[level][b];
		}
		if (sizes[0] != sizes[1])
			return false;
	}
	return true;
}

/* The level that all pivots like this CPU came to; MIXED when there are none, or they differ. */
static int usual_level(const struct asking *asking, int cpu)
{
	int usual = -1;

	for (int i = 0; i < asking->space->count; i++) {
		if (asking->level[i] == -1 || !alike(asking->space, i, cpu))
			continue;
		if (usual != -1 && usual != asking->level[i])
			return MIXED;
		usual = asking->level[i];
	}
	return usual == -1 ? MIXED : usual;
}

/* This CPU's group is the hinted one; the lowest of those whom nobody has stands for it. */
static void assume(struct asking *asking, int pivot, int level)
{
	int lowest = -1;

	asking->pivot = pivot;
	for (int i = 0; i < asking->space->count; i++) {
		if (i != pivot && (asking->known[i] || level == 0 || !is_hinted(asking, level - 1, i)))
			continue;
		lowest = lowest < 0 ? i : lowest;
		asking->known[i] = true;
		asking->sharing->group[i] = lowest;
		asking->sharing->assumed++;
	}
}

/* Is it as with those that are like this CPU? One of its group is asked about, and some of those outside at once. */
static bool is_usual(struct asking *asking, int level)
{
	bool taken = false;
	int size = 0;

	for (int i = 0; i < level; i++)
		size = take_shell(asking, i, size, &taken);
	if (taken || (size && ask(asking, &asking->shell[size - 1], 1) != STAT_YES))
		return false;
	for (int i = 0; i < size; i++)
		asking->joins[asking->shell[i]] = true;
	size = 0;
	for (int i = level; i < asking->space->hints; i++)
		size = take_shell(asking, i, size, &taken);
	size = thin_out(asking->shell, size, asking->space->together);
	return size == 0 || ask(asking, asking->shell, size) == STAT_NO;
}

static void ask_for(struct asking *asking, int pivot)
{
	int n = asking->space->count, lowest = pivot, usual = usual_level(asking, pivot);

	asking->pivot = pivot;
	for (int i = 0; i < n; i++)
		asking->joins[i] = i == pivot;
	if (usual == MIXED || !is_usual(asking, usual)) {
		for (int i = 0; i < n; i++)
			asking->joins[i] = i == pivot;
		usual = reach_out(asking);
	}
	asking->level[pivot] = usual;
	asking->sharing->scattered += usual == MIXED;
	asking->sharing->pivots++;
	for (int i = n - 1; i >= 0; i--)
		lowest = asking->joins[i] ? i : lowest;
	for (int i = 0; i < n; i++)
		if (asking->joins[i]) {
			asking->known[i] = true;
			asking->sharing->group[i] = lowest;
		}
}

/* The next that is not known, from far away of the last: kinds of CPUs lie side by side. */
static int next_pivot(const struct asking *asking, int turn)
{
	int n = asking->space->count, start = (int)(fmod(turn * 0.6180339887498949, 1) * n);

	for (int i = 0; i < n; i++)
		if (!asking->known[(start + i) % n])
			return (start + i) % n;
	return -1;
}

static void find(struct asking *asking)
{
	int pivot;

	for (int turn = 0; (pivot = next_pivot(asking, turn)) >= 0; turn++) {
		int usual = turn < asking->space->pivots ? MIXED : usual_level(asking, pivot);

		if (usual == MIXED) {
			ask_for(asking, pivot);
			continue;
		}
		assume(asking, pivot, usual);
	}
}

bool sharing_find(const struct sharing_space *space, struct sharing *sharing)
{
	size_t n = (size_t)space->count;
	struct asking asking = { .space = space, .sharing = sharing };

	*sharing = (struct sharing){ .group = calloc(n, sizeof(int)) };
	asking.joins = calloc(2 * n, sizeof(bool));
	asking.shell = calloc(2 * n, sizeof(int));
	if (sharing->group && asking.joins && asking.shell) {
		asking.known = asking.joins + n;
		asking.level = asking.shell + n;
		for (size_t i = 0; i < n; i++)
			asking.level[i] = -1;
		find(&asking);
	}
	free(asking.joins);
	free(asking.shell);
	return asking.known != NULL;
}

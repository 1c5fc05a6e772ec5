/* SPDX-License-Identifier: MIT */
/*
 * again.c - asks once more about some of what was found to be shared, and about what was left undecided
 */
#include "sharing.h"

enum { ASKED_AGAIN = 3 };

/* Both groups are one from now on, and the lowest member stands for it. */
static void join(const struct sharing_space *space, int *group, int one, int other)
{
	int lowest = one < other ? one : other, highest = one < other ? other : one;

	for (int i = 0; i < space->count; i++)
		group[i] = group[i] == highest ? lowest : group[i];
}

bool sharing_settles(const struct sharing_space *space, struct sharing *sharing)
{
	int *group = sharing->group;

	for (int i = 0; i < sharing->undecided && i < SHARING_OPEN; i++) {
		const struct sharing_pair *pair = &sharing->open[i];
		enum stat_verdict verdict;

		if (group[pair->a] == group[pair->b])
			continue;
		verdict = space->shares(space->context, pair->a, &pair->b, 1);
		if (verdict == STAT_UNDECIDED)
			return false;
		if (verdict == STAT_YES)
			join(space, group, group[pair->a], group[pair->b]);
	}
	return true;
}

bool sharing_holds(const struct sharing_space *space, const struct sharing *sharing)
{
	int left = ASKED_AGAIN;

	for (int i = 0; i < space->count && left > 0; i++) {
		if (sharing->group[i] == i)
			continue;
		if (space->shares(space->context, sharing->group[i], &i, 1) != STAT_YES)
			return false;
		left--;
	}
	return true;
}

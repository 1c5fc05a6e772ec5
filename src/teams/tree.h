/* SPDX-License-Identifier: MIT */
/*
 * tree.h - groups within groups of CPUs, from how far two of them are apart
 *
 * Pure but for the distances, which a function finds out one pair at a time: there are too many pairs to ask for all.
 */
#ifndef XRAY_TREE_H
#define XRAY_TREE_H

#include <stdbool.h>

enum { TREE_LEVELS = 8 };

/* Distance of two, above 0; NaN: it could not be had. */
struct tree_space {
	double (*distance)(void *context, int a, int b);
	void *context;
	int count; /* of what it is between: 0, 1, ... */
	double apart; /* two distances next to each other in order, of pairs on different levels: times as far */
	const bool *likely; /* of each whether somebody is likely to be near; NULL: nobody knows */
};

/* Level 0 is the smallest groups. On each level group[i] is the lowest member of the group that i is in; the last level
 * is everybody, and on no level is everybody alone. */
struct tree {
	int count, levels;
	int *group[TREE_LEVELS];
	double distance[TREE_LEVELS]; /* of two in one group of this level, but not in one of the level below */
	double most[TREE_LEVELS]; /* who is further apart is of another level */
	long asked; /* pairs */
	double spread; /* of pairs on one level the far ones are so many times as far as the near ones, at most */
	double fits; /* share of the pairs asked about that are as far apart as the tree says; NaN: none */
};

/* Asks for few pairs where there are many. NULL when memory ran out or a distance could not be had. */
struct tree *tree_find(const struct tree_space *space);
void tree_free(struct tree *tree);

/* The level on which two are in one group; -1: they are the same. */
int tree_level(const struct tree *tree, int a, int b);

/* Members of a's group on a level. */
int tree_size(const struct tree *tree, int level, int a);

/* Levels that group nobody are none, and those that group as the one below. */
void tree_drop_levels(struct tree *tree);

/* Nested arrays of numbers[i], as findings have trees. The caller frees; NULL when memory ran out. */
char *tree_text(const struct tree *tree, const int *numbers);

#endif

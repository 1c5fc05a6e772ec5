/* SPDX-License-Identifier: MIT */
/*
 * nodes.h - CPUs that are near to the same memory
 *
 * Pure.
 */
#ifndef XRAY_NODES_H
#define XRAY_NODES_H

#include "../teams/teams.h"

/* CPUs to look at, of each group of a level of the tree that has few enough one at least, or some, evenly, so that they
 * are about `most`. Returns how many. */
int nodes_rows(const struct tree *tree, int most, int rows[NODES_MOST]);

/* From what a step takes: cells[i][j] over memory that i touched first, walked over by j. Two are of one node when each
 * pays as much for the other's memory as for his own, and of two when each pays more. Fills node[count] with 0, 1, ...
 * and returns how many; 0: it fits no nodes. `near` and `far`: times as much. */
int nodes_group(double (*cells)[NODES_MOST], int count, double near, double far, int *node);

/* May there be nodes that none of these CPUs is of? Where a group of the tree has several, and one was met but once. */
bool nodes_hide(const struct tree *tree, const int *rows, int count, const int *node);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * blocks.h - which pairs of CPUs to pass blocks between, and what their rates say
 *
 * Pure.
 */
#ifndef XRAY_BLOCKS_H
#define XRAY_BLOCKS_H

#include "../teams/tree.h"

enum { BLOCKS_ROWS = 16, BLOCKS_SIZES = 8 };

/* CPUs, rising, whose pairs are on all levels of the tree, as evenly as there are enough of them; all where they are
 * few. Returns how many. */
int blocks_rows(const struct tree *tree, int rows[BLOCKS_ROWS]);

/* One pair of the rows on each level; returns the number of levels that have one. */
int blocks_pairs(const struct tree *tree, const int *rows, int count, int pairs[TREE_LEVELS][2]);

/* Sizes of blocks, from below the nearest cache to beyond `largest` bytes, but no more than `most`. */
int blocks_sizes(double largest, double most, double sizes[BLOCKS_SIZES]);

/* The size whose slowest pair is quickest; rates[size][pair], NaN: not measured. -1: none was. */
int blocks_best(double (*rates)[TREE_LEVELS], int sizes, int pairs);

#endif

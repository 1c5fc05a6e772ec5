/* SPDX-License-Identifier: MIT */
/*
 * blocks.c - which pairs of CPUs to pass blocks between
 */
#include <math.h>
#include <string.h>

#include "blocks.h"

enum { SMALLEST = 4 << 10, TIMES = 8 };

static int all_rows(const struct tree *tree, int rows[BLOCKS_ROWS])
{
	for (int i = 0; i < tree->count; i++)
		rows[i] = i;
	return tree->count;
}

/* Some of those that meet CPU 0 on this level, evenly. */
static int some_of_shell(const struct tree *tree, int level, int share, int *rows)
{
	int size = 0, taken = 0, at = 0;

	for (int i = 0; i < tree->count; i++)
		size += tree_level(tree, 0, i) == level;
	for (int i = 0; i < tree->count && taken < share; i++) {
		if (tree_level(tree, 0, i) != level)
			continue;
		if ((long)at * share >= (long)taken * size)
			rows[taken++] = i;
		at++;
	}
	return taken;
}

int blocks_rows(const struct tree *tree, int rows[BLOCKS_ROWS])
{
	int count = 1;

	if (tree->count <= BLOCKS_ROWS)
		return all_rows(tree, rows);
	rows[0] = 0;
	for (int level = 0; level < tree->levels; level++)
		count += some_of_shell(tree, level, (BLOCKS_ROWS - count) / (tree->levels - level), rows + count);
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && rows[j] < rows[j - 1]; j--) {
			int moved = rows[j];

			rows[j] = rows[j - 1];
			rows[j - 1] = moved;
		}
	return count;
}

int blocks_pairs(const struct tree *tree, const int *rows, int count, int pairs[TREE_LEVELS][2])
{
	int found = 0;

	for (int level = 0; level < tree->levels; level++) {
		bool has = false;

		for (int i = 0; i < count && !has; i++)
			for (int j = i + 1; j < count && !has; j++)
				if (tree_level(tree, rows[i], rows[j]) == level) {
					pairs[found][0] = rows[i];
					pairs[found][1] = rows[j];
					has = true;
				}
		found += has;
	}
	return found;
}

int blocks_sizes(double largest, double most, double sizes[BLOCKS_SIZES])
{
	double bytes = SMALLEST;
	int count = 0;

	while (count < BLOCKS_SIZES && bytes <= most) {
		sizes[count++] = bytes;
		if (bytes >= largest)
			break;
		bytes *= TIMES;
	}
	return count;
}

int blocks_best(double (*rates)[TREE_LEVELS], int sizes, int pairs)
{
	double highest = 0;
	int best = -1;

	for (int i = 0; i < sizes; i++) {
		double slowest = INFINITY;

		for (int j = 0; j < pairs; j++)
			slowest = isnan(rates[i][j]) ? NAN : fmin(slowest, rates[i][j]);
		if (isfinite(slowest) && slowest > highest) {
			highest = slowest;
			best = i;
		}
	}
	return best;
}

/* SPDX-License-Identifier: MIT */
/*
 * nodes.c - CPUs that are near to the same memory
 */
#include <math.h>

#include "nodes.h"

enum { FEW = 4 };

static int groups_of(const struct tree *tree, int level)
{
	int groups = 0;

	for (int i = 0; i < tree->count; i++)
		groups += tree->group[level][i] == i;
	return groups;
}

int nodes_rows(const struct tree *tree, int rows[NODES_MOST])
{
	int count = 0, level = tree->levels - 1, most = tree->count < FEW ? tree->count : FEW;

	while (level > 0 && groups_of(tree, level - 1) <= NODES_MOST)
		level--;
	if (groups_of(tree, level) > 1) {
		for (int i = 0; i < tree->count; i++)
			if (tree->group[level][i] == i)
				rows[count++] = i;
		return count;
	}
	for (int i = 0; i < most; i++)
		rows[count++] = (int)((long)i * tree->count / most);
	return count;
}

/* Both pay as much for the other's as for their own, or both more. */
static enum stat_verdict together(double (*cells)[NODES_MOST], int a, int b, double near, double far)
{
	double first = cells[a][b] / cells[b][b], second = cells[b][a] / cells[a][a];

	if (first < near && second < near)
		return STAT_YES;
	return first > far && second > far ? STAT_NO : STAT_UNDECIDED;
}

int nodes_group(double (*cells)[NODES_MOST], int count, double near, double far, int *node)
{
	int nodes = 0;

	for (int i = 0; i < count; i++) {
		node[i] = -1;
		for (int j = 0; j < i && node[i] < 0; j++)
			if (together(cells, i, j, near, far) == STAT_YES)
				node[i] = node[j];
		if (node[i] < 0)
			node[i] = nodes++;
		/* Whoever is of this node has to be near to all of it, and far from all others. */
		for (int j = 0; j < i; j++)
			if (together(cells, i, j, near, far) != (node[i] == node[j] ? STAT_YES : STAT_NO))
				return 0;
	}
	return nodes;
}

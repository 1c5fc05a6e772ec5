/* SPDX-License-Identifier: MIT */
/*
 * nodes.c - CPUs that are near to the same memory
 */
#include <math.h>

#include "nodes.h"

static int groups_of(const struct tree *tree, int level)
{
	int groups = 0;

	for (int i = 0; i < tree->count; i++)
		groups += tree->group[level][i] == i;
	return groups;
}

/* The lowest that has few enough groups. */
static int level_of(const struct tree *tree)
{
	int level = tree->levels - 1;

	while (level > 0 && groups_of(tree, level - 1) <= NODES_MOST)
		level--;
	return level;
}

/* So many of a group, evenly. */
static int some_of(const struct tree *tree, int level, int group, int some, int *rows)
{
	int size = tree_size(tree, level, group), at = 0, taken = 0;

	some = some < size ? some : size;
	for (int i = 0; i < tree->count; i++)
		if (tree->group[level][i] == group && at++ == (int)((long)taken * size / some))
			rows[taken++] = i;
	return taken;
}

int nodes_rows(const struct tree *tree, int most, int rows[NODES_MOST])
{
	int count = 0, level = level_of(tree), groups = groups_of(tree, level), each = (most + groups - 1) / groups;

	each = each * groups <= NODES_MOST ? each : NODES_MOST / groups;
	for (int i = 0; i < tree->count; i++)
		if (tree->group[level][i] == i)
			count += some_of(tree, level, i, each, rows + count);
	return count;
}

bool nodes_hide(const struct tree *tree, const int *rows, int count, const int *node)
{
	int met[NODES_MOST] = { 0 }, level = level_of(tree);
	bool divided = false, once = false;

	for (int i = 0; i < count; i++) {
		met[node[i]]++;
		for (int j = 0; j < i; j++)
			divided = divided || (node[i] != node[j] && tree_level(tree, rows[i], rows[j]) <= level);
	}
	for (int i = 0; i < count; i++)
		once = once || met[node[i]] == 1;
	return divided && once && count < tree->count;
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

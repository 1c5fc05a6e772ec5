/* SPDX-License-Identifier: MIT */
/*
 * tree_text.c - asks a tree about its members, leaves out levels that say nothing, and writes it down
 */
#include <stdio.h>
#include <stdlib.h>

#include "tree.h"

int tree_level(const struct tree *tree, int a, int b)
{
	if (a == b)
		return -1;
	for (int level = 0; level < tree->levels; level++)
		if (tree->group[level][a] == tree->group[level][b])
			return level;
	return tree->levels;
}

int tree_size(const struct tree *tree, int level, int a)
{
	int size = 0;

	for (int i = 0; i < tree->count; i++)
		size += tree->group[level][i] == tree->group[level][a];
	return size;
}

void tree_drop_levels(struct tree *tree)
{
	int kept = 0;

	for (int level = 0; level < tree->levels; level++) {
		int *group = tree->group[level];
		bool same = tree->count > 1;

		for (int i = 0; i < tree->count; i++)
			same = same && group[i] == (kept ? tree->group[kept - 1][i] : i);
		tree->group[level] = NULL;
		if (same) {
			free(group);
			continue;
		}
		tree->group[kept] = group;
		tree->most[kept] = tree->most[level];
		tree->distance[kept++] = tree->distance[level];
	}
	tree->levels = kept;
}

/* The members of `first`'s group on a level, those of smaller groups in brackets of their own. */
static void write(FILE *out, const struct tree *tree, const int *numbers, int level, int first)
{
	const char *between = "";

	if (level < 0 || tree_size(tree, level, first) == 1) {
		fprintf(out, "%d", numbers[first]);
		return;
	}
	/* Of a level on which nothing more comes together here there is nothing to say. */
	if (level > 0 && tree_size(tree, level - 1, first) == tree_size(tree, level, first)) {
		write(out, tree, numbers, level - 1, first);
		return;
	}
	fputc('[', out);
	for (int i = 0; i < tree->count; i++) {
		bool begins = level ? tree->group[level - 1][i] == i : true;

		if (tree->group[level][i] != first || !begins)
			continue;
		fputs(between, out);
		write(out, tree, numbers, level - 1, i);
		between = ",";
	}
	fputc(']', out);
}

char *tree_text(const struct tree *tree, const int *numbers)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (tree->count == 1)
		fprintf(out, "[%d]", numbers[0]);
	else
		write(out, tree, numbers, tree->levels - 1, 0);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

void tree_free(struct tree *tree)
{
	for (int level = 0; tree && level < TREE_LEVELS; level++)
		free(tree->group[level]);
	free(tree);
}

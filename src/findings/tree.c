/* SPDX-License-Identifier: MIT */
/*
 * tree.c - is a text a tree of CPUs?
 *
 * What passes here is JSON, too: a report may write it into a document as it is.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"

static int by_number(const void *one, const void *other)
{
	int left = *(const int *)one, right = *(const int *)other;

	return (left > right) - (left < right);
}

static bool has_twins(int *numbers, int count)
{
	qsort(numbers, (size_t)count, sizeof(*numbers), by_number);
	for (int i = 1; i < count; i++)
		if (numbers[i] == numbers[i - 1])
			return true;
	return false;
}

/* Reads a number as JSON has it, without needless zeros. False when there is none at that place. */
static bool read_cpu(const char **text, int *cpu)
{
	const char *begin = *text;
	char *end;
	long number;

	if (!isdigit((unsigned char)begin[0]) || (begin[0] == '0' && isdigit((unsigned char)begin[1])))
		return false;
	number = strtol(begin, &end, 10);
	if (number > INT_MAX)
		return false;
	*cpu = (int)number;
	*text = end;
	return true;
}

/* Collects the CPUs. After an item comes a comma or an end; elsewhere an item has to come. */
static const char *read_tree(const char *text, int *cpus, int *count, int *levels)
{
	int depth = 0;
	bool after_item = false;

	do {
		if (*text == '[' && !after_item) {
			if (++depth > TREE_DEEPEST)
				return "the tree has too many levels";
			if (depth > *levels)
				*levels = depth;
			text++;
		} else if (*text == ']' && after_item && depth > 0) {
			depth--;
			text++;
		} else if (*text == ',' && after_item && depth > 0) {
			after_item = false;
			text++;
		} else if (!after_item && depth > 0 && read_cpu(&text, &cpus[*count])) {
			(*count)++;
			after_item = true;
		} else {
			return "the tree is not made of nested lists of CPUs";
		}
	} while (depth > 0);
	return *text ? "something follows the tree" : NULL;
}

const char *tree_wrong(const char *text, int *levels)
{
	/* A CPU takes two characters at least, with what comes after it. */
	int *cpus = malloc((strlen(text) / 2 + 1) * sizeof(*cpus)), count = 0;
	const char *wrong = "no memory to check the tree";

	*levels = 0;
	if (cpus)
		wrong = read_tree(text, cpus, &count, levels);
	if (cpus && !wrong && has_twins(cpus, count))
		wrong = "a CPU is in the tree twice";
	free(cpus);
	return wrong;
}

/* SPDX-License-Identifier: MIT */
/*
 * tree.c - a tree of CPUs for a person: in one word, and drawn
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"

enum { MANY = 8, LABEL = 64, PREFIX = 8 * TREE_DEEPEST };

static json_t *child(const json_t *group, size_t index)
{
	return json_array_get(group, index);
}

/* Are they the same but for the numbers of their CPUs? */
static bool alike(const json_t *one, const json_t *other)
{
	if (json_array_size(one) != json_array_size(other) || json_is_array(one) != json_is_array(other))
		return false;
	for (size_t i = 0; i < json_array_size(one); i++)
		if (!alike(child(one, i), child(other, i)))
			return false;
	return true;
}

static bool is_regular(const json_t *tree)
{
	for (size_t i = 0; i < json_array_size(tree); i++)
		if (!alike(child(tree, 0), child(tree, i)) || !is_regular(child(tree, i)))
			return false;
	return true;
}

static bool is_leaves(const json_t *group)
{
	for (size_t i = 0; i < json_array_size(group); i++)
		if (json_is_array(child(group, i)))
			return false;
	return true;
}

void tree_short(const char *tree, char *text, size_t size)
{
	json_t *root = json_loads(tree, 0, NULL);
	size_t length = 0;
	int levels;

	text[0] = '\0';
	if (!root || tree_wrong(tree, &levels))
		snprintf(text, size, "no tree");
	else if (levels == 1)
		snprintf(text, size, "flat, %zu", json_array_size(root));
	else if (!is_regular(root))
		snprintf(text, size, "%d levels", levels);
	else
		for (const json_t *group = root; json_is_array(group) && length < size; group = child(group, 0))
			length += (size_t)snprintf(text + length, size - length, "%s%zu", length ? " x " : "",
						   json_array_size(group));
	json_decref(root);
}

static size_t gather(const json_t *item, json_int_t *cpus)
{
	size_t count = 0;

	if (!json_is_array(item)) {
		if (cpus)
			cpus[0] = json_integer_value(item);
		return 1;
	}
	for (size_t i = 0; i < json_array_size(item); i++)
		count += gather(child(item, i), cpus ? cpus + count : NULL);
	return count;
}

static int by_number(const void *one, const void *other)
{
	json_int_t left = *(const json_int_t *)one, right = *(const json_int_t *)other;

	return (left > right) - (left < right);
}

/* "0-3,8-11" of all CPUs below, "0-3,8-11,..." where there is no room for all. */
static void write_ranges(const json_t *item, char text[LABEL])
{
	size_t count = gather(item, NULL), length = 0, end;
	json_int_t *cpus = calloc(count + 1, sizeof(*cpus));

	text[0] = '\0';
	if (!cpus)
		return;
	gather(item, cpus);
	qsort(cpus, count, sizeof(*cpus), by_number);
	for (size_t begin = 0; begin < count; begin = end) {
		char piece[48];
		int wide;

		for (end = begin + 1; end < count && cpus[end] == cpus[end - 1] + 1; end++)
			;
		wide = snprintf(piece, sizeof(piece), "%s%" JSON_INTEGER_FORMAT, begin ? "," : "", cpus[begin]);
		if (end - begin > 1)
			snprintf(piece + wide, sizeof(piece) - (size_t)wide, "-%" JSON_INTEGER_FORMAT, cpus[end - 1]);
		if (length + strlen(piece) + sizeof(",...") > LABEL) {
			snprintf(text + length, LABEL - length, ",...");
			break;
		}
		length += (size_t)snprintf(text + length, LABEL - length, "%s", piece);
	}
	free(cpus);
}

static size_t kind_end(const json_t *group, size_t begin)
{
	size_t end = begin + 1;

	while (end < json_array_size(group) && alike(child(group, begin), child(group, end)))
		end++;
	return end;
}

static void put_group(FILE *out, const json_t *group, const char *before)
{
	size_t count = json_array_size(group), end;

	for (size_t begin = 0; begin < count; begin = end) {
		end = kind_end(group, begin);
		for (size_t i = begin; i < end && i < begin + MANY; i++) {
			const json_t *item = child(group, i);
			bool last = i + 1 == count;
			char label[LABEL], below[PREFIX];

			write_ranges(item, label);
			fprintf(out, "%s%s %s\n", before, last ? "└─" : "├─", label);
			if (is_leaves(item))
				continue;
			snprintf(below, sizeof(below), "%s%s", before, last ? "   " : "│  ");
			put_group(out, item, below);
		}
		if (end - begin > MANY)
			fprintf(out, "%s%s ... %zu more like these\n", before, end == count ? "└─" : "├─",
				end - begin - MANY);
	}
}

bool tree_put(struct line *line, const struct finding *finding)
{
	json_t *root;
	char label[LABEL];

	if (finding->outcome != MEASURED || strcmp(finding->unit, "tree") != 0 || !finding->text)
		return false;
	root = json_loads(finding->text, 0, NULL);
	if (!root)
		return false;
	write_ranges(root, label);
	fprintf(line->out, "  %s: %s\n", finding->name, label);
	if (!is_leaves(root))
		put_group(line->out, root, "  ");
	json_decref(root);
	return true;
}

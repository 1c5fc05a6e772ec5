/* SPDX-License-Identifier: MIT */
/*
 * shapes.c - matrices, trees and texts: what of them is different
 */
#include "compare.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells have no intervals. A pair is at another distance when it is off by more than half, and many pairs together are
 * when they are off by a fifth. */
static const double ONE_OFF = 1.5, MANY_OFF = 1.2, MANY = 0.1;
static const double LUCK = 0.2; /* of a list's items */

static int place_of(const struct matrix *matrix, int label)
{
	for (int i = 0; i < matrix->size; i++)
		if (matrix->labels[i] == label)
			return i;
	return -1;
}

static double cell(const struct matrix *matrix, int row, int column)
{
	return row < 0 || column < 0 ? NAN : matrix->cells[(size_t)row * (size_t)matrix->size + (size_t)column];
}

/* What was seen of the cells that both have. */
struct cells {
	int both, off;
	int row, column; /* labels of the pair that is off most */
	double worst, from, to; /* its factor, at least 1 */
};

static struct cells look_at_cells(const struct matrix *before, const struct matrix *after)
{
	struct cells seen = { .worst = 1 };

	for (int i = 0; i < before->size; i++) {
		int row = place_of(after, before->labels[i]);

		for (int j = 0; j < before->size; j++) {
			double from = cell(before, i, j), to = cell(after, row, place_of(after, before->labels[j]));
			double factor = fmax(from / to, to / from);

			if (!isfinite(factor) || from <= 0 || to <= 0)
				continue;
			seen.both++;
			seen.off += factor > MANY_OFF;
			if (factor > seen.worst) {
				seen.worst = factor;
				seen.row = before->labels[i];
				seen.column = before->labels[j];
				seen.from = from;
				seen.to = to;
			}
		}
	}
	return seen;
}

static void write_cell(const char *unit, double value, char *text, size_t size)
{
	struct finding finding = finding_blank("", unit);

	finding.outcome = MEASURED;
	finding.value = value;
	report_value(&finding, text, size);
}

enum compare_verdict compare_matrices(const struct matrix *before, const struct matrix *after, char *how, size_t size)
{
	struct cells seen = look_at_cells(before, after);
	char from[32], to[32];

	how[0] = '\0';
	if (strcmp(before->unit, after->unit) != 0) {
		snprintf(how, size, "in %s and in %s", before->unit, after->unit);
		return CHANGED;
	}
	/* Of many CPUs some are drawn: those that both have say what there is to say, if there are any. */
	if (seen.both == 0 && before->size != after->size) {
		snprintf(how, size, "%d x %d and %d x %d", before->size, before->size, after->size, after->size);
		return CHANGED;
	}
	if (seen.worst <= ONE_OFF && seen.off <= MANY * seen.both)
		return SAME;
	write_cell(before->unit, seen.from, from, sizeof(from));
	write_cell(before->unit, seen.to, to, sizeof(to));
	snprintf(how, size, "%d of %d cells; most from %d to %d: %s → %s", seen.off, seen.both, seen.row, seen.column,
		 from, to);
	return CHANGED;
}

static json_int_t least_of(const json_t *item)
{
	return json_is_array(item) ? least_of(json_array_get(item, 0)) : json_integer_value(item);
}

static int by_least(const void *one, const void *other)
{
	json_int_t left = least_of(*(json_t *const *)one), right = least_of(*(json_t *const *)other);

	return (left > right) - (left < right);
}

/* The same tree with the members of each group in order of their first CPU; NULL without memory. */
static json_t *ordered(const json_t *tree)
{
	size_t count = json_array_size(tree);
	json_t **members = calloc(count + 1, sizeof(json_t *)), *whole = json_array();

	for (size_t i = 0; members && i < count; i++) {
		json_t *member = json_array_get(tree, i);

		members[i] = json_is_array(member) ? ordered(member) : json_incref(member);
	}
	if (members)
		qsort(members, count, sizeof(*members), by_least);
	for (size_t i = 0; members && i < count; i++)
		json_array_append_new(whole, members[i]);
	free(members);
	return whole;
}

enum compare_verdict compare_trees(const char *before, const char *after, char *how, size_t size)
{
	json_t *read[] = { json_loads(before, 0, NULL), json_loads(after, 0, NULL) };
	json_t *trees[] = { ordered(read[0]), ordered(read[1]) };
	bool same = json_equal(trees[0], trees[1]);

	for (int i = 0; i < 2; i++) {
		json_decref(read[i]);
		json_decref(trees[i]);
	}
	snprintf(how, size, "%s", same ? "" : "other groups");
	return same ? SAME : CHANGED;
}

static const char *next_item(const char *item)
{
	const char *end = strstr(item, "; ");

	return end ? end + 2 : item + strlen(item);
}

/* Is the item at that place one of the list's? */
static bool has_item(const char *list, const char *item)
{
	size_t length = strcspn(item, ";");

	for (; *list; list = next_item(list))
		if (strcspn(list, ";") == length && strncmp(list, item, length) == 0)
			return true;
	return false;
}

/* How many items of the one the other lacks; the first of them. */
static int lacking(const char *one, const char *other, int *count, const char **first)
{
	int lacks = 0;

	for (; *one; one = next_item(one)) {
		(*count)++;
		if (has_item(other, one))
			continue;
		if (lacks++ == 0)
			*first = one;
	}
	return lacks;
}

/* Of a list with semicolons, in any order, some items are a matter of luck. */
static enum compare_verdict compare_lists(const char *before, const char *after, char *how, size_t size)
{
	const char *gone = "nothing", *came = "nothing";
	int items = 0, off = lacking(before, after, &items, &gone) + lacking(after, before, &items, &came);

	if (off <= LUCK * items)
		return SAME;
	snprintf(how, size, "%d of %d items; %.*s → %.*s", off, items, (int)fmin(40, (double)strcspn(gone, ";")), gone,
		 (int)fmin(40, (double)strcspn(came, ";")), came);
	return CHANGED;
}

/* The word at that place, or what there is in place of one. */
static void copy_word(const char *place, char text[40])
{
	int length = (int)strcspn(place, " "), most = 32;

	if (length == 0)
		snprintf(text, 40, "nothing");
	else
		snprintf(text, 40, "%.*s%s", length < most ? length : most, place, length > most ? "..." : "");
}

/* The first word that is different: of a list of CPUs the first group. */
enum compare_verdict compare_texts(const char *before, const char *after, char *how, size_t size)
{
	size_t at = 0, word = 0;
	char from[40], to[40];

	how[0] = '\0';
	if (strcmp(before, after) == 0)
		return SAME;
	if (strstr(before, "; ") || strstr(after, "; "))
		return compare_lists(before, after, how, size);
	for (; before[at] && before[at] == after[at]; at++)
		if (before[at] == ' ')
			word = at + 1;
	if (before[at] == ' ' && !after[at]) {
		copy_word(before + at + 1, from);
		copy_word("", to);
	} else if (after[at] == ' ' && !before[at]) {
		copy_word("", from);
		copy_word(after + at + 1, to);
	} else {
		copy_word(before + word, from);
		copy_word(after + word, to);
	}
	snprintf(how, size, "%s%s → %s", word ? "first " : "", from, to);
	return CHANGED;
}

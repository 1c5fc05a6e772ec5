/* SPDX-License-Identifier: MIT */
/*
 * catalogue.c - the list of micro-benchmarks as names: families spelt out, needs spelt out
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "micro.h"

#define MICRO(name) extern const struct micro micro_##name;
#include "list.h"
#undef MICRO

static const struct micro *const list[] = {
#define MICRO(name) &micro_##name,
#include "list.h"
#undef MICRO
};

enum { MOST_ENTRIES = 2048 };

static struct entry entries[MOST_ENTRIES];
static int entry_count;
static const struct entry *by_name[MOST_ENTRIES];
/* Spelt out once, by whichever thread asks first; the others wait for it, a millisecond at most. */
static atomic_bool spelt;
static atomic_flag spelling = ATOMIC_FLAG_INIT;

/* What stands for a part of a pattern: the subject's own words for OP, TYPE, LEVEL and KIND, else the part itself. */
static const char *word_for(const char *part, int length, const struct subject *subject)
{
	if (length == 2 && strncmp(part, "OP", 2) == 0 && subject->operation)
		return subject->operation->name;
	if (length == 4 && strncmp(part, "TYPE", 4) == 0 && subject->type)
		return subject->type->name;
	if (length == 5 && strncmp(part, "LEVEL", 5) == 0 && subject->level)
		return subject->level;
	if (length == 4 && strncmp(part, "KIND", 4) == 0 && subject->kind)
		return subject->kind;
	return NULL;
}

/* Writes the pattern with OP, TYPE, LEVEL and KIND, as whole parts, replaced. */
static void spell(const char *pattern, const struct subject *subject, char *name, size_t size)
{
	size_t used = 0;

	name[0] = '\0';
	while (*pattern && used < size) {
		int length = (int)strcspn(pattern, ".");
		const char *word = word_for(pattern, length, subject);

		used += (size_t)snprintf(name + used, size - used, "%.*s%s", word ? (int)strlen(word) : length,
					 word ? word : pattern, pattern[length] ? "." : "");
		pattern += length + (pattern[length] == '.');
	}
}

static void add(const struct micro *micro, const struct subject *subject)
{
	if (entry_count == MOST_ENTRIES)
		abort();

	struct entry *entry = &entries[entry_count++];

	entry->micro = micro;
	entry->subject = *subject;
	spell(micro->name, subject, entry->name, sizeof(entry->name));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct entry *const *)a)->name, (*(const struct entry *const *)b)->name);
}

static void spell_all(void)
{
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct subject subject = { 0 };

		if (!list[i]->instance)
			add(list[i], &subject);
		for (int j = 0; list[i]->instance && list[i]->instance(j, &subject); j++)
			add(list[i], &subject);
	}
	for (int i = 0; i < entry_count; i++)
		by_name[i] = &entries[i];
	qsort(by_name, (size_t)entry_count, sizeof(by_name[0]), compare_names);
}

static void expand(void)
{
	if (atomic_load(&spelt))
		return;
	while (atomic_flag_test_and_set(&spelling))
		;
	if (!atomic_load(&spelt))
		spell_all();
	atomic_store(&spelt, true);
	atomic_flag_clear(&spelling);
}

const struct entry *catalogue_at(int index)
{
	expand();
	return index >= 0 && index < entry_count ? &entries[index] : NULL;
}

const struct entry *catalogue_find(const char *name)
{
	int first = 0, end;

	expand();
	end = entry_count;
	while (first < end) {
		int middle = first + (end - first) / 2, order = strcmp(name, by_name[middle]->name);

		if (order == 0)
			return by_name[middle];
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return NULL;
}

int catalogue_place(const char *name)
{
	const struct entry *entry = catalogue_find(name);

	return entry ? (int)(entry - entries) : -1;
}

int catalogue_count(void)
{
	expand();
	return entry_count;
}

bool catalogue_need(const struct entry *entry, int index, char *name, size_t size, bool *optional)
{
	const char *need = index < 4 ? entry->micro->needs[index] : NULL;

	if (!need)
		return false;
	*optional = need[0] == '?';
	spell(need + *optional, &entry->subject, name, size);
	return true;
}

static int least(int a, int b, int c)
{
	int smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* Levenshtein's distance. */
static int distance(const char *a, const char *b)
{
	int row[80], columns = (int)strlen(b) < 79 ? (int)strlen(b) : 79;

	for (int j = 0; j <= columns; j++)
		row[j] = j;
	for (int i = 1; a[i - 1]; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= columns; j++) {
			int above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[columns];
}

static const char *name_at(int index)
{
	expand();
	return index < entry_count ? entries[index].name : NULL;
}

const char *catalogue_nearest(const char *name, const char *(*at)(int index))
{
	const char *best = "", *word;
	int nearest = 1 << 30;

	if (!at)
		at = name_at;
	for (int i = 0; (word = at(i)) != NULL; i++) {
		int far = distance(name, word);

		if (far < nearest) {
			nearest = far;
			best = word;
		}
	}
	return best;
}

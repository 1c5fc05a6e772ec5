/* SPDX-License-Identifier: MIT */
/*
 * plan.c - which parameters to measure, each after what it needs
 */
#include <stdlib.h>

#include "session.h"

/* '*' stands for any characters, '?' for one. */
static bool glob(const char *pattern, const char *name)
{
	if (*pattern == '*')
		return glob(pattern + 1, name) || (*name && glob(pattern, name + 1));
	if (!*pattern || !*name)
		return *pattern == *name;
	return (*pattern == '?' || *pattern == *name) && glob(pattern + 1, name + 1);
}

bool plan_selects(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);
	bool prefix = strncmp(pattern, name, length) == 0 && (name[length] == '\0' || name[length] == '.');

	return prefix || glob(pattern, name);
}

static struct step *step_of(struct plan *plan, const struct entry *entry)
{
	for (int i = 0; i < plan->count; i++)
		if (plan->steps[i].entry == entry)
			return &plan->steps[i];
	return NULL;
}

/* Needs first; an entry that needs itself (a family member that is its own yardstick) is not waited for. */
static void add(struct plan *plan, const struct entry *entry, bool asked, int depth)
{
	struct step *step = step_of(plan, entry);
	char need[64];
	bool optional;

	if (step) {
		step->asked = step->asked || asked;
		return;
	}
	for (int i = 0; depth < 8 && catalogue_need(entry, i, need, sizeof(need), &optional); i++) {
		const struct entry *needed = catalogue_find(need);

		if (needed && needed != entry)
			add(plan, needed, false, depth + 1);
	}
	step = step_of(plan, entry);
	if (!step)
		step = &plan->steps[plan->count++];
	*step = (struct step){ .entry = entry, .asked = asked };
}

enum { QUICK_DEPTH = 1 }; /* the nearest two levels of caches */

static bool in_effort(const struct entry *entry, enum effort effort)
{
	if (effort != EFFORT_QUICK)
		return true;
	return entry->subject.type
		       ? entry->subject.type->lanes == 1
		       : entry->subject.depth <= QUICK_DEPTH && !entry->subject.code && !entry->micro->thorough;
}

bool plan_is_quick(const struct plan *plan)
{
	for (int i = 0; i < plan->count; i++)
		if (!in_effort(plan->steps[i].entry, EFFORT_QUICK))
			return false;
	return true;
}

bool plan_make(struct plan *plan, const char *const *names, int count, enum effort effort, char *error, size_t size)
{
	int total = 0;

	while (catalogue_at(total))
		total++;
	*plan = (struct plan){ .steps = calloc((size_t)total + 1, sizeof(*plan->steps)) };
	if (!plan->steps)
		return false;
	for (int i = 0; count == 0 && i < total; i++)
		if (in_effort(catalogue_at(i), effort))
			add(plan, catalogue_at(i), !catalogue_at(i)->micro->second, 0);
	for (int j = 0; j < count; j++) {
		bool selected = false;

		for (int i = 0; i < total; i++) {
			const struct entry *entry = catalogue_at(i);

			if (!plan_selects(names[j], entry->name))
				continue;
			selected = true;
			/* What is named in full is measured, however quick the rest shall be. */
			if (in_effort(entry, effort) || strcmp(names[j], entry->name) == 0)
				add(plan, entry, true, 0);
		}
		if (!selected) {
			snprintf(error, size, "no parameter is named '%s'; the nearest is '%s' (xray list shows all)",
				 names[j], catalogue_nearest(names[j]));
			plan_free(plan);
			return false;
		}
	}
	return true;
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	*plan = (struct plan){ 0 };
}

/* SPDX-License-Identifier: MIT */
/*
 * plan.c - which parameters to measure, each after what it needs
 */
#include <fnmatch.h>
#include <stdlib.h>

#include "session.h"

/* A glob may stand for the beginning of names, as a plain prefix may: tlb.l?d is tlb.l1d.entries and the rest. */
bool plan_selects(const char *pattern, const char *name)
{
	char beginning[128];

	snprintf(beginning, sizeof(beginning), "%s.*", pattern);
	return fnmatch(pattern, name, 0) == 0 || fnmatch(beginning, name, 0) == 0;
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
				 names[j], catalogue_nearest(names[j], NULL));
			plan_free(plan);
			return false;
		}
	}
	return true;
}

struct findings *plan_asked(const struct plan *plan, const struct findings *all)
{
	struct findings *asked = findings_new();

	for (int i = 0; catalogue_at(i) && asked; i++)
		for (int j = 0; j < plan->count; j++) {
			const struct step *step = &plan->steps[j];
			const struct finding *finding = findings_get(all, step->entry->name);

			if (step->entry != catalogue_at(i) || !step->asked || !finding)
				continue;

			struct finding copy = finding_copy(finding);

			findings_put_take(asked, &copy);
		}
	return asked;
}

static const double THOROUGH = 10; /* times as long as others, where nothing else is known */

/* Of those done: the mean of one micro-benchmark's steps, or with NULL of all, a thorough one for several. */
static double mean_of(const struct plan *plan, int done, const struct micro *micro)
{
	double seconds = 0, weight = 0;

	for (int i = 0; i < done; i++) {
		if (micro && plan->steps[i].entry->micro != micro)
			continue;
		seconds += plan->steps[i].seconds;
		weight += !micro && plan->steps[i].entry->micro->thorough ? THOROUGH : 1;
	}
	return weight > 0 ? seconds / weight : NAN;
}

double plan_left(const struct plan *plan, int done)
{
	double left = 0, usual = mean_of(plan, done, NULL);

	for (int i = done; i < plan->count; i++) {
		const struct micro *micro = plan->steps[i].entry->micro;
		double mean = mean_of(plan, done, micro);

		left += !isnan(mean) ? mean : micro->thorough ? THOROUGH * usual : usual;
	}
	return left;
}

void plan_free(struct plan *plan)
{
	free(plan->steps);
	*plan = (struct plan){ 0 };
}

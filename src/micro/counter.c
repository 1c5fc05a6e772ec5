/* SPDX-License-Identifier: MIT */
/*
 * counter.c - what the micro-benchmarks that read counters share
 */
#include "micro.h"

static const double MOST_SURE = 0.99;

bool counter_data_instance(int index, struct subject *subject)
{
	static const char *const names[] = { "l1d", "l2", "last" };

	if (index >= (int)(sizeof(names) / sizeof(names[0])))
		return false;
	*subject = (struct subject){ .level = names[index], .depth = index };
	return true;
}

bool counter_cache_instance(int index, struct subject *subject)
{
	enum { CODE = 3 }; /* after those of data */

	*subject = (struct subject){ .level = "l1i", .code = true };
	return index == CODE || counter_data_instance(index, subject);
}

bool counter_tlb_instance(int index, struct subject *subject)
{
	*subject = (struct subject){ .level = index ? "l1i" : "l1d", .code = index > 0 };
	return index < 2;
}

bool counter_data_tlb_instance(int index, struct subject *subject)
{
	return counter_tlb_instance(index, subject) && index == 0;
}

static enum walk_event trusted(struct lab *lab, enum walk_event event)
{
	const struct counter *counter = counters_try(lab, event);
	char why[256];

	if (counter && counter->trusted)
		return event;
	if (counter && counter->exists)
		snprintf(why, sizeof(why), "%s %s", walk_event_name(event), counter->why);
	else
		snprintf(why, sizeof(why), "%s", counter ? counter->why : "out of memory");
	lab_outcome(lab, counter && counter->exists ? UNCLEAR : BLOCKED, why);
	return WALK_NO_EVENT;
}

enum walk_event counter_of_cache(struct lab *lab, const struct subject *subject)
{
	static const enum walk_event events[] = { WALK_L1D_MISSES, WALK_L2_MISSES, WALK_LAST_MISSES };

	return trusted(lab, subject->code ? WALK_L1I_MISSES : events[subject->depth]);
}

enum walk_event counter_of_tlb(struct lab *lab, const struct subject *subject)
{
	return trusted(lab, subject->code ? WALK_ITLB_MISSES : WALK_DTLB_MISSES);
}

/* The finding's own name without what says that it was counted; the last level by its number. */
static const struct finding *timed(const struct lab *lab)
{
	const char *name = lab->finding.name + strlen("counter.");
	char other[64];

	snprintf(other, sizeof(other), "%s", strstr(name, ".page") ? "page.size" : name);
	if (strncmp(name, "cache.last.", strlen("cache.last.")) == 0)
		snprintf(other, sizeof(other), "cache.l%.0f.%s", lab_fact(lab, "cache.levels"),
			 name + strlen("cache.last."));
	return lab->findings ? findings_get(lab->findings, other) : NULL;
}

static bool says(const struct finding *finding, double value)
{
	return finding->outcome == MEASURED && value >= finding->low && value <= finding->high;
}

void counter_compare(struct lab *lab)
{
	const struct finding *other = timed(lab), *own = &lab->finding, *reach;
	char name[64];

	if (own->outcome != MEASURED || !other || other->outcome != MEASURED)
		return;
	/* What levels hold together that exclude each other. */
	snprintf(name, sizeof(name), "%.*s.reach", (int)strcspn(strchr(other->name, '.') + 1, ".") + 6, other->name);
	reach = strstr(own->name, ".size") ? findings_get(lab->findings, name) : NULL;
	if (says(other, own->value))
		snprintf(lab->finding.note, sizeof(lab->finding.note), "times agree");
	else if (reach && says(reach, own->value))
		snprintf(lab->finding.note, sizeof(lab->finding.note), "times agree: it is %s", reach->name);
	else
		snprintf(lab->finding.note, sizeof(lab->finding.note), "times do not agree: %s is %.6g", other->name,
			 other->value);
}

void counter_told(struct lab *lab, const struct voted *voted, double times)
{
	if (isnan(voted->value)) {
		lab_outcome(lab, UNCLEAR, voted->why);
		return;
	}
	lab_measured(lab, voted->value * times, voted->value * times, voted->value * times,
		     fmin(MOST_SURE, voted->agreed), "counted misses");
	counter_compare(lab);
}

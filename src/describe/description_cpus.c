/* SPDX-License-Identifier: MIT */
/*
 * description_cpus.c - the CPUs of a machine file: [cpus] and [group NAME]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description_keys.h"

#define CPUS(name, member, ...) \
	{ \
		"cpus", name, offsetof(struct description, cpus.member), __VA_ARGS__ \
	}
#define GROUP(name, member, ...) \
	{ \
		"group", name, offsetof(struct description_group, member), __VA_ARGS__ \
	}

static const double MOST_CPUS = 4096;

static const struct description_word none[] = { { "none", 0 }, { NULL, 0 } };
static const struct description_word never[] = { { "never", 0 }, { NULL, 0 } };
static const struct description_word numbers[] = {
	{ "threads", NUMBERS_THREADS }, { "cores", NUMBERS_CORES }, { "mixed", NUMBERS_MIXED }, { NULL, 0 }
};

static const struct description_word touched[] = { { "near", TOUCHED_NEAR }, { "first", TOUCHED_FIRST }, { NULL, 0 } };
static const struct description_word binding[] = { { "obeyed", BINDING_OBEYED },
						   { "refused", BINDING_REFUSED },
						   { NULL, 0 } };

static const struct description_key keys[] = {
	CPUS("count", count, FORM_COUNT, 1, MOST_CPUS, NULL),
	CPUS("numbers", numbers, FORM_NUMBER, 0, -1, numbers),
	CPUS("touched", touched, FORM_NUMBER, 0, -1, touched),
	CPUS("binding", binding, FORM_NUMBER, 0, -1, binding),
	CPUS("speed", speed, FORM_ROW, 0.05, 4, NULL),
	CPUS("latency", latency, FORM_TIME, 0.1, 1e6, NULL),
	CPUS("core.latency", core_latency, FORM_TIME, 0.1, 1e6, NULL),
	CPUS("homes", homes, FORM_NUMBER, 0, 0.5, NULL),
	CPUS("slice", slice, FORM_TIME, 1e4, 1e10, NULL),
	CPUS("quota", quota, FORM_NUMBER, 0.01, MOST_CPUS, none),
	CPUS("period", period, FORM_TIME, 1e6, 1e10, NULL),
	CPUS("migration", migration, FORM_TIME, 1e3, 1e12, never),
	GROUP("cpus", cpus, FORM_ROW, 1, MOST_CPUS, NULL),
	GROUP("latency", latency, FORM_TIME, 0.1, 1e6, NULL),
	GROUP("remote", remote, FORM_TIME, 0.1, 1e6, none),
	GROUP("remote.bandwidth", remote_bandwidth, FORM_FLOW, 1e5, 1e14, none),
	{ NULL, NULL, 0, FORM_TEXT, 0, 0, NULL },
};

const struct description_key *description_cpus_keys(void)
{
	return keys;
}

struct description_row description_row_of(double value)
{
	return (struct description_row){ .values = { value }, .times = { 1 }, .count = 1 };
}

/* "2*8 1*16", or one number. */
bool description_row(const char *text, double low, double high, struct description_row *row)
{
	struct description_row read = { .count = 0 };

	while (*text) {
		char *end;
		double value = strtod(text, &end);
		long times = 1;

		/* What has one at least is counted. */
		if (end == text || read.count == DESCRIPTION_ROW || !(value >= low && value <= high) ||
		    (low >= 1 && value != floor(value)))
			return false;
		if (*end == '*') {
			text = end + 1;
			times = strtol(text, &end, 10);
			if (end == text)
				return false;
		}
		if (times < 1 || times > MOST_CPUS || (*end && *end != ' ' && *end != '\t'))
			return false;
		read.values[read.count] = value;
		read.times[read.count++] = (int)times;
		text = end + strspn(end, " \t");
	}
	*row = read;
	return read.count > 0;
}

double description_row_at(const struct description_row *row, int index)
{
	int part = 0;

	while (index >= row->times[part]) {
		index -= row->times[part];
		part = part + 1 < row->count ? part + 1 : 0;
	}
	return row->values[part];
}

int description_row_part(const struct description_row *sizes, int place)
{
	int part = 0;

	while (place >= (int)description_row_at(sizes, part))
		place -= (int)description_row_at(sizes, part++);
	return part;
}

double description_row_largest(const struct description_row *row)
{
	double largest = 0;

	for (int i = 0; i < row->count; i++)
		largest = fmax(largest, row->values[i]);
	return largest;
}

void description_cpus_defaults(struct description *description)
{
	description->cpus = (struct description_cpus){ .count = 1,
						       .speed = description_row_of(1),
						       .latency = 100,
						       .core_latency = 10,
						       .homes = 0.05,
						       .slice = 4e6,
						       .period = 1e8 };
}

bool description_add_cpus(struct description *description, const char *kind, const char *name, int at, char *wrong,
			  size_t size)
{
	struct description_cpus *cpus = &description->cpus;
	struct description_group *added = &cpus->groups[cpus->group_count];

	if (strcmp(kind, "group") != 0)
		return true;
	for (int i = 0; i < cpus->group_count; i++)
		if (!strcmp(cpus->groups[i].name, name)) {
			snprintf(wrong, size, "described twice; allowed: once");
			return false;
		}
	if (cpus->group_count == DESCRIPTION_GROUPS || strlen(name) >= sizeof added->name) {
		snprintf(wrong, size,
			 "too many, or the name is too long; allowed: %d sections, names of %zu characters",
			 DESCRIPTION_GROUPS, sizeof added->name - 1);
		return false;
	}
	*added = (struct description_group){ .at = at, .latency = -1 };
	snprintf(added->name, sizeof added->name, "%s", name);
	cpus->group_count++;
	return true;
}

/* Does each stretch of the smaller sizes lie within one of the larger? */
static bool nested(const struct description_row *small, const struct description_row *large, int count)
{
	for (int i = 1; i < count; i++)
		if (description_row_part(small, i) == description_row_part(small, i - 1) &&
		    description_row_part(large, i) != description_row_part(large, i - 1))
			return false;
	return true;
}

bool description_cpus_check(const struct description *description, int *at, char *wrong, size_t size)
{
	const struct description_cpus *cpus = &description->cpus;
	const struct description_row *below = &description->core.smt;

	for (int i = 0; i < cpus->group_count; i++) {
		const struct description_group *group = &cpus->groups[i];

		*at = group->at;
		if (!group->cpus.count || group->latency < 0) {
			snprintf(wrong, size, "%s: missing in [group %s]; allowed: %s",
				 group->cpus.count ? "latency" : "cpus", group->name,
				 group->cpus.count ? "a time such as 40 ns" : "a row such as 8 or 2*8 4*4");
			return false;
		}
		if (!nested(below, &group->cpus, (int)cpus->count)) {
			snprintf(wrong, size,
				 "cpus: those of [group %s] cut a smaller group or a core in two; allowed: whole ones",
				 group->name);
			return false;
		}
		below = &group->cpus;
	}
	return true;
}

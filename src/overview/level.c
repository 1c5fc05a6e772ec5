/* SPDX-License-Identifier: MIT */
/*
 * level.c - caches and TLBs as tables
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "overview.h"

enum { LEVELS = 16, CELL = 64, GAP = 2 };

static const double WIDE = 0.02; /* half an interval, as a part of the value, from which on it is worth a sign */

static const char *const cache_properties[] = {
	"size", "reach", "ways", "line", "latency", "unified", "sharing", NULL
};
static const char *const tlb_properties[] = { "entries", "reach", "ways", "penalty", "huge", "unified", NULL };

const struct level_table level_caches = { "cache", cache_properties };
const struct level_table level_tlbs = { "tlb", tlb_properties };

/* The level's place in the name, and which property it is; -1 for a name that is none of the table's. */
static int read_name(const struct level_table *table, const char *name, char level[CELL])
{
	size_t length = strlen(table->part);
	const char *dot;

	if (strncmp(name, table->part, length) != 0 || name[length] != '.')
		return -1;
	name += length + 1;
	dot = strchr(name, '.');
	if (!dot || name[0] != 'l' || !isdigit((unsigned char)name[1]))
		return -1;
	snprintf(level, CELL, "%.*s", (int)(dot - name), name);
	for (int i = 0; table->properties[i]; i++)
		if (strcmp(table->properties[i], dot + 1) == 0)
			return i;
	return -1;
}

bool level_has(const struct level_table *table, const char *name)
{
	char level[CELL];

	return read_name(table, name, level) >= 0;
}

void level_cell(const struct finding *finding, char *text, size_t size)
{
	double half = fmax(finding->high - finding->value, finding->value - finding->low);
	bool wide = half > WIDE * fabs(finding->value), claimed = isfinite(finding->claimed);
	size_t used;

	if (finding->outcome != MEASURED) {
		snprintf(text, size, "%s", finding->outcome == ABSENT ? "-" : "?");
		return;
	}
	/* Of a list of CPUs its number: how many share one. */
	if (strcmp(finding->unit, "text") == 0)
		snprintf(text, size, "%.0f CPU%s", finding->value, finding->value == 1 ? "" : "s");
	else
		report_value(finding, text, size);
	/* Cycles are what the legend says that all times are. */
	if (strcmp(finding->unit, "cycles") == 0)
		text[strcspn(text, " ")] = '\0';
	used = strlen(text);
	snprintf(text + used, size - used, "%s%s%s", wide || claimed ? " " : "", wide ? "~" : "",
		 !claimed                  ? ""
		 : finding_agrees(finding) ? "="
					   : "!");
}

static const struct finding *at(const struct level_table *table, const struct findings *findings, const char *level,
				const char *property)
{
	char name[3 * CELL];

	snprintf(name, sizeof(name), "%s.%.*s.%s", table->part, CELL - 1, level, property);
	return findings_get(findings, name);
}

static bool is_there(const struct level_table *table, const struct findings *findings, const char *level)
{
	for (int i = 0; table->properties[i]; i++) {
		const struct finding *finding = at(table, findings, level, table->properties[i]);

		if (finding && finding->outcome != ABSENT && finding->outcome != BLOCKED)
			return true;
	}
	return false;
}

/* In the order of the findings; those of which nothing is there are left out. */
static int gather(const struct level_table *table, const struct findings *findings, char levels[LEVELS][CELL])
{
	int count = 0;

	for (int i = 0; i < findings_count(findings) && count < LEVELS; i++) {
		char *level = levels[count];
		bool known = read_name(table, findings_at(findings, i)->name, level) < 0;

		for (int j = 0; j < count && !known; j++)
			known = strcmp(levels[j], level) == 0;
		if (!known && is_there(table, findings, level))
			count++;
	}
	return count;
}

static void write_cell(const struct level_table *table, const struct findings *findings, const char *level,
		       const char *property, char text[CELL])
{
	const struct finding *finding = at(table, findings, level, property);

	text[0] = '\0';
	if (finding)
		level_cell(finding, text, CELL);
}

bool level_put(struct line *line, const struct level_table *table, const struct findings *findings)
{
	char levels[LEVELS][CELL], text[CELL];
	int count = gather(table, findings, levels), widths[LEVELS] = { 0 }, name = (int)strlen(table->part);

	for (int i = 0; i < count; i++)
		name = (int)fmax(name, line_columns(levels[i]));
	for (int i = 0; table->properties[i]; i++)
		for (int j = 0; j < count; j++) {
			write_cell(table, findings, levels[j], table->properties[i], text);
			if (text[0])
				widths[i] = (int)fmax(fmax(widths[i], line_columns(text)),
						      line_columns(table->properties[i]));
		}
	for (int row = -1; row < count && count > 0; row++) {
		line->blanks = 2;
		line_put(line, row < 0 ? table->part : levels[row], name, LEFT, PLAIN);
		for (int i = 0; table->properties[i]; i++) {
			if (widths[i] == 0)
				continue;
			if (row < 0)
				snprintf(text, sizeof(text), "%s", table->properties[i]);
			else
				write_cell(table, findings, levels[row], table->properties[i], text);
			line->blanks += GAP;
			line_put(line, text, widths[i], LEFT, row >= 0 && strcmp(text, "?") == 0 ? YELLOW : PLAIN);
		}
		line_end(line);
	}
	return count > 0;
}

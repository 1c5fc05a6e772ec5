/* SPDX-License-Identifier: MIT */
/*
 * facts.c - which findings are sure enough for a program that takes one number, and what is said of the others
 */
#include "../session/session.h"
#include "sheet.h"

static const double SURE = 0.9; /* the least confidence */
static const double NARROW = 0.05; /* of a time or a rate; a step that programs do not notice */

bool fact_is_sure(const struct finding *finding)
{
	bool whole = strcmp(finding->unit, "count") == 0 || strcmp(finding->unit, "bytes") == 0;
	double room = whole ? 0 : NARROW * fabs(finding->value);

	return finding->outcome == MEASURED && strcmp(finding->unit, "matrix") != 0 && finding->confidence >= SURE &&
	       finding->low >= finding->value - room && finding->high <= finding->value + room;
}

const char *plain(const char *text, char *room, size_t size)
{
	snprintf(room, size, "%s", text);
	for (char *c = room; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = (unsigned char)*c < 0x80 ? ' ' : '?';
	return room;
}

static bool is_omitted(const struct sheet *sheet, const char *name)
{
	for (int i = 0; i < sheet->omitted; i++)
		if (strcmp(sheet->omissions[i].name, name) == 0)
			return true;
	return false;
}

static void omit(struct sheet *sheet, const char *name, const char *why, bool absent)
{
	struct omission *longer;

	sheet->lacking = sheet->lacking || !absent;
	if (is_omitted(sheet, name))
		return;
	longer = realloc(sheet->omissions, (size_t)(sheet->omitted + 1) * sizeof(*longer));
	if (!longer)
		return;
	sheet->omissions = longer;
	longer += sheet->omitted++;
	longer->absent = absent;
	plain(name, longer->name, sizeof(longer->name));
	plain(why, longer->why, sizeof(longer->why));
}

void sheet_omit(struct sheet *sheet, const char *name, const char *why)
{
	omit(sheet, name, why, false);
}

static void omit_finding(struct sheet *sheet, const char *name, const struct finding *finding)
{
	char why[320];

	if (!finding)
		snprintf(why, sizeof(why), "was not measured");
	else if (finding->outcome != MEASURED)
		snprintf(why, sizeof(why), "%s: %s", outcome_word(finding->outcome), finding->reason);
	else if (finding->low < finding->high)
		snprintf(why, sizeof(why), "unsure: from %.10g to %.10g %s, with a confidence of %.2g", finding->low,
			 finding->high, finding->unit, finding->confidence);
	else
		snprintf(why, sizeof(why), "unsure: a confidence of %.2g", finding->confidence);
	omit(sheet, name, why, finding && finding->outcome == ABSENT);
}

/* The finding when it is sure; otherwise it is omitted. */
static const struct finding *sure(struct sheet *sheet, const char *name)
{
	const struct finding *finding = findings_get(sheet->findings, name);

	if (finding && fact_is_sure(finding))
		return finding;
	omit_finding(sheet, name, finding);
	return NULL;
}

bool sheet_number(struct sheet *sheet, const char *name, double *value)
{
	const struct finding *finding = sure(sheet, name);

	if (finding)
		*value = finding->value;
	return finding;
}

const char *sheet_level_name(int level)
{
	static const char *const names[] = { "l1d", "l2", "l3", "l4", "l5" };

	return names[level - 1];
}

bool sheet_level(struct sheet *sheet, const char *part, const char *level, const char *property, double *value)
{
	char name[64];

	snprintf(name, sizeof(name), "%s.%s.%s", part, level, property);
	return sheet_number(sheet, name, value);
}

const char *sheet_text(struct sheet *sheet, const char *name)
{
	const struct finding *finding = sure(sheet, name);

	return finding ? finding->text : NULL;
}

int sheet_levels(struct sheet *sheet)
{
	double levels;

	if (!sheet_number(sheet, "cache.levels", &levels))
		return 0;
	return levels >= 1 && levels <= 5 ? (int)levels : 0;
}

int sheet_depth(struct sheet *sheet)
{
	int levels = sheet_levels(sheet), depth = 0;
	char name[64];

	while (levels == 0 && depth < 5) {
		snprintf(name, sizeof(name), "cache.%s.size", sheet_level_name(depth + 1));

		const struct finding *finding = findings_get(sheet->findings, name);

		if (!finding || finding->outcome == ABSENT)
			break;
		depth++;
	}
	return levels > 0 ? levels : depth;
}

bool sheet_takes(const struct sheet *sheet, const char *name)
{
	for (const char *const *pattern = sheet->format->names; *pattern; pattern++)
		if (plan_selects(*pattern, name))
			return true;
	return false;
}

bool sheet_widest(struct sheet *sheet, const char *operation, const char *type, const char *property,
		  struct widest *widest)
{
	char name[64] = "";

	for (int lanes = 16; lanes >= 1; lanes /= 2) {
		char vector[8] = "";

		if (lanes > 1)
			snprintf(vector, sizeof(vector), "x%d", lanes);
		snprintf(name, sizeof(name), "op.%s.%s%s.%s", operation, type, vector, property);

		const struct finding *finding = findings_get(sheet->findings, name);

		if (finding && finding->outcome != ABSENT) {
			widest->lanes = lanes;
			return sheet_number(sheet, name, &widest->value);
		}
	}
	omit_finding(sheet, name, findings_get(sheet->findings, name));
	return false;
}

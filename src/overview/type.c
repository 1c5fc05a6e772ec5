/* SPDX-License-Identifier: MIT */
/*
 * type.c - what each type has: operations as a table of types, registers and the like in a line each
 */
#include <math.h>
#include <string.h>

#include "overview.h"

enum { MOST = 64, NAME = 24, CELL = 24, GAP = 2 };

static const double LEAST = 0.005; /* cycles that show in two digits */

/* An op.OPERATION.TYPE.PROPERTY or cpu.FAMILY.TYPE in its parts. */
struct parts {
	char owner[NAME], type[NAME], property[NAME];
};

static bool is_type(const char *word)
{
	return (word[0] == 'i' || word[0] == 'f') && strspn(word + 1, "0123456789x") == strlen(word + 1) && word[1];
}

static bool copy_part(const char **text, char part[NAME])
{
	size_t length = strcspn(*text, ".");

	if (length == 0 || length >= NAME)
		return false;
	snprintf(part, NAME, "%.*s", (int)length, *text);
	*text += length + ((*text)[length] == '.');
	return true;
}

static bool read_op(const char *name, struct parts *parts)
{
	if (!ops_have(name))
		return false;
	name += strlen("op.");
	return copy_part(&name, parts->owner) && copy_part(&name, parts->type) && copy_part(&name, parts->property) &&
	       !*name && (is_type(parts->type) || strcmp(parts->type, "ptr") == 0);
}

static bool read_family(const char *name, struct parts *parts)
{
	const char *last = strrchr(name, '.');

	if (!last || strncmp(name, "cpu.", 4) != 0 || last == name + 3 || !is_type(last + 1))
		return false;
	snprintf(parts->type, NAME, "%s", last + 1);
	snprintf(parts->owner, NAME, "%.*s", (int)(last - name), name);
	return true;
}

bool type_has(const char *name)
{
	struct parts parts;

	return read_op(name, &parts) || read_family(name, &parts);
}

struct names {
	char list[MOST][NAME];
	int count;
};

static void add(struct names *names, const char *name)
{
	for (int i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return;
	if (names->count < MOST)
		snprintf(names->list[names->count++], NAME, "%s", name);
}

/* Cycles as they are counted: 1, 0.25, 4.5; two digits behind the point at most. */
static void write_cycles(const struct finding *finding, char *text, size_t size)
{
	if (!finding)
		snprintf(text, size, "-");
	else if (finding->outcome != MEASURED)
		snprintf(text, size, "%s", finding->outcome == ABSENT ? "-" : "?");
	else if (fabs(finding->value - round(finding->value)) < fmax(0.02 * fabs(finding->value), LEAST))
		snprintf(text, size, "%.0f", fabs(finding->value));
	else
		snprintf(text, size, "%.*f", finding->value < 10 ? 2 : 1, finding->value);
}

static const struct finding *op_at(const struct findings *findings, const char *operation, const char *type,
				   const char *property)
{
	char name[4 * NAME];

	snprintf(name, sizeof(name), "op.%s.%s.%s", operation, type, property);
	return findings_get(findings, name);
}

/* "4 / 0.5"; nothing where the machine or the catalogue has no such operation. */
static void write_op(const struct findings *findings, const char *operation, const char *type, char text[CELL])
{
	const struct finding *latency = op_at(findings, operation, type, "latency");
	const struct finding *interval = op_at(findings, operation, type, "interval");
	char one[NAME], other[NAME];

	text[0] = '\0';
	if ((!latency || latency->outcome == ABSENT) && (!interval || interval->outcome == ABSENT))
		return;
	write_cycles(latency, one, sizeof(one));
	write_cycles(interval, other, sizeof(other));
	snprintf(text, CELL, "%.10s/%.10s", one, other);
}

/* The columns that there is room for: scalars, which come first, then the widest of each kind, which come last. */
static void choose(const struct line *line, struct names *types, const int widths[MOST], bool shown[MOST], int name)
{
	int room = line->width > 0 ? line->width - 2 - name : 10000, scalars = 0;

	while (scalars < types->count && !strchr(types->list[scalars], 'x'))
		scalars++;
	for (int i = 0; i < scalars; i++) {
		shown[i] = widths[i] > 0 && room >= GAP + widths[i];
		room -= shown[i] ? GAP + widths[i] : 0;
	}
	for (int i = types->count - 1; i >= scalars; i--) {
		shown[i] = widths[i] > 0 && room >= GAP + widths[i];
		room -= shown[i] ? GAP + widths[i] : 0;
	}
}

static void put_hidden(struct line *line, const struct names *types, const int widths[MOST], const bool shown[MOST])
{
	bool any = false;

	for (int i = 0; i < types->count; i++) {
		if (shown[i] || widths[i] == 0)
			continue;
		line->blanks = any ? 1 : 2;
		line_put_words(line, any ? "" : "no room for", 4, PLAIN);
		line->blanks = 1;
		line_put_words(line, types->list[i], 4, PLAIN);
		any = true;
	}
	if (any) {
		line->blanks = 0;
		line_put_words(line, ": xray op shows all", 4, PLAIN);
		line_end(line);
	}
}

static bool put_ops(struct line *line, const struct findings *findings)
{
	struct names operations = { .count = 0 }, types = { .count = 0 };
	int widths[MOST] = { 0 }, name = (int)strlen("latency/interval");
	bool shown[MOST] = { false };
	struct parts parts;
	char text[CELL];

	for (int i = 0; i < findings_count(findings); i++)
		if (read_op(findings_at(findings, i)->name, &parts)) {
			write_op(findings, parts.owner, parts.type, text);
			if (!text[0])
				continue;
			add(&operations, parts.owner);
			add(&types, parts.type);
		}
	for (int i = 0; i < types.count; i++)
		for (int j = 0; j < operations.count; j++) {
			write_op(findings, operations.list[j], types.list[i], text);
			if (text[0])
				widths[i] = (int)fmax(fmax(widths[i], line_columns(text)), strlen(types.list[i]));
		}
	choose(line, &types, widths, shown, name);
	for (int row = -1; row < operations.count && operations.count > 0; row++) {
		line->blanks = 2;
		line_put(line, row < 0 ? "latency/interval" : operations.list[row], name, LEFT, PLAIN);
		for (int i = 0; i < types.count; i++) {
			if (!shown[i])
				continue;
			if (row < 0)
				snprintf(text, sizeof(text), "%s", types.list[i]);
			else
				write_op(findings, operations.list[row], types.list[i], text);
			line->blanks += GAP;
			line_put(line, text, widths[i], RIGHT, row >= 0 && strchr(text, '?') ? YELLOW : PLAIN);
		}
		line_end(line);
	}
	put_hidden(line, &types, widths, shown);
	return operations.count > 0;
}

/* "14 (i32 i64)   16 (f32 f64)": types of one value together. What is not measured is told among the troubles. */
static void put_family(struct line *line, const struct findings *findings, const char *family)
{
	char told[256] = "", value[256], text[2 * NAME];
	struct parts parts;

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		bool same;

		if (!read_family(finding->name, &parts) || strcmp(parts.owner, family) != 0 ||
		    finding->outcome != MEASURED)
			continue;
		report_value(finding, value, sizeof(value));
		same = strcmp(value, told) == 0;
		if (!same) {
			line_put(line, line->column ? ")" : "", 0, LEFT, PLAIN);
			line->blanks = 2;
			line_put(line, line->column ? "" : family, NAME - 4, LEFT, PLAIN);
			if (line->blanks > NAME - 4)
				line->blanks = 3;
			line_put_words(line, value, NAME - 2, line_paint(MEASURED));
			snprintf(told, sizeof(told), "%s", value);
		}
		snprintf(text, sizeof(text), "%s%s", same ? "" : "(", parts.type);
		line->blanks = 1;
		line_put_words(line, text, NAME - 2, PLAIN);
	}
	if (line->column) {
		line_put(line, ")", 0, LEFT, PLAIN);
		line_end(line);
	}
}

bool type_put(struct line *line, const struct findings *findings)
{
	struct names families = { .count = 0 };
	struct parts parts;

	for (int i = 0; i < findings_count(findings); i++)
		if (read_family(findings_at(findings, i)->name, &parts))
			add(&families, parts.owner);
	for (int i = 0; i < families.count; i++)
		put_family(line, findings, families.list[i]);
	if (families.count > 0)
		fputc('\n', line->out);
	return put_ops(line, findings) || families.count > 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * ops.c - the op.* family as a table, one row per operation and type
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"

enum { COLUMNS = 3, CELL = 9 };

struct row {
	const char *key; /* OPERATION.TYPE, inside a finding's name */
	int length;
	const struct finding *cells[COLUMNS];
};

struct table {
	struct row *rows;
	int count;
};

/* The column of op.KEY.latency, .interval or .inflight; COLUMNS for any other name. */
static int column_of(const char *name, int *length)
{
	static const char *const properties[COLUMNS] = { "latency", "interval", "inflight" };
	const char *last = strrchr(name, '.');

	if (strncmp(name, "op.", 3) != 0 || last <= name + 3)
		return COLUMNS;
	*length = (int)(last - name - 3);
	for (int i = 0; i < COLUMNS; i++)
		if (strcmp(last + 1, properties[i]) == 0)
			return i;
	return COLUMNS;
}

bool ops_have(const char *name)
{
	int length;

	return column_of(name, &length) != COLUMNS;
}

static struct table collect(const struct findings *findings)
{
	struct table table = { calloc((size_t)findings_count(findings) + 1, sizeof(*table.rows)), 0 };

	for (int i = 0; table.rows && i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		const char *key = finding->name + 3;
		int length, row = 0, column = column_of(finding->name, &length);

		if (column == COLUMNS)
			continue;
		while (row < table.count &&
		       (table.rows[row].length != length || strncmp(table.rows[row].key, key, (size_t)length) != 0))
			row++;
		if (row == table.count)
			table.rows[table.count++] = (struct row){ .key = key, .length = length };
		table.rows[row].cells[column] = finding;
	}
	return table;
}

static bool lacking(const struct row *row)
{
	for (int i = 0; i < COLUMNS; i++)
		if (row->cells[i] && row->cells[i]->outcome != ABSENT)
			return false;
	return true;
}

static void put_row(struct line *line, const struct row *row, int width)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s", row->length, row->key);
	line->blanks = 2;
	line_put(line, text, width, LEFT, PLAIN);
	for (int i = 0; i < COLUMNS; i++) {
		const struct finding *cell = row->cells[i];
		char number[64] = "-", shown[80];
		const char *word = cell ? line_number(cell, number, sizeof(number)) : "";
		bool said = !word[0] || strcmp(word, "cycles") == 0;

		snprintf(shown, sizeof(shown), "%s%s%s", number, said ? "" : " ", said ? "" : word);
		line->blanks += 2;
		line_put(line, shown, CELL, RIGHT, cell ? line_paint(cell->outcome) : PLAIN);
	}
	line_end(line);
}

static bool disputed(const struct finding *finding)
{
	return finding->outcome == MEASURED && !isnan(finding->claimed) && !finding_agrees(finding);
}

static void put_reasons(struct line *line, const struct table *table)
{
	for (int i = 0; i < table->count * COLUMNS; i++) {
		const struct finding *cell = table->rows[i / COLUMNS].cells[i % COLUMNS];
		char text[128];

		if (!cell || cell->outcome == ABSENT || (cell->outcome == MEASURED && !disputed(cell)))
			continue;
		line->blanks = 2;
		line_put(line, cell->name, 0, LEFT, PLAIN);
		line->blanks = 1;
		if (cell->outcome == MEASURED) {
			line_put_claim(line, cell);
		} else {
			snprintf(text, sizeof(text), "%s:", outcome_word(cell->outcome));
			line_put(line, text, 0, LEFT, line_paint(cell->outcome));
			line->blanks = 1;
			line_put_words(line, cell->reason, 4, PLAIN);
		}
		line_end(line);
	}
}

static void put_absent(struct line *line, const struct table *table)
{
	int last = table->count;

	while (last > 0 && !lacking(&table->rows[last - 1]))
		last--;
	if (last == 0)
		return;
	line->blanks = 2;
	line_put(line, "absent:", 0, LEFT, PLAIN);
	for (int i = 0; i < last; i++) {
		char text[64];

		if (!lacking(&table->rows[i]))
			continue;
		snprintf(text, sizeof(text), "%.*s%s", table->rows[i].length, table->rows[i].key,
			 i + 1 < last ? "," : "");
		line->blanks = 1;
		line_put_words(line, text, 4, PLAIN);
	}
	line_end(line);
}

bool ops_put(struct line *line, const struct findings *findings)
{
	struct table table = collect(findings);
	bool any = table.count > 0, headed = false;
	int width = line_columns("operation");

	for (int i = 0; i < table.count; i++)
		if (!lacking(&table.rows[i]) && table.rows[i].length > width)
			width = table.rows[i].length;
	for (int i = 0; i < table.count; i++) {
		if (lacking(&table.rows[i]))
			continue;
		if (!headed)
			fprintf(line->out, "  %-*s  %*s  %*s  %*s   (times in cycles)\n", width, "operation", CELL,
				"latency", CELL, "interval", CELL, "in flight");
		headed = true;
		put_row(line, &table.rows[i], width);
	}
	put_reasons(line, &table);
	put_absent(line, &table);
	free(table.rows);
	return any;
}

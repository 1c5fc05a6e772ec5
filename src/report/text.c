/* SPDX-License-Identifier: MIT */
/*
 * text.c - the findings for a person at a terminal, one row each
 */
#include <math.h>
#include <string.h>

#include "line.h"
#include "report.h"
#include "shapes.h"
#include "units.h"

enum { FEW = 20, VALUE = 256, LEAST_WORDS = 24, SHORT = 40 };

/* Of the columns, over all rows. In a table of evidence the name is what was tried and the word is x. */
struct widths {
	int name, number, word, interval;
};

/* One row of a table of evidence. */
struct cells {
	char x[32], value[32], interval[80];
};

static void widen(int *width, const char *text)
{
	int needed = line_columns(text);

	if (needed > *width)
		*width = needed;
}

/* What the rest of a row says; it goes on below where there is no room. */
static void put_remarks(struct line *line, const struct finding *finding, int indent)
{
	if (finding->outcome == MEASURED) {
		line_put_claim(line, finding);
		if (!line->brief)
			line_put_words(line, finding->note, indent, PLAIN);
	} else {
		line_put_words(line, finding->reason, indent, PLAIN);
	}
}

static void put_row(struct line *line, const struct finding *finding, const struct widths *widths)
{
	char number[VALUE], interval[80];
	const char *word = line_number(finding, number, sizeof(number));
	int rest = widths->number + 1 + widths->word + 2 + widths->interval + 2, indent = 2 + widths->name + 2;
	/* Remarks stand below each other, where they leave each other room. */
	int column = indent + rest;

	units_interval(finding, interval, sizeof(interval));
	line->blanks = 2;
	line_put(line, finding->name, widths->name + 2, LEFT, PLAIN);
	if (line_columns(number) > widths->number) {
		line_cut(number, line->brief ? SHORT : line->width - indent);
		line_put(line, number, rest, LEFT, line_paint(finding->outcome));
		line->blanks = line->blanks < 2 ? 2 : line->blanks;
	} else {
		line_put(line, number, widths->number, RIGHT, line_paint(finding->outcome));
		line->blanks = 1;
		line_put(line, word, widths->word + 2, LEFT, PLAIN);
		line_put(line, interval, widths->interval + 2, LEFT, PLAIN);
	}
	put_remarks(line, finding, line->width > 0 && column > line->width - LEAST_WORDS ? indent : column);
	line_end(line);
}

bool rows_put(struct line *line, const struct findings *findings,
	      bool (*shown)(const struct findings *findings, const struct finding *finding))
{
	struct widths widths = { 0 };
	int rows = 0;

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		char number[VALUE], interval[80];

		if (!shown(findings, finding))
			continue;
		rows++;
		widen(&widths.name, finding->name);
		widen(&widths.word, line_number(finding, number, sizeof(number)));
		/* A long text runs on over the next columns rather than push all numbers aside. */
		if (finding->outcome != MEASURED || !units_worded(finding))
			widen(&widths.number, number);
		units_interval(finding, interval, sizeof(interval));
		widen(&widths.interval, interval);
	}
	for (int i = 0; i < findings_count(findings); i++)
		if (shown(findings, findings_at(findings, i)))
			put_row(line, findings_at(findings, i), &widths);
	return rows > 0;
}

/* All but operations, which have a table; of what is not there the summary counts levels, in a long report. */
static bool has_row(const struct findings *findings, const struct finding *finding)
{
	bool level = strncmp(finding->name, "cache.l", 7) == 0 || strncmp(finding->name, "tlb.l", 5) == 0;

	return !ops_have(finding->name) && (finding->outcome != ABSENT || !level || findings_count(findings) <= FEW);
}

static bool filled(const char *text)
{
	return text && text[0];
}

bool report_has_quota(const struct report_context *context)
{
	return isfinite(context->quota) && context->quota > 0;
}

/* Pieces of the first lines, as many to a line as there is room for. */
static void put_piece(struct line *line, const char *before, const char *text)
{
	if (!filled(text))
		return;
	if (line->width > 0 && line->column > 0 &&
	    line->column + 3 + line_columns(before) + line_columns(text) > line->width) {
		line_end(line);
		line->blanks = 2;
	} else {
		line->blanks = line->column > 0 ? 3 : 0;
	}
	line_put(line, before, 0, LEFT, PLAIN);
	line_put_words(line, text, 2, PLAIN);
}

void context_put(struct line *line, const struct report_context *context)
{
	char text[64];

	snprintf(text, sizeof(text), "xray %s", filled(context->version) ? context->version : "");
	put_piece(line, "", text);
	put_piece(line, "", context->cpu);
	put_piece(line, "", context->compiler);
	snprintf(text, sizeof(text), "cpu %d pinned", context->cpu_used);
	put_piece(line, "", context->cpu_used >= 0 ? text : "");
	snprintf(text, sizeof(text), "quota %.4g CPU%s", context->quota, context->quota == 1 ? "" : "s");
	put_piece(line, "", report_has_quota(context) ? text : "");
	put_piece(line, "noise: ", context->noise);
	line_end(line);
	fputc('\n', line->out);
}

void summary_put(struct line *line, const struct findings *findings, const struct report_context *context)
{
	static const enum outcome order[] = { MEASURED, UNCLEAR, FAILED, ABSENT, BLOCKED };
	const struct finding *open = NULL;
	int counts[FAILED + 1] = { 0 };
	char text[320];

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);

		counts[finding->outcome]++;
		if (!open && finding->outcome != MEASURED && finding->outcome != ABSENT)
			open = finding;
	}
	if (filled(context->counters)) {
		snprintf(text, sizeof(text), "counters: none (%s)", context->counters);
		line_put_words(line, text, 0, PLAIN);
		line_end(line);
	}
	for (int i = 0; i <= FAILED; i++) {
		snprintf(text, sizeof(text), "%s%d %s", i ? ", " : "", counts[order[i]], outcome_word(order[i]));
		line_put(line, counts[order[i]] > 0 || i < 3 ? text : "", 0, LEFT, PLAIN);
	}
	snprintf(text, sizeof(text), "%.*f s", context->seconds < 100 ? 1 : 0, context->seconds);
	line->blanks = 3;
	line_put(line, isfinite(context->seconds) ? text : "", 0, LEFT, PLAIN);
	snprintf(text, sizeof(text), "details: xray explain %s", open ? open->name : "");
	if (open && line->width > 0 && line->column + 6 + line_columns(text) > line->width)
		line_end(line);
	else
		line->blanks = 6;
	line_put(line, open ? text : "", 0, LEFT, PLAIN);
	line_end(line);
}

static bool put_shape(struct line *line, const struct finding *finding)
{
	return matrix_put(line, finding) || tree_put(line, finding) || bundles_put(line, finding);
}

void report_shape(FILE *out, const struct finding *finding, bool colour)
{
	struct line line = { .out = out, .colour = colour };

	put_shape(&line, finding);
}

void report_text(FILE *out, const struct report_context *context, const struct findings *findings,
		 const struct report_layout *layout)
{
	struct line line = { .out = out, .colour = layout->colour, .width = layout->width };

	context_put(&line, context);
	if (rows_put(&line, findings, has_row))
		fputc('\n', out);
	if (ops_put(&line, findings))
		fputc('\n', out);
	for (int i = 0; i < findings_count(findings); i++)
		if (put_shape(&line, findings_at(findings, i)))
			fputc('\n', out);
	summary_put(&line, findings, context);
}

/* What was varied or seen has no unit of its own: whole numbers whole, the others with some three digits. */
static void plain(double value, char *text, size_t size)
{
	if (!isfinite(value))
		text[0] = '\0';
	else if (value == floor(value) || fabs(value) >= 1000)
		snprintf(text, size, "%.0f", value);
	else
		snprintf(text, size, "%.*f", fabs(value) < 1 ? 4 : fabs(value) < 100 ? 2 : 1, value);
}

static struct cells cells_of(const struct evidence *point)
{
	struct cells cells = { .interval = "" };
	char low[32], high[32];

	plain(point->x, cells.x, sizeof(cells.x));
	plain(point->value, cells.value, sizeof(cells.value));
	plain(point->low, low, sizeof(low));
	plain(point->high, high, sizeof(high));
	if (low[0] && high[0] && strcmp(low, high) != 0)
		snprintf(cells.interval, sizeof(cells.interval), "[%s .. %s]", low, high);
	return cells;
}

static void put_point(struct line *line, const struct cells *cells, const char *what, const char *verdict,
		      const struct widths *widths)
{
	line->blanks = 2;
	line_put(line, what, widths->name + 2, LEFT, PLAIN);
	line_put(line, cells->x, widths->word, RIGHT, PLAIN);
	line->blanks += 2;
	line_put(line, cells->value, widths->number, RIGHT, PLAIN);
	line->blanks += 2;
	line_put(line, cells->interval, widths->interval + 2, LEFT, PLAIN);
	line_put(line, verdict, 0, LEFT, PLAIN);
	line_end(line);
}

void report_evidence(FILE *out, const struct finding *finding)
{
	static const struct cells heads = { "x", "value", "interval" };
	struct line line = { .out = out };
	struct widths widths = { .name = 5, .word = 1, .number = 5, .interval = 8 };

	if (finding->evidence_count == 0) {
		fputs("  no evidence was kept\n", out);
		return;
	}
	for (int i = 0; i < finding->evidence_count; i++) {
		struct cells cells = cells_of(&finding->evidence[i]);

		widen(&widths.name, finding->evidence[i].what);
		widen(&widths.word, cells.x);
		widen(&widths.number, cells.value);
		widen(&widths.interval, cells.interval);
	}
	put_point(&line, &heads, "tried", "taken for", &widths);
	for (int i = 0; i < finding->evidence_count; i++) {
		struct cells cells = cells_of(&finding->evidence[i]);

		put_point(&line, &cells, finding->evidence[i].what, finding->evidence[i].verdict, &widths);
	}
}

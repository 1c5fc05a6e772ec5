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

enum { FEW = 20, VALUE = 256 };

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

static void put_row(struct line *line, const struct finding *finding, const struct widths *widths)
{
	char number[VALUE], interval[80];
	const char *word = line_number(finding, number, sizeof(number));
	int rest = widths->number + 1 + widths->word + 2 + widths->interval + 2;

	units_interval(finding, interval, sizeof(interval));
	line->blanks = 2;
	line_put(line, finding->name, widths->name + 2, LEFT, PLAIN);
	if (line_columns(number) > widths->number) {
		line_put(line, number, rest, LEFT, line_paint(finding->outcome));
		line->blanks = line->blanks < 2 ? 2 : line->blanks;
	} else {
		line_put(line, number, widths->number, RIGHT, line_paint(finding->outcome));
		line->blanks = 1;
		line_put(line, word, widths->word + 2, LEFT, PLAIN);
		line_put(line, interval, widths->interval + 2, LEFT, PLAIN);
	}
	if (finding->outcome == MEASURED) {
		line_put_claim(line, finding);
		line_put(line, finding->note, 0, LEFT, PLAIN);
	} else {
		line_put(line, finding->reason, 0, LEFT, PLAIN);
	}
	line_end(line);
}

/* Levels of caches and TLBs that are not there: in a long report the summary counts them, and that is enough. */
static bool is_left_out(const struct findings *findings, const struct finding *finding)
{
	bool level = strncmp(finding->name, "cache.l", 7) == 0 || strncmp(finding->name, "tlb.l", 5) == 0;

	return ops_have(finding->name) || (finding->outcome == ABSENT && level && findings_count(findings) > FEW);
}

static bool put_rows(struct line *line, const struct findings *findings)
{
	struct widths widths = { 0 };
	int rows = 0;

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		char number[VALUE], interval[80];

		if (is_left_out(findings, finding))
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
		if (!is_left_out(findings, findings_at(findings, i)))
			put_row(line, findings_at(findings, i), &widths);
	return rows > 0;
}

static bool filled(const char *text)
{
	return text && text[0];
}

bool report_has_quota(const struct report_context *context)
{
	return isfinite(context->quota) && context->quota > 0;
}

static void put_context(FILE *out, const struct report_context *context)
{
	fputs("xray", out);
	if (filled(context->version))
		fprintf(out, " %s", context->version);
	if (filled(context->cpu))
		fprintf(out, "   %s", context->cpu);
	if (filled(context->compiler))
		fprintf(out, "   %s", context->compiler);
	if (context->cpu_used >= 0)
		fprintf(out, "   cpu %d pinned", context->cpu_used);
	if (report_has_quota(context))
		fprintf(out, "   quota %.4g CPU%s", context->quota, context->quota == 1 ? "" : "s");
	if (filled(context->noise))
		fprintf(out, "   noise: %s", context->noise);
	fputs("\n\n", out);
}

static void put_summary(FILE *out, const struct findings *findings, double seconds)
{
	static const enum outcome order[] = { MEASURED, UNCLEAR, FAILED, ABSENT, BLOCKED };
	const struct finding *open = NULL;
	int counts[FAILED + 1] = { 0 };

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);

		counts[finding->outcome]++;
		if (!open && finding->outcome != MEASURED && finding->outcome != ABSENT)
			open = finding;
	}
	for (int i = 0; i <= FAILED; i++)
		if (counts[order[i]] > 0 || i < 3)
			fprintf(out, "%s%d %s", i ? ", " : "", counts[order[i]], outcome_word(order[i]));
	if (isfinite(seconds))
		fprintf(out, "   %.*f s", seconds < 100 ? 1 : 0, seconds);
	if (open)
		fprintf(out, "      details: xray explain %s", open->name);
	fputc('\n', out);
}

static bool put_shape(struct line *line, const struct finding *finding)
{
	return matrix_put(line, finding) || tree_put(line, finding);
}

void report_shape(FILE *out, const struct finding *finding, bool colour)
{
	struct line line = { .out = out, .colour = colour };

	put_shape(&line, finding);
}

void report_text(FILE *out, const struct report_context *context, const struct findings *findings, bool colour)
{
	struct line line = { .out = out, .colour = colour };

	put_context(out, context);
	if (put_rows(&line, findings))
		fputc('\n', out);
	if (ops_put(&line, findings))
		fputc('\n', out);
	for (int i = 0; i < findings_count(findings); i++)
		if (put_shape(&line, findings_at(findings, i)))
			fputc('\n', out);
	if (filled(context->counters))
		fprintf(out, "counters: none (%s)\n\n", context->counters);
	put_summary(out, findings, context->seconds);
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

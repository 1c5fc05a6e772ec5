/* SPDX-License-Identifier: MIT */
/*
 * text.c - what changed, for a person at a terminal: what surrounded it first, then each change, then what is not sure
 */
#include <math.h>
#include <string.h>

#include "../report/line.h"
#include "compare.h"

enum { FEW = 8, VALUE = 256, SHORT = 24, HEAD = 20 };

static const double NARROW = 1.005; /* a factor and its bound that are nearer are told as one */

/* The value, of texts a beginning, of what is not known its outcome. */
static void write_value(const struct finding *finding, char text[VALUE])
{
	char whole[256];

	report_value(finding, whole, sizeof(whole));
	if (finding->outcome == MEASURED && strcmp(finding->unit, "text") == 0 && line_columns(whole) > SHORT)
		snprintf(text, VALUE, "%.*s...", SHORT - 3, whole);
	else
		snprintf(text, VALUE, "%s", whole);
}

static void write_factor(const struct difference *difference, char *text, size_t size)
{
	double ratio = difference->ratio, least = difference->least;

	text[0] = '\0';
	if (difference->how[0])
		snprintf(text, size, "%s", difference->how);
	else if (!isfinite(ratio))
		return;
	else if (isfinite(least) && fabs(log(ratio / least)) > log(NARROW))
		snprintf(text, size, "x %.*f, at %s %.*f", ratio < 0.1 ? 4 : 2, ratio, ratio > 1 ? "least" : "most",
			 least < 0.1 ? 4 : 2, least);
	else
		snprintf(text, size, "x %.*f", ratio < 0.1 ? 4 : 2, ratio);
}

struct widths {
	int name, before, after;
};

static struct widths widths_of(const struct comparison *comparison, bool full)
{
	struct widths widths = { 0 };

	for (int i = 0; i < comparison->count; i++) {
		const struct difference *difference = &comparison->list[i];
		char before[VALUE], after[VALUE];

		if (!difference->before || !difference->after ||
		    (!full && (difference->verdict == SAME || difference->verdict == UNKNOWN)))
			continue;
		write_value(difference->before, before);
		write_value(difference->after, after);
		widths.name = (int)fmax(widths.name, line_columns(difference->before->name));
		widths.before = (int)fmax(widths.before, line_columns(before));
		widths.after = (int)fmax(widths.after, line_columns(after));
	}
	return widths;
}

static void put_difference(struct line *line, const struct difference *difference, const struct widths *widths)
{
	char before[VALUE], after[VALUE], factor[256];
	int indent = 2 + widths->name + 2;

	write_value(difference->before, before);
	write_value(difference->after, after);
	write_factor(difference, factor, sizeof(factor));
	line->blanks = 2;
	line_put(line, difference->before->name, widths->name + 2, LEFT, PLAIN);
	line_put(line, before, widths->before, RIGHT, PLAIN);
	line->blanks = 1;
	line_put(line, "→", 2, LEFT, PLAIN);
	line_put(line, after, widths->after + 2, LEFT, difference->verdict == CHANGED ? YELLOW : PLAIN);
	if (difference->verdict == UNSURE && !difference->how[0])
		line_put_words(line, difference->after->reason, indent, PLAIN);
	else if (difference->verdict != SAME)
		line_put_words(line, factor, indent, PLAIN);
	line_end(line);
}

/* The part of a name before its first dot: cpu, cache, op. */
static size_t part_of(const char *name)
{
	return strcspn(name, ".");
}

static bool same_part(const char *one, const char *other)
{
	return part_of(one) == part_of(other) && strncmp(one, other, part_of(one)) == 0;
}

static void put_verdict(struct line *line, const struct compared *compared, enum compare_verdict verdict,
			const char *head)
{
	const struct comparison *comparison = compared->comparison;
	struct widths widths = widths_of(comparison, compared->full);
	const struct finding *last = NULL;

	if (comparison->counts[verdict] == 0)
		return;
	fprintf(line->out, "%s\n", head);
	for (int i = 0; i < comparison->count; i++) {
		const struct difference *difference = &comparison->list[i];

		if (difference->verdict != verdict)
			continue;
		if (comparison->counts[verdict] > FEW && last && !same_part(last->name, difference->before->name))
			fputc('\n', line->out);
		put_difference(line, difference, &widths);
		last = difference->before;
	}
	fputc('\n', line->out);
}

/* Names, or of many how many each part of the machine has. */
static void put_lonely(struct line *line, const struct compared *compared, enum compare_verdict verdict,
		       const char *file)
{
	const struct comparison *comparison = compared->comparison;
	char head[4224], item[96];
	bool names = compared->full || comparison->counts[verdict] <= FEW;

	if (comparison->counts[verdict] == 0)
		return;
	snprintf(head, sizeof(head), "only in %s:", file);
	line_put_words(line, head, 2, PLAIN);
	for (int i = 0, alike = 0; i < comparison->count; i++) {
		const struct difference *difference = &comparison->list[i];
		const struct finding *one = difference->before ? difference->before : difference->after;
		const char *next = "";

		if (difference->verdict != verdict)
			continue;
		alike++;
		for (int j = i + 1; j < comparison->count && !next[0]; j++)
			if (comparison->list[j].verdict == verdict)
				next = (verdict == ONLY_BEFORE ? comparison->list[j].before : comparison->list[j].after)
					       ->name;
		if (!names && same_part(one->name, next))
			continue;
		if (names)
			snprintf(item, sizeof(item), "%s", one->name);
		else
			snprintf(item, sizeof(item), "%.*s.* (%d)", (int)part_of(one->name), one->name, alike);
		line->blanks = 1;
		line_put_words(line, item, 2, PLAIN);
		alike = 0;
	}
	line_end(line);
	fputc('\n', line->out);
}

static void put_contexts(struct line *line, const struct compared *compared)
{
	struct context_row rows[CONTEXT_ROWS];
	int count = compare_contexts(compared->contexts[0], compared->contexts[1], rows);

	for (int i = -1; i < count; i++) {
		const char *word = i < 0 ? "" : rows[i].word;
		const char *before = i < 0 ? compared->files[0] : rows[i].before;
		const char *after = i < 0 ? compared->files[1] : rows[i].after;
		bool beside = line->width == 0 || HEAD + line_columns(before) + 3 + line_columns(after) <= line->width;

		line->blanks = 2;
		line_put(line, word, HEAD - 2, LEFT, PLAIN);
		line_put(line, before, 0, LEFT, PLAIN);
		if (!beside) {
			line_end(line);
			line->blanks = HEAD - 2;
		} else {
			line->blanks = 1;
		}
		line_put(line, "→", 2, LEFT, PLAIN);
		line_put(line, after, 0, LEFT, PLAIN);
		line_end(line);
	}
	fputc('\n', line->out);
}

static double size_of(const struct difference *difference)
{
	return difference->verdict == CHANGED && isfinite(difference->ratio) ? fabs(log(difference->ratio)) : -1;
}

static void put_summary(FILE *out, const struct comparison *comparison)
{
	static const struct {
		enum compare_verdict verdict;
		const char *word;
	} parts[] = { { CHANGED, "changed" },      { SAME, "same" },           { UNSURE, "no longer clear" },
		      { CLEARER, "clear now" },    { UNKNOWN, "never clear" }, { ONLY_BEFORE, "only before" },
		      { ONLY_AFTER, "only after" } };
	const struct difference *most = NULL;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (comparison->counts[parts[i].verdict] > 0 || i < 2)
			fprintf(out, "%s%d %s", i ? ", " : "", comparison->counts[parts[i].verdict], parts[i].word);
	for (int i = 0; i < comparison->count; i++)
		if (size_of(&comparison->list[i]) > (most ? size_of(most) : 0))
			most = &comparison->list[i];
	if (most)
		fprintf(out, "      most: %s", most->before->name);
	fputc('\n', out);
}

void compare_text(FILE *out, const struct compared *compared, const struct report_layout *layout)
{
	struct line line = { .out = out, .colour = layout->colour, .width = layout->width };

	put_contexts(&line, compared);
	put_verdict(&line, compared, CHANGED, "changed");
	put_verdict(&line, compared, UNSURE, "no longer clear");
	put_verdict(&line, compared, CLEARER, "clear now");
	if (compared->full)
		put_verdict(&line, compared, SAME, "same");
	put_lonely(&line, compared, ONLY_BEFORE, compared->files[0]);
	put_lonely(&line, compared, ONLY_AFTER, compared->files[1]);
	put_summary(out, compared->comparison);
}

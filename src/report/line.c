/* SPDX-License-Identifier: MIT */
/*
 * line.c - one line of a text report: columns, colours, values beside claims
 */
#include "line.h"

#include <math.h>
#include <string.h>

#include "units.h"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define RESET "\033[0m"

int line_columns(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += (*text & 0xC0) != 0x80; /* UTF-8 continuation bytes take no column */
	return count;
}

void line_cut(char *text, int columns)
{
	char *end = text;

	if (columns < 4 || line_columns(text) <= columns)
		return;
	for (int left = columns - 3; left > 0 || (*end & 0xC0) == 0x80; end++)
		left -= (end[1] & 0xC0) != 0x80;
	memcpy(end, "...", 4);
}

void line_put(struct line *line, const char *text, int width, enum side side, const char *paint)
{
	int spare = width - line_columns(text);
	bool painted = line->colour && paint[0];

	if (spare < 0)
		spare = 0;
	if (!text[0]) {
		line->blanks += width;
		return;
	}
	line->column += line->blanks + (side == RIGHT ? spare : 0) + line_columns(text);
	fprintf(line->out, "%*s%s", line->blanks + (side == RIGHT ? spare : 0), "", painted ? paint : "");
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' || *text == 0x7F ? ' ' : *text, line->out);
	fputs(painted ? RESET : "", line->out);
	line->blanks = side == RIGHT ? 0 : spare;
}

void line_end(struct line *line)
{
	fputc('\n', line->out);
	line->blanks = line->column = 0;
}

void line_put_words(struct line *line, const char *text, int indent, const char *paint)
{
	char word[256];

	for (bool first = true; *text; first = false) {
		size_t length = strcspn(text, " "), kept = length < sizeof(word) ? length : sizeof(word) - 1;

		memcpy(word, text, kept);
		word[kept] = '\0';
		line->blanks += !first && kept > 0;
		if (line->width > 0 && line->column > indent &&
		    line->column + line->blanks + line_columns(word) > line->width) {
			line_end(line);
			line->blanks = indent;
		}
		line_put(line, word, 0, LEFT, paint);
		text += length + strspn(text + length, " ");
	}
}

const char *line_paint(enum outcome outcome)
{
	static const char *const paints[] = {
		[MEASURED] = BOLD, [UNCLEAR] = YELLOW, [ABSENT] = PLAIN, [BLOCKED] = YELLOW, [FAILED] = RED,
	};

	return paints[outcome];
}

const char *line_number(const struct finding *finding, char *text, size_t size)
{
	struct units_form form = units_of_finding(finding);

	if (finding->outcome != MEASURED || strcmp(finding->unit, "bool") == 0 || units_worded(finding)) {
		report_value(finding, text, size);
		return "";
	}
	units_number(&form, finding->value, text, size);
	return form.word;
}

void line_put_claim(struct line *line, const struct finding *finding)
{
	struct finding claim = *finding;
	char value[64], text[128];
	bool agrees = finding_agrees(finding);

	if (isnan(finding->claimed))
		return;
	claim.unit = units_of(finding);
	claim.value = claim.low = claim.high = finding->claimed;
	report_value(&claim, value, sizeof(value));
	snprintf(text, sizeof(text), "%s (%s)", value, finding->claimed_source);
	line_put(line, agrees ? "=" : "DISAGREES", 0, LEFT, agrees ? PLAIN : YELLOW);
	line->blanks = 1;
	line_put(line, text, 0, LEFT, PLAIN);
	line->blanks = 2;
}

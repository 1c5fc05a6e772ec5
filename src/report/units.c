/* SPDX-License-Identifier: MIT */
/*
 * units.c - numbers for people: the unit, the digits, the interval
 */
#include "units.h"

#include <math.h>
#include <string.h>

#include "report.h"
#include "shapes.h"

static const double NARROW = 0.02; /* a half width up to this is told in per cent */

enum { WIDEST = 60 }; /* columns that a text may take in a table */
enum { READABLE = 8192 }; /* the most of a smaller unit that reads better than a fraction of a larger one */

struct step {
	double size;
	const char *word;
};

enum { DECIMALS = 2 };

static struct units_form in_steps(const struct step *steps, double value, bool as_needed)
{
	while (steps->size > 1 && fabs(value) < steps->size)
		steps++;
	return (struct units_form){ steps->size, steps->word, DECIMALS, as_needed };
}

/* 1.25 MiB but 1088 KiB: a larger unit only where quarters of it say the size exactly. */
static struct units_form choose_bytes(double value)
{
	static const struct step steps[] = {
		{ 0x1p40, "TiB" }, { 0x1p30, "GiB" }, { 0x1p20, "MiB" }, { 0x1p10, "KiB" }, { 1, "B" }
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		double quarters = 4 * value / steps[i].size;

		if (fabs(quarters) >= 4 && quarters == floor(quarters) && fabs(quarters) <= 4 * READABLE)
			return (struct units_form){ steps[i].size, steps[i].word, DECIMALS, true };
	}
	return in_steps(steps, value, true);
}

static struct units_form choose_ns(double value)
{
	static const struct step steps[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" } };
	struct units_form form = in_steps(steps, value, false);
	double shown = fabs(value / form.divisor);

	form.decimals = shown < 1 ? 3 : shown < 100 ? 2 : 1;
	return form;
}

struct units_form units_choose(const char *unit, double value)
{
	static const struct step hertz[] = { { 1e9, "GHz" }, { 1e6, "MHz" }, { 1e3, "kHz" }, { 1, "Hz" } };
	static const struct step rate[] = { { 1e9, "GB/s" }, { 1e6, "MB/s" }, { 1e3, "kB/s" }, { 1, "B/s" } };

	if (strcmp(unit, "bytes") == 0)
		return choose_bytes(value);
	if (strcmp(unit, "Hz") == 0)
		return in_steps(hertz, value, false);
	if (strcmp(unit, "bytes/s") == 0)
		return in_steps(rate, value, false);
	if (strcmp(unit, "ns") == 0)
		return choose_ns(value);
	if (strcmp(unit, "cycles") == 0)
		return (struct units_form){ 1, "cycles", fabs(value) < 100 ? 2 : 1, false };
	if (strcmp(unit, "count") == 0)
		return (struct units_form){ 1, "", DECIMALS, true };
	return (struct units_form){ 1, unit, DECIMALS, true };
}

static void strip_zeros(char *text)
{
	size_t end = strlen(text);

	if (!strchr(text, '.'))
		return;
	while (text[end - 1] == '0')
		end--;
	if (text[end - 1] == '.')
		end--;
	text[end] = '\0';
}

void units_number(const struct units_form *form, double value, char *text, size_t size)
{
	snprintf(text, size, "%.*f", form->decimals, value / form->divisor);
	if (form->as_needed)
		strip_zeros(text);
}

bool units_worded(const struct finding *finding)
{
	return strcmp(finding->unit, "text") == 0 || strcmp(finding->unit, "tree") == 0;
}

const char *units_of(const struct finding *finding)
{
	if (units_worded(finding))
		return "count";
	return strcmp(finding->unit, "matrix") == 0 && finding->matrix ? finding->matrix->unit : finding->unit;
}

static const double FINEST = 20; /* parts of an error that the last digit may be */

struct units_form units_of_finding(const struct finding *finding)
{
	struct units_form form = units_choose(units_of(finding), finding->value);
	double error = fmax(finding->value - finding->low, finding->high - finding->value) / form.divisor;
	int enough = error > 0 && isfinite(error) ? (int)fmin(DECIMALS, ceil(log10(FINEST / error))) : form.decimals;

	if (strcmp(finding->unit, "matrix") != 0 && enough < form.decimals)
		form.decimals = enough > 0 ? enough : 0;
	return form;
}

void units_interval(const struct finding *finding, char *text, size_t size)
{
	struct units_form form = units_of_finding(finding);
	bool none = strcmp(finding->unit, "bool") == 0 || units_worded(finding);
	bool cells = strcmp(finding->unit, "matrix") == 0;
	double below = finding->value - finding->low, above = finding->high - finding->value;
	double wide = fmax(below, above), half = wide / fabs(finding->value);
	/* Not quite a half: engines make intervals of that very shape, and a kept document has nine digits. */
	bool symmetric = fmin(below, above) >= wide * 0.499;
	char low[32], high[32];

	text[0] = '\0';
	if (finding->outcome != MEASURED || none || !isfinite(below) || !isfinite(above))
		return;
	if (below == 0 && above == 0)
		return;

	units_number(&form, finding->low, low, sizeof(low));
	units_number(&form, finding->high, high, sizeof(high));
	if (!cells && half <= NARROW && (symmetric || strcmp(low, high) == 0))
		snprintf(text, size, "± %.1f %%", fmax(100 * half, 0.1));
	else
		snprintf(text, size, "[%s .. %s]", low, high);
}

/* As many whole characters as there is room for, "..." for the rest; size is 4 at least. */
static void cut(const char *whole, char *text, size_t size)
{
	size_t length = strlen(whole);

	if (length >= size || line_columns(whole) > WIDEST) {
		int columns = 0;

		for (length = 0; length + 1 < size; length++) {
			columns += (whole[length] & 0xC0) != 0x80;
			if (columns > WIDEST - 3)
				break;
		}
		if (length > size - 4)
			length = size - 4;
		while (length > 0 && (whole[length] & 0xC0) == 0x80)
			length--;
		snprintf(text, size, "%.*s...", (int)length, whole);
	} else {
		snprintf(text, size, "%s", whole);
	}
}

void report_value(const struct finding *finding, char *text, size_t size)
{
	struct units_form form = units_of_finding(finding);

	if (finding->outcome != MEASURED) {
		snprintf(text, size, "%s", outcome_word(finding->outcome));
	} else if (strcmp(finding->unit, "bool") == 0) {
		snprintf(text, size, "%s", finding->value != 0 ? "yes" : "no");
	} else if (strcmp(finding->unit, "tree") == 0 && finding->text) {
		tree_short(finding->text, text, size);
	} else if (strcmp(finding->unit, "text") == 0 && finding->text) {
		cut(finding->text, text, size);
	} else {
		char number[64];

		units_number(&form, finding->value, number, sizeof(number));
		snprintf(text, size, "%s%s%s", number, form.word[0] ? " " : "", form.word);
	}
}

const char *units_literal(const char *word)
{
	static const char *const known[] = { "bytes", "Hz",   "cycles", "ns",     "bytes/s",
					     "count", "bool", "text",   "matrix", "tree" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(word, known[i]) == 0)
			return known[i];
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * description_values.c - what the value of a key may look like, and what is said of one that does not
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description_keys.h"

static const struct {
	const char *name;
	enum description_form form;
	double factor;
} units[] = {
	{ "cycles", FORM_CYCLES, 1 },
	{ "cycle", FORM_CYCLES, 1 },
	{ "ns", FORM_TIME, 1 },
	{ "us", FORM_TIME, 1e3 },
	{ "ms", FORM_TIME, 1e6 },
	{ "s", FORM_TIME, 1e9 },
	{ "Hz", FORM_FREQUENCY, 1 },
	{ "kHz", FORM_FREQUENCY, 1e3 },
	{ "MHz", FORM_FREQUENCY, 1e6 },
	{ "GHz", FORM_FREQUENCY, 1e9 },
	{ "B", FORM_SIZE, 1 },
	{ "bytes", FORM_SIZE, 1 },
	{ "KiB", FORM_SIZE, 1024 },
	{ "MiB", FORM_SIZE, 1048576 },
	{ "GiB", FORM_SIZE, 1073741824 },
	{ "B/s", FORM_FLOW, 1 },
	{ "MB/s", FORM_FLOW, 1e6 },
	{ "GB/s", FORM_FLOW, 1e9 },
	{ "B/cycle", FORM_WIDTH, 1 },
	{ "bytes/cycle", FORM_WIDTH, 1 },
};

static const struct {
	const char *what, *unit;
} forms[] = {
	[FORM_TEXT] = { "a text", "characters" },
	[FORM_SHORT_TEXT] = { "a text", "characters" },
	[FORM_NUMBER] = { "a number", "" },
	[FORM_COUNT] = { "a whole number", "" },
	[FORM_CYCLES] = { "cycles such as 4 or 1.5 cycles, or a time such as 20 ns", " cycles" },
	[FORM_TIME] = { "a time such as 20 ns or 2 ms, or cycles", " ns" },
	[FORM_FREQUENCY] = { "a frequency such as 1500 MHz or 2.2 GHz", " Hz" },
	[FORM_RATE] = { "a number per second", " per second" },
	[FORM_FLOW] = { "a rate such as 800 MB/s or 25.6 GB/s", " bytes/s" },
	[FORM_WIDTH] = { "bytes a cycle such as 32, or a rate such as 100 GB/s", " bytes a cycle" },
	[FORM_SIZE] = { "a size such as 32 KiB or 1.25 MiB", " bytes" },
};

enum { UNITS = sizeof units / sizeof *units };

void description_append(char *text, size_t size, const char *between, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? between : "", more);
}

static void complain(const struct description_key *key, const char *value, const char *what, char *wrong, size_t size)
{
	char allowed[128] = "";
	char range[64] = "";

	for (const struct description_word *word = key->words; word && word->word; word++)
		description_append(allowed, sizeof allowed, " | ", word->word);
	if (key->low <= key->high) {
		description_append(allowed, sizeof allowed, " | ", forms[key->form].what);
		snprintf(range, sizeof range, ", %g to %g%s", key->low, key->high, forms[key->form].unit);
	}
	snprintf(wrong, size, "'%.40s' %s; allowed: %s%s", value, what, allowed, range);
}

/* A plain decimal number or a fraction such as 1/3; the end of it, or NULL. */
static const char *parse_number(const char *value, double *number)
{
	size_t length = strspn(value, "0123456789.eE+-");
	char *end;

	*number = strtod(value, &end);
	if (end == value || end != value + length)
		return NULL;
	if (*end == '/') {
		const char *below = end + 1;
		double divisor = strtod(below, &end);

		if (end == below || end != below + strspn(below, "0123456789.") || divisor <= 0)
			return NULL;
		*number /= divisor;
	}
	return end;
}

/* What one of `unit` is in `form`, where both are of one kind but for the clock; 0: they are not. */
static double exchange(enum description_form form, enum description_form unit, double frequency)
{
	static const struct {
		enum description_form base, clocked; /* clocked: base times the clock */
		double second; /* in the base's unit of time */
	} kinds[] = { { FORM_TIME, FORM_CYCLES, 1e9 }, { FORM_WIDTH, FORM_FLOW, 1 } };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		double clock = frequency / kinds[i].second;

		if (form == kinds[i].clocked && unit == kinds[i].base)
			return clock;
		if (form == kinds[i].base && unit == kinds[i].clocked)
			return clock > 0 ? 1 / clock : 0;
	}
	return form == unit || (form == FORM_RATE && unit == FORM_FREQUENCY) ? 1 : 0;
}

/* Scales by the unit; false when the form does not take it. */
static bool apply_unit(enum description_form form, const char *unit, double frequency, double *number)
{
	if (!*unit)
		return true;
	for (int i = 0; i < UNITS; i++) {
		if (strcmp(units[i].name, unit) != 0)
			continue;

		double each = exchange(form, units[i].form, frequency);

		*number *= units[i].factor * each;
		return each > 0;
	}
	return false;
}

/* Sizes of pages, side by side or with commas: powers of two, each once, so that their sum says which they are. */
static bool take_pages(const struct description_key *key, const char *value, double *pages)
{
	uint64_t all = 0;

	while (*value) {
		double number;
		const char *unit = parse_number(value, &number);
		char name[8];

		if (!unit)
			return false;
		unit += strspn(unit, " \t");
		value = unit + strspn(unit, "BKMGTibytes");
		snprintf(name, sizeof name, "%.*s", (int)(value - unit), unit);
		if (!apply_unit(FORM_SIZE, name, 0, &number) || !(number >= key->low && number <= key->high) ||
		    !description_power_of_two(number))
			return false;
		all |= (uint64_t)number;
		value += strspn(value, " \t,");
	}
	*pages = (double)all;
	return all > 0;
}

static bool take_text(const struct description_key *key, const char *value, char *where, char *wrong, size_t size)
{
	size_t room = key->form == FORM_TEXT ? sizeof((struct description *)0)->name
					     : sizeof((struct description_op *)0)->pool;

	_Static_assert(sizeof((struct description_op *)0)->pool == sizeof((struct description_level *)0)->name,
		       "short texts are of one size");
	if (!*value || strlen(value) >= room) {
		snprintf(wrong, size, "'%.40s' does not fit; allowed: 1 to %zu characters", value, room - 1);
		return false;
	}
	memcpy(where, value, strlen(value) + 1);
	return true;
}

/* Forms that are neither a number nor a text. */
static bool take_special(const struct description_key *key, const char *value, void *where, char *wrong, size_t size)
{
	char allowed[128];

	switch (key->form) {
	case FORM_POLICY:
		if (description_policy(value, where))
			return true;
		snprintf(allowed, sizeof allowed,
			 "lru | fifo | random | tree-plru | nru | srrip | qlru-hXY-mX-rX-uX such as qlru-h00-m1-r2-u1");
		break;
	case FORM_INDEX:
		if (description_index(value, where))
			return true;
		snprintf(allowed, sizeof allowed, "mod | hash | hash:SLICES with 1 to 1024 slices");
		break;
	case FORM_PAGES:
		if (take_pages(key, value, where))
			return true;
		snprintf(allowed, sizeof allowed, "all | powers of two such as 4 KiB, or 4 KiB 2 MiB, of %g to %g",
			 key->low, key->high);
		break;
	default:
		if (description_row(value, key->low, key->high, where))
			return true;
		snprintf(allowed, sizeof allowed, "a row%s such as 4 or 2*8 1*16, of %g to %g",
			 key->low >= 1 ? " of whole numbers" : "", key->low, key->high);
	}
	snprintf(wrong, size, "'%.40s' is not understood; allowed: %s", value, allowed);
	return false;
}

/* Forms that turn on the clock, which the file may not have told yet. */
static bool needs_clock(enum description_form form)
{
	return form == FORM_CYCLES || form == FORM_TIME || form == FORM_WIDTH || form == FORM_FLOW;
}

bool description_value(const struct description_key *key, const char *value, double frequency, void *where, char *wrong,
		       size_t size)
{
	const char *unit;
	double number;

	for (const struct description_word *word = key->words; word && word->word; word++) {
		if (strcmp(word->word, value) != 0)
			continue;
		memcpy(where, &word->value, sizeof word->value);
		return true;
	}
	if (key->form >= FORM_POLICY)
		return take_special(key, value, where, wrong, size);
	if (key->form == FORM_TEXT || key->form == FORM_SHORT_TEXT || key->form == FORM_LEVEL)
		return take_text(key, value, where, wrong, size);
	unit = key->low <= key->high ? parse_number(value, &number) : NULL;
	if (!unit) {
		complain(key, value, "is not understood", wrong, size);
		return false;
	}
	unit += strspn(unit, " \t");
	if (!apply_unit(key->form, unit, frequency, &number)) {
		bool early = frequency <= 0 && needs_clock(key->form);

		complain(key, value,
			 early ? "has a wrong unit, or one that needs [machine] frequency above" : "has a wrong unit",
			 wrong, size);
		return false;
	}
	if (!(number >= key->low && number <= key->high) ||
	    ((key->form == FORM_COUNT || key->form == FORM_SIZE) && number != floor(number))) {
		complain(key, value, "is out of range", wrong, size);
		return false;
	}
	memcpy(where, &number, sizeof number);
	return true;
}

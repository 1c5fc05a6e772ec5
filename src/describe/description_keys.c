/* SPDX-License-Identifier: MIT */
/*
 * description_keys.c - the keys of a machine file as one table
 *
 * A key is a row here: parsing, ranges and messages follow from it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description_keys.h"

static const struct description_section sections[] = {
	{ "machine", false }, { "core", false },   { "op", true },    { "noise", false },    { "pages", false },
	{ "cache", true },    { "memory", false }, { "tlb", true },   { "prefetch", false }, { "code", false },
	{ "uops", false },    { "cpus", false },   { "group", true }, { "counters", false },
};

static const struct description_word yes_no[] = { { "yes", 1 }, { "no", 0 }, { NULL, 0 } };
static const struct description_word windows[] = { { "in-order", 0 }, { "unlimited", INFINITY }, { NULL, 0 } };
static const struct description_word presets[] = { { "quiet", 0 }, { "cloud", 1 }, { "hostile", 2 }, { NULL, 0 } };

#define MACHINE(name, member, ...) \
	{ \
		"machine", name, offsetof(struct description, member), __VA_ARGS__ \
	}
#define CORE(name, member, ...) \
	{ \
		"core", name, offsetof(struct description, core.member), __VA_ARGS__ \
	}
#define OP(name, member, ...) \
	{ \
		"op", name, offsetof(struct description_op, member), __VA_ARGS__ \
	}
#define NOISE(name, term, ...) \
	{ \
		"noise", name, offsetof(struct description, noise[term]), __VA_ARGS__ \
	}

static const struct description_key keys[] = {
	MACHINE("name", name, FORM_TEXT, 0, 0, NULL),
	MACHINE("frequency", frequency, FORM_FREQUENCY, 1e6, 1e12, NULL),
	MACHINE("seed", seed, FORM_COUNT, 0, 1e15, NULL),
	MACHINE("timer.quantum", timer_quantum, FORM_TIME, 0.001, 1e9, NULL),
	MACHINE("timer.cost", timer_cost, FORM_TIME, 0, 1e9, NULL),
	MACHINE("compiler", compiler, FORM_NUMBER, 0, -1, yes_no),
	MACHINE("readback", readback, FORM_NUMBER, 0, -1, yes_no),
	CORE("width", width, FORM_NUMBER, 0.1, 64, NULL),
	CORE("window", window, FORM_COUNT, 1, 65536, windows),
	CORE("spill", spill, FORM_CYCLES, 0, 1000, NULL),
	CORE("smt", smt, FORM_ROW, 1, 16, NULL),
	OP("latency", latency, FORM_CYCLES, 0.01, 1e5, NULL),
	OP("interval", interval, FORM_CYCLES, 0.01, 1e5, NULL),
	OP("latency.small", latency_small, FORM_CYCLES, 0.01, 1e5, NULL),
	OP("interval.small", interval_small, FORM_CYCLES, 0.01, 1e5, NULL),
	OP("units", units, FORM_COUNT, 1, 64, NULL),
	OP("pool", pool, FORM_SHORT_TEXT, 0, 0, NULL),
	OP("ports", ports, FORM_TEXT, 0, 0, NULL),
	OP("present", present, FORM_NUMBER, 0, -1, yes_no),
	{ "noise", "preset", offsetof(struct description, preset), FORM_NUMBER, 0, -1, presets },
	NOISE("jitter", NOISE_JITTER, FORM_NUMBER, 0, 0.15, NULL),
	NOISE("tick.rate", NOISE_TICK_RATE, FORM_RATE, 0, 1e5, NULL),
	NOISE("tick.length", NOISE_TICK_LENGTH, FORM_TIME, 0, 1e9, NULL),
	NOISE("preemption.rate", NOISE_PREEMPTION_RATE, FORM_RATE, 0, 1e5, NULL),
	NOISE("preemption.length", NOISE_PREEMPTION_LENGTH, FORM_TIME, 0, 1e10, NULL),
	NOISE("steal.rate", NOISE_STEAL_RATE, FORM_RATE, 0, 1e5, NULL),
	NOISE("steal.length", NOISE_STEAL_LENGTH, FORM_TIME, 0, 1e10, NULL),
	NOISE("sibling.on", NOISE_SIBLING_ON, FORM_TIME, 0, 1e12, NULL),
	NOISE("sibling.off", NOISE_SIBLING_OFF, FORM_TIME, 0, 1e12, NULL),
	NOISE("frequency.steps", NOISE_FREQUENCY_STEPS, FORM_RATE, 0, 1e5, NULL),
	NOISE("frequency.spread", NOISE_FREQUENCY_SPREAD, FORM_NUMBER, 0, 0.9, NULL),
	NOISE("frequency.dwell", NOISE_FREQUENCY_DWELL, FORM_TIME, 0, 1e12, NULL),
	NOISE("ramp.start", NOISE_RAMP_START, FORM_NUMBER, 0.05, 1, NULL),
	NOISE("ramp.time", NOISE_RAMP_TIME, FORM_TIME, 0, 1e12, NULL),
	NOISE("neighbour.rate", NOISE_NEIGHBOUR_RATE, FORM_RATE, 0, 1e10, NULL),
	NOISE("neighbour.period", NOISE_NEIGHBOUR_PERIOD, FORM_TIME, 1e3, 1e12, NULL),
	{ NULL, NULL, 0, FORM_TEXT, 0, 0, NULL },
};

static const struct {
	const char *name;
	enum description_form form;
	double factor;
} units[] = {
	{ "cycles", FORM_CYCLES, 1 },   { "cycle", FORM_CYCLES, 1 },    { "ns", FORM_TIME, 1 },
	{ "us", FORM_TIME, 1e3 },       { "ms", FORM_TIME, 1e6 },       { "s", FORM_TIME, 1e9 },
	{ "Hz", FORM_FREQUENCY, 1 },    { "kHz", FORM_FREQUENCY, 1e3 }, { "MHz", FORM_FREQUENCY, 1e6 },
	{ "GHz", FORM_FREQUENCY, 1e9 }, { "B", FORM_SIZE, 1 },          { "bytes", FORM_SIZE, 1 },
	{ "KiB", FORM_SIZE, 1024 },     { "MiB", FORM_SIZE, 1048576 },  { "GiB", FORM_SIZE, 1073741824 },
	{ "B/s", FORM_FLOW, 1 },        { "MB/s", FORM_FLOW, 1e6 },     { "GB/s", FORM_FLOW, 1e9 },
};

static const struct {
	const char *what, *unit;
} forms[] = {
	[FORM_TEXT] = { "a text", "characters" },
	[FORM_SHORT_TEXT] = { "a text", "characters" },
	[FORM_NUMBER] = { "a number", "" },
	[FORM_COUNT] = { "a whole number", "" },
	[FORM_CYCLES] = { "a number of cycles such as 4 or 1.5 cycles", " cycles" },
	[FORM_TIME] = { "a time such as 20 ns or 2 ms", " ns" },
	[FORM_FREQUENCY] = { "a frequency such as 1500 MHz or 2.2 GHz", " Hz" },
	[FORM_RATE] = { "a number per second", " per second" },
	[FORM_FLOW] = { "a rate such as 800 MB/s or 25.6 GB/s", " bytes/s" },
	[FORM_SIZE] = { "a size such as 32 KiB or 1.25 MiB", " bytes" },
};

enum { SECTIONS = sizeof sections / sizeof *sections, TABLES = 5, UNITS = sizeof units / sizeof *units };

const struct description_section *description_section(const char *name)
{
	for (int i = 0; i < SECTIONS; i++)
		if (!strcmp(sections[i].name, name))
			return &sections[i];
	return NULL;
}

static const struct description_key *table(int number)
{
	return number == 0   ? keys
	       : number == 1 ? description_memory_keys()
	       : number == 2 ? description_code_keys()
	       : number == 3 ? description_cpus_keys()
			     : description_counters_keys();
}

const struct description_key *description_key(const struct description_section *section, const char *name)
{
	for (int i = 0; i < TABLES; i++)
		for (const struct description_key *key = table(i); key->section; key++)
			if (!strcmp(key->section, section->name) && !strcmp(key->name, name))
				return key;
	return NULL;
}

const struct description_key *description_registers_key(void)
{
	static const struct description_key key = { "core", "registers", 0, FORM_COUNT, 1, 1024, NULL };

	return &key;
}

static void append(char *text, size_t size, const char *between, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? between : "", more);
}

void description_list_sections(char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < SECTIONS; i++)
		append(text, size, ", ", sections[i].name);
}

void description_list_keys(const struct description_section *section, char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < TABLES; i++)
		for (const struct description_key *key = table(i); key->section; key++)
			if (!strcmp(key->section, section->name))
				append(text, size, ", ", key->name);
	if (!strcmp(section->name, "core"))
		append(text, size, ", ", "registers.FILE");
}

static void complain(const struct description_key *key, const char *value, const char *what, char *wrong, size_t size)
{
	char allowed[128] = "";
	char range[64] = "";

	for (const struct description_word *word = key->words; word && word->word; word++)
		append(allowed, sizeof allowed, " | ", word->word);
	if (key->low <= key->high) {
		append(allowed, sizeof allowed, " | ", forms[key->form].what);
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

/* Scales by the unit; false when the form does not take it. */
static bool apply_unit(enum description_form form, const char *unit, double frequency, double *number)
{
	if (!*unit)
		return true;
	for (int i = 0; i < UNITS; i++) {
		if (strcmp(units[i].name, unit))
			continue;
		*number *= units[i].factor;
		if (form == FORM_CYCLES && units[i].form == FORM_TIME) {
			*number *= frequency / 1e9;
			return frequency > 0;
		}
		return units[i].form == form || (form == FORM_RATE && units[i].form == FORM_FREQUENCY);
	}
	return false;
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

static bool take_name(const struct description_key *key, const char *value, void *where, char *wrong, size_t size)
{
	if (key->form == FORM_POLICY  ? description_policy(value, where)
	    : key->form == FORM_INDEX ? description_index(value, where)
				      : description_row(value, key->low, key->high, where))
		return true;
	if (key->form == FORM_ROW) {
		snprintf(wrong, size, "'%.40s' is not understood; allowed: a row such as 4 or 2*8 1*16, of %g to %g",
			 value, key->low, key->high);
		return false;
	}
	snprintf(wrong, size, "'%.40s' is not understood; allowed: %s", value,
		 key->form == FORM_POLICY
			 ? "lru | fifo | random | tree-plru | nru | srrip | qlru-hXY-mX-rX-uX such as qlru-h00-m1-r2-u1"
			 : "mod | hash | hash:SLICES with 1 to 1024 slices");
	return false;
}

bool description_value(const struct description_key *key, const char *value, double frequency, void *where, char *wrong,
		       size_t size)
{
	const char *unit;
	double number;

	if (key->form == FORM_POLICY || key->form == FORM_INDEX || key->form == FORM_ROW)
		return take_name(key, value, where, wrong, size);
	if (key->form == FORM_TEXT || key->form == FORM_SHORT_TEXT || key->form == FORM_LEVEL)
		return take_text(key, value, where, wrong, size);
	for (const struct description_word *word = key->words; word && word->word; word++) {
		if (strcmp(word->word, value))
			continue;
		memcpy(where, &word->value, sizeof word->value);
		return true;
	}
	unit = key->low <= key->high ? parse_number(value, &number) : NULL;
	if (!unit) {
		complain(key, value, "is not understood", wrong, size);
		return false;
	}
	unit += strspn(unit, " \t");
	if (!apply_unit(key->form, unit, frequency, &number)) {
		bool early = key->form == FORM_CYCLES && frequency <= 0;

		complain(key, value,
			 early ? "has a wrong unit, or a time before [machine] frequency" : "has a wrong unit", wrong,
			 size);
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

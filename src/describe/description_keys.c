/* SPDX-License-Identifier: MIT */
/*
 * description_keys.c - the keys of a machine file as one table
 *
 * A key is a row here: parsing, ranges and messages follow from it (description_values.c).
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
	{ "noise", "timer.quantum", offsetof(struct description, timer_quantum), FORM_TIME, 0.001, 1e9, NULL },
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

enum { SECTIONS = sizeof sections / sizeof *sections, TABLES = 5 };

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

void description_list_sections(char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < SECTIONS; i++)
		description_append(text, size, ", ", sections[i].name);
}

void description_list_keys(const struct description_section *section, char *text, size_t size)
{
	*text = '\0';
	for (int i = 0; i < TABLES; i++)
		for (const struct description_key *key = table(i); key->section; key++)
			if (!strcmp(key->section, section->name))
				description_append(text, size, ", ", key->name);
	if (!strcmp(section->name, "core"))
		description_append(text, size, ", ", "registers.FILE");
}

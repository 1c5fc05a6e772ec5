/* SPDX-License-Identifier: MIT */
/*
 * description_code.c - the code of a machine file: its instructions, branches and micro-ops
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "description_keys.h"

#define CODE(name, member, ...) \
	{ \
		"code", name, offsetof(struct description, code.member), __VA_ARGS__ \
	}
#define UOPS(name, member, ...) \
	{ \
		"uops", name, offsetof(struct description, uops.member), __VA_ARGS__ \
	}

static const struct description_word yes_no[] = { { "yes", 1 }, { "no", 0 }, { NULL, 0 } };
static const struct description_word none[] = { { "none", 0 }, { NULL, 0 } };
static const struct description_word full[] = { { "full", 0 }, { NULL, 0 } };

static const struct description_key keys[] = {
	CODE("nop", nop, FORM_COUNT, 1, 16, NULL),
	CODE("nop.longest", longest, FORM_COUNT, 1, 16, NULL),
	CODE("add", add, FORM_COUNT, 1, 16, NULL),
	CODE("jump", jump, FORM_COUNT, 3, 16, NULL),
	CODE("mispredict", mispredict, FORM_CYCLES, 0, 1e4, NULL),
	CODE("branches", branches, FORM_COUNT, 1, 1048576, none),
	CODE("branch.ways", branch_ways, FORM_COUNT, 1, 65536, full),
	CODE("branch.penalty", branch_penalty, FORM_CYCLES, 0, 1e4, NULL),
	CODE("next-line", next_line, FORM_NUMBER, 0, -1, yes_no),
	CODE("straight", straight, FORM_NUMBER, 0, -1, yes_no),
	UOPS("entries", entries, FORM_COUNT, 1, 1048576, NULL),
	UOPS("ways", ways, FORM_COUNT, 1, 65536, full),
	UOPS("policy", policy, FORM_POLICY, 0, 0, NULL),
	UOPS("window", window, FORM_SIZE, 8, 4096, none),
	UOPS("each", each, FORM_COUNT, 1, 64, NULL),
	UOPS("most", most, FORM_COUNT, 1, 4096, none),
	UOPS("penalty", penalty, FORM_CYCLES, 0, 1e4, NULL),
	{ NULL, NULL, 0, FORM_TEXT, 0, 0, NULL },
};

const struct description_key *description_code_keys(void)
{
	return keys;
}

void description_code_defaults(struct description *description)
{
	description->code =
		(struct description_code){ .nop = 1, .add = 3, .jump = 9, .mispredict = 15, .branch_penalty = 4 };
	description->uops =
		(struct description_uops){ .entries = -1, .ways = -1, .each = -1, .penalty = -1, .window = -1 };
}

void description_add_code(struct description *description, const char *kind, int at)
{
	if (!strcmp(kind, "code"))
		description->code.at = at;
	if (strcmp(kind, "uops") != 0)
		return;
	description->uops.present = true;
	description->uops.at = at;
}

static bool whole_sets(double entries, double ways)
{
	return ways <= 0 || fmod(entries, ways) == 0;
}

bool description_code_check(const struct description *description, int *at, char *wrong, size_t size)
{
	const struct description_code *code = &description->code;
	const struct description_uops *uops = &description->uops;
	const struct {
		const char *name, *allowed;
		double value;
	} needed[] = { { "entries", "a whole number", uops->entries },
		       { "ways", "full | a whole number", uops->ways },
		       { "window", "none | bytes such as 32", uops->window },
		       { "each", "a whole number", uops->each },
		       { "penalty", "cycles", uops->penalty } };

	*at = code->at;
	if (code->branches > 0 && !whole_sets(code->branches, code->branch_ways)) {
		snprintf(wrong, size,
			 "branches: %g in [code] are no whole number of sets; allowed: multiples of branch.ways, %g",
			 code->branches, code->branch_ways);
		return false;
	}
	if (code->longest > 0 && code->longest < code->nop) {
		snprintf(wrong, size, "nop.longest: %g in [code]; allowed: no less than nop, %g", code->longest,
			 code->nop);
		return false;
	}
	*at = uops->at;
	for (size_t i = 0; uops->present && i < sizeof needed / sizeof *needed; i++) {
		if (needed[i].value >= 0)
			continue;
		snprintf(wrong, size, "%s: missing in [uops]; allowed: %s", needed[i].name, needed[i].allowed);
		return false;
	}
	if (uops->present && !whole_sets(uops->entries, uops->ways)) {
		snprintf(wrong, size, "entries: %g in [uops] are no whole number of sets; allowed: multiples of %g",
			 uops->entries, uops->ways);
		return false;
	}
	if (uops->window > 0 && !description_power_of_two(uops->window)) {
		snprintf(wrong, size, "window: %g bytes in [uops]; allowed: none | a power of two", uops->window);
		return false;
	}
	return true;
}

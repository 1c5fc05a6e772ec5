/* SPDX-License-Identifier: MIT */
/*
 * description_keys.h - the keys of a machine file: where each goes and what it may hold
 */
#ifndef XRAY_DESCRIPTION_KEYS_H
#define XRAY_DESCRIPTION_KEYS_H

#include "description.h"

#include <stdbool.h>

struct description_section {
	const char *name;
	bool named; /* [cache NAME] */
	bool simulated; /* false: its keys are not read yet */
};

enum description_form {
	FORM_TEXT,
	FORM_SHORT_TEXT,
	FORM_NUMBER,
	FORM_COUNT,
	FORM_CYCLES,
	FORM_TIME,
	FORM_FREQUENCY,
	FORM_RATE
};

struct description_word {
	const char *word;
	double value;
};

struct description_key {
	const char *section, *name;
	size_t offset; /* in struct description, or in struct description_op for [op NAME] */
	enum description_form form;
	double low, high;
	const struct description_word *words; /* taken instead of a number; ends with a NULL word */
};

/* NULL when there is none. */
const struct description_section *description_section(const char *name);
const struct description_key *description_key(const struct description_section *section, const char *name);

/* The key that stands for every registers.FILE. */
const struct description_key *description_registers_key(void);

/* Comma-separated names, for messages. */
void description_list_sections(char *text, size_t size);
void description_list_keys(const struct description_section *section, char *text, size_t size);

/* Stores the value at `where`, a double or a text as the key's form says. False and "what is wrong; allowed: ..."
 * when it is not one. `frequency` in Hz turns a time into cycles; 0 when it is not known yet. */
bool description_value(const struct description_key *key, const char *value, double frequency, void *where, char *wrong,
		       size_t size);

void description_defaults(struct description *description);
bool description_preset(struct description *description, const char *name, char *wrong, size_t size);

/* Gives every noise term that the file left out the value of its preset. */
void description_fill_noise(struct description *description);

#endif

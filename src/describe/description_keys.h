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
};

enum description_form {
	FORM_TEXT,
	FORM_SHORT_TEXT,
	FORM_NUMBER,
	FORM_COUNT,
	FORM_CYCLES,
	FORM_TIME,
	FORM_FREQUENCY,
	FORM_RATE,
	FORM_FLOW, /* bytes in a second */
	FORM_WIDTH, /* bytes in a cycle */
	FORM_SIZE,
	FORM_LEVEL,
	/* From here on neither numbers nor texts. */
	FORM_POLICY,
	FORM_INDEX,
	FORM_ROW,
	FORM_PAGES
};

struct description_word {
	const char *word;
	double value;
};

struct description_key {
	const char *section, *name;
	size_t offset; /* in struct description, or in that of the section: description_op, _cache, _tlb, _group */
	enum description_form form;
	double low, high;
	const struct description_word *words; /* taken instead of a number; ends with a NULL word */
};

/* NULL when there is none. */
const struct description_section *description_section(const char *name);
const struct description_key *description_key(const struct description_section *section, const char *name);

/* The keys of [pages] [cache] [memory] [tlb] [prefetch], those of [code] [uops], those of [cpus] [group], and those of
 * [counters]; the end is a NULL section. */
const struct description_key *description_memory_keys(void);
const struct description_key *description_code_keys(void);
const struct description_key *description_cpus_keys(void);
const struct description_key *description_counters_keys(void);

/* The key that stands for every registers.FILE. */
const struct description_key *description_registers_key(void);

/* Comma-separated names, for messages. */
void description_list_sections(char *text, size_t size);
void description_list_keys(const struct description_section *section, char *text, size_t size);
void description_append(char *text, size_t size, const char *between, const char *more);

/* Stores the value at `where`, a double or a text as the key's form says. False and "what is wrong; allowed: ..."
 * when it is not one. `frequency` in Hz turns a time into cycles and the other way round; 0 when it is not known yet.
 */
bool description_value(const struct description_key *key, const char *value, double frequency, void *where, char *wrong,
		       size_t size);

/* Adds the section [kind NAME] that begins in line `at`: op, cache, tlb or group. False and what is wrong. */
bool description_add_op(struct description *description, const char *name, int at, char *wrong, size_t size);
/* The operations as a whole: what is missing, what ports they name. False, the line to blame and "key: ...". */
bool description_ops_check(struct description *description, int *at, char *wrong, size_t size);
/* Reads op->ports into its parts. NULL, or what is allowed. */
const char *description_read_ports(struct description *description, struct description_op *op);
void description_add_code(struct description *description, const char *kind, int at);
bool description_add_memory(struct description *description, const char *kind, const char *name, int at, char *wrong,
			    size_t size);
bool description_add_cpus(struct description *description, const char *kind, const char *name, int at, char *wrong,
			  size_t size);

/* A policy or an index by its name, a row of numbers between low and high; false: it is none. */
bool description_policy(const char *name, struct description_policy *policy);
bool description_index(const char *name, double *slices);
bool description_row(const char *text, double low, double high, struct description_row *row);

void description_memory_defaults(struct description *description);
void description_code_defaults(struct description *description);
void description_cpus_defaults(struct description *description);

/* The memory as a whole: what is missing, what does not fit together. False, the line to blame and "key: ...". */
bool description_memory_check(struct description *description, int *at, char *wrong, size_t size);

/* The same of code, and of CPUs. */
bool description_code_check(const struct description *description, int *at, char *wrong, size_t size);
bool description_cpus_check(const struct description *description, int *at, char *wrong, size_t size);

bool description_power_of_two(double number);

/* Gives every noise term that the file left out the value of its preset. */
void description_fill_noise(struct description *description);

#endif

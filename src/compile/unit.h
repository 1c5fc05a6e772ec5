/* SPDX-License-Identifier: MIT */
/*
 * unit.h - a translation unit on its way through the compiler; private to the workshop
 */
#ifndef XRAY_COMPILE_UNIT_H
#define XRAY_COMPILE_UNIT_H

#include "workshop.h"

enum { PATH = 4096, MOST_FLAGS = 48 };

struct workshop {
	char directory[PATH], cc[PATH], cflags[1024], version[192], dead[512];
	uint64_t key; /* of compiler, flags and CPU */
	bool cached;
	double patience; /* seconds for one unit */
	char *words[MOST_FLAGS];
	int word_count;
	void **libraries;
	int library_count;
};

struct unit {
	const struct nano *const *set; /* the nano-benchmarks in it, if it is made of them */
	int count;
	char *source;
	const char *flag; /* one more for the compiler, or NULL */
	bool odd; /* a compiler that takes too long for it may still be one for nano-benchmarks */
	char object[PATH + 64], work[PATH + 96], text[PATH + 96];
	const char *argv[MOST_FLAGS + 24]; /* argv[0] is NULL when it was not its turn */
	char why[600]; /* it is not there; empty when it is */
};

/* Compiles those of the units that are not in the cache, all at the same time. */
void unit_compile(struct workshop *workshop, struct unit *units, int count);

/* The library, which goes with the workshop; NULL and the unit's `why`. */
void *unit_load(struct workshop *workshop, struct unit *unit);

#endif

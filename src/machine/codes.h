/* SPDX-License-Identifier: MIT */
/*
 * codes.h - compiled nano-benchmarks by their number; private to machine/
 */
#ifndef XRAY_MACHINE_CODES_H
#define XRAY_MACHINE_CODES_H

#include "machine.h"

struct code {
	uint64_t hash; /* nano_code */
	double (*function)(long, int);
	size_t bytes;
	bool checked;
	int spills;
	enum machine_status status;
	char why[256];
};

struct codes {
	struct code **table; /* open addressing; a power of two slots */
	size_t slots, used;
};

/* NULL when it is not there. */
struct code *codes_find(const struct codes *codes, uint64_t hash);
/* A new one, or the one that is there; NULL when memory ran out. It stays where it is. */
struct code *codes_add(struct codes *codes, uint64_t hash);
void codes_free(struct codes *codes);

#endif

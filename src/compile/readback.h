/* SPDX-License-Identifier: MIT */
/*
 * readback.h - reads a compiled loop back: does it hold what was asked for?
 */
#ifndef XRAY_COMPILE_READBACK_H
#define XRAY_COMPILE_READBACK_H

#include <stdio.h>

#include "../nano/nano.h"

enum readback_verdict {
	READBACK_AS_ASKED, /* or not readable on this ISA */
	READBACK_ABSENT, /* the compiler generated no such operation */
	READBACK_REFUSED /* not what was asked for: spills, folded operations */
};

/* What is in it, and why it is not as asked. `spills` are loads and stores that nobody asked for; -1: unknown. */
enum readback_verdict readback_check(const struct nano *nano, const void *code, size_t bytes, int *spills, char *why,
				     size_t size);

/* The loop, one instruction a line. */
void readback_print(const void *code, size_t bytes, FILE *out);

#endif

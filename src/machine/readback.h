/* SPDX-License-Identifier: MIT */
/*
 * readback.h - reads a compiled loop back: does it hold what was asked for? private to the real machine
 */
#ifndef XRAY_MACHINE_READBACK_H
#define XRAY_MACHINE_READBACK_H

#include "machine.h"

/* MACHINE_RAN: as asked, or not readable on this ISA. Otherwise MACHINE_ABSENT or MACHINE_REFUSED, and why. spills as
 * in struct reading. */
enum machine_status readback_check(const struct nano *nano, const void *code, size_t bytes, int *spills, char *why,
				   size_t size);

/* The loop, one instruction a line. */
void readback_print(const void *code, size_t bytes, FILE *out);

#endif

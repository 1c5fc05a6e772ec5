/* SPDX-License-Identifier: MIT */
/*
 * recording.h - every question put to a machine and its answer, kept in a file; a machine that answers from it
 */
#ifndef XRAY_RECORDING_H
#define XRAY_RECORDING_H

#include "../machine/machine.h"

/* How such a file begins. */
#define RECORDING_MAGIC "xray recording 3"

/* Passes everything through to `inner`, which it owns from now on, and writes it to the file. */
struct machine *recording_make(struct machine *inner, const char *path, char *error, size_t size);

/* Answers from a recording; asking anything else than was asked then is MACHINE_FAULT. */
struct machine *recording_replay(const char *path, char *error, size_t size);

/* Does the file begin like a recording? */
bool recording_is(const char *path);

#endif

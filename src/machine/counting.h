/* SPDX-License-Identifier: MIT */
/*
 * counting.h - what a walk counts beside its time; private to machine/
 */
#ifndef XRAY_MACHINE_COUNTING_H
#define XRAY_MACHINE_COUNTING_H

#include "machine.h"

/* A counter of the walk's event that stands still, for host_counter_start; -1 when it asks for none. False, and why,
 * when there is no such counter. */
bool counting_open(const struct walk *walk, int *counter, char *why, size_t size);

/* Puts what it counted into the reading, and closes it. */
void counting_close(int counter, struct reading *reading);

#endif

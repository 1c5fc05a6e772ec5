/* SPDX-License-Identifier: MIT */
/*
 * storing.h - steps that store, and loads that do not wait for one another; private to machine/
 */
#ifndef XRAY_MACHINE_STORING_H
#define XRAY_MACHINE_STORING_H

#include <stdbool.h>

#include "../nano/walk.h"

/* Both return the generator's state. Loads from the walk's grid, each waiting for the one before, and stores to its hot
 * places between them; `nothing` is zero, which the compiler does not know. */
uint64_t storing_beside_loads(char *start, const struct walk *walk, uint64_t state, uint64_t nothing, long steps);

/* As many at a time as the core can have under way. */
uint64_t storing_loose(char *start, struct walk_grid grid, bool stores, uint64_t state, long steps);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * walker.h - takes address walks on this machine; private to machine/
 */
#ifndef XRAY_MACHINE_WALKER_H
#define XRAY_MACHINE_WALKER_H

#include "machine.h"

struct walker;

struct walker *walker_open(void);
void walker_close(struct walker *walker);

/* As machine_ops.walk; arenas may take `memory` bytes for each kind of pages. */
enum machine_status walker_walk(struct walker *walker, const struct walk *walk, uint64_t memory, long steps, int count,
				struct reading *reading);

#endif

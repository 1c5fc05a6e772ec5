/* SPDX-License-Identifier: MIT */
/*
 * streams.h - reads, writes and copies stretches of memory with vectors of any width; private to machine/
 */
#ifndef XRAY_MACHINE_STREAMS_H
#define XRAY_MACHINE_STREAMS_H

#include "arena.h"

/* True and why when this CPU cannot. */
bool streams_refuse(const struct walk *walk, char *why, size_t size);

/* Takes so many steps, in whole rows, from where the arena's last stream stopped. */
void streams_go(struct arena *arena, const struct walk *walk, long steps);

#endif

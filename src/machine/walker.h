/* SPDX-License-Identifier: MIT */
/*
 * walker.h - takes address walks on this machine; private to machine/
 */
#ifndef XRAY_MACHINE_WALKER_H
#define XRAY_MACHINE_WALKER_H

#include "machine.h"

struct walker;

/* The generator's next number; the next state is for the caller to make of it. */
static inline uint64_t walker_draw(uint64_t state)
{
	uint64_t mixed = (state ^ state >> 32) * 0xd6e8feb86659fd93u;

	return mixed ^ mixed >> 32;
}

/* Keeps the compiler from knowing a value. */
static inline uint64_t walker_opaque(uint64_t value)
{
	__asm__ volatile("" : "+r"(value));
	return value;
}

struct walker *walker_open(void);
void walker_close(struct walker *walker);

/* As machine_ops.walk; arenas may take `memory` bytes. */
enum machine_status walker_walk(struct walker *walker, const struct walk *walk, uint64_t memory, long steps, int count,
				struct reading *reading);

/* The two parts of that for a walk of data: takes and warms its memory, as long as timings of so many steps need it;
 * takes steps, which do not wait for one another where the walk has a rush. */
bool walker_begin(struct walker *walker, const struct walk *walk, uint64_t memory, long steps, char *why, size_t size);
void walker_steps(struct walker *walker, const struct walk *walk, long steps);

/* Of memory that it keeps. */
uint64_t walker_bytes(const struct walker *walker);

/* Something else was run that may have taken the place of the last walk in the caches. */
void walker_forget(struct walker *walker);

#endif

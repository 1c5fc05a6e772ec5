/* SPDX-License-Identifier: MIT */
/*
 * chases.c - chains of pointers side by side
 *
 * As many as the registers hold stay there. Where there are more, each is kept in memory, in a line that the nearest
 * cache has: that adds some cycles to each chase's own way, and as the others go on meanwhile it takes nothing from
 * what they do together.
 */
#include "chases.h"

#define FOLLOW(i) \
	if (count > (i)) { \
		a##i = *a##i; \
		__asm__ volatile("" : "+r"(a##i)); \
	}
#define TAKE(i) void **a##i = at[count > (i) ? (i) : 0];
#define KEEP(i) \
	if (count > (i)) \
		at[i] = a##i;
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* Of a count that is known when it is compiled only that many are left. */
static inline __attribute__((always_inline)) void in_registers(void ***at, const int count, long places)
{
	EACH(TAKE)
	for (long i = 0; i < places; i++) {
		EACH(FOLLOW)
	}
	EACH(KEEP)
}

static void in_memory(void ***at, int count, long places)
{
	for (long i = 0; i < places; i++)
		for (int j = 0; j < count; j += 4) {
			at[j] = *at[j];
			at[j + 1] = *at[j + 1];
			at[j + 2] = *at[j + 2];
			at[j + 3] = *at[j + 3];
			__asm__ volatile("" ::: "memory");
		}
}

/* As many as stay in registers; of more there are multiples of 4. */
#define CASE(i) \
	case (i) + 1: \
		in_registers(at, (i) + 1, places); \
		break;

static void follow(void ***at, int count, long places)
{
	switch (count) {
		EACH(CASE)
	default:
		in_memory(at, count, places);
	}
}

void chases_spread(struct arena *arena, const struct walk *walk)
{
	for (long i = 0; i < walk->chains; i++) {
		long at = (arena->gone + i * walk->count / walk->chains) % walk->count;

		arena->chases[i] = (void **)(void *)(arena->start + walk->places[at]);
	}
}

void chases_go(struct arena *arena, const struct walk *walk, long steps)
{
	long places = (steps + walk->chains - 1) / walk->chains;

	follow(arena->chases, (int)walk->chains, places);
	arena->gone = (arena->gone + places) % walk->count;
}

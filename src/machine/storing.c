/* SPDX-License-Identifier: MIT */
/*
 * storing.c - steps that store, and loads that do not wait for one another
 */
#include "../nano/walk_draw.h"
#include "storing.h"
#include "walker.h"

/* Another word of a place's line than loads ask for, so that none gets it before it is written. */
static inline void store(char *start, uint64_t place, uint64_t value)
{
	*(volatile uint64_t *)((uintptr_t)(start + place) ^ sizeof(value)) = value;
}

uint64_t storing_beside_loads(char *start, const struct walk *walk, uint64_t state, uint64_t nothing, long steps)
{
	for (long i = 0; i < steps; i++) {
		uint64_t random = walker_draw(state), place = walk_draw(i % 2 ? &walk->hot : &walk->grid, random);

		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
		if (i % 2)
			store(start, place, state);
		else
			state += walker_opaque(*(const volatile uint64_t *)(start + place)) & nothing;
	}
	return state;
}

/* One in each part of the grid, so that drawing is soon done. */
uint64_t storing_loose(char *start, struct walk_grid grid, bool stores, uint64_t state, long steps)
{
	uint64_t apart = walk_loose_grid(&grid);

	for (long i = 0; i < steps; i += WALK_LOOSE) {
		char *first;

		state += 0x9e3779b97f4a7c15u;
		first = start + walk_draw(&grid, walker_draw(walker_draw(state)));
		for (uint64_t j = 0; j < WALK_LOOSE; j++)
			if (stores)
				store(first, j * apart, state);
			else
				walker_opaque(*(const volatile uint64_t *)(first + j * apart));
	}
	return state;
}

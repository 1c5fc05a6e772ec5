/* SPDX-License-Identifier: MIT */
/*
 * storing.c - steps that store, and loads that do not wait for one another
 */
#include <math.h>

#include "stroll.h"

static double load(struct stroll *stroll, uint64_t place)
{
	return sim_memory_load(stroll->walker->memory, stroll->walk->pages, stroll->walk->arena, place);
}

static double store(struct stroll *stroll, uint64_t place, double now)
{
	return sim_memory_store(stroll->walker->memory, stroll->walk->pages, stroll->walk->arena, place, now);
}

/* Four at a time, one in each quarter; the nearest level's misses are under way at once. */
static double loose_steps(struct stroll *stroll, long steps)
{
	struct walk_grid grid = stroll->grid;
	uint64_t apart = walk_loose_grid(&grid), first = 0;
	double begin = stroll->clock, waited = 0;

	for (long i = 0; i < steps; i++) {
		uint64_t place;

		if (i % WALK_LOOSE == 0)
			first = stroll_draw(stroll, &grid);
		place = first + (uint64_t)(i % WALK_LOOSE) * apart;
		stroll->clock += STROLL_LOOSE;
		if (stroll->walk->stores)
			stroll->clock += store(stroll, place, stroll->clock);
		else
			waited += load(stroll, place);
	}
	return fmax(stroll->clock - begin, waited / sim_memory_misses(stroll->walker->memory));
}

double sim_storing_steps(struct stroll *stroll, long steps)
{
	double begin = stroll->clock;

	if (stroll->walk->loose)
		return loose_steps(stroll, steps);
	for (; steps > 0; steps--) {
		bool stores = stroll->at++ & 1;
		uint64_t place = stroll_draw(stroll, stores ? &stroll->hot : &stroll->grid);

		stroll->clock += STROLL_DRAWN;
		stroll->clock += stores ? store(stroll, place, stroll->clock) : load(stroll, place);
	}
	return stroll->clock - begin;
}

/* SPDX-License-Identifier: MIT */
/*
 * readings.c - how many steps of a walk a counter counts
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

enum {
	READINGS = 8,
	ENOUGH_ALIKE = 3, /* readings that are the least and the same: no other will be less */
	TRIES = 3 * READINGS, /* where others have the counter for a part of the time */
	STEPS = 4096,
	FULL = 256, /* bytes: of a page, too, that many will do */
	ROUNDS_AT_RANDOM = 32 /* a place that does not fit is missed in every round, but here by chance */
};

double counters_least(struct lab *lab, const struct walk *walk, long steps, char *why, size_t size)
{
	struct machine *machine = lab->timer->machine;
	double least = INFINITY;
	int alike = 0;

	for (int i = 0, taken = 0; i < TRIES && taken < READINGS && alike < ENOUGH_ALIKE; i++) {
		struct reading reading;

		if (timer_over(lab->timer))
			return NAN;
		if (machine->ops->walk(machine, walk, steps, 1, &reading) != MACHINE_RAN) {
			if (why)
				snprintf(why, size, "%s", reading.why);
			return NAN;
		}
		if (reading.disturbed)
			continue;
		taken++;
		lab->finding.samples++;
		alike = reading.counted < least ? 1 : alike + (reading.counted == least);
		least = fmin(least, reading.counted);
	}
	if (isfinite(least))
		return least;
	if (why)
		snprintf(why, size, "others had the counter for a part of the time, each time");
	return NAN;
}

double counters_share(struct lab *lab, const struct walk *walk, long steps)
{
	const struct counting *counting = counters_of(lab);
	long length = walk_length(walk);

	steps = (steps + length - 1) / length * length;
	return counting ? fmax(0, counters_least(lab, walk, steps, NULL, 0) - counting->counter[walk->event].overhead) /
				  (double)steps
			: NAN;
}

static enum walk_pages pages_for(enum walk_event event)
{
	return counters_is_tlb(event) ? WALK_BASE_PAGES : WALK_HUGE_PAGES;
}

double counters_round_share(struct lab *lab, enum walk_event event, const uint64_t *places, long count, long steps)
{
	struct walk walk = { .order = WALK_CYCLE, .event = event, .pages = pages_for(event), .places = places };

	walk.count = count;
	walk.laps = 2;
	return counters_share(lab, &walk, steps);
}

static double random_share(struct lab *lab, enum walk_event event, struct counters_grid grid)
{
	struct walk walk = { .order = WALK_RANDOM, .event = event, .pages = pages_for(event), .code = true };

	walk.body = grid.full ? (long)fmin(grid.apart, FULL) : 0;
	walk.grid.stride[0] = (uint64_t)grid.apart;
	walk.grid.count[0] = (long)grid.rows;
	walk.grid.stride[1] = (uint64_t)grid.columns_apart;
	walk.grid.count[1] = (long)grid.columns;
	return counters_share(lab, &walk, (long)fmax(STEPS, ROUNDS_AT_RANDOM * grid.rows * grid.columns));
}

double counters_grid_share(struct lab *lab, enum walk_event event, struct counters_grid grid)
{
	long count = (long)(grid.rows * grid.columns), columns = (long)grid.columns;
	uint64_t *places;
	long *order;
	double share = NAN;

	if (grid.rows * grid.apart > (double)lab->timer->machine->memory)
		return NAN;
	if (counters_is_code(event))
		return random_share(lab, event, grid);
	places = calloc((size_t)count, sizeof(*places));
	order = calloc((size_t)count, sizeof(*order));
	if (places && order) {
		walk_shuffle(order, count);
		for (long i = 0; i < count; i++)
			places[i] = (uint64_t)(order[i] / columns) * (uint64_t)grid.apart +
				    (uint64_t)(order[i] % columns) * (uint64_t)grid.columns_apart;
		share = counters_round_share(lab, event, places, count,
					     count * grid.rounds > STEPS ? count * grid.rounds : STEPS);
	}
	free(places);
	free(order);
	return share;
}

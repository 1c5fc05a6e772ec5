/* SPDX-License-Identifier: MIT */
/*
 * walking.h - address walks on the simulated memory; private to sim/
 */
#ifndef XRAY_SIM_WALKING_H
#define XRAY_SIM_WALKING_H

#include "../memory/memory.h"
#include "counting.h"
#include "noise.h"
#include "../machine/machine.h"

struct sim_walker {
	const struct description *description;
	struct sim_noise *noise;
	struct sim_memory *memory; /* NULL: the file describes none */
	struct sim_random random; /* of WALK_RANDOM; goes on from walk to walk */
	uint64_t last; /* hash of the places of the last walk, 0: none */
	long at; /* where it stopped */
	struct sim_straight straight; /* of a walk of code */
	struct sim_counters counters;
	double clock; /* cycles of all walks that stored */
	double seen; /* ns on the clock up to which the neighbours have worked */
};

/* False when memory ran out. */
bool sim_walker_start(struct sim_walker *walker, const struct description *description, struct sim_noise *noise,
		      uint64_t seed);

enum machine_status sim_walk(struct sim_walker *walker, const struct walk *walk, long steps, int count,
			     struct reading *reading);

/* The same in two steps, for those who walk beside others: everything before the first timed step, and what so many
 * cost; where the walk has a rush, they do not wait for one another. False and why when it cannot be taken. */
struct stroll;
bool sim_walk_begin(struct stroll *stroll, struct sim_walker *walker, const struct walk *walk, long steps,
		    struct reading *reading);
struct sim_work sim_walk_steps(struct stroll *stroll, long steps);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * counting.h - what the described machine's counters read, right or wrong; private to sim/
 */
#ifndef XRAY_SIM_COUNTING_H
#define XRAY_SIM_COUNTING_H

#include "../machine/machine.h"
#include "../memory/memory.h"
#include "../memory/random.h"

struct sim_counters {
	const struct description_counters *described;
	struct sim_random random;
	double first[WALK_EVENTS]; /* what a stuck one read once; NaN: nothing yet */
	uint64_t before[WALK_EVENTS]; /* events, when the timings began */
};

void sim_counters_start(struct sim_counters *counters, const struct description_counters *described, uint64_t seed);

/* False and why when the walk's event has no counter. */
bool sim_counters_has(const struct sim_counters *counters, enum walk_event event, struct reading *reading);

/* Right before the first timing, and right after the last. */
void sim_counters_begin(struct sim_counters *counters, const struct sim_memory *memory);
void sim_counters_end(struct sim_counters *counters, const struct sim_memory *memory, enum walk_event event,
		      struct reading *reading);

#endif

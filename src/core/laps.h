/* SPDX-License-Identifier: MIT */
/*
 * laps.h - what a lap of each nano-benchmark costs, solved once
 */
#ifndef XRAY_SIM_LAPS_H
#define XRAY_SIM_LAPS_H

#include "core.h"

struct sim_known;

struct sim_laps {
	struct sim_known *table; /* open addressing; `room` is a power of two */
	size_t room, count;
};

/* With as many threads of the core at the same work. NULL when memory ran out. */
const struct sim_lap *sim_laps_find(struct sim_laps *laps, const struct description *description,
				    const struct nano *nano, int threads);
void sim_laps_free(struct sim_laps *laps);

/* What so many of them cost. */
struct sim_work sim_laps_work(const struct sim_lap *lap, long count);

#endif

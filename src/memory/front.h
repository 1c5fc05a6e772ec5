/* SPDX-License-Identifier: MIT */
/*
 * front.h - the front of the core: fetches code, keeps it decoded, knows where jumps are; private to sim/
 */
#ifndef XRAY_SIM_FRONT_H
#define XRAY_SIM_FRONT_H

#include "memory.h"
#include "translation.h"

struct sim_front {
	const struct description *description;
	struct sim_cache uops, branches; /* started where the file has them */
	int window; /* of an address to the window of its micro-ops */
	uint64_t misses,
		ahead; /* lines that the nearest level lacked; of those that were fetched before they were asked for */
};

/* Aligned blocks of an arena, by their numbers; `end` is none of them. */
struct sim_blocks {
	uint64_t first, end;
};

/* Those of 1 << shift bytes that straight code enters on its way from where it is to `to`. */
static inline struct sim_blocks sim_blocks(const struct sim_straight *straight, uint64_t to, int shift)
{
	uint64_t from = straight->start + straight->at;

	return (struct sim_blocks){ straight->at ? ((from - 1) >> shift) + 1 : from >> shift,
				    ((straight->start + to - 1) >> shift) + 1 };
}

/* False when memory ran out; free it either way. */
bool sim_front_start(struct sim_front *front, const struct description *description, uint64_t seed);
void sim_front_free(struct sim_front *front);

/* Cycles that the core waits for code on its way to `to`, once it is translated. */
double sim_front_run(struct sim_front *front, struct sim_hierarchy *hierarchy, const struct sim_region *region,
		     struct sim_straight *straight, uint64_t to);

/* What it costs that nothing remembers the jump at the end. */
double sim_front_jump(struct sim_front *front, const struct sim_region *region, const struct sim_straight *straight);

#endif

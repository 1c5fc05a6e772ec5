/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.h - the caches one below the other, and what moves between them; private to sim/
 */
#ifndef XRAY_SIM_HIERARCHY_H
#define XRAY_SIM_HIERARCHY_H

#include "cache.h"

struct sim_level {
	struct sim_cache cache;
	int shift, sector_shift; /* of an address to its line, to its sector */
	uint32_t *valid; /* sectors that are there, per slot; NULL: lines are fetched whole */
	double latency; /* cycles */
	double misses; /* under way at once; 0: not given */
	enum description_inclusion inclusion;
	bool shared;
};

struct sim_hierarchy {
	struct sim_level levels[DESCRIPTION_CACHES];
	int count;
	double latency; /* of the memory, cycles */
};

/* False when memory ran out; free it either way. */
bool sim_hierarchy_start(struct sim_hierarchy *hierarchy, const struct description *description, uint64_t seed);
void sim_hierarchy_free(struct sim_hierarchy *hierarchy);

/* The level of that name, or `otherwise`. */
int sim_hierarchy_level(const struct description *description, const char *name, int otherwise);

/* Loads through the levels from `first` on, bringing the line into them. Returns the level that had it; `count` is the
 * memory. */
int sim_hierarchy_load(struct sim_hierarchy *hierarchy, uint64_t address, int first);

static inline double sim_hierarchy_latency(const struct sim_hierarchy *hierarchy, int level)
{
	return level < hierarchy->count ? hierarchy->levels[level].latency : hierarchy->latency;
}

/* Is it in one of the levels up to `last`? */
bool sim_hierarchy_has(const struct sim_hierarchy *hierarchy, uint64_t address, int last);

/* Somebody else brings the line into a level. */
void sim_hierarchy_intrude(struct sim_hierarchy *hierarchy, uint64_t address, int level);

#endif

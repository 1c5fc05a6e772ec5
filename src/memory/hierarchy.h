/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.h - the caches one below the other, and what moves between them; private to sim/
 */
#ifndef XRAY_SIM_HIERARCHY_H
#define XRAY_SIM_HIERARCHY_H

#include "cache.h"
#include "writes.h"

/* Who asks: a load or the fetcher. The bits of holds, less one. */
enum sim_side { SIM_DATA, SIM_CODE, SIM_SIDES };

static inline bool sim_side_of(enum sim_side side, double holds)
{
	return (int)holds >> side & 1;
}

struct sim_hierarchy;

struct sim_level {
	struct sim_cache cache;
	int shift, sector_shift; /* of an address to its line, to its sector */
	uint32_t *valid; /* sectors that are there, per slot; NULL: lines are fetched whole */
	double latency; /* cycles */
	double misses; /* under way at once; 0: not given */
	enum description_inclusion inclusion;
	bool shared;
	bool through, allocate; /* stores go on down; bring lines in */
	struct sim_lines dirty; /* stored to, and not passed on */
	struct sim_cache *buffer; /* of lines that it lost a moment ago, any of them; NULL: none */
	double bandwidth; /* bytes a cycle from above; 0: not given */
	int holds; /* enum description_holds */
	int below; /* the next level on its way, the same for both sides; -1: the memory */
	struct sim_hierarchy *users; /* all whose level this is, linked by their `next` */
};

/* Data and code each see some of the levels, nearest first. Their ways meet where a level holds both, and go on
 * together. */
struct sim_hierarchy {
	struct sim_level *levels[DESCRIPTION_CACHES];
	struct sim_hierarchy *next[DESCRIPTION_CACHES]; /* who else uses that level */
	bool borrowed[DESCRIPTION_CACHES];
	int count;
	int path[SIM_SIDES][DESCRIPTION_CACHES]; /* of indices into levels */
	int depth[SIM_SIDES];
	double latency; /* of the memory, cycles */
	double bandwidth; /* the same of the memory */
	double swapped; /* cycles that the last load took more, since its line was in a buffer */
	struct sim_writes writes; /* under way */
};

/* Levels come from others where with[level] is not NULL; those must live as long. False when memory ran out; free it
 * either way. */
bool sim_hierarchy_start(struct sim_hierarchy *hierarchy, const struct description *description,
			 struct sim_hierarchy *const *with, uint64_t seed);
void sim_hierarchy_free(struct sim_hierarchy *hierarchy);

/* The level of that name on the way of data, counted from the core, or `otherwise`. */
int sim_hierarchy_level(const struct description *description, const char *name, int otherwise);

/* Loads through a side's levels from the one at `first` on, bringing the line into them. Returns where on the way it
 * was; `depth` is the memory. */
int sim_hierarchy_load(struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int first);

/* A store of the core's: what it does to the levels. Others under way may hold it up: see sim_writes. */
void sim_hierarchy_store(struct sim_hierarchy *hierarchy, uint64_t address);

/* A line that was stored to, or a word of it, comes to a level from above; -1 is the memory. */
void sim_hierarchy_receive(struct sim_hierarchy *hierarchy, int level, uint64_t address, bool whole);

/* A line that is in no level from there to the one at `level` enters it, without being fetched. */
void sim_hierarchy_enter(struct sim_hierarchy *hierarchy, int level, uint64_t address);

static inline const struct sim_level *sim_hierarchy_at(const struct sim_hierarchy *hierarchy, enum sim_side side,
						       int at)
{
	return hierarchy->levels[hierarchy->path[side][at]];
}

static inline double sim_hierarchy_latency(const struct sim_hierarchy *hierarchy, enum sim_side side, int at)
{
	return at < hierarchy->depth[side] ? sim_hierarchy_at(hierarchy, side, at)->latency : hierarchy->latency;
}

/* Is it in one of the side's levels up to `last`? */
bool sim_hierarchy_has(const struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int last);

/* No level of data has the line any more. */
void sim_hierarchy_drop(struct sim_hierarchy *hierarchy, uint64_t address);

/* Somebody else brings the line into a level. */
void sim_hierarchy_intrude(struct sim_hierarchy *hierarchy, uint64_t address, int level);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * levels.c - the levels of a machine file, empty, and how they lie one below the other
 *
 * Data and code have ways of their own, which join where a level holds both.
 */
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

static int shift_of(double bytes)
{
	int shift = 0;

	while ((double)((uint64_t)1 << shift) < bytes)
		shift++;
	return shift;
}

/* Any line may lie anywhere in it, and the one that came first goes. */
static bool start_buffer(struct sim_level *level, uint32_t lines)
{
	struct sim_shape shape = { .sets = 1, .ways = lines, .policy = { .kind = POLICY_FIFO } };

	level->buffer = calloc(1, sizeof *level->buffer);
	return level->buffer && sim_cache_start(level->buffer, &shape, 0);
}

static bool start_level(struct sim_level *level, const struct description_cache *cache, int asked_for, uint64_t seed)
{
	uint32_t lines = (uint32_t)(cache->size / cache->line);
	struct sim_shape shape = { .slices = (int)cache->index, .policy = cache->policy };

	shape.ways = cache->ways > 0 ? (uint32_t)cache->ways : lines;
	shape.sets = lines / shape.ways;
	level->shift = shift_of(cache->line);
	level->sector_shift = shift_of(cache->sector > 0 ? cache->sector : cache->line);
	/* What the levels above ask for comes in one piece. */
	if (asked_for > level->sector_shift)
		level->sector_shift = asked_for;
	shape.fixed = level->sector_shift < level->shift;
	level->latency = cache->latency;
	level->misses = cache->misses;
	level->inclusion = (enum description_inclusion)cache->inclusion;
	level->through = cache->through > 0;
	level->allocate = cache->allocate > 0;
	level->bandwidth = cache->bandwidth;
	level->shared = description_row_largest(&cache->shared) > 1;
	level->holds = (int)cache->holds;
	level->below = -1;
	if (shape.fixed) {
		level->valid = calloc(lines, sizeof *level->valid);
		if (!level->valid)
			return false;
	}
	if (cache->victim > 0 && !start_buffer(level, (uint32_t)cache->victim))
		return false;
	return sim_cache_start(&level->cache, &shape, seed);
}

/* Puts a level at the end of its sides' ways. Returns the largest sector above it, as a shift. */
static int add_to_paths(struct sim_hierarchy *hierarchy, int added, double holds)
{
	int largest = 0;

	for (enum sim_side side = SIM_DATA; side < SIM_SIDES; side++) {
		int *path = hierarchy->path[side], *depth = &hierarchy->depth[side];

		if (!sim_side_of(side, holds))
			continue;
		if (*depth) {
			struct sim_level *above = hierarchy->levels[path[*depth - 1]];

			above->below = added;
			if (above->sector_shift > largest)
				largest = above->sector_shift;
		}
		path[(*depth)++] = added;
	}
	return largest;
}

static void use(struct sim_hierarchy *hierarchy, int at, struct sim_level *level)
{
	hierarchy->levels[at] = level;
	hierarchy->next[at] = level->users;
	level->users = hierarchy;
}

bool sim_hierarchy_start(struct sim_hierarchy *hierarchy, const struct description *description,
			 struct sim_hierarchy *const *with, uint64_t seed)
{
	memset(hierarchy, 0, sizeof *hierarchy);
	hierarchy->latency = description->memory.latency;
	hierarchy->bandwidth = description->memory.bandwidth / description->frequency;
	for (int i = 0; i < description->cache_count; i++) {
		const struct description_cache *cache = &description->caches[i];
		int at = hierarchy->count, asked_for = add_to_paths(hierarchy, at, cache->holds);
		/* What chance does to data must not depend on caches that data never sees. */
		uint64_t stream = cache->holds == HOLDS_CODE ? (uint64_t)(DESCRIPTION_CACHES + i)
							     : (uint64_t)(hierarchy->depth[SIM_DATA] - 1);
		struct sim_level *level = with && with[i] ? with[i]->levels[i] : calloc(1, sizeof *level);

		if (!level)
			return false;
		hierarchy->borrowed[at] = with && with[i];
		hierarchy->count++;
		use(hierarchy, at, level);
		if (!hierarchy->borrowed[at] &&
		    !start_level(level, cache, asked_for, seed + stream * 0xd1342543de82ef95u))
			return false;
	}
	return true;
}

void sim_hierarchy_free(struct sim_hierarchy *hierarchy)
{
	for (int i = 0; i < hierarchy->count; i++) {
		if (hierarchy->borrowed[i])
			continue;
		sim_cache_free(&hierarchy->levels[i]->cache);
		if (hierarchy->levels[i]->buffer)
			sim_cache_free(hierarchy->levels[i]->buffer);
		free(hierarchy->levels[i]->buffer);
		free(hierarchy->levels[i]->valid);
		sim_lines_free(&hierarchy->levels[i]->dirty);
		free(hierarchy->levels[i]);
	}
}

int sim_hierarchy_level(const struct description *description, const char *name, int otherwise)
{
	int level = 0;

	for (int i = 0; i < description->cache_count; i++) {
		if (description->caches[i].holds == HOLDS_CODE)
			continue;
		if (!strcmp(description->caches[i].name, name))
			return level;
		level++;
	}
	return otherwise < level ? otherwise : level - 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.c - lines on their way up and down
 *
 * Data and code have ways of their own, which join where a level holds both.
 *
 * A line that is loaded enters every level above the one that had it, the lowest first. What it displaces goes
 *
 *     out of the levels above,           when its level is inclusive
 *     into the level below,              when that one is exclusive or a victim cache: those get lines no other way
 *
 * A hit in an exclusive level takes the line out of it; a hit in a victim cache leaves it there. Exclusive means
 * exclusive of the level right above.
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
	level->shared = description_row_largest(&cache->shared) > 1;
	level->holds = (int)cache->holds;
	level->below = -1;
	if (shape.fixed) {
		level->valid = calloc(lines, sizeof *level->valid);
		if (!level->valid)
			return false;
	}
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
		free(hierarchy->levels[i]->valid);
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

static uint32_t line_of(const struct sim_level *level, uint64_t address)
{
	return (uint32_t)(address >> level->shift);
}

static uint32_t sector_bit(const struct sim_level *level, uint64_t address)
{
	return 1u << (address >> level->sector_shift & ((1u << (level->shift - level->sector_shift)) - 1));
}

static bool comes_from_above(const struct sim_level *level)
{
	return level->inclusion == INCLUSION_EXCLUSIVE || level->inclusion == INCLUSION_VICTIM;
}

static void leave_above(struct sim_hierarchy *hierarchy, int level, uint32_t line)
{
	for (int i = 0; i < level; i++) {
		int finer = hierarchy->levels[level]->shift - hierarchy->levels[i]->shift;

		if (!(hierarchy->levels[i]->holds & hierarchy->levels[level]->holds))
			continue;
		for (uint32_t part = 0; part < 1u << finer; part++)
			sim_cache_remove(&hierarchy->levels[i]->cache, (line << finer) + part);
	}
}

static void enter(struct sim_hierarchy *hierarchy, int at, uint32_t line, uint32_t sectors);

/* `line` had to go from a level. */
static void displace(struct sim_hierarchy *hierarchy, int level, uint32_t line, uint32_t sectors)
{
	int below = hierarchy->levels[level]->below;

	if (hierarchy->levels[level]->inclusion == INCLUSION_INCLUSIVE)
		for (struct sim_hierarchy *user = hierarchy->levels[level]->users; user; user = user->next[level])
			leave_above(user, level, line);
	if (below >= 0 && comes_from_above(hierarchy->levels[below]))
		enter(hierarchy, below, line, sectors);
}

static void enter(struct sim_hierarchy *hierarchy, int at, uint32_t line, uint32_t sectors)
{
	struct sim_level *level = hierarchy->levels[at];
	uint32_t slot = SIM_NONE, victim = SIM_NONE, lost = UINT32_MAX;

	/* It may be there already: a sector of it, or a victim that was here before. */
	if (level->valid || comes_from_above(level))
		slot = sim_cache_touch(&level->cache, line);
	if (slot == SIM_NONE) {
		victim = sim_cache_insert(&level->cache, line, &slot);
		if (level->valid) {
			lost = level->valid[slot];
			level->valid[slot] = 0;
		}
	}
	if (level->valid)
		level->valid[slot] |= sectors;
	if (victim != SIM_NONE)
		displace(hierarchy, at, victim, lost);
}

static bool hit(struct sim_level *level, uint64_t address)
{
	uint32_t slot = sim_cache_touch(&level->cache, line_of(level, address));

	return slot != SIM_NONE && (!level->valid || level->valid[slot] & sector_bit(level, address));
}

/* An exclusive level gives a line away whole: nobody else would have the rest of it. Returns its sectors. */
static uint32_t give_away(struct sim_level *level, uint64_t address)
{
	uint32_t line = line_of(level, address), slot = sim_cache_touch(&level->cache, line);
	uint32_t sectors = level->valid ? level->valid[slot] : UINT32_MAX;

	sim_cache_remove(&level->cache, line);
	return sectors;
}

int sim_hierarchy_load(struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int first)
{
	const int *path = hierarchy->path[side], depth = hierarchy->depth[side];
	struct sim_level *const *levels = hierarchy->levels, *had = NULL;
	uint32_t given = 0;
	int from = first;

	while (from < depth && !hit(levels[path[from]], address))
		from++;
	if (from == first)
		return from;
	if (from < depth)
		had = levels[path[from]];
	if (had && had->inclusion == INCLUSION_EXCLUSIVE)
		given = give_away(had, address);
	for (int i = from - 1; i >= first; i--) {
		struct sim_level *level = levels[path[i]];
		bool alike = given == UINT32_MAX || (had && level->sector_shift == had->sector_shift);
		uint32_t sectors = sector_bit(level, address) | (alike ? given : 0);

		/* Who begins further down, a prefetcher or a page walk, wants the line where it begins. */
		if (i == first || !comes_from_above(level))
			enter(hierarchy, path[i], line_of(level, address), level->valid ? sectors : UINT32_MAX);
	}
	return from;
}

bool sim_hierarchy_has(const struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int last)
{
	for (int i = 0; i <= last && i < hierarchy->depth[side]; i++) {
		const struct sim_level *level = sim_hierarchy_at(hierarchy, side, i);

		if (sim_cache_has(&level->cache, line_of(level, address)))
			return true;
	}
	return false;
}

void sim_hierarchy_intrude(struct sim_hierarchy *hierarchy, uint64_t address, int level)
{
	struct sim_level *into = hierarchy->levels[level];
	uint32_t line = line_of(into, address);

	if (sim_cache_touch(&into->cache, line) == SIM_NONE)
		enter(hierarchy, level, line, UINT32_MAX);
}

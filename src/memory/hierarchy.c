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
 * exclusive of the level right above. A buffer of victims stands between a level and all that is below it. What stores
 * do is in writes.c.
 */
#include "hierarchy.h"

static const double SWAP = 2; /* cycles */

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

/* Takes a line out of a level and its buffer; whether it had been stored to. */
static bool take_out(struct sim_level *level, uint32_t line)
{
	sim_cache_remove(&level->cache, line);
	if (level->buffer)
		sim_cache_remove(level->buffer, line);
	return sim_lines_remove(&level->dirty, line);
}

/* Whether any part of it had been stored to. */
static bool leave_above(struct sim_hierarchy *hierarchy, int level, uint32_t line)
{
	bool dirty = false;

	for (int i = 0; i < level; i++) {
		int finer = hierarchy->levels[level]->shift - hierarchy->levels[i]->shift;

		if (!(hierarchy->levels[i]->holds & hierarchy->levels[level]->holds))
			continue;
		for (uint32_t part = 0; part < 1u << finer; part++)
			dirty = take_out(hierarchy->levels[i], (line << finer) + part) || dirty;
	}
	return dirty;
}

static void enter(struct sim_hierarchy *hierarchy, int at, uint32_t line, uint32_t sectors);

/* A level has a line that was stored to: it keeps it as such, or passes it on. */
static void keep_or_pass(struct sim_hierarchy *hierarchy, int at, uint32_t line)
{
	struct sim_level *level = hierarchy->levels[at];

	if (level->through)
		sim_hierarchy_receive(hierarchy, level->below, (uint64_t)line << level->shift, true);
	else
		sim_lines_add(&level->dirty, line);
}

/* `line` had to go from a level. */
static void displace(struct sim_hierarchy *hierarchy, int at, uint32_t line, uint32_t sectors)
{
	struct sim_level *level = hierarchy->levels[at];
	int below = level->below;
	uint32_t slot;
	bool dirty;

	/* It goes from the buffer when others came. */
	if (level->buffer && (line = sim_cache_insert(level->buffer, line, &slot)) == SIM_NONE)
		return;
	dirty = sim_lines_remove(&level->dirty, line);
	if (level->inclusion == INCLUSION_INCLUSIVE)
		for (struct sim_hierarchy *user = level->users; user; user = user->next[at])
			dirty = leave_above(user, at, line) || dirty;
	if (below >= 0 && comes_from_above(hierarchy->levels[below])) {
		enter(hierarchy, below, line, sectors);
		if (dirty)
			keep_or_pass(hierarchy, below, line);
	} else if (dirty) {
		sim_hierarchy_receive(hierarchy, below, (uint64_t)line << level->shift, true);
	}
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

static bool hit(struct sim_hierarchy *hierarchy, int at, uint64_t address)
{
	struct sim_level *level = hierarchy->levels[at];
	uint32_t line = line_of(level, address), slot = sim_cache_touch(&level->cache, line);

	if (slot != SIM_NONE)
		return !level->valid || level->valid[slot] & sector_bit(level, address);
	if (!level->buffer || !sim_cache_remove(level->buffer, line))
		return false;
	/* It changes places with one that has to go for it. */
	enter(hierarchy, at, line, UINT32_MAX);
	hierarchy->swapped = SWAP;
	return true;
}

/* An exclusive level gives a line away whole: nobody else would have the rest of it. Returns its sectors. */
static uint32_t give_away(struct sim_level *level, uint64_t address, bool *dirty)
{
	uint32_t line = line_of(level, address), slot = sim_cache_touch(&level->cache, line);
	uint32_t sectors = level->valid ? level->valid[slot] : UINT32_MAX;

	*dirty = take_out(level, line);
	return sectors;
}

/* What was stored to and moved up is the lowest one's of the levels that it entered. */
static void take_over(struct sim_hierarchy *hierarchy, const int *path, int first, int from, uint64_t address)
{
	int at = from - 1;

	while (at > first && comes_from_above(hierarchy->levels[path[at]]))
		at--;
	keep_or_pass(hierarchy, path[at], line_of(hierarchy->levels[path[at]], address));
}

int sim_hierarchy_load(struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int first)
{
	const int *path = hierarchy->path[side], depth = hierarchy->depth[side];
	struct sim_level *const *levels = hierarchy->levels, *had = NULL;
	uint32_t given = 0;
	bool dirty = false;
	int from = first;

	hierarchy->swapped = 0;
	while (from < depth && !hit(hierarchy, path[from], address))
		from++;
	if (from == first)
		return from;
	if (from < depth)
		had = levels[path[from]];
	if (had && had->inclusion == INCLUSION_EXCLUSIVE)
		given = give_away(had, address, &dirty);
	for (int i = from - 1; i >= first; i--) {
		struct sim_level *level = levels[path[i]];
		bool alike = given == UINT32_MAX || (had && level->sector_shift == had->sector_shift);
		uint32_t sectors = sector_bit(level, address) | (alike ? given : 0);

		/* Who begins further down, a prefetcher or a page walk, wants the line where it begins. */
		if (i == first || !comes_from_above(level))
			enter(hierarchy, path[i], line_of(level, address), level->valid ? sectors : UINT32_MAX);
	}
	if (dirty)
		take_over(hierarchy, path, first, from, address);
	return from;
}

void sim_hierarchy_enter(struct sim_hierarchy *hierarchy, int level, uint64_t address)
{
	enter(hierarchy, level, line_of(hierarchy->levels[level], address), UINT32_MAX);
}

bool sim_hierarchy_has(const struct sim_hierarchy *hierarchy, enum sim_side side, uint64_t address, int last)
{
	for (int i = 0; i <= last && i < hierarchy->depth[side]; i++) {
		const struct sim_level *level = sim_hierarchy_at(hierarchy, side, i);

		if (sim_cache_has(&level->cache, line_of(level, address)) ||
		    (level->buffer && sim_cache_has(level->buffer, line_of(level, address))))
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

void sim_hierarchy_drop(struct sim_hierarchy *hierarchy, uint64_t address)
{
	for (int i = 0; i < hierarchy->depth[SIM_DATA]; i++) {
		struct sim_level *level = hierarchy->levels[hierarchy->path[SIM_DATA][i]];

		sim_cache_remove(&level->cache, line_of(level, address));
	}
}

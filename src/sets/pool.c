/* SPDX-License-Identifier: MIT */
/*
 * pool.c - walks round places at one offset of many pages
 *
 * A place is taken out by moving it within its page, so that all walks have the same pages and as many places, and
 * neither a TLB nor the level above is taken for the one in question.
 */
#include <math.h>
#include <stdlib.h>

#include "pool.h"

enum { LOOKS = 2, OFFSETS = 8 };

static const double SHORTEST_SPACING = 1024, LONGEST_LINE = 256; /* bytes */
static const double CROWDED = 1.3; /* of what a level holds at one offset */

static uint64_t draw(struct pool *pool, uint64_t below)
{
	pool->random = pool->random * 6364136223846793005u + 1442695040888963407u;
	return (uint64_t)((unsigned __int128)(pool->random & ~0xffffull) * below >> 64);
}

bool pool_deal(struct pool *pool)
{
	uint64_t all = (uint64_t)((double)pool->lab->timer->machine->memory / pool->spacing);
	uint64_t among = (uint64_t)fmin((double)all, 16 * pool->capacity + 4 * POOL_MOST);
	uint64_t *slots = malloc(sizeof(*slots) * among), dealt = among < 2 * POOL_MOST ? among : 2 * POOL_MOST;

	if (!slots)
		return false;
	for (uint64_t i = 0; i < among; i++)
		slots[i] = i;
	for (uint64_t i = 0; i < dealt; i++) {
		uint64_t other = i + draw(pool, among - i), kept = slots[i];

		slots[i] = slots[other];
		slots[other] = kept;
		pool->slots[i] = slots[i];
	}
	free(slots);
	return among >= 2 * POOL_MOST;
}

/* Aside, places compete with few others for the level, but with so many that the level above holds none of them. */
void pool_set_count(struct pool *pool, long count)
{
	double each = ceil(CROWDED * pool->above) + 2;

	pool->count = count;
	pool->offsets = (long)fmax(1, fmin(fmin(OFFSETS, pool->spacing / LONGEST_LINE - 1), floor(POOL_MOST / each)));
	pool->crowd = (long)fmin(POOL_MOST, each * (double)pool->offsets);
	walk_shuffle(pool->order, pool->count + pool->crowd);
}

double pool_walk(struct pool *pool)
{
	long all = pool->count + pool->crowd;
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = pool->places, .count = all };

	for (long i = 0; i < all; i++) {
		bool crowd = i >= pool->count, aside = crowd || pool->aside[i];
		uint64_t slot = pool->slots[crowd ? POOL_MOST + i - pool->count : i];
		double offset = aside ? (double)(i % pool->offsets + 1) * LONGEST_LINE : 0;

		pool->places[pool->order[i]] = slot * (uint64_t)pool->spacing + (uint64_t)offset;
	}
	return engine_walk_round(pool->lab, &walk, LOOKS) * (double)all;
}

double pool_walk_without(struct pool *pool, long first, long end)
{
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = i >= first && i < end;
	return pool_walk(pool);
}

struct pool *pool_new(struct lab *lab, int depth)
{
	const struct level *level = &lab->hierarchy->level[depth];
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool)
		return NULL;
	pool->lab = lab;
	pool->depth = depth;
	pool->random = 88172645463325252u;
	pool->spacing = lab->hierarchy->page;
	while (pool->spacing / 2 >= SHORTEST_SPACING && level->reach / pool->spacing < POOL_FEWEST)
		pool->spacing /= 2;
	pool->capacity = level->reach / pool->spacing;
	pool->above =
		depth ? fmax(level[-1].conflicts.found ? level[-1].conflicts.held : 1, level[-1].reach / pool->spacing)
		      : 0;
	return pool;
}

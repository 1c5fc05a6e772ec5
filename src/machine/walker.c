/* SPDX-License-Identifier: MIT */
/*
 * walker.c - takes address walks on this machine
 *
 * A cycle is a chain of pointers in the places themselves. A random walk draws each place from a generator whose state
 * depends on what the last load brought, masked to nothing, so that the next address cannot be known before it came.
 */
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "../nano/walk_draw.h"
#include "arena.h"
#include "chases.h"
#include "coder.h"
#include "counting.h"
#include "storing.h"
#include "streams.h"
#include "walker.h"

enum { UNROLL = 16 };

struct walker {
	struct arenas arenas;
	struct coder *coder;
	uint64_t random;
	uint64_t last; /* hash of the places of the walk before */
};

static void **chase(void **at, long steps)
{
	for (; steps > 0; steps -= UNROLL)
		for (int j = 0; j < UNROLL && j < steps; j++) {
			at = *at;
			__asm__ volatile("" : "+r"(at));
		}
	return at;
}

/* Returns the generator's state; `nothing` is zero, which the compiler does not know. */
static uint64_t wander(const char *start, struct walk_grid grid, uint64_t state, uint64_t nothing, long steps)
{
	for (long i = 0; i < steps; i++) {
		uint64_t random = walker_draw(state), place = walk_draw(&grid, random);

		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1) +
			(walker_opaque(*(const volatile uint64_t *)(start + place)) & nothing);
	}
	return state;
}

/* As many at a time as the core can have under way. */
static uint64_t rush(const char *start, struct walk_grid grid, uint64_t state, long count)
{
	for (long i = 0; i < count; i++) {
		state += 0x9e3779b97f4a7c15u;
		walker_opaque(*(const volatile uint64_t *)(start + walk_draw(&grid, walker_draw(walker_draw(state)))));
	}
	return state;
}

static uint64_t wander_scattered(const char *start, struct walk_grid grid, uint64_t state, uint64_t nothing, long steps)
{
	for (long i = 0; i < steps; i++) {
		uint64_t random = walker_draw(state), place = walk_draw_scattered(&grid, random);

		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1) +
			(walker_opaque(*(const volatile uint64_t *)(start + place)) & nothing);
	}
	return state;
}

static uint64_t wander_hot(const char *start, const struct walk *walk, uint64_t state, uint64_t nothing, long steps)
{
	for (long i = 0; i < steps; i++) {
		uint64_t random = walker_draw(state), place = walk_draw(i % 2 ? &walk->hot : &walk->grid, random);

		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1) +
			(walker_opaque(*(const volatile uint64_t *)(start + place)) & nothing);
	}
	return state;
}

static uint64_t wander_grouped(const char *start, const struct walk *walk, uint64_t state, uint64_t nothing, long steps)
{
	for (long i = 0; i < steps; i += WALK_GROUP) {
		uint64_t random = walker_draw(state), carried = 0;

		for (long j = 0; j < WALK_GROUP; j++) {
			uint64_t place = walk_draw_together(&walk->grid, walk->grouped, random, (uint64_t)j);

			carried = walker_opaque(*(const volatile uint64_t *)(start + place + carried)) & nothing;
		}
		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1) + carried;
	}
	return state;
}

static void write_cycle(struct arena *arena, const struct walk *walk, uint64_t hash)
{
	for (long i = 0; i < walk->count; i++) {
		char *next = arena->start + walk->places[i + 1 < walk->count ? i + 1 : 0];

		memcpy(arena->start + walk->places[i], &next, sizeof(next));
	}
	arena->written = hash;
	arena->gone = 0;
	arena->at = (void **)(void *)(arena->start + walk->places[0]);
}

struct touching {
	const char *start;
	uint64_t sum;
};

static void touch(void *context, uint64_t place)
{
	struct touching *touching = context;

	touching->sum += *(const volatile uint64_t *)(touching->start + place);
}

static void take_steps(struct walker *walker, struct arena *arena, const struct walk *walk, long steps)
{
	uint64_t nothing = walker_opaque(0);

	if (walk->order == WALK_STREAM)
		streams_go(arena, walk, steps);
	else if (walk->chains)
		chases_go(arena, walk, steps);
	else if (walk->order == WALK_CYCLE)
		arena->at = chase(arena->at, steps);
	else if (walk->loose)
		walker->random = storing_loose(arena->start, walk->grid, walk->stores, walker->random, steps);
	else if (walk->stores)
		walker->random = storing_beside_loads(arena->start, walk, walker->random, nothing, steps);
	else if (walk->grouped)
		walker->random = wander_grouped(arena->start, walk, walker->random, nothing, steps);
	else if (walk->grid.scattered)
		walker->random = wander_scattered(arena->start, walk->grid, walker->random, nothing, steps);
	else if (walk->has_hot)
		walker->random = wander_hot(arena->start, walk, walker->random, nothing, steps);
	else
		walker->random = wander(arena->start, walk->grid, walker->random, nothing, steps);
}

static struct walk with_whole_grids(const struct walk *walk)
{
	struct walk whole = *walk;

	for (int axis = 0; axis < WALK_AXES; axis++) {
		if (whole.grid.count[axis] < 1)
			whole.grid.count[axis] = 1;
		if (whole.hot.count[axis] < 1)
			whole.hot.count[axis] = 1;
	}
	return whole;
}

static enum machine_status walk_code(struct walker *walker, const struct walk *walk, uint64_t memory, long steps,
				     int count, struct reading *reading)
{
	struct walk hot = { .order = WALK_RANDOM, .grid = walk->hot, .pages = walk->pages };
	struct touching touching = { NULL, 0 };
	enum machine_status status = coder_prepare(walker->coder, walk, memory, reading);
	bool again = walker->last == walk_hash_places(walk);

	if (status == MACHINE_RAN && walk->has_hot) {
		struct arena *arena = arenas_reach(&walker->arenas, &hot, walk_extent(&hot), memory, reading->why,
						   sizeof(reading->why));

		/* What jumps wait for is added to where they go. */
		if (arena && arena->written) {
			memset(arena->start, 0, arena->bytes);
			arena->written = 0;
		}
		touching.start = arena ? arena->start : NULL;
		status = arena ? MACHINE_RAN : MACHINE_BLOCKED;
	}
	if (status != MACHINE_RAN)
		return status;
	if (walk->has_hot && !again)
		walk_visit(&hot, touch, &touching);
	walker->last = walk_hash_places(walk);
	return coder_walk(walker->coder, walk, touching.start, again, steps, count, reading);
}

bool walker_begin(struct walker *walker, const struct walk *asked, uint64_t memory, long steps, char *why, size_t size)
{
	struct walk walk = with_whole_grids(asked);
	long warm = walk_warming(&walk);
	uint64_t places = walk_hash_places(&walk);
	struct arena *arena;

	if (walk.order == WALK_STREAM && streams_refuse(&walk, why, size))
		return false;
	arena = arenas_reach(&walker->arenas, &walk, walk_extent(&walk), memory, why, size);
	if (!arena)
		return false;
	if (walk.order == WALK_CYCLE && arena->written != places)
		write_cycle(arena, &walk, places);
	if (walk.chains)
		chases_spread(arena, &walk);
	if (walk.stores)
		arena->written = places;

	struct touching touching = { arena->start, 0 };

	if (walker->last == places)
		warm = steps;
	else
		walk_visit(&walk, touch, &touching);
	walker->last = places;
	if (walk.rush)
		walker->random = rush(arena->start, walk.grid, walker->random, warm < walk.rush ? walk.rush : warm);
	take_steps(walker, arena, &walk, warm < steps || walk.rush ? steps : warm);
	return true;
}

static struct arena *arena_of(struct walker *walker, const struct walk *walk)
{
	return &walker->arenas.list[walk->pages][walk->arena % WALK_ARENAS];
}

void walker_steps(struct walker *walker, const struct walk *asked, long steps)
{
	struct walk walk = with_whole_grids(asked);
	struct arena *arena = arena_of(walker, &walk);

	if (walk.rush)
		walker->random = rush(arena->start, walk.grid, walker->random, steps);
	else
		take_steps(walker, arena, &walk, steps);
}

uint64_t walker_bytes(const struct walker *walker)
{
	uint64_t sum = 0;

	for (int pages = 0; pages < WALK_PAGE_KINDS; pages++)
		for (int i = 0; i < WALK_ARENAS; i++)
			sum += walk_frames((enum walk_pages)pages) ? 0 : walker->arenas.list[pages][i].bytes;
	return sum;
}

enum machine_status walker_walk(struct walker *walker, const struct walk *asked, uint64_t memory, long steps, int count,
				struct reading *reading)
{
	struct walk walk = with_whole_grids(asked);
	struct host_watch watch;
	int counter;

	*reading = (struct reading){ .spills = -1 };
	if (walk.code)
		return walk_code(walker, &walk, memory, steps, count, reading);
	if (!walker_begin(walker, &walk, memory, steps, reading->why, sizeof(reading->why)) ||
	    !counting_open(&walk, &counter, reading->why, sizeof(reading->why)))
		return MACHINE_BLOCKED;

	struct arena *arena = arena_of(walker, &walk);

	watch = host_watch_start();
	for (int i = 0; i < count; i++) {
		double start = host_clock();

		host_counter_start(counter);
		take_steps(walker, arena, &walk, steps);
		host_counter_stop(counter);
		reading->ns[i] = host_clock() - start;
	}
	reading->disturbed = host_watch_disturbed(&watch);
	counting_close(counter, reading);
	return MACHINE_RAN;
}

void walker_forget(struct walker *walker)
{
	walker->last = 0;
}

struct walker *walker_open(void)
{
	struct walker *walker = calloc(1, sizeof(*walker));

	if (walker) {
		walker->random = 1;
		walker->coder = coder_open();
	}
	return walker;
}

void walker_close(struct walker *walker)
{
	if (!walker)
		return;
	arenas_give_back(&walker->arenas);
	coder_close(walker->coder);
	free(walker);
}

/* SPDX-License-Identifier: MIT */
/*
 * walk.c - what every machine must agree on about an address walk
 */
#include "nano.h"
#include "walk_draw.h"

enum { WARM_LAPS = 50, WARM_MOST = 30000, WARM_CODE = 8000 };

static long along(const struct walk_grid *grid, int axis)
{
	return grid->count[axis] > 0 ? grid->count[axis] : 1;
}

static uint64_t farthest(const struct walk_grid *grid, int axis)
{
	return axis == 0 && grid->scattered ? (UINT64_C(1) << grid->scattered) - 1 : (uint64_t)(along(grid, axis) - 1);
}

/* What is needed of a place: its body, or a word. */
static uint64_t size_of_place(const struct walk *walk)
{
	return !walk->code ? sizeof(uint64_t) : walk->body > WALK_JUMP ? (uint64_t)walk->body : WALK_JUMP;
}

static uint64_t grid_end(const struct walk_grid *grid, uint64_t size)
{
	uint64_t last = grid->base + size, along_axis;

	for (int axis = 0; axis < WALK_AXES; axis++)
		if (__builtin_mul_overflow(farthest(grid, axis), grid->stride[axis], &along_axis) ||
		    __builtin_add_overflow(last, along_axis, &last))
			return UINT64_MAX;
	return last;
}

static void visit_grid(const struct walk_grid *grid, void (*visit)(void *context, uint64_t place), void *context)
{
	for (long i = 0; i < along(grid, 0); i++) {
		uint64_t at = grid->scattered ? walk_scatter((uint64_t)i, grid->scattered, grid->chance) : (uint64_t)i;

		for (long j = 0; j < along(grid, 1); j++)
			for (long k = 0; k < along(grid, 2); k++)
				visit(context, grid->base + at * grid->stride[0] + (uint64_t)j * grid->stride[1] +
						       (uint64_t)k * grid->stride[2]);
	}
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15u ^ hash >> 31;
}

static uint64_t hash_grid(uint64_t hash, const struct walk_grid *grid)
{
	hash = mix(mix(mix(hash, grid->base), (uint64_t)grid->scattered), grid->chance);
	for (int axis = 0; axis < WALK_AXES; axis++)
		hash = mix(mix(hash, grid->stride[axis]), (uint64_t)along(grid, axis));
	return hash;
}

const char *walk_event_name(enum walk_event event)
{
	static const char *const names[WALK_EVENTS] = {
		"", "l1d.misses", "l2.misses", "last.misses", "dtlb.misses", "l1i.misses", "itlb.misses"
	};

	return names[event];
}

long walk_length(const struct walk *walk)
{
	if (walk->order == WALK_STREAM)
		return (long)(walk->span / WALK_PIECE / (walk->stream == WALK_COPY ? 2 : 1));
	if (walk->order != WALK_RANDOM)
		return walk->count;
	return along(&walk->grid, 0) * along(&walk->grid, 1) * along(&walk->grid, 2);
}

uint64_t walk_extent(const struct walk *walk)
{
	uint64_t end = 0;

	if (walk->order == WALK_RANDOM) {
		uint64_t hot = walk->has_hot && !walk->code ? grid_end(&walk->hot, sizeof(uint64_t)) : 0;

		end = grid_end(&walk->grid, size_of_place(walk));
		return hot > end ? hot : end;
	}
	if (walk->order == WALK_LADDER)
		return 0;
	if (walk->order == WALK_STREAM)
		return walk->span;
	for (long i = 0; i < walk->count; i++)
		if (walk->places[i] + sizeof(uint64_t) > end)
			end = walk->places[i] + sizeof(uint64_t);
	return end;
}

void walk_visit(const struct walk *walk, void (*visit)(void *context, uint64_t place), void *context)
{
	if (walk->order == WALK_CYCLE) {
		for (long i = 0; i < walk->count; i++)
			visit(context, walk->places[i]);
		return;
	}
	/* What a stream brings in before it is timed, it brings in by streaming. */
	if (walk->order == WALK_LADDER || walk->order == WALK_STREAM)
		return;
	/* What is stored to would be there already, and the question is whether stores bring it in. */
	if (walk->has_hot && !walk->code && !walk->stores)
		visit_grid(&walk->hot, visit, context);
	visit_grid(&walk->grid, visit, context);
}

void walk_shuffle(long *order, long count)
{
	uint64_t random = 88172645463325252u;

	for (long i = 0; i < count; i++)
		order[i] = i;
	for (long i = count - 1; i > 0; i--) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;

		long j = (long)(random % (uint64_t)(i + 1)), kept = order[i];

		order[i] = order[j];
		order[j] = kept;
	}
}

/* Data and code are never alike. */
static uint64_t hash_code(uint64_t hash, const struct walk *walk)
{
	return walk->code ? mix(mix(mix(hash, 1), (uint64_t)walk->body), (uint64_t)walk->filler) : hash;
}

/* Nor are what loads, what stores and what waits for nothing. */
static uint64_t hash_stores(uint64_t hash, const struct walk *walk)
{
	return walk->stores || walk->loose ? mix(hash, 2 + 2 * (uint64_t)walk->loose + (uint64_t)walk->stores) : hash;
}

/* All but how many chases there are. */
static uint64_t hash_one(const struct walk *walk)
{
	uint64_t hash = mix(NANO_HASH_START, (uint64_t)walk->order * WALK_PAGE_KINDS + (uint64_t)walk->pages);

	hash = hash_code(mix(hash, (uint64_t)walk->arena), walk);
	if (walk->event)
		hash = mix(hash, (uint64_t)walk->event);
	if (walk->order == WALK_STREAM)
		return mix(mix(mix(mix(hash, walk->span), (uint64_t)walk->stream), walk->past), (uint64_t)walk->vector);
	if (walk->order == WALK_LADDER)
		return mix(hash, (uint64_t)walk->count);
	if (walk->order == WALK_CYCLE) {
		for (long i = 0; i < walk->count; i++)
			hash = mix(hash, walk->places[i]);
		return mix(hash, (uint64_t)walk->count);
	}
	hash = hash_stores(hash_grid(mix(hash, walk->grouped), &walk->grid), walk);
	return walk->has_hot ? hash_grid(mix(hash, 1), &walk->hot) : hash;
}

uint64_t walk_hash(const struct walk *walk)
{
	uint64_t hash = hash_one(walk);

	return walk->order == WALK_CYCLE && walk->chains ? mix(hash, (uint64_t)walk->chains) : hash;
}

uint64_t walk_hash_places(const struct walk *walk)
{
	uint64_t hash = mix(NANO_HASH_START, (uint64_t)walk->arena * WALK_PAGE_KINDS + (uint64_t)walk->pages);

	if (walk->order != WALK_RANDOM || walk->code || walk->has_hot || walk->stores || walk->loose ||
	    walk->grid.scattered)
		return hash_one(walk);
	/* Grids of as many places that begin and end alike differ in nothing but how they are cut. */
	return mix(mix(mix(hash, walk->grid.base), walk_extent(walk)), (uint64_t)walk_length(walk));
}

long walk_warming(const struct walk *walk)
{
	/* Once all places were visited, those that a cache has are as likely to be drawn as any others. */
	long most = walk->code && walk->order == WALK_RANDOM && !walk->has_hot ? WARM_CODE : WARM_MOST;
	long length = walk_length(walk), usual = length < most / WARM_LAPS ? WARM_LAPS * length : most;

	/* Until all of it was streamed through once. */
	if (walk->order == WALK_STREAM && usual < length)
		usual = length;
	return walk->laps * length > usual ? walk->laps * length : usual;
}

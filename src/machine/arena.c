/* SPDX-License-Identifier: MIT */
/*
 * arena.c - memory that walks lie in
 *
 * What the system calls a huge page may be small ones to the hardware, here and there: a host has no large frame left,
 * or gave small ones before. Eight such pieces among a hundred spoil each search for a set, and an Emerald Rapids'
 * second level showed its 16 ways in two of four runs for that. So each piece is walked when it comes, by a line in a
 * page each, beside as many lines in four pages; where translation shows, another piece takes its place.
 */
#include <math.h>

#include "../host/host.h"
#include "arena.h"

static const uint64_t GROWTH = 1 << 24; /* arenas grow in such pieces, so that a size sweep moves them rarely */
static const uint64_t STEPS_TO_ALL = 16; /* and in smaller ones where there is little memory */

/* Frames come in the order in which pages of a file are first written. */
static char *take_shared(uint64_t bytes, uint64_t frames, char *why, size_t size)
{
	size_t order[64];

	for (uint64_t i = 0; i < frames; i++)
		order[walk_frame(i, frames)] = (size_t)i;
	return host_memory_share(bytes, order, (size_t)frames, why, size);
}

enum {
	PAGE = 4096, /* or larger: then there are fewer */
	LINE = 64,
	PLACES = HOST_MEMORY_PIECE / (2 * PAGE), /* in every other page: more pages than a nearest TLB has entries */
	STEPS_ON = 97, /* odd: no order that is foreseen */
	LAPS = 8,
	SPARE = 16
};

static const double WHOLE = 1.25; /* times what it takes in a few pages: a TLB's miss is half a load or more */
static const double FOR_SPARES = 0.125; /* of the memory that may be used */

/* Lines that spread over the sets of a cache alike, in pages of their own or in as few as hold them. */
static void **place(char *piece, size_t i, bool spread)
{
	i %= PLACES;
	return (void **)(piece + (spread ? i * 2 * PAGE + i * LINE % PAGE : i * LINE));
}

/* Least ns of a walk over them. */
static double lap(char *piece, bool spread)
{
	double least = INFINITY;

	for (size_t i = 0; i < PLACES; i++)
		*place(piece, i, spread) = place(piece, i + STEPS_ON, spread);
	for (int i = 0; i < LAPS; i++) {
		void **at = place(piece, 0, spread);
		double start = host_clock();

		for (size_t step = 0; step < PLACES; step++)
			at = *(void *volatile *)at;
		least = fmin(least, host_clock() - start);
	}
	return least;
}

static bool is_whole(char *piece)
{
	bool is = lap(piece, true) <= WHOLE * lap(piece, false);

	for (size_t i = 0; i < PLACES; i++)
		*place(piece, i, true) = *place(piece, i, false) = NULL;
	return is;
}

/* Gives those pieces that are none to the hardware others that are, as far as some can be had. Where all are none, no
 * others are taken: on a Zen 5 guest frames that came from what was given back again made its TLB look hashed. */
static void make_whole(char *start, uint64_t bytes, uint64_t memory)
{
	uint64_t most = (uint64_t)(FOR_SPARES * (double)memory) / HOST_MEMORY_PIECE, split = 0, spares, next = 0;
	char why[64], *spare;

	for (uint64_t at = 0; at < bytes; at += HOST_MEMORY_PIECE)
		split += !is_whole(start + at);
	if (!split || split * HOST_MEMORY_PIECE >= bytes)
		return;
	spares = 2 * split + SPARE < most ? 2 * split + SPARE : most;
	spare = spares ? host_memory_take(spares * HOST_MEMORY_PIECE, HOST_PAGES_HUGE, why, sizeof(why)) : NULL;
	for (uint64_t at = 0; spare && at < bytes && next < spares; at += HOST_MEMORY_PIECE) {
		if (is_whole(start + at))
			continue;
		while (next < spares && !is_whole(spare + next * HOST_MEMORY_PIECE))
			next++;
		if (next < spares)
			host_memory_move(spare + next++ * HOST_MEMORY_PIECE, start + at);
	}
	if (spare)
		host_memory_give_back(spare, spares * HOST_MEMORY_PIECE);
}

static uint64_t growth(uint64_t memory)
{
	uint64_t step = memory / STEPS_TO_ALL / HOST_MEMORY_PIECE * HOST_MEMORY_PIECE;

	return step < HOST_MEMORY_PIECE ? HOST_MEMORY_PIECE : step < GROWTH ? step : GROWTH;
}

static void give_back(struct arena *arena)
{
	if (arena->start)
		host_memory_give_back(arena->start, arena->bytes);
	*arena = (struct arena){ 0 };
}

/* Arenas that were not used for longest go, until all of them and so many bytes take no more than may be used. */
static void make_room(struct arenas *arenas, uint64_t bytes, uint64_t memory)
{
	for (;;) {
		struct arena *oldest = NULL;
		uint64_t taken = 0;

		for (int i = 0; i < WALK_PAGE_KINDS * WALK_ARENAS; i++) {
			struct arena *arena = &arenas->list[i / WALK_ARENAS][i % WALK_ARENAS];

			if (!arena->start || walk_frames((enum walk_pages)(i / WALK_ARENAS)))
				continue;
			taken += arena->bytes;
			if (!oldest || arena->used < oldest->used)
				oldest = arena;
		}
		if (!oldest || taken + bytes <= memory)
			return;
		give_back(oldest);
	}
}

struct arena *arenas_reach(struct arenas *arenas, const struct walk *walk, uint64_t extent, uint64_t memory, char *why,
			   size_t size)
{
	static const enum host_pages advice[] = { [WALK_BASE_PAGES] = HOST_PAGES_BASE,
						  [WALK_HUGE_PAGES] = HOST_PAGES_HUGE,
						  [WALK_PLAIN_PAGES] = HOST_PAGES_PLAIN };
	struct arena *arena = &arenas->list[walk->pages][walk->arena % WALK_ARENAS];
	uint64_t step = growth(memory), bytes = walk->code ? extent : (extent + step - 1) / step * step,
		 frames = walk_frames(walk->pages);
	int generation = walk->arena / WALK_ARENAS;

	arena->used = ++arenas->calls;
	if (extent <= arena->bytes && generation == arena->generation)
		return arena;
	if (!frames && extent > memory) {
		snprintf(why, size, "needs %llu MiB of memory, %llu MiB may be used",
			 (unsigned long long)(extent + (1 << 20) - 1) >> 20, (unsigned long long)memory >> 20);
		return NULL;
	}
	if (!frames && bytes > memory)
		bytes = extent;
	give_back(arena);
	if (!frames)
		make_room(arenas, bytes, memory);
	*arena = (struct arena){ .generation = generation, .used = arenas->calls };
	arena->start = frames ? take_shared(bytes, frames, why, size)
			      : host_memory_take(bytes, advice[walk->pages], why, size);
	arena->bytes = arena->start ? bytes : 0;
	if (arena->start && walk->pages == WALK_HUGE_PAGES)
		make_whole(arena->start, bytes, memory);
	return arena->start ? arena : NULL;
}

void arenas_give_back(struct arenas *arenas)
{
	for (int pages = 0; pages < WALK_PAGE_KINDS; pages++)
		for (int i = 0; i < WALK_ARENAS; i++)
			give_back(&arenas->list[pages][i]);
}

/* SPDX-License-Identifier: MIT */
/*
 * arena.c - memory that walks lie in
 */
#include "../host/host.h"
#include "arena.h"

static const uint64_t GROWTH = 1 << 24; /* arenas grow in such pieces, so that a size sweep moves them rarely */

/* Frames come in the order in which pages of a file are first written. */
static char *take_shared(uint64_t bytes, uint64_t frames, char *why, size_t size)
{
	size_t order[64];

	for (uint64_t i = 0; i < frames; i++)
		order[walk_frame(i, frames)] = (size_t)i;
	return host_memory_share(bytes, order, (size_t)frames, why, size);
}

struct arena *arenas_reach(struct arenas *arenas, const struct walk *walk, uint64_t extent, uint64_t memory, char *why,
			   size_t size)
{
	static const enum host_pages advice[] = { [WALK_BASE_PAGES] = HOST_PAGES_BASE,
						  [WALK_HUGE_PAGES] = HOST_PAGES_HUGE,
						  [WALK_PLAIN_PAGES] = HOST_PAGES_PLAIN };
	struct arena *arena = &arenas->list[walk->pages][walk->arena % WALK_ARENAS];
	uint64_t bytes = walk->code ? extent : (extent + GROWTH - 1) / GROWTH * GROWTH,
		 frames = walk_frames(walk->pages);
	int generation = walk->arena / WALK_ARENAS;

	if (extent <= arena->bytes && generation == arena->generation)
		return arena;
	if (!frames && extent > memory) {
		snprintf(why, size, "needs %llu MiB of memory, %llu MiB may be used",
			 (unsigned long long)(extent + (1 << 20) - 1) >> 20, (unsigned long long)memory >> 20);
		return NULL;
	}
	if (!frames && bytes > memory)
		bytes = extent;
	if (arena->start)
		host_memory_give_back(arena->start, arena->bytes);
	*arena = (struct arena){ .generation = generation };
	arena->start = frames ? take_shared(bytes, frames, why, size)
			      : host_memory_take(bytes, advice[walk->pages], why, size);
	arena->bytes = arena->start ? bytes : 0;
	return arena->start ? arena : NULL;
}

void arenas_give_back(struct arenas *arenas)
{
	for (int pages = 0; pages < WALK_PAGE_KINDS; pages++)
		for (int i = 0; i < WALK_ARENAS; i++)
			if (arenas->list[pages][i].start)
				host_memory_give_back(arenas->list[pages][i].start, arenas->list[pages][i].bytes);
}

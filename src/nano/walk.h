/* SPDX-License-Identifier: MIT */
/*
 * walk.h - an address walk: the other kind of nano-benchmark, one load after the other
 *
 * A walk touches places in an arena, a stretch of memory of its own. The address of each load depends on the value of
 * the one before, so that a step takes the time of one load and no two overlap. Two orders exist:
 *
 *     WALK_CYCLE    the places of a list, in its order, and round again: a pointer chase
 *     WALK_RANDOM   each place is drawn afresh and uniformly from a grid; drawing adds the same few cycles to every
 * step
 *
 * A grid of at most two axes may be scattered: as many places as its count, taken from many more. In WALK_RANDOM every
 * other reference may go to a hot place instead, also drawn afresh, from a grid of its own. Or the places come four at
 * a time: one is drawn, and then three more of its line on the second axis, of eight. Where that line lies within a
 * page, the page is translated once for all four.
 */
#ifndef XRAY_WALK_H
#define XRAY_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum walk_order { WALK_CYCLE, WALK_RANDOM };

/* What is asked for; whether the hardware has such pages is for a micro-benchmark to find out. Plain pages are what
 * comes when nothing is asked for. Pages that share frames are base pages: page i lies on frame i modulo 4, or 64, in
 * an order in which neighbours are none. So any number of pages takes no more of the caches than a few, and what more
 * of them cost is translation alone. */
enum walk_pages {
	WALK_BASE_PAGES,
	WALK_HUGE_PAGES,
	WALK_PLAIN_PAGES,
	WALK_ON_4_FRAMES,
	WALK_ON_64_FRAMES,
	WALK_PAGE_KINDS
};

/* That all pages of an arena share; 0: each has its own. */
static inline uint64_t walk_frames(enum walk_pages pages)
{
	return pages == WALK_ON_4_FRAMES ? 4 : pages == WALK_ON_64_FRAMES ? 64 : 0;
}

/* The frame of a page among them. None has the frame behind that of the page before it. */
static inline uint64_t walk_frame(uint64_t page, uint64_t frames)
{
	return (7 * (page % frames) + 1) % frames;
}

enum { WALK_AXES = 3, WALK_GROUP = 4, WALK_GROUPED_FROM = 8 };

/* base + i * stride[0] + j * stride[1] + k * stride[2], with 0 <= i < count[0] and so on. */
struct walk_grid {
	uint64_t base;
	uint64_t stride[WALK_AXES];
	long count[WALK_AXES]; /* 0 counts as 1 */
	int scattered; /* not 0: on the first axis places are taken from the first 2^scattered, as chance will */
	uint64_t chance; /* another arrangement for another number */
};

struct walk {
	const uint64_t *places; /* WALK_CYCLE: offsets in the arena, multiples of 8, none twice */
	long count;
	struct walk_grid grid; /* WALK_RANDOM */
	struct walk_grid hot;
	long laps; /* at least so many before the first is timed; 0: a few thousand steps, or as many laps as are in
		      them */
	long rush; /* WALK_RANDOM: warming, and so many references right before the timings, do not wait for one
		      another: more lines at a time than others on the core bring in */
	enum walk_order order;
	enum walk_pages pages;
	int arena; /* walks of the same number and pages lie in the same memory; another number is other memory */
	bool grouped; /* places come four at a time; count[1] is WALK_GROUPED_FROM */
	bool has_hot; /* not with groups; a rush has neither, and no scattered grid */
};

/* Distinct places of the walk, hot ones not counted. */
long walk_length(const struct walk *walk);

/* Bytes of its arena that it needs, at least one more than the last offset; UINT64_MAX when no arena is that large. */
uint64_t walk_extent(const struct walk *walk);

/* A number below 2^bits for each number below it, no two the same, in an order that nothing foresees. */
static inline uint64_t walk_scatter(uint64_t number, int bits, uint64_t chance)
{
	uint64_t mask = (UINT64_C(1) << bits) - 1;

	for (int round = 0; round < 4; round++) {
		uint64_t key = chance >> 16 * round & 0xffff;

		number = ((number ^ key) & mask) * (0x9e3779b97f4a7c15u ^ key << 1) & mask;
		number ^= number >> (round & 1 ? (bits + 1) / 2 : bits / 3 + 1);
	}
	return number;
}

/* The place of a grid that a random number of 64 bits stands for: its upper 32 bits choose on the first axis, the lower
 * two 16 on the others, each scaled to the axis' count by multiplication. */
static inline uint64_t walk_draw(const struct walk_grid *grid, uint64_t random)
{
	uint64_t i = ((random >> 32) * (uint64_t)grid->count[0]) >> 32;
	uint64_t j = ((random >> 16 & 0xffff) * (uint64_t)grid->count[1]) >> 16;
	uint64_t k = ((random & 0xffff) * (uint64_t)grid->count[2]) >> 16;

	return grid->base + i * grid->stride[0] + j * grid->stride[1] + k * grid->stride[2];
}

/* The same of a scattered grid. */
static inline uint64_t walk_draw_scattered(const struct walk_grid *grid, uint64_t random)
{
	uint64_t i = ((random >> 32) * (uint64_t)grid->count[0]) >> 32;
	uint64_t j = ((random >> 16 & 0xffff) * (uint64_t)grid->count[1]) >> 16;

	return grid->base + walk_scatter(i, grid->scattered, grid->chance) * grid->stride[0] + j * grid->stride[1];
}

/* Place `index` of the group that a random number stands for. No two are the same, and which follows which is different
 * each time, so that nothing can learn it. */
static inline uint64_t walk_draw_grouped(const struct walk_grid *grid, uint64_t random, uint64_t index)
{
	uint64_t one = 1 + (random >> 16 & 0x3f) % (WALK_GROUPED_FROM - 1);
	uint64_t other = 1 + (random >> 22 & 0x3f) % (WALK_GROUPED_FROM - 2);
	uint64_t i = ((random >> 32) * (uint64_t)grid->count[0]) >> 32, j = random >> 29 & (WALK_GROUPED_FROM - 1);
	uint64_t low = (random & 0xffff) * 0x10001 >> 4 * index; /* turned, so that each has its own third number */
	uint64_t k = ((low & 0xffff) * (uint64_t)grid->count[2]) >> 16;

	other += other >= one; /* any but `one`; so both, and what they differ by, are different */
	j ^= (index & 1 ? one : 0) ^ (index & 2 ? one ^ other : 0);
	return grid->base + i * grid->stride[0] + j * grid->stride[1] + k * grid->stride[2];
}

/* Calls visit with every place of the walk, hot ones first, in the order in which the arena is warmed. */
void walk_visit(const struct walk *walk, void (*visit)(void *context, uint64_t place), void *context);

/* Steps after that until the caches hold what they will. */
long walk_warming(const struct walk *walk);

/* The numbers below count in an order that nothing foresees, the same one each time. */
void walk_shuffle(long *order, long count);

/* The same for equal questions, in every run. */
uint64_t walk_hash(const struct walk *walk);

/* The same for walks over the same places, in whatever order they are drawn. */
uint64_t walk_hash_places(const struct walk *walk);

#endif

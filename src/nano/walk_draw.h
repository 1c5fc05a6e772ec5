/* SPDX-License-Identifier: MIT */
/*
 * walk_draw.h - the places that random numbers stand for: inline, since one is drawn for every step
 */
#ifndef XRAY_WALK_DRAW_H
#define XRAY_WALK_DRAW_H

#include "walk.h"

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

/* The first quarter of a loose walk's grid: bytes from it to the next; 0 where there are no four. */
static inline uint64_t walk_loose_grid(struct walk_grid *grid)
{
	if (grid->count[0] < WALK_LOOSE)
		return 0;
	grid->count[0] /= WALK_LOOSE;
	return (uint64_t)grid->count[0] * grid->stride[0];
}

static inline uint64_t walk_draw_any(const struct walk_grid *grid, uint64_t random)
{
	return grid->scattered ? walk_draw_scattered(grid, random) : walk_draw(grid, random);
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

/* The same of two pairs, each half of the second axis apart, which what runs ahead of a stream seldom bridges. */
static inline uint64_t walk_draw_paired(const struct walk_grid *grid, uint64_t random, uint64_t index)
{
	uint64_t own = index & 2 ? random * 0xd1342543de82ef95u : random;
	uint64_t i = ((own >> 32) * (uint64_t)grid->count[0]) >> 32, j = own >> 29 & (WALK_GROUPED_FROM - 1);
	uint64_t third = index & 1 ? own & 0xffff : own >> 13 & 0xffff;

	j ^= index & 1 ? WALK_GROUPED_FROM / 2 : 0;
	return grid->base + i * grid->stride[0] + j * grid->stride[1] +
	       (third * (uint64_t)grid->count[2] >> 16) * grid->stride[2];
}

static inline uint64_t walk_draw_together(const struct walk_grid *grid, int grouped, uint64_t random, uint64_t index)
{
	return grouped == WALK_PAIR ? walk_draw_paired(grid, random, index) : walk_draw_grouped(grid, random, index);
}

#endif

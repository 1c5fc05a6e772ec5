/* SPDX-License-Identifier: MIT */
/*
 * pool.h - places at one offset of many pages, some of them moved aside; private to pool.c and reduction.c
 */
#ifndef XRAY_SETS_POOL_H
#define XRAY_SETS_POOL_H

#include "hierarchy.h"

enum { POOL_FEWEST = 64, POOL_MOST = 1024 };

struct pool {
	struct lab *lab;
	int depth;
	double spacing; /* bytes between slots: pages, or parts of them */
	double capacity, above; /* places at one offset that the level and the one above hold */
	uint64_t slots[2 * POOL_MOST]; /* of the candidates, in the order in which they are put in, and of the crowd */
	bool aside[POOL_MOST]; /* candidates that are moved within their slot */
	bool critical[POOL_MOST];
	long count, crowd, offsets; /* candidates; others, so that the level above holds none aside; where aside is */
	long order[2 * POOL_MOST];
	uint64_t places[2 * POOL_MOST];
	uint64_t random;
	bool thrashes; /* one line too many made all of its set miss */
	bool plain; /* all critical ones were needed in a row, too */
};

/* NULL when out of memory; free() it. */
struct pool *pool_new(struct lab *lab, int depth);

/* Other slots, any of the arena's, in an order that nothing foresees. False when there are not enough. */
bool pool_deal(struct pool *pool);

/* So many candidates, none of them in a row yet. */
void pool_set_count(struct pool *pool, long count);

/* Cycles a lap round all places, as they are, and with the candidates from first to end aside. */
double pool_walk(struct pool *pool);
double pool_walk_without(struct pool *pool, long first, long end);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * parts.h - what the simulated memory is made of; private to memory/
 */
#ifndef XRAY_SIM_PARTS_H
#define XRAY_SIM_PARTS_H

#include "front.h"
#include "hierarchy.h"
#include "memory.h"
#include "neighbour.h"
#include "prefetch.h"
#include "traffic.h"
#include "translation.h"

struct sim_memory {
	const struct description *description;
	struct sim_translation translation;
	struct sim_hierarchy hierarchy;
	struct sim_prefetch prefetch;
	struct sim_front front;
	struct sim_neighbour neighbour;
	struct sim_traffic traffic;
	int tables; /* level through which page tables are read; -1: none */
	bool missed; /* the last load or fetch missed the first level */
	uint64_t learnt; /* misses that the prefetchers saw */
	uint64_t events[WALK_EVENTS]; /* but for those that prefetches are */
	struct sim_memory *with[DESCRIPTION_CACHES]; /* whose caches it uses; NULL: its own */
	uint64_t given; /* bytes of physical addresses, where nobody shares our caches */
};

/* Cycles of the translation of a page. */
double sim_memory_translate(struct sim_memory *memory, const struct sim_region *region, uint32_t page);

/* Where a load from the region finds what it wants; adds the cycles of its translation. */
int sim_memory_find(struct sim_memory *memory, const struct sim_region *region, uint64_t offset, double *cycles);

#endif

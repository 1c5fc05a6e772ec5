/* SPDX-License-Identifier: MIT */
/*
 * memory.h - the simulated memory: what one load costs, given all loads before it
 */
#ifndef XRAY_SIM_MEMORY_H
#define XRAY_SIM_MEMORY_H

#include "../describe/description.h"
#include "../nano/walk.h"

struct sim_memory;

/* NULL when memory ran out. The description must outlive it. */
struct sim_memory *sim_memory_new(const struct description *description, uint64_t seed);
void sim_memory_free(struct sim_memory *memory);

/* Makes the arena ready; false when there is no room for another. */
bool sim_memory_arena(struct sim_memory *memory, enum walk_pages pages, int arena);

/* Bytes that an arena may have: [memory] size, and more where pages share frames. */
uint64_t sim_memory_room(const struct sim_memory *memory, enum walk_pages pages);

/* Loads from an arena that is ready; cycles, with translation. The offset must be below that. */
double sim_memory_load(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset);

/* The next load, most likely: gets the host to fetch what will be looked at. Changes nothing. */
void sim_memory_expect(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset);

/* Cycles of a load that the first level and the first TLB answer, if a lap of nothing but such loads leaves everything
 * as any more of them would; else 0. */
double sim_memory_settled(const struct sim_memory *memory);

/* As many of the nearest level's misses are under way at once when references do not wait for one another. */
double sim_memory_misses(const struct sim_memory *memory);

/* It is that late, ns: pages may have become larger. */
void sim_memory_time(struct sim_memory *memory, double now);

/* Lets the neighbours work for a while. */
void sim_memory_disturb(struct sim_memory *memory, double ns);

/* Whether there are any. */
bool sim_memory_disturbed(const struct sim_memory *memory);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * writes.h - lines that were stored to, and writes on their way down; private to sim/
 *
 * Nobody waits for a write. But there is room for a few only, between a level and the one above it, and for stores that
 * wait for their lines: who brings one more than that waits until one is done.
 */
#ifndef XRAY_SIM_WRITES_H
#define XRAY_SIM_WRITES_H

#include <stdbool.h>
#include <stdint.h>

#include "../describe/description.h"

/* A set of lines. */
struct sim_lines {
	uint32_t *at; /* open addressing */
	uint32_t mask, count;
};

/* Adding fails quietly where there is no memory. Removing says whether it was there. */
void sim_lines_add(struct sim_lines *lines, uint32_t line);
bool sim_lines_remove(struct sim_lines *lines, uint32_t line);
void sim_lines_free(struct sim_lines *lines);

enum { SIM_WRITES = 8, SIM_STORES = 40 }; /* that there is room for */

struct sim_queue {
	double busy; /* cycles, until all of it is done */
	uint64_t line[SIM_WRITES]; /* the last ones, and one */
	double begins[SIM_WRITES];
	int next;
};

struct sim_writes {
	struct sim_queue into[DESCRIPTION_CACHES + 1]; /* the levels, and the memory */
	double fetching; /* cycles, until all stores that wait for lines are done */
	double now, waits; /* cycles; of the store under way */
	double misses; /* lines that are fetched at once */
};

/* A store comes at that time. */
void sim_writes_start(struct sim_writes *writes, double now, double misses);
/* It takes so long until its line is there. */
void sim_writes_fetch(struct sim_writes *writes, double cycles);

#endif

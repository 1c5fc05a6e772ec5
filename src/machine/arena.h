/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that walks lie in, one piece for each kind of pages and number; private to machine/
 */
#ifndef XRAY_MACHINE_ARENA_H
#define XRAY_MACHINE_ARENA_H

#include "machine.h"

struct arena {
	char *start;
	uint64_t bytes;
	int generation;
	long used; /* when last, in calls */
	uint64_t written; /* hash of the walk whose places hold what it needs; 0: none */
	long count; /* of code: as many along the first axis are written */
	void **at; /* where a cycle goes on */
	void **chases[WALK_CHAINS]; /* the same for several */
	long gone; /* places that each of them went, or steps of a stream */
};

struct arenas {
	struct arena list[WALK_PAGE_KINDS][WALK_ARENAS];
	long calls;
};

/* The walk's, of at least `extent` bytes, zero when new; NULL and a message when they do not fit into `memory`. When it
 * has to grow it is empty again, and so is another that was given back to make room. */
struct arena *arenas_reach(struct arenas *arenas, const struct walk *walk, uint64_t extent, uint64_t memory, char *why,
			   size_t size);
void arenas_give_back(struct arenas *arenas);

#endif

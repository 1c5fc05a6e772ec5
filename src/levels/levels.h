/* SPDX-License-Identifier: MIT */
/*
 * levels.h - finds the levels of a machine's memory
 */
#ifndef XRAY_LEVELS_LEVELS_H
#define XRAY_LEVELS_LEVELS_H

#include "../sets/hierarchy.h"

/* Walks once; later calls return the same, which the owner of the lab frees. Never NULL. */
const struct hierarchy *engine_hierarchy(struct lab *lab);
/* The same, of which the nearest level is sure to be known. */
const struct hierarchy *engine_nearest(struct lab *lab);

/* --- segments.c: the plateaus of walks round all lines of more and more memory, page by page: levels, and memory.
 * Walks once; there are none when there is not memory or time enough to see beyond the last level of the hierarchy. */
const struct segments *engine_segments(struct lab *lab);
/* Levels from the nearest on that they show as the hierarchy has them; HIERARCHY_ALL when they show no others. */
int engine_segments_agree(struct lab *lab);
/* Whether they are as many as the hierarchy's levels and memory, and end where these do, whatever their lines are: for
 * those who compare times, too. */
bool engine_segments_end_as_levels(struct lab *lab);
/* Whether memory is as slow to these walks as to random references. Where prefetchers foresee them, no plateau shows of
 * a level that is slower than what memory then takes. */
bool engine_segments_see_memory(struct lab *lab);
/* Takes them with places so far apart. */
void segments_take(struct lab *lab, double apart, struct segments *segments);
/* The plateaus that the points show. */
void segments_decide(struct segments *segments);
/* The same where it is quiet: of places nearer than lines few miss, and plateaus differ by little. */
void segments_decide_finely(struct segments *segments);
/* `count` places from `base` on, in pages of `each`: a page in any order, and then any other page. */
void segments_places(uint64_t *places, long count, long each, uint64_t apart, uint64_t base);

/* --- far.c: a load that no level serves, by walks much larger than all of them; not seen where memory does not suffice
 * for such walks. */
struct far_load {
	bool seen;
	double latency, error; /* cycles */
};
struct far_load engine_far_load(struct lab *lab);

#endif

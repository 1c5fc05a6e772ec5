/* SPDX-License-Identifier: MIT */
/*
 * sets.h - places that may compete for one set of a level; private to the engines of sets
 */
#ifndef XRAY_SETS_SETS_H
#define XRAY_SETS_SETS_H

#include "hierarchy.h"

struct search {
	struct lab *lab;
	const struct hierarchy *hierarchy;
	int depth;
	uint64_t random;
	double room; /* bytes known to lie within one way: columns are put there */
	uint64_t base; /* where the places of compact sequences begin, in whole places: which set it is */
};

/* Places beside each of a set's, so that the level above is crowded out: X-Ray's <S, n, S_old, r>. As far apart as a
 * way of that level is long, they share its sets, and not those of the level in question; or they are lines in a row.
 */
struct columns {
	double count, apart;
	bool in_a_row;
};
struct columns sets_columns(const struct search *search, double stride, double n);
/* Those that share a set of the level above; one, when that has none that are known. */
struct columns sets_own_columns(const struct search *search);

/* Places a stride apart that a level of such sets holds. */
double sets_held_by(const struct conflicts *conflicts, double stride);

/* Places, of n a stride apart and drawn at random, that the level holds; as many again in each of the columns. With
 * `hot` every other reference goes to one more place of the same set, which stays in the level above. */
double sets_held_in(struct search *search, double stride, double n, struct columns columns, bool hot);
double sets_held(struct search *search, double stride, double n);

/* --- anywhere.c: whether any places of a set that was found compete, not only those in a row. */
bool sets_plain(struct search *search, const struct conflicts *conflicts);

/* Whether the level holds all places of n groups, each as wide as it takes to crowd out the level above: then no step
 * of a walk round them misses. */
bool sets_compact(struct search *search, const uint64_t *groups, long n);
/* Of a miss in a round: less is none. */
extern const double SETS_HALF_A_MISS;

/* --- compact.c: for machines that others use, too. Ways, and bytes between places of one set; or why not. */
bool compact_search(struct search *search, struct conflicts *conflicts);

/* --- exclusion.c: once sets are known, which of their ways are the level's own. */
void exclusion_tell(struct search *search, struct conflicts *conflicts);

/* --- victims.c: whether a buffer of lines that the level lost holds part of what its sets seemed to, and how many. */
void victims_tell(struct search *search, struct conflicts *conflicts);
#endif

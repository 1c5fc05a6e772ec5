/* SPDX-License-Identifier: MIT */
/*
 * search.h - the search for the sets of a TLB, and the sequences of pages that it tries
 *
 * Strides count units: groups of neighbours of which one page is walked over.
 */
#ifndef XRAY_PAGES_SEARCH_H
#define XRAY_PAGES_SEARCH_H

#include "pages.h"

enum { MOST_PAGES = 2048, MOST_NEIGHBOURS = 8 };

struct search {
	struct lab *lab;
	const struct paging *paging;
	int depth;
	long apart; /* units between the pages that crowd out the TLB above */
	bool even; /* places are chosen so that the TLB above holds none of them alone */
	double room; /* of the entries: so many pages at most go round */
	bool lost; /* a walk did not run */
	bool vague; /* what pages cost more may be what the TLB above finds less */
};

/* Neighbours that may lie in one set, and that strides keep clear of. For huge pages there is not memory enough to. */
static inline long most_neighbours(const struct paging *paging)
{
	return paging->pages == WALK_HUGE_PAGES ? 1 : MOST_NEIGHBOURS;
}

/* --- held.c */
/* Does the TLB hold n pages this far apart, and for a further TLB those beside them? */
bool held_compact(struct search *search, long stride, long n);
/* Does one page more than n, which are held, cost a miss in a round? What the TLB above finds in a crowd is nearly the
 * same for both. */
bool held_no_more(struct search *search, long stride, long n);
/* The same of any n among more: a hashed index has another set for some of them. */
bool held_anywhere(struct search *search, long stride, long n, long seed);
/* The same of the nearest TLB's n pages and a neighbour of the first, so many pages behind it. */
bool held_beside(struct search *search, long stride, long n, long neighbour);
/* Pages of the longest compact sequence with this stride; 0 when there is no end to them. */
long held_longest(struct search *search, long stride);
/* Do n pages, and those beside them, crowd out the TLB above? */
bool held_crowds(const struct search *search, long stride, long n);

/* Are these pages held, in this order? Beside as many others that are. They may cost so many cycles a step more. */
bool held_these(struct search *search, const long *pages, const long *others, long count, double allowed);

/* --- reduce.c: ways of a TLB with sets that no stride leads to. 0: they do not show. */
long reduce_to_ways(struct search *search);

/* --- neighbours.c */
/* Pages in a row that lie in one set, of sets so many units long whose ways are known; or, for a further TLB, as they
 * seem: then it is their number that a set holds, and becomes that of single pages. 0: that does not show. */
long neighbours_in_a_set(struct search *search, long stride, long *ways);

#endif

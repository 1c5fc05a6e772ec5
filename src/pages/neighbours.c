/* SPDX-License-Identifier: MIT */
/*
 * neighbours.c - aligned groups of neighbours that a TLB looks for in one set
 *
 * An entry that may stand for several neighbours, as long as their frames lie in a row, is looked for where all of them
 * would be. On other frames each takes an entry of its own, of the same set.
 */
#include <math.h>
#include <stdlib.h>

#include "search.h"

enum { LINE = 64, ROUNDS = 4 };

/* Times the entries. Twice as many as the TLB above has fill its sets alike in a row and spread out, three or five
 * times a power of two of them, too: what overfills some and leaves others room would save as if those were no
 * neighbours. */
static const double CROWDED = 2, FITS = 0.7;
static const double QUICKER = 0.25; /* of a penalty */
static const double LEAST = 0.05; /* of a load: less may be chance */
static const double MORE = 1.5; /* times the entries */
static const double MOST_OF_IT = 0.5; /* of what pages cost that the TLB has no room for */

/* Cycles a step that as many pages take less when they lie so far apart. */
static double saved_by(struct lab *lab, const struct paging *paging, long count, long apart)
{
	long *rows = malloc(2 * (size_t)count * sizeof(*rows)), *spread = rows + count;
	struct paging wider = *paging;
	double saved = NAN;

	if (rows) {
		wider.group *= (double)apart;
		walk_shuffle(rows, count);
		for (long i = 0; i < count; i++) {
			spread[i] = tour_page(&wider, rows[i]);
			rows[i] = tour_page(paging, rows[i]);
		}
		saved = tour_difference(lab, paging, rows, count, spread, count);
	}
	free(rows);
	lab_note(lab, "cycles less, pages so far apart", (double)apart, saved, "");
	return saved;
}

/* A set that holds fewer than lie in it misses some of a row, however short; a row of any other TLB is held until it is
 * full. So what is spread is quicker for no other reason. Beyond the last TLB that was seen there may be one of which
 * all walks missed the same part; so there may be before the first, and its penalty is a load's or less. */
long neighbours_apart(struct lab *lab, const struct paging *paging)
{
	for (int i = 0; i <= paging->levels; i++) {
		bool last = i == paging->levels;
		const struct tlb *tlb = &paging->tlb[last ? i - 1 : i];
		double count = last ? CROWDED * tlb->entries
			       : i  ? fmin(CROWDED * tlb[-1].entries, FITS * tlb->entries)
				    : MOST_NEIGHBOURS;

		for (long apart = 2; apart * (long)paging->group <= MOST_NEIGHBOURS; apart *= 2)
			if (saved_by(lab, paging, (long)count, apart) >
			    fmax(QUICKER * (i ? tlb->penalty : fmin(tlb->penalty, paging->chase)),
				 LEAST * paging->chase))
				return apart;
	}
	return 1;
}

/* Cycles a step over so many pages in groups, a few neighbours of each. */
static double look_at_groups(struct lab *lab, const struct paging *paging, double n, double neighbours)
{
	double least = INFINITY;

	for (int i = 0; i < ROUNDS; i++)
		least = fmin(least, pages_look_groups(lab, paging, n, (long)neighbours));
	return least;
}

/* Does the TLB miss one page of each group, of as many as it holds in whole ones? Those would cost no more than fewer
 * do, but for what the TLBs above find of them. */
static bool is_parted(struct lab *lab, const struct paging *paging, int depth)
{
	const struct tlb *tlb = &paging->tlb[depth];
	double round_of = PAGES_FEWEST * paging->group, n = ceil(MORE * tlb->entries / round_of) * round_of;
	double few = ceil(FITS * tlb->entries / round_of) * round_of;
	double least = fmax(MOST_OF_IT * tlb->penalty * (1 - tlb->entries / n), LEAST * paging->chase), above = 0;
	double whole = look_at_groups(lab, paging, n, paging->group), saved = look_at_groups(lab, paging, n, 1) - whole;

	for (int i = 0; i < depth; i++)
		above += paging->tlb[i].penalty * paging->tlb[i].entries * (1 / few - 1 / n);
	lab_note(lab, "cycles less, groups as a whole", n, saved, "");
	return saved > least && whole - look_at_groups(lab, paging, few, paging->group) - above < least;
}

int neighbours_part(struct lab *lab, const struct paging *paging)
{
	/* Pages with memory of their own may share entries. */
	if (paging->group == 1 || !walk_frames(paging->pages) || paging->page < LINE * PAGES_FEWEST * paging->group)
		return 0;
	for (int i = 0; i < paging->levels; i++)
		if (is_parted(lab, paging, i))
			return i + 1;
	return 0;
}

/* As many pages as a set holds, and one that lies in it or does not. */
static long beside_a_page(struct search *search, long stride, long ways)
{
	long group = (long)search->paging->group, neighbours = 1;

	while (neighbours < MOST_NEIGHBOURS && neighbours < stride * group &&
	       !held_beside(search, stride, ways, neighbours))
		neighbours *= 2;
	return neighbours;
}

/* Pages side by side that lie in one set hold so many ways between them. Farther apart they do not. */
static long side_by_side(struct search *search, long stride, long *ways)
{
	long group = (long)search->paging->group, neighbours = group;

	/* At a stride that leads to sets no two places have pages in one set of this TLB but those that compete for it.
	 * So there may be more of them, and none that the TLB above holds alone. */
	search->room = FITS;
	search->even = true;
	search->apart = 1;
	*ways = held_longest(search, stride);
	if (*ways < 1)
		return 0;
	for (long apart = 2; apart * group <= most_neighbours(search->paging) && apart <= stride; apart *= 2) {
		search->apart = apart;
		if (!held_crowds(search, stride, 2 * *ways))
			return 0;
		/* Half of those that lie in one set leave room for as many more. */
		if (!held_compact(search, stride, 2 * *ways))
			break;
		*ways = held_longest(search, stride);
		neighbours = apart * group;
	}
	search->apart = neighbours / group;
	return neighbours;
}

long neighbours_in_a_set(struct search *search, long stride, long *ways)
{
	return search->depth == 0 ? beside_a_page(search, stride, *ways) : side_by_side(search, stride, ways);
}

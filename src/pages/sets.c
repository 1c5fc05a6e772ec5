/* SPDX-License-Identifier: MIT */
/*
 * sets.c - the sets of a TLB
 *
 * Of pages a stride apart a TLB holds as many as it has entries, over the stride, until they all fall into one set:
 * then it holds its ways, whatever the stride (X-Ray's Theorem 1).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "search.h"

enum { MOST_ODD = 15, MOST_DOUBLINGS = 14, MOST_STRIDE = 1 << 14, MANY = 16, CLIMBS = 6, ANYWHERE = 2, ATTEMPTS = 3 };

static const double PAUSE = 6e6, SHORT_PAUSE = 1e6; /* ns */
static const double CROWDED = 3; /* times the entries above */
static const double ROOM = 0.5; /* of the entries: then sets that more than one place has pages in have room for them */
static const double FEWER = 0.75; /* times: a stride of another number of sets holds so many, or less */
static const double BESIDE_OTHERS = 1.4; /* times what the law sees */
static const double FIRST_COUNT = 48; /* pages of a set, at the first stride of a further TLB */

/* Pages by which two counts of the same may differ: others take an entry now and then. */
static long slack(long ways)
{
	return ways / MANY;
}

/* A stride at least four times as long, and longer than any group: two of its places lie in different ones. */
static long far_from(const struct search *search, long stride)
{
	long beyond = 2 * most_neighbours(search->paging) / (long)search->paging->group;

	return 4 * stride > beyond ? 4 * stride : beyond;
}

/* Doubles the stride until twice and four times as much hold no fewer. 0 when they never stop. */
static long settle(struct search *search, long *stride)
{
	long ways = held_longest(search, *stride);

	for (int i = 0; i < MOST_DOUBLINGS && ways > 0 && *stride <= MOST_STRIDE; i++) {
		long off = slack(ways);

		if (held_compact(search, 2 * *stride, ways - off) &&
		    held_compact(search, far_from(search, *stride), ways - off) &&
		    !held_compact(search, 2 * *stride, ways + 1 + off))
			return ways;
		*stride *= 2;
		ways = held_longest(search, *stride);
	}
	return 0;
}

/* The smallest stride, among halves of this one down to `least`, that holds as many: a half leads to one set, or to two
 * by turns, which hold twice as many. */
static long smallest_stride(struct search *search, long stride, long ways, long least)
{
	while (stride % 2 == 0 && stride / 2 >= least && held_compact(search, stride / 2, ways - slack(ways)) &&
	       !held_compact(search, stride / 2, ways + (ways + 1) / 2))
		stride /= 2;
	return stride;
}

/* Others only take entries away: what holds one more has it. */
static long climb(struct search *search, long stride, long ways)
{
	long most = ways + slack(ways);

	for (int i = 0; i < CLIMBS && ways < most && !timer_over(search->lab->timer); i++) {
		struct machine *machine = search->lab->timer->machine;

		machine->ops->wait(machine, i * SHORT_PAUSE);
		if (held_compact(search, stride << i % 3, ways + 1)) {
			ways++;
			i = -1;
		}
	}
	return ways;
}

/* A number of sets that is an odd multiple of the stride shows as that many times the ways. Halves come first, so that
 * the longest multiple is one that there is memory for. False when a multiple holds fewer, and no such number is why.
 */
static bool try_odd(struct search *search, long *ways, long *stride)
{
	/* Multiples of a stride within a group are none of its sets. */
	long least = most_neighbours(search->paging) / (long)search->paging->group;
	bool explained = true;

	while (*stride < least)
		*stride *= 2;
	for (long odd = 3; odd <= MOST_ODD && odd <= *ways; odd += 2) {
		long most = (long)fmax(2, ceil(FEWER * (double)*ways)), fewer;

		if (held_compact(search, *stride * odd, most))
			continue;
		search->even = true;
		fewer = held_longest(search, *stride * odd);
		search->even = false;
		/* Places that the TLB above does not hide may meet where the stride leads to several sets still. */
		if (search->depth && fewer * odd < *ways - slack(*ways))
			fewer = held_longest(search, *stride * odd);
		if (fewer < 1 || labs(fewer * odd - *ways) > slack(*ways)) {
			explained = explained && (fewer < 1 || fewer >= most);
			continue;
		}
		*ways = fewer;
		*stride = smallest_stride(search, *stride * odd, fewer, least);
		explained = true;
		odd = 1;
	}
	return explained;
}

static bool is_lost(struct tlb_sets *sets)
{
	sets->scattered = true;
	snprintf(sets->why, sizeof(sets->why), "there is not memory enough to tell one number of sets from others");
	return false;
}

/* A stride that leads to the sets, and how many pages each holds. False, and why, when there is none. */
static bool find_stride(struct search *search, struct tlb_sets *sets, long *stride, long *ways)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth];

	*stride = 1;
	while (search->depth && (double)*stride * FIRST_COUNT < tlb->entries)
		*stride *= 2;
	*ways = settle(search, stride);
	if (search->lost)
		return is_lost(sets);
	if (*ways < 1 || !try_odd(search, ways, stride)) {
		snprintf(sets->why, sizeof(sets->why), "no stride leads to its sets: the index may be hashed");
		sets->scattered = true;
		return false;
	}
	*stride = smallest_stride(search, *stride, *ways, 1);
	*ways = climb(search, *stride, *ways);
	return !search->lost || is_lost(sets);
}

/* Do any pages of a set compete for it, not only those in a row? */
static bool are_any_alike(struct search *search, struct tlb_sets *sets, long stride, long ways)
{
	bool alike = true;

	/* One set needs no more: that any stride holds as many was seen. */
	for (long seed = 0; seed < ANYWHERE && stride > 1 && alike; seed++)
		alike = held_anywhere(search, stride, ways - slack(ways), seed) &&
			!held_anywhere(search, stride, ways + 1 + slack(ways), seed);
	if (search->lost)
		return is_lost(sets);
	sets->scattered = !alike;
	if (!alike)
		snprintf(sets->why, sizeof(sets->why),
			 "%ld pages, %ld apart, compete for a set, but not any %ld of them: the index is hashed",
			 ways + 1, stride, ways + 1);
	return alike;
}

/* Units in one set, if it is with this TLB as with the one above. Then pages that crowd that one out lie so far apart,
 * or as many of them as there are would compete for a set. */
static long likely_neighbours(const struct search *search)
{
	const struct tlb_sets *above = search->depth ? &search->paging->tlb[search->depth - 1].sets : NULL;

	return above && above->found ? (long)fmax(1, above->neighbours / search->paging->group) : 1;
}

/* Of the nearest TLB more than the law sees: others take entries away, and add none. A further one's interval has that.
 */
static double most_entries(const struct search *search)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth];

	return search->depth || search->lab->timer->noise == NOISE_QUIET ? tlb->high : BESIDE_OTHERS * tlb->high;
}

/* Fewer than the law sees: another TLB may come right behind it. */
static bool is_one_of_two(const struct search *search, const struct tlb_sets *sets)
{
	return search->depth == 0 && pages_allow_for(search->lab, search->paging, sets->ways * sets->sets);
}

static bool decide(struct search *search, struct tlb_sets *sets)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth];
	long stride, ways;

	search->apart = likely_neighbours(search);
	search->room = ROOM;
	search->even = false;
	search->vague = false;
	if (!find_stride(search, sets, &stride, &ways))
		return false;
	/* A stride that was found in doubt is shown by what is asked from here on, and by the law. */
	search->vague = search->vague && stride == 1;
	sets->neighbours = (double)neighbours_in_a_set(search, stride, &ways);
	if (search->lost)
		return is_lost(sets);
	if (sets->neighbours < 1) {
		snprintf(sets->why, sizeof(sets->why),
			 "the TLB in front of it has too many entries to tell neighbours in one set from others");
		return false;
	}
	sets->ways = (double)ways;
	sets->sets = (double)stride * search->paging->group / sets->neighbours;
	if (!are_any_alike(search, sets, stride, ways))
		return false;
	if (search->vague && !held_no_more(search, stride, ways)) {
		snprintf(sets->why, sizeof(sets->why),
			 "what it lacks is not told from what the TLB in front of it finds in a crowd");
		return false;
	}
	if (sets->ways * sets->sets > most_entries(search) ||
	    (sets->ways * sets->sets < tlb->low && !is_one_of_two(search, sets))) {
		snprintf(sets->why, sizeof(sets->why),
			 "%ld pages of a set, of %.0f, are not the %.0f entries that random references show", ways,
			 sets->sets, tlb->entries);
		return false;
	}
	return true;
}

/* Where no stride leads to sets that any of their pages agree with, and as far as there is memory, pages as chance has
 * them may show the ways. */
static bool is_hashed(struct search *search, struct tlb_sets *sets)
{
	if (!sets->scattered || timer_over(search->lab->timer))
		return false;
	sets->neighbours = 0;
	sets->sets = 0;
	sets->ways = (double)reduce_to_ways(search);
	return sets->ways > 0;
}

const struct tlb_sets *engine_tlb_sets(struct lab *lab, struct paging *paging, int depth)
{
	struct tlb_sets *sets = &paging->tlb[depth].sets;
	struct search search = { .lab = lab, .paging = paging, .depth = depth };

	if (sets->tried)
		return sets;
	if (depth)
		engine_tlb_sets(lab, paging, depth - 1);
	sets->tried = true;
	if (depth && CROWDED * paging->tlb[depth - 1].entries > MOST_PAGES)
		snprintf(sets->why, sizeof(sets->why), "the TLB in front of it has too many entries to crowd out");
	else
		for (int i = 0; i < (depth ? 1 : ATTEMPTS) && !sets->found && !search.lost && !timer_over(lab->timer);
		     i++) {
			/* Others, too, miss translations, and take entries of a TLB that the core's halves share. */
			lab->timer->machine->ops->wait(lab->timer->machine, i * PAUSE);
			sets->found = decide(&search, sets);
		}
	if (!sets->found)
		sets->hashed = is_hashed(&search, sets);
	return sets;
}

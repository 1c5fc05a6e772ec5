/* SPDX-License-Identifier: MIT */
/*
 * sets.c - the sets of a TLB, by X-Ray's compact sequences over pages
 *
 * Of pages a stride apart a TLB holds as many as it has entries, over the stride, until they all fall into one set:
 * then it holds its ways, whatever the stride (Theorem 1). One page too many costs at least one miss in a round,
 * whatever the policy. What others do only adds, so one quick look shows that a sequence is compact.
 *
 * Beyond the nearest TLB each page of a set has others beside it, in sets of their own, so that the TLB above is
 * crowded out (X-Ray's <S, n, S_old, r>); it is compared with as many pages in a row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages.h"

enum {
	MOST_PAGES = 2048,
	FRAMES = 4,
	MOST_ODD = 15,
	MOST_DOUBLINGS = 14,
	MOST_STRIDE = 1 << 14,
	MANY = 16,
	CLIMBS = 6,
	AMONG = 4,
	ANYWHERE = 2,
	AGAIN = 3,
	ATTEMPTS = 3
};

static const double PAUSE = 6e6, SHORT_PAUSE = 1e6; /* ns */
static const long MOST_REACH = 1 << 17; /* pages */

static const int LOOKS[] = { [NOISE_QUIET] = 4, [NOISE_NOISY] = 7, [NOISE_HOSTILE] = 14 };
static const double LESS_THAN_A_MISS = 0.7; /* in a round */
static const double CROWDED = 3; /* times the entries above */
static const double FITS = 0.7; /* of the entries: that many in a row are held for certain */
static const double FEWER = 0.75; /* times: a stride of another number of sets holds so many, or less */
static const double FIRST_COUNT = 48; /* pages of a set, at the first stride of a further TLB */

struct search {
	struct lab *lab;
	const struct paging *paging;
	int depth;
	bool lost; /* a walk did not run */
};

/* Pages side by side at each place of a sequence: enough to crowd out the TLB above, and not so many that they fill
 * this one. */
static long around_each(const struct search *search, long stride, long n)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth], *above = tlb - 1;
	long sets, width, room = (long)(FITS * tlb->entries / (double)n);

	if (search->depth == 0)
		return 1;
	/* In each set of the TLB above alike, and on each frame. */
	sets = above->sets.found ? (long)above->sets.sets : 1;
	while (sets < FRAMES)
		sets *= 2;
	width = ((long)ceil(CROWDED * above->entries / (double)n) + sets - 1) / sets * sets;
	if (width > room)
		width = room >= sets ? room / sets * sets : room > 1 ? room : 1;
	return width < stride ? width : stride;
}

/* Pages that are known to fit: for the nearest TLB a few that lie on the same frames, else a row of them. */
static long compare_with(const struct search *search, const long *pages, long count, long *others)
{
	long most = (long)(FITS * search->paging->tlb[search->depth].entries);
	long used = search->depth && count > most ? most : count;

	for (long i = 0; i < used; i++)
		others[i] = search->depth ? i : pages[i] % FRAMES;
	return used;
}

static void shuffle(long *pages, long count)
{
	long order[MOST_PAGES], kept[MOST_PAGES];

	walk_shuffle(order, count);
	for (long i = 0; i < count; i++)
		kept[i] = pages[order[i]];
	for (long i = 0; i < count; i++)
		pages[i] = kept[i];
}

/* Does the TLB hold n pages this far apart, and those beside them? `places` says which multiples of the stride they
 * are; NULL: one after the other. */
static bool held_at(struct search *search, long stride, long n, const long *places)
{
	long width = around_each(search, stride, n), count = n * width, other_count;
	long pages[MOST_PAGES], others[MOST_PAGES];
	double allowed = LESS_THAN_A_MISS * search->paging->tlb[search->depth].penalty / (double)n, more = NAN;
	int due = search->lab->timer->noise == NOISE_QUIET ? 1 : 2, held = 0, looks = LOOKS[search->lab->timer->noise];

	if (count > MOST_PAGES)
		return false;
	for (long i = 0; i < count; i++)
		pages[i] = (places ? places[i / width] : i / width) * stride + i % width;
	shuffle(pages, count);
	other_count = compare_with(search, pages, count, others);
	shuffle(others, other_count);
	for (int i = 0; i < looks && held < due && !timer_over(search->lab->timer); i++) {
		more = tour_difference(search->lab, search->paging, pages, count, others, other_count);
		held += more < allowed;
		search->lost = search->lost || isnan(more);
		if (search->lost)
			return false;
	}
	lab_note(search->lab, held == due ? "held, pages by stride" : "not held, pages by stride", (double)stride,
		 (double)n, "");
	return held == due;
}

static bool compact(struct search *search, long stride, long n)
{
	return held_at(search, stride, n, NULL);
}

/* The same of any n among more: a hashed index has another set for some of them. */
static bool compact_anywhere(struct search *search, long stride, long n, long seed)
{
	long order[AMONG * MOST_PAGES];
	bool held = false;

	if (AMONG * n * stride > MOST_REACH || n >= MOST_PAGES)
		return compact(search, stride, n);
	walk_shuffle(order, AMONG * n + seed);
	/* What others take away they do not take each time. */
	for (int i = 0; i < (search->lab->timer->noise == NOISE_QUIET ? 1 : AGAIN) && !held; i++)
		held = held_at(search, stride, n, order);
	return held;
}

/* Pages of the longest compact sequence with this stride; 0 when there is no end to them. */
static long longest(struct search *search, long stride)
{
	long fits = 1, over = 2;

	while (compact(search, stride, over)) {
		fits = over;
		over *= 2;
		if (over * around_each(search, stride, over) > MOST_PAGES)
			return 0;
	}
	while (over - fits > 1) {
		long middle = (fits + over) / 2;

		if (compact(search, stride, middle))
			fits = middle;
		else
			over = middle;
	}
	return fits;
}

/* Pages by which two counts of the same may differ: others take an entry now and then. */
static long slack(long ways)
{
	return ways / MANY;
}

/* Doubles the stride until twice and four times as much hold no fewer. 0 when they never stop. */
static long settle(struct search *search, long *stride)
{
	long ways = longest(search, *stride);

	for (int i = 0; i < MOST_DOUBLINGS && ways > 0 && *stride <= MOST_STRIDE; i++) {
		long off = slack(ways);

		if (ways == 1 ||
		    (compact(search, 2 * *stride, ways - off) && compact(search, 4 * *stride, ways - off) &&
		     !compact(search, 2 * *stride, ways + 1 + off)))
			return ways;
		*stride *= 2;
		ways = longest(search, *stride);
	}
	return 0;
}

/* The smallest stride, among halves of this one, with no longer sequences. */
static long smallest_stride(struct search *search, long stride, long ways)
{
	while (stride % 2 == 0 && !compact(search, stride / 2, ways + 1 + slack(ways)))
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
		if (compact(search, stride << i % 3, ways + 1)) {
			ways++;
			i = -1;
		}
	}
	return ways;
}

/* A number of sets that is an odd multiple of the stride shows as that many times the ways. */
static void try_odd(struct search *search, long *ways, long *stride)
{
	for (long odd = 3; odd <= MOST_ODD && odd <= *ways; odd += 2) {
		long fewer;

		if (compact(search, *stride * odd, (long)fmax(2, ceil(FEWER * (double)*ways))))
			continue;
		fewer = longest(search, *stride * odd);
		if (fewer < 1 || labs(fewer * odd - *ways) > slack(*ways))
			continue;
		*ways = fewer;
		*stride *= odd;
		odd = 1;
	}
}

static bool is_lost(struct tlb_sets *sets)
{
	snprintf(sets->why, sizeof(sets->why), "there is not memory enough to tell one number of sets from others");
	return false;
}

static bool decide(struct search *search, struct tlb_sets *sets)
{
	const struct tlb *tlb = &search->paging->tlb[search->depth];
	long stride = 1, ways;

	while (search->depth && (double)stride * FIRST_COUNT < tlb->entries)
		stride *= 2;
	ways = settle(search, &stride);
	if (search->lost)
		return is_lost(sets);
	if (ways < 1) {
		snprintf(sets->why, sizeof(sets->why), "no stride leads to its sets: the index may be hashed");
		return false;
	}
	stride = smallest_stride(search, stride, ways);
	try_odd(search, &ways, &stride);
	ways = climb(search, stride, ways);
	if (search->lost)
		return is_lost(sets);
	sets->ways = (double)ways;
	sets->sets = (double)stride;
	/* One set needs no more: that any stride holds as many was seen. */
	for (long seed = 0; seed < ANYWHERE && stride > 1; seed++)
		if (!compact_anywhere(search, stride, ways - slack(ways), seed) ||
		    compact_anywhere(search, stride, ways + 1 + slack(ways), seed)) {
			if (search->lost)
				return is_lost(sets);
			snprintf(
				sets->why, sizeof(sets->why),
				"%ld pages, %ld apart, compete for a set, but not any %ld of them: the index is hashed",
				ways + 1, stride, ways + 1);
			return false;
		}
	if (sets->ways * sets->sets > tlb->high || sets->ways * sets->sets < tlb->low) {
		snprintf(sets->why, sizeof(sets->why),
			 "%ld pages of a set, %ld apart, are not the %.0f entries that random references show", ways,
			 stride, tlb->entries);
		return false;
	}
	return true;
}

const struct tlb_sets *engine_tlb_sets(struct lab *lab, struct paging *paging, int depth)
{
	struct tlb_sets *sets = &paging->tlb[depth].sets;
	struct search search = { lab, paging, depth, false };

	if (sets->tried)
		return sets;
	if (depth)
		engine_tlb_sets(lab, paging, depth - 1);
	sets->tried = true;
	if (depth && CROWDED * paging->tlb[depth - 1].entries > MOST_PAGES)
		snprintf(sets->why, sizeof(sets->why), "the TLB in front of it has too many entries to crowd out");
	else if (paging->group > paging->sharing)
		snprintf(sets->why, sizeof(sets->why), "%.0f neighbours or more lie in one set", paging->group);
	else
		for (int i = 0; i < (depth ? 1 : ATTEMPTS) && !sets->found && !search.lost && !timer_over(lab->timer);
		     i++) {
			/* Others, too, miss translations, and take entries of a TLB that the core's halves share. */
			lab->timer->machine->ops->wait(lab->timer->machine, i * PAUSE);
			sets->found = decide(&search, sets);
		}
	return sets;
}

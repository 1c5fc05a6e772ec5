/* SPDX-License-Identifier: MIT */
/*
 * reduce.c - pages of one set of a TLB whose index is hashed, so that no stride leads to them
 *
 * Of pages as chance has them so many are taken that some set gets one too many. Then pages go as long as the rest is
 * not held; those without any of which it is held are one set's, and one more than it has ways. A further TLB needs
 * that the one above stays crowded out, so enough pages stay whatever they are for.
 */
#include <math.h>
#include <stdlib.h>

#include "search.h"

enum {
	FRAMES = 4,
	POOL = 8192, /* numbers of pages to choose from */
	SPAN = 1 << 17, /* pages: half of what a system lets share frames */
	CROWDED = 3, /* times what the TLB above holds of the sets in question */
	FEWEST = 4,
	CHUNKS = 16, /* that pages go in at first */
	MOST_QUESTIONS = 400,
	AGREE = 2
};

static const double GROWTH = 1.2;
static const double LESS_THAN_A_MISS = 0.7, LEAST = 0.02; /* in a round; of a load: less may be chance */

struct reduction {
	struct search *search;
	long keep; /* so many pages crowd out the TLB above */
	long pages[MOST_PAGES], held[MOST_PAGES];
	long count, held_count;
	int questions;
};

/* Are these pages held? Beside others that are; where those are fewer, some come twice, half a round apart, so that the
 * TLB above finds as little of them. */
static bool is_held(struct reduction *reduction, const long *pages, long count, const long *others, long other_count)
{
	struct search *search = reduction->search;
	double miss = search->paging->tlb[search->depth].penalty / (double)count;
	long *beside = malloc((size_t)count * sizeof(*beside));
	bool held = false;

	search->lost = search->lost || ++reduction->questions > MOST_QUESTIONS;
	if (beside && !search->lost) {
		for (long i = 0; i < count; i++)
			beside[i] = others[(i < other_count ? i : i + other_count / 2) % other_count];
		held = held_these(search, pages, beside, count,
				  fmax(LESS_THAN_A_MISS * miss, LEAST * search->paging->chase));
	}
	free(beside);
	return held;
}

/* Pages in four sets of the TLB above, or in as few of them as there are frames, no two of a group of neighbours. */
static long fill_pool(struct reduction *reduction, long seed)
{
	const struct search *search = reduction->search;
	const struct tlb *above = search->depth ? &search->paging->tlb[search->depth - 1] : NULL;
	bool known = above && above->sets.found;
	long period = known ? (long)(above->sets.sets * above->sets.neighbours) : 1, step = period, count;
	long order[POOL];

	while (step % MOST_NEIGHBOURS)
		step += period;
	count = SPAN / step < POOL ? SPAN / step : POOL;
	walk_shuffle(order, count);
	for (long i = 0; i < MOST_PAGES && i < count; i++)
		reduction->pages[i] = order[(i + seed * count / AGREE) % count] * step + i % FRAMES;
	reduction->keep = !above  ? 0
			  : known ? CROWDED * (long)(above->sets.ways * fmin(FRAMES, above->sets.sets))
				  : (long)(CROWDED * above->entries);
	return count < MOST_PAGES ? count : MOST_PAGES;
}

/* The first pages of the pool that are not held, and those of them that are. False when all are. */
static bool overfill(struct reduction *reduction, long most)
{
	long fits = 0, over = 0;

	for (long n = 2 * reduction->keep + FEWEST; n < most && !over && !reduction->search->lost;
	     n = (long)(GROWTH * (double)n) + 1) {
		if (is_held(reduction, reduction->pages, n, reduction->pages, fits ? fits : n / 2))
			fits = n;
		else
			over = n;
	}
	while (fits && over - fits > 1 && !reduction->search->lost) {
		long middle = (fits + over) / 2;

		if (is_held(reduction, reduction->pages, middle, reduction->pages, fits))
			fits = middle;
		else
			over = middle;
	}
	for (long i = 0; i < fits; i++)
		reduction->held[i] = reduction->pages[i];
	reduction->held_count = fits;
	reduction->count = over;
	return fits && over;
}

/* Is the rest held without those from `first` on? */
static bool is_held_without(struct reduction *reduction, long first, long number, long *rest)
{
	long count = 0;

	for (long i = 0; i < reduction->count; i++)
		if (i < first || i >= first + number)
			rest[count++] = reduction->pages[i];
	return is_held(reduction, rest, count, reduction->held, reduction->held_count);
}

static void shrink(struct reduction *reduction)
{
	long rest[MOST_PAGES];

	for (long chunk = reduction->count / CHUNKS + 1; chunk > 0; chunk /= 2)
		for (long at = reduction->count - chunk;
		     at >= 0 && reduction->count - chunk > reduction->keep && !reduction->search->lost;) {
			if (!is_held_without(reduction, at, chunk, rest)) {
				reduction->count -= chunk;
				for (long i = at; i < reduction->count; i++)
					reduction->pages[i] = reduction->pages[i + chunk];
			}
			at -= chunk;
		}
}

/* Pages without any of which the rest is held: all of one set, when that is the only one with too many. */
static long members(struct reduction *reduction)
{
	long rest[MOST_PAGES], count = 0;

	for (long i = 0; i < reduction->count && !reduction->search->lost; i++)
		count += is_held_without(reduction, i, 1, rest);
	return count;
}

static long ways_from(struct search *search, long seed)
{
	struct reduction *reduction = calloc(1, sizeof(*reduction));
	long most, ways = 0;

	if (!reduction)
		return 0;
	reduction->search = search;
	most = fill_pool(reduction, seed);
	if (overfill(reduction, most)) {
		shrink(reduction);
		ways = members(reduction) - 1;
		lab_note(search->lab, "pages, of them of one set", (double)reduction->count, (double)ways + 1, "");
	}
	free(reduction);
	return ways;
}

long reduce_to_ways(struct search *search)
{
	long ways = 0;

	/* Pages with memory of their own would be more than there is memory for. */
	if (!walk_frames(search->paging->pages))
		return 0;
	search->lost = false;
	for (long seed = 0; seed < AGREE; seed++) {
		long counted = ways_from(search, seed);

		if (counted < 1 || search->lost || (seed && counted != ways))
			return 0;
		ways = counted;
	}
	return ways;
}

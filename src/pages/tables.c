/* SPDX-License-Identifier: MIT */
/*
 * tables.c - page tables that leave a cache, which looks like one more TLB
 *
 * The entries of neighbouring pages lie in one line of the tables, and the lines of many in one page of them. Pages
 * farther apart take as many lines as there are pages, and more of the upper tables. A TLB knows nothing of that: as
 * long as it holds the pages nobody walks through the tables.
 */
#include <math.h>

#include "pages.h"

enum { ROUNDS = 4, NOISY_ROUNDS = 8, LINE = 64, ENTRY = 8, TWICE = 2 };

/* Pages, odd, so that they fall into all sets alike, unless those are a multiple: so both must agree. */
static const long APART[] = { 7, 11 };
enum { TRIES = sizeof(APART) / sizeof(APART[0]) };
static const double FEWER = 0.95; /* of the entries: a TLB holds so many */
static const double SHOWS = 0.3, LEAST = 0.01; /* of what walks take more; of a time */
static const double CROWDS = 0.02; /* of a time */

/* Cycles a step that n pages take more when they lie so far apart. */
static double more_apart(struct lab *lab, const struct paging *paging, double n, long apart)
{
	struct paging wide = *paging;
	double least[2] = { INFINITY, INFINITY };
	int rounds = lab->timer->noise == NOISE_QUIET ? ROUNDS : NOISY_ROUNDS;

	wide.apart = apart;
	for (int i = 0; i < rounds; i++) {
		least[0] = fmin(least[0], pages_look_far(lab, paging, n));
		least[1] = fmin(least[1], pages_look_far(lab, &wide, n));
	}
	lab_note(lab, "cycles more, pages so far apart", (double)apart, least[1] - least[0], "");
	return least[1] - least[0] > LEAST * least[0] ? least[1] - least[0] : 0;
}

/* Do they take no more of a cache, farther apart? Each page has a line of them then. */
static bool are_near_enough(struct lab *lab, const struct paging *paging, double n)
{
	bool more = paging->group * ENTRY >= LINE;

	for (int i = 0; i < TRIES && !more; i++)
		more = more_apart(lab, paging, n, APART[i]) > 0;
	return !more;
}

/* Sets get as many pages either way. Where they do not hold whole groups those are slower, and tell nothing. */
bool tables_crowd(struct lab *lab, const struct paging *paging, double entries)
{
	double round_of = PAGES_FEWEST * paging->group, n = round(TWICE * entries / round_of) * round_of;
	double apart = INFINITY, whole = INFINITY;

	if (paging->group == 1 || paging->page < LINE * round_of)
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		apart = fmin(apart, pages_look_groups(lab, paging, n, 1));
		whole = fmin(whole, pages_look_groups(lab, paging, n, (long)paging->group));
	}
	lab_note(lab, "cycles less, whole groups", n, apart - whole, "");
	return fabs(apart - whole) > CROWDS * apart && !are_near_enough(lab, paging, n);
}

bool tables_explain(struct lab *lab, const struct paging *paging, double entries, double height, double before)
{
	double n = floor(FEWER * entries / PAGES_FEWEST) * PAGES_FEWEST, walked = 1 - before / n;

	/* Pages with memory of their own, so far apart, are more than there is memory for. */
	if (!walk_frames(paging->pages) || walked <= 0)
		return false;
	for (int i = 0; i < TRIES; i++)
		if (more_apart(lab, paging, n, APART[i]) <= SHOWS * height * walked)
			return false;
	return true;
}

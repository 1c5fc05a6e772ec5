/* SPDX-License-Identifier: MIT */
/*
 * explore.c - which memory to walk on, and what a page is
 */
#include <math.h>
#include <stdlib.h>

#include "pages.h"

enum { MOST_GROUP = 8, CHASES = 3, MOST_PARTS = 16, LINE = 64, LOOKS = 2 };

static const double FRAMES = 4, SEVERAL = 8; /* pages */
static const double HARM = 0.04; /* of a time */
static const double MORE_THAN_FIT = 1.3; /* times the entries */

/* Where a cache goes by virtual addresses first, a line that several pages share is looked for in vain (AMD's
 * microtags). Eight pages on four frames show it, beside four, and beside eight with memory of their own: where sets of
 * a TLB are small, so few pages of the system may be too many for one. */
static bool is_sharing_harmless(struct lab *lab, const struct paging *paging)
{
	struct paging whole = *paging;
	double few = INFINITY, shared = INFINITY, own = INFINITY;

	whole.page = paging->system;
	for (int i = 0; i < LOOKS; i++) {
		few = fmin(few, pages_look(lab, &whole, WALK_ON_4_FRAMES, FRAMES));
		shared = fmin(shared, pages_look(lab, &whole, WALK_ON_4_FRAMES, SEVERAL));
		own = fmin(own, pages_look_own(lab, &whole, SEVERAL));
	}
	return isfinite(shared) && shared < (1 + HARM) * fmax(few, own);
}

/* The system's pages share frames. Where the hardware has smaller ones, their parts need a line each, at offsets of
 * their own. */
static enum walk_pages kind_of_pages(struct lab *lab, const struct paging *paging)
{
	double parts = paging->system / paging->page;

	if (parts > MOST_PARTS || (parts > 1 && paging->page < FRAMES * parts * LINE))
		return WALK_BASE_PAGES;
	if (is_sharing_harmless(lab, paging))
		return WALK_ON_4_FRAMES;
	return paging->page < paging->system ? WALK_BASE_PAGES : WALK_ON_64_FRAMES;
}

/* Translations cover more than a page of the system. Either neighbours share an entry as long as their frames lie in a
 * row, and then more of them fit into the nearest TLB than on shared frames, or an entry stands for several pages. */
static double neighbours_that_share(struct lab *lab, const struct paging *paging)
{
	struct paging rows = *paging;
	double times = paging->seen.bytes / paging->page, entries = paging->tlb[0].entries;
	double pages = fmin(entries * sqrt(times), fmax(PAGES_FEW_LINES, entries * MORE_THAN_FIT)), own, saved;

	/* Few lines, so that the nearest cache holds them; and not in whole rounds of a page's lines, or they would
	 * fall into the same few of its sets. */
	pages = (2 * ceil((pages / FRAMES - 1) / 2) + 1) * FRAMES;
	rows.group = 1;
	own = pages_look(lab, paging, WALK_BASE_PAGES, FRAMES) - pages_look(lab, paging, paging->pages, FRAMES);
	saved = pages_look(lab, &rows, paging->pages, pages) - pages_look(lab, &rows, WALK_BASE_PAGES, pages) + own;
	return saved > paging->tlb[0].penalty * (fmin(1, entries * times / pages) - entries / pages) / 2 ? times : 1;
}

/* Does the nearest TLB hold as many parts of `bytes` that lie far apart as neighbours? An odd number of them apart, so
 * that they fall into all of its sets. An entry that stands for `times` of them holds so many times as many neighbours.
 */
static bool is_whole(struct lab *lab, const struct paging *paging, double bytes, double times)
{
	struct paging near = *paging, apart;

	near.page = bytes;
	apart = near;
	apart.apart = (long)times + 1;
	return pages_survey(lab, &near) && pages_survey(lab, &apart) && near.levels > 0 && apart.levels > 0 &&
	       apart.tlb[0].entries * sqrt(times) > near.tlb[0].entries;
}

/* Page tables have a line for so many pages, and where they leave a cache that costs more than a TLB: two touches in
 * one page of the tables seem to lie in one page. */
static bool is_of_tables(struct lab *lab, const struct paging *paging)
{
	return is_whole(lab, paging, paging->page, paging->seen.bytes / paging->page) &&
	       !is_whole(lab, paging, paging->page / 2, 2);
}

/* Where sets are few, neighbours in one set bend the law; one page of each group does not. */
static void look_for_groups(struct lab *lab, struct paging *paging)
{
	for (int group = 2 * (int)paging->group; group <= MOST_GROUP; group *= 2) {
		struct paging tried = *paging;

		tried.group = group;
		if (pages_survey(lab, &tried) && !tried.bent) {
			*paging = tried;
			return;
		}
	}
}

/* Where neighbours compete for a set, one of them is walked over. */
static void spread_out(struct lab *lab, struct paging *paging)
{
	long apart = 2;

	while (apart > 1 && paging->levels > 0 && paging->status == MACHINE_RAN) {
		apart = neighbours_apart(lab, paging);
		paging->group *= (double)apart;
		if (apart > 1)
			pages_survey(lab, paging);
	}
}

bool paging_is_even(const struct tlb_sets *sets, double group)
{
	double together = sets->neighbours / group;

	return sets->sets <= 1 || sets->neighbours == 0 || (together >= 1 && fmod(sets->ways, together) == 0);
}

static void fit_groups(struct lab *lab, struct paging *paging)
{
	const struct tlb_sets *sets;

	if (paging->levels == 0)
		return;
	sets = engine_tlb_sets(lab, paging, 0);
	if (paging_is_even(sets, paging->group))
		return;
	paging->group = sets->neighbours;
	pages_survey(lab, paging);
}

/* The nearest TLB may look for a group in one set, and a further one not. Where its sets take all neighbours there is
 * no need for groups. */
static void part_groups(struct lab *lab, struct paging *paging, const struct paging *single)
{
	double sharing = paging->sharing;

	paging->parted = neighbours_part(lab, paging);
	if (!paging->parted || single->group > 1 || single->bent || single->levels == 0)
		return;
	*paging = *single;
	paging->sharing = sharing;
}

static void explore(struct lab *lab, struct paging *paging)
{
	struct paging single;
	double system = (double)lab->timer->machine->identity.page_bytes;

	if (lab->timer->noise != NOISE_QUIET)
		timing_learn_load(lab->timer, lab->cycle);
	*paging = (struct paging){ .sharing = 1, .group = 1, .apart = 1, .system = system, .chase = NAN };
	/* All times round pages are counted in it, and what others do adds to it. */
	for (int i = 0; i < CHASES; i++)
		paging->chase = fmin(paging->chase, engine_chase(lab));
	paging->seen = pages_size(lab, WALK_BASE_PAGES);
	paging->page = paging->seen.bytes > 0 ? fmin(paging->seen.bytes, system) : system;
	paging->pages = kind_of_pages(lab, paging);
	/* Not every system lets pages share frames. */
	if (!pages_survey(lab, paging) && paging->pages != WALK_BASE_PAGES) {
		paging->pages = WALK_BASE_PAGES;
		pages_survey(lab, paging);
	}
	spread_out(lab, paging);
	single = *paging;
	if (paging->status == MACHINE_RAN && paging->seen.bytes > paging->page) {
		if (paging->levels > 0 && paging->pages != WALK_BASE_PAGES)
			paging->sharing = paging->group = neighbours_that_share(lab, paging);
		if (paging->sharing == 1 && is_of_tables(lab, paging))
			paging->seen.bytes = paging->page;
		else if (paging->sharing == 1)
			paging->page = paging->seen.bytes;
		pages_survey(lab, paging);
		single = paging->sharing == 1 ? *paging : single;
	}
	if (paging->status == MACHINE_RAN && paging->bent)
		look_for_groups(lab, paging);
	if (paging->status == MACHINE_RAN)
		fit_groups(lab, paging);
	if (paging->status == MACHINE_RAN)
		part_groups(lab, paging, &single);
}

static struct paging *fresh(void)
{
	struct paging *paging = malloc(sizeof(*paging));

	if (!paging)
		abort();
	return paging;
}

/* What told nothing of pages may have been disturbed. */
struct paging *engine_paging(struct lab *lab)
{
	if (lab->paging && lab->paging->seen.bytes == 0) {
		free(lab->paging);
		lab->paging = NULL;
	}
	if (!lab->paging) {
		lab->paging = fresh();
		explore(lab, lab->paging);
	}
	return lab->paging;
}

bool paging_is_huge(const struct lab *lab)
{
	return lab->huge_paging->seen.bytes > lab->paging->page * lab->paging->sharing;
}

struct paging *engine_huge_paging(struct lab *lab)
{
	const struct paging *base = engine_paging(lab);
	struct paging *paging = lab->huge_paging;

	if (paging && paging->seen.bytes > 0)
		return paging;
	free(paging);
	lab->huge_paging = paging = fresh();
	*paging =
		(struct paging){ .pages = WALK_HUGE_PAGES, .sharing = 1, .group = 1, .apart = 1, .chase = base->chase };
	paging->seen = pages_size(lab, WALK_HUGE_PAGES);
	paging->page = paging->system = paging->seen.bytes;
	if (paging_is_huge(lab))
		pages_survey(lab, paging);
	return paging;
}

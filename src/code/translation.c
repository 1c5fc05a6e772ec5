/* SPDX-License-Identifier: MIT */
/*
 * translation.c - places in many pages, the same lines in few, and what TLBs of code, once they are known, add to a
 * jump
 */
#include <math.h>
#include <stdlib.h>

#include "code.h"

enum { LONGEST_ROW = 63, MOST_PLACES = 8192 }; /* lines of a small page but one; of walks whose sets are looked at */

/* Whole rows, so it may be some places more or less than asked for. Rows are odd, so that what goes by the address of a
 * jump finds as many different ones in them as in a page each. */
struct walk code_pages_apart(enum walk_pages pages, double *places, double stride)
{
	struct walk walk = code_walk(pages, *places, stride + CODE_UNIT, 0);
	double row = LONGEST_ROW;

	if (*places <= LONGEST_ROW)
		return walk;
	for (int tried = LONGEST_ROW; 2 * tried > LONGEST_ROW; tried -= 2)
		if (fabs(remainder(*places, tried)) < fabs(remainder(*places, row)))
			row = tried;
	walk.grid.stride[1] = walk.grid.stride[0];
	walk.grid.count[1] = (long)row;
	walk.grid.stride[0] = (uint64_t)(row * stride);
	walk.grid.count[0] = (long)round(*places / row);
	*places = round(*places / row) * row;
	return walk;
}

struct walk code_pages_together(const struct walk *apart, double page)
{
	struct walk walk = *apart;

	walk.grid.stride[walk.grid.count[1] > 1] = CODE_UNIT;
	if (walk.grid.count[1] > 1)
		walk.grid.stride[0] = (uint64_t)page;
	return walk;
}

double code_rows(const struct walk *walk)
{
	return walk->grid.count[1] > 1 ? (double)walk->grid.count[0] : 1;
}

double code_translation(const struct paging *paging, double pages)
{
	double cycles = 0;

	for (int i = 0; i < paging->levels; i++)
		cycles += paging->tlb[i].penalty * terms_missed(pages / paging->tlb[i].entries, INFINITY, 1);
	return cycles;
}

struct tally {
	double page, sets;
	int *pages; /* of each set */
	double last; /* the page of the place before */
	double places;
};

static void count_page(void *context, uint64_t place)
{
	struct tally *tally = context;
	double page = floor((double)place / tally->page);

	tally->places++;
	if (page != tally->last)
		tally->pages[(int)fmod(page, tally->sets)]++;
	tally->last = page;
}

/* Share of the jumps whose page a TLB of known sets lacks: each set by itself follows the law. */
static double missed_by_sets(const struct walk *walk, double page, const struct tlb_sets *sets)
{
	struct tally tally = { page, sets->sets, calloc((size_t)sets->sets, sizeof(int)), -1, 0 };
	double lacking = 0, pages = 0;

	if (!tally.pages)
		abort();
	walk_visit(walk, count_page, &tally);
	for (int i = 0; i < (int)sets->sets; i++) {
		lacking += fmax(0, tally.pages[i] - sets->ways);
		pages += tally.pages[i];
	}
	free(tally.pages);
	return lacking / pages;
}

/* Pages of the system that a walk touches. */
static double pages_of(const struct walk *walk, double page)
{
	struct walk one = *walk;

	one.grid.count[0] = 1;
	return fmin((double)walk->grid.count[0] * ceil((double)walk_extent(&one) / page),
		    ceil((double)walk_extent(walk) / page));
}

double code_translation_of(struct lab *lab, const struct walk *walk)
{
	const struct paging *paging = engine_code_paging(lab);
	double cycles = code_translation(paging, pages_of(walk, paging->page));
	const struct tlb_sets *sets;

	/* Places far apart may lie in few of the nearest TLB's sets. */
	if (paging->levels == 0 || walk_length(walk) > MOST_PLACES || (double)walk->grid.stride[0] <= paging->page)
		return cycles;
	sets = engine_code_tlb_sets(lab, 0);
	return sets->found ? fmax(cycles, paging->tlb[0].penalty * missed_by_sets(walk, paging->page, sets)) : cycles;
}

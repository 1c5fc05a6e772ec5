/* SPDX-License-Identifier: MIT */
/*
 * paging.c - the TLBs that translate code, and what they add to a jump once they are known
 *
 * N jumps into N pages, one line in each, and as their twin N jumps into as many lines of few pages: as many jumps and
 * as many lines, so that neither predictors nor caches make a difference between the two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "strides.h"

enum {
	PER_OCTAVE = 6,
	BRIEF_PER_OCTAVE = 4,
	FEWEST = 4,
	POINTS = 72,
	ROUNDS = 2,
	LONGEST_ROW = 63, /* lines of a small page but one */
	MOST_PLACES = 8192 /* of walks whose sets are looked at */
};

static const double MOST = 8192, BRIEF_MOST = 512; /* pages */
static const double MEMORY = 0.125; /* of what may be used */
static const double SHARED = 16, HARM = 0.04; /* pages that any TLB holds; of a time */

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

static bool take_walks(struct lab *lab, struct paging *paging)
{
	struct walk walks[2 * POINTS];
	double places[POINTS], memory = MEMORY * (double)lab->timer->machine->memory;
	double most = lab->brief ? BRIEF_MOST : MOST;

	if (!walk_frames(paging->pages))
		most = fmin(most, memory / (paging->page + CODE_UNIT));
	paging->count = code_plan(FEWEST, most, lab->brief ? BRIEF_PER_OCTAVE : PER_OCTAVE, places, POINTS);
	for (int i = 0; i < paging->count; i++) {
		walks[2 * i] = code_pages_apart(paging->pages, &places[i], paging->page);
		walks[2 * i + 1] = code_pages_together(&walks[2 * i], paging->page);
		paging->points[i].bytes = places[i] * CODE_PAGING_BYTES;
	}
	return code_differences(lab, walks, paging->points, paging->count, &paging->status, paging->why,
				sizeof(paging->why));
}

/* Pages in which the lines of so many places lie together. */
static double rows_of(const struct paging *paging, double places)
{
	struct walk apart = code_pages_apart(paging->pages, &places, paging->page);

	return code_rows(&apart);
}

/* The twin's lines lie in pages, too, and of many of those a small TLB lacks some. */
static void give_back_to_twins(const struct paging *raw, const struct paging *known, struct curve_point *points)
{
	for (int i = 0; i < raw->count; i++) {
		points[i] = raw->points[i];
		points[i].time += code_translation(known, rows_of(raw, points[i].bytes / CODE_PAGING_BYTES));
	}
}

/* What a page that both lack differs by is no TLB's. */
static void lift(struct curve_point *points, int count)
{
	double least = INFINITY;

	for (int i = 0; i < count; i++)
		least = fmin(least, points[i].time);
	for (int i = 0; i < count; i++)
		points[i].time -= fmin(least, 0);
}

/* Pages that share a few frames take no room in caches, whatever their number; unless a cache goes by their virtual
 * addresses, or the system does not let them. */
static enum walk_pages choose_pages(struct lab *lab, const struct paging *paging)
{
	struct walk walks[2] = { code_walk(WALK_ON_1_FRAME, SHARED, paging->page + CODE_UNIT, 0),
				 code_walk(WALK_BASE_PAGES, SHARED, paging->page + CODE_UNIT, 0) };
	double times[2], errors[2];
	enum machine_status status;
	char why[64];

	if (!code_times(lab, walks, 2, times, errors, &status, why, sizeof(why)))
		return WALK_BASE_PAGES;
	return times[0] < (1 + HARM) * times[1] ? WALK_ON_1_FRAME : WALK_BASE_PAGES;
}

static void survey(struct lab *lab, struct paging *paging)
{
	struct curve_point points[POINTS];
	struct walk few = code_walk(paging->pages, FEWEST, CODE_UNIT, 0);
	double jump, error;
	char why[64];
	enum machine_status status;

	if (!take_walks(lab, paging) || !code_times(lab, &few, 1, &jump, &error, &status, why, sizeof(why)))
		return;
	for (int round = 0; round < ROUNDS; round++) {
		give_back_to_twins(paging, paging, points);
		lift(points, paging->count);
		code_find_tlbs(lab, paging, points, jump);
	}
	for (int i = 0; i < paging->count; i++) {
		paging->points[i] = points[i];
		paging->points[i].bytes /= CODE_PAGING_BYTES;
	}
}

void code_paging_note(struct lab *lab, const struct paging *paging)
{
	for (int i = 0; i < paging->count; i++)
		lab_note(lab, "cycles a jump takes more, by pages", paging->points[i].bytes, paging->points[i].time,
			 "");
	for (int i = 0; i < paging->levels; i++)
		lab_note(lab, "TLB of entries, cycles", paging->tlb[i].entries, paging->tlb[i].penalty, "");
}

struct paging *engine_code_paging(struct lab *lab)
{
	double seen = lab_fact(lab, "page.size");
	struct paging *paging = lab->code_paging;

	if (paging)
		return paging;
	lab->code_paging = paging = calloc(1, sizeof(*paging));
	if (!paging)
		abort();
	paging->system = (double)lab->timer->machine->identity.page_bytes;
	paging->page = isfinite(seen) ? seen : paging->system;
	paging->sharing = paging->group = 1;
	paging->pages = WALK_BASE_PAGES;
	paging->pages = choose_pages(lab, paging);
	survey(lab, paging);
	return paging;
}

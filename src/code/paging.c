/* SPDX-License-Identifier: MIT */
/*
 * paging.c - the TLBs that translate code
 *
 * N jumps into N pages, one line in each, and as their twin N jumps into as many lines of few pages: as many jumps and
 * as many lines, so that neither predictors nor caches make a difference between the two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"

enum { PER_OCTAVE = 6, BRIEF_PER_OCTAVE = 4, FEWEST = 4, POINTS = 72, ROUNDS = 2 };

static const double MOST = 8192, BRIEF_MOST = 512; /* pages */
static const double MEMORY = 0.125; /* of what may be used */
static const double SHARED = 16, HARM = 0.04; /* pages that any TLB holds; of a time */

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

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

enum { PER_OCTAVE = 6, BRIEF_PER_OCTAVE = 4, FEWEST = 4, POINTS = 72, ROUNDS = 2, CORNERS = 24 };

static const double MOST = 8192, BRIEF_MOST = 512; /* pages */
static const double MEMORY = 0.125; /* of what may be used */
static const double SHARED = 16, HARM = 0.04; /* pages that any TLB holds; of a time */
static const double BYTES = 4096; /* of a page, in the fit: any number will do */
static const double LEAST[] = { [NOISE_QUIET] = 0.03, [NOISE_NOISY] = 0.07, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double ONE = 1.5; /* times: terms nearer than this are one TLB */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.03, [NOISE_HOSTILE] = 0.1 };
static const double FINER = 1.04; /* times: between corners that are tried */
static const double FEWER = 0.95, SCATTERED = 7, TABLES = 0.3, ERRORS = 3; /* of a reach; pages; of a height */
static const double LEAST_ERROR = 0.5, ERROR = 0.08; /* cycles; of a penalty */

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
		paging->points[i].bytes = places[i] * BYTES;
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
		points[i].time += code_translation(known, rows_of(raw, points[i].bytes / BYTES));
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

/* Do fewer pages than the term has cost more where each has a line of the page tables to itself? Then it is the tables
 * that leave a cache there, and no TLB. To the sets of TLBs such pages are as good as neighbours. There is a term
 * before it. */
static bool is_of_tables(struct lab *lab, const struct paging *paging, const struct term *term)
{
	double walked;
	double places[2] = { FEWER * term->reach / BYTES, FEWER * term->reach / BYTES };
	struct walk walks[4] = { { .order = WALK_RANDOM } };
	struct curve_point points[2];
	enum machine_status status;
	char why[64];

	for (int i = 0; i < 2; i++) {
		walks[2 * i] = code_pages_apart(paging->pages, &places[i], paging->page * (i ? SCATTERED : 1));
		walks[2 * i + 1] = code_pages_together(&walks[2 * i], paging->page);
	}
	walked = terms_missed(FEWER * term->reach / term[-1].reach, INFINITY, 1);
	return walk_frames(paging->pages) && code_differences(lab, walks, points, 2, &status, why, sizeof(why)) &&
	       points[1].time - points[0].time > fmax(TABLES * term->height * walked, ERRORS * points[1].error);
}

/* Pages side by side fill a TLB's sets evenly, so its bend is a corner. One that is not may be two of them. */
static void sharpen(const struct curve_point *points, int count, struct terms *terms, int index)
{
	double reach = terms->term[index].reach, least = INFINITY;
	struct terms best = *terms;

	if (isinf(terms->term[index].shape) || terms->count == TERMS_MOST)
		return;
	for (int i = 0; i < CORNERS * CORNERS; i++) {
		int first = i / CORNERS, second = i % CORNERS, middle = CORNERS / 2;
		struct terms tried = *terms;
		double left;

		if (second <= first)
			continue;
		for (int j = tried.count++; j > index; j--)
			tried.term[j] = tried.term[j - 1];
		tried.term[index] = (struct term){ reach * pow(FINER, first - middle), INFINITY, 0, 1 };
		tried.term[index + 1] = (struct term){ reach * pow(FINER, second - middle), INFINITY, 0, 1 };
		left = terms_heights(points, count, &tried);
		if (left < least) {
			least = left;
			best = tried;
		}
	}
	*terms = best;
}

static struct terms find_terms(struct lab *lab, const struct paging *paging, const struct curve_point *points,
			       double jump)
{
	struct terms terms = terms_by_stretches(points, paging->count, jump, LEAST[lab->timer->noise]);

	for (int i = 0; i < terms.count; i++)
		sharpen(points, paging->count, &terms, i);
	for (int i = 1; i < terms.count; i++)
		if (is_of_tables(lab, paging, &terms.term[i]))
			terms.count = i;
	return terms;
}

static void find_tlbs(struct lab *lab, struct paging *paging, const struct curve_point *points, double jump)
{
	struct terms terms = find_terms(lab, paging, points, jump);

	paging->levels = 0;
	for (int i = 0; i < terms.count && paging->levels < PAGING_LEVELS;) {
		double first = terms.term[i].reach, height = 0, weighted = 0, low = INFINITY, high = 0, ends[2];

		for (; i < terms.count && terms.term[i].reach < ONE * first; i++) {
			terms_range(points, paging->count, &terms, i, &ends[0], &ends[1]);
			low = fmin(low, ends[0]);
			high = fmax(high, ends[1]);
			height += terms.term[i].height;
			weighted += terms.term[i].height * terms.term[i].reach;
		}
		paging->tlb[paging->levels++] = (struct tlb){ .entries = weighted / height / BYTES,
							      .low = low / BYTES * (1 - LAW[lab->timer->noise]),
							      .high = high / BYTES * (1 + LAW[lab->timer->noise]),
							      .penalty = height,
							      .error = fmax(LEAST_ERROR, ERROR * height) };
	}
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
		find_tlbs(lab, paging, points, jump);
	}
	for (int i = 0; i < paging->count; i++) {
		paging->points[i] = points[i];
		paging->points[i].bytes /= BYTES;
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

/* SPDX-License-Identifier: MIT */
/*
 * paging.c - the TLBs that translate code
 *
 * N jumps into N pages, one line in each, and as their twin N jumps into N lines side by side: as many jumps and as
 * many lines, so that neither predictors nor caches make a difference between the two.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"

enum { PER_OCTAVE = 6, BRIEF_PER_OCTAVE = 4, FEWEST = 4, POINTS = 72, ROUNDS = 2 };

static const double MOST = 8192, BRIEF_MOST = 512; /* pages */
static const double MEMORY = 0.125; /* of what may be used */
static const double SHARED = 16, HARM = 0.04; /* pages that any TLB holds; of a time */
static const double BYTES = 4096; /* of a page, in the fit: any number will do */
static const double LEAST[] = { [NOISE_QUIET] = 0.03, [NOISE_NOISY] = 0.07, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double ONE = 1.5; /* times: terms nearer than this are one TLB */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.03, [NOISE_HOSTILE] = 0.1 };
static const double LEAST_ERROR = 0.5, ERROR = 0.08; /* cycles; of a penalty */

/* Each page's line lies elsewhere than that of the page before, so that they fill all sets of whatever goes by lines.
 */
static struct walk over_pages(const struct paging *paging, double pages)
{
	return code_walk(paging->pages, pages, paging->page + CODE_STEP, 0);
}

static struct walk over_lines(const struct paging *paging, double lines)
{
	return code_walk(paging->pages, lines, CODE_UNIT, 0);
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
		walks[2 * i] = over_pages(paging, places[i]);
		walks[2 * i + 1] = over_lines(paging, places[i]);
		paging->points[i].bytes = places[i] * BYTES;
	}
	return code_differences(lab, walks, paging->points, paging->count, &paging->status, paging->why,
				sizeof(paging->why));
}

/* The twin's lines lie in pages, too, and of many of those a small TLB lacks some. */
static void give_back_to_twins(const struct paging *raw, const struct paging *known, struct curve_point *points)
{
	for (int i = 0; i < raw->count; i++) {
		points[i] = raw->points[i];
		points[i].time += code_translation(known, points[i].bytes / BYTES * CODE_UNIT / raw->page);
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

static void find_tlbs(struct lab *lab, struct paging *paging, const struct curve_point *points, double jump)
{
	struct terms terms = code_terms(points, paging->count, jump, LEAST[lab->timer->noise]);

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
	struct walk walks[2] = { over_pages(paging, SHARED), over_pages(paging, SHARED) };
	double times[2], errors[2];
	enum machine_status status;
	char why[64];

	walks[0].pages = WALK_ON_1_FRAME;
	if (paging->page < paging->system || !code_times(lab, walks, 2, times, errors, &status, why, sizeof(why)))
		return WALK_BASE_PAGES;
	return times[0] < (1 + HARM) * times[1] ? WALK_ON_1_FRAME : WALK_BASE_PAGES;
}

static void survey(struct lab *lab, struct paging *paging)
{
	struct curve_point points[POINTS];
	struct walk few = over_lines(paging, FEWEST);
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

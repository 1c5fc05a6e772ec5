/* SPDX-License-Identifier: MIT */
/*
 * pages.c - the misses of a sequence of references to one set of the nearest TLB
 *
 * Its lines are pages, all of them on a few frames, so that no cache sees more than a few lines of them. A page is
 * visited at another place each time. The control has as many places on the same lines, in pages that are held.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ground.h"

enum { LOOKS = 1, NOISY_LOOKS = 5 };

/* Cycles that a reference takes more than those of the control. NaN: the walks do not run. */
static double look(const struct ground *ground, const struct sequence *sequence)
{
	const struct paging *paging = ground->paging;
	long count = sequence->length * ground->sets, few = tour_few(paging), n = 0;
	long *pages = malloc(2 * (size_t)count * sizeof(*pages)), *others = pages + count;
	double more = NAN;

	if (pages) {
		for (int i = 0; i < sequence->length; i++)
			for (long set = 0; set < ground->sets; set++, n++) {
				long unit = sequence->line[i] * (long)ground->apart + (long)ground->set[set];

				pages[n] = tour_page(paging, unit);
				others[n] = tour_page(paging, unit % few);
			}
		more = tour_difference(ground->lab, paging, pages, count, others, count);
	}
	free(pages);
	return more;
}

bool ground_count_pages(struct ground *ground, const struct sequence *sequence, double *missed, double *error)
{
	double more[NOISY_LOOKS], per_lap = sequence->length / ground->step;
	int looks = ground->lab->timer->noise == NOISE_QUIET ? LOOKS : NOISY_LOOKS;

	for (int i = 0; i < looks; i++) {
		more[i] = timer_over(ground->lab->timer) ? NAN : look(ground, sequence);
		if (isnan(more[i])) {
			snprintf(ground->why, sizeof(ground->why), "the walks could not be taken");
			return false;
		}
	}
	*missed = stat_quantile(more, looks, 0.5) * per_lap;
	*error = (stat_quantile(more, looks, 0.75) - stat_quantile(more, looks, 0.25)) / 2 * per_lap;
	return true;
}

bool ground_open_pages(struct ground *ground, struct lab *lab, struct paging *paging)
{
	const struct tlb_sets *sets = engine_tlb_sets(lab, paging, 0);
	double beside = fmax(1, sets->neighbours / paging->group);

	*ground = (struct ground){ .lab = lab, .paging = paging, .step = paging->tlb[0].penalty };
	if (!sets->found)
		snprintf(ground->why, sizeof(ground->why), "%s",
			 sets->hashed ? "no stride leads to its sets: the index is hashed" : sets->why);
	else if (sets->ways > GROUND_WAYS)
		snprintf(ground->why, sizeof(ground->why), "%.0f ways are more than sequences are made for",
			 sets->ways);
	else if (!paging_frames(paging))
		snprintf(ground->why, sizeof(ground->why), "pages do not share frames: caches would miss, too");
	if (ground->why[0])
		return false;
	ground->apart = sets->sets * beside;
	ground->sets = (long)fmin(GROUND_AT_ONCE, sets->sets);
	for (long i = 0; i < ground->sets; i++)
		ground->set[i] = (uint64_t)i * (uint64_t)beside;
	ground->material = (struct material){ .ways = (int)sets->ways,
					      .visits = GROUND_VISITS,
					      .lines = GROUND_LINES * (int)sets->ways };
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * looks.c - what a step of a walk of code takes
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"

enum { STEPS = ENGINE_WALK_STEPS / MACHINE_BURST, MOST_ROUNDS = 7, TRIES = 30 };

static const int ROUNDS[] = { [NOISE_QUIET] = 3, [NOISE_NOISY] = 5, [NOISE_HOSTILE] = MOST_ROUNDS };
/* Quantile that is believed: what others do adds. */
static const double BELIEVED[] = { [NOISE_QUIET] = 0.5, [NOISE_NOISY] = 0.25, [NOISE_HOSTILE] = 0.1 };
static const double FLOOR = 0.004; /* of a time: no look is nearer */

enum walk_pages code_pages(const struct lab *lab)
{
	return lab_fact(lab, "page.huge") > lab_fact(lab, "page.size") ? WALK_HUGE_PAGES : WALK_BASE_PAGES;
}

struct walk code_walk(enum walk_pages pages, double places, double stride, long body)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = pages, .code = true, .body = body };

	walk.grid.stride[0] = (uint64_t)stride;
	walk.grid.count[0] = (long)places;
	return walk;
}

int code_plan(double from, double to, int per_octave, double *places, int room)
{
	double n = from;
	int count = 0;

	while (n <= to * 1.0001 && count < room) {
		if (count == 0 || round(n) > places[count - 1])
			places[count++] = round(n);
		n *= exp2(1.0 / per_octave);
	}
	return count;
}

/* NaN when it does not run, or when others held up every tick beside it. */
static struct stroll look(struct lab *lab, const struct walk *walk)
{
	struct stroll stroll = { .ticks = NAN };

	for (int i = 0; i < TRIES && isnan(stroll.ticks) && !timer_over(lab->timer); i++) {
		stroll = timing_walk(lab->timer, walk, STEPS);
		if (stroll.status != MACHINE_RAN)
			break;
	}
	lab->finding.samples += MACHINE_BURST;
	return stroll;
}

bool code_times(struct lab *lab, const struct walk *walks, int count, double *times, double *errors,
		enum machine_status *status, char *why, size_t size)
{
	double(*looks)[MOST_ROUNDS] = malloc((size_t)count * sizeof(*looks));
	uint64_t largest = 0;
	int rounds = lab->brief ? ROUNDS[NOISE_QUIET] : ROUNDS[lab->timer->noise];

	/* Predictors remember where a jump led long ago, and fetch what lies there: in vain, and to the harm of caches
	 * and TLBs. So each sweep, and each of its rounds, has addresses of its own, and goes from few places to many.
	 * Each of a pair has its own, too, so that neither is written over. */
	lab->fresh += rounds;
	for (int i = 0; i < count; i++)
		largest = walk_extent(&walks[i]) > largest ? walk_extent(&walks[i]) : largest;
	*status = looks ? MACHINE_RAN : MACHINE_FAULT;
	for (int round = 0; looks && round < rounds && *status == MACHINE_RAN; round++)
		for (int i = 0; i < count && *status == MACHINE_RAN; i++) {
			struct walk walk = walks[i];
			struct stroll stroll;

			walk.arena = WALK_ARENAS * (lab->fresh + round) + i % 2;
			walk.reserve = largest;
			stroll = look(lab, &walk);

			looks[i][round] = stroll.ticks / lab->cycle;
			*status = stroll.status != MACHINE_RAN ? stroll.status
				  : isnan(stroll.ticks)        ? MACHINE_BLOCKED
							       : MACHINE_RAN;
			if (*status != MACHINE_RAN)
				snprintf(why, size, "%s",
					 stroll.why[0] ? stroll.why : "others held up every look at a walk of code");
		}
	for (int i = 0; looks && i < count && *status == MACHINE_RAN; i++) {
		times[i] = stat_quantile(looks[i], rounds, BELIEVED[lab->timer->noise]);
		errors[i] = (stat_median(looks[i], rounds) - stat_quantile(looks[i], rounds, 0)) / 2;
	}
	free(looks);
	return *status == MACHINE_RAN;
}

/* Of the difference of two times. */
static double error_of(const double *times, const double *errors)
{
	return hypot(fmax(errors[0], FLOOR * times[0]), fmax(errors[1], FLOOR * times[1]));
}

bool code_differences(struct lab *lab, const struct walk *walks, struct curve_point *points, int count,
		      enum machine_status *status, char *why, size_t size)
{
	double times[CODE_WALKS], errors[CODE_WALKS];

	if (!code_times(lab, walks, 2 * count, times, errors, status, why, size))
		return false;
	for (int i = 0; i < count; i++) {
		points[i].time = times[2 * i] - times[2 * i + 1];
		points[i].error = error_of(times + 2 * i, errors + 2 * i);
	}
	return true;
}

double code_translation(const struct paging *paging, double pages)
{
	double cycles = 0;

	for (int i = 0; i < paging->levels; i++)
		cycles += paging->tlb[i].penalty * terms_missed(pages / paging->tlb[i].entries, INFINITY, 1);
	return cycles;
}

/* Pages of the system that a walk touches. */
static double pages_of(const struct walk *walk, double page)
{
	return fmin((double)walk_length(walk), ceil((double)walk_extent(walk) / page));
}

bool code_beyond_twins(struct lab *lab, const struct walk *walks, int count, double *times, struct curve_point *points,
		       enum machine_status *status, char *why, size_t size)
{
	const struct paging *paging = engine_code_paging(lab);
	struct walk both[CODE_WALKS] = { { .order = WALK_RANDOM } };
	double all[CODE_WALKS], errors[CODE_WALKS];

	for (int i = 0; i < count; i++) {
		both[2 * i] = both[2 * i + 1] = walks[i];
		both[2 * i + 1].pages = WALK_ON_1_FRAME;
	}
	if (!code_times(lab, both, 2 * count, all, errors, status, why, size))
		return false;
	for (int i = 0; i < count; i++) {
		times[i] = all[2 * i];
		points[i].time = all[2 * i] - all[2 * i + 1];
		points[i].error = error_of(all + 2 * i, errors + 2 * i);
		/* A twin's pages are small, and TLBs lack some of many. */
		if (walks[i].pages == WALK_HUGE_PAGES)
			points[i].time += code_translation(paging, pages_of(&walks[i], paging->page));
	}
	return true;
}

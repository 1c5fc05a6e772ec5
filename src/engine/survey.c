/* SPDX-License-Identifier: MIT */
/*
 * survey.c - random walks over more and more memory
 *
 * Two kinds of walks: dense ones over whole pages, and sparse ones that touch as many pages but only one line of each.
 * A cache sees lines and a TLB sees pages, so the two together keep a TLB from being taken for a cache.
 */
#include <math.h>
#include <stdio.h>

#include "survey.h"

enum { FEW_PAGES = 4, MOST_PAGES = 4096, SMALLEST_PAGE = 512 };
enum { SMALLEST_PLACES = 16, LONGEST_LINE = 256, STEPS = 2048, ROUNDS = 7, QUIET_ROUNDS = 3, MOST_LOOKS = 9 };

static const double SMALLEST = SMALLEST_PLACES * PLACE;
static const double LARGE = 1 << 20, FARTHEST = 1 << 29; /* bytes */
static const double FURTHER_PAGES = 6; /* sparse walks, times the pages of dense ones: they cost little */
static const double FURTHER = 5; /* times the last reach */
static const double PER_OCTAVE = 4;
static const double NOTICED = 1.5; /* cycles that twice as many pages cost more: a TLB, or a small cache */
static const double ERROR_FLOOR = 0.006; /* of a time: policies bend the law by so much beside their bends */
static const double QUICKER = 0.2; /* others only ever take room away: the quicker looks are nearer to the truth */

static double engine_walk_long(struct lab *lab, const struct walk *walk, int looks, long steps)
{
	double times[MOST_LOOKS];
	int n = 0;

	looks = lab->timer->noise == NOISE_QUIET ? (looks + 1) / 2 : looks;
	for (int i = 0; i < looks && i < MOST_LOOKS; i++) {
		struct stroll stroll = timing_walk(lab->timer, walk, steps);

		if (stroll.status != MACHINE_RAN)
			return NAN;
		times[n++] = stroll.ticks / lab->cycle;
	}
	lab->finding.samples += n * MACHINE_BURST;
	return stat_quantile(times, n, lab->timer->noise == NOISE_QUIET || walk->order == WALK_CYCLE ? 0.5 : 0);
}

double engine_walk(struct lab *lab, const struct walk *walk, int looks)
{
	return engine_walk_long(lab, walk, looks, STEPS);
}

/* From one page to the next, and on within it by a tenth of the golden section: at every scale all sets get their part,
 * and the pages lie nearly as close as those of a dense walk. */
static double lone_stride(const struct hierarchy *hierarchy)
{
	double lines = fmax(3, floor(0.0618034 * hierarchy->page / hierarchy->line));

	return hierarchy->page + hierarchy->line * (fmod(lines, 2) == 0 ? lines + 1 : lines);
}

static struct walk walk_for(const struct hierarchy *hierarchy, const struct curve_point *point)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	uint64_t apart = (uint64_t)(point->bytes <= hierarchy->small ? hierarchy->apart : hierarchy->far_apart);

	walk.grid.stride[0] = point->lone ? (uint64_t)lone_stride(hierarchy) : apart;
	walk.grid.count[0] = (long)(point->lone ? point->pages : point->bytes / (double)apart);
	return walk;
}

/* Cycles a step over as many lone places, at a distance that is no multiple of anything. */
static double lone_time(struct lab *lab, const struct hierarchy *hierarchy, double places, double apart)
{
	struct hierarchy nearer = *hierarchy;
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };

	nearer.page = apart;
	walk.grid.stride[0] = (uint64_t)lone_stride(&nearer);
	walk.grid.count[0] = (long)places;
	return engine_walk(lab, &walk, 3);
}

void survey_page(struct lab *lab, struct hierarchy *hierarchy)
{
	double places = FEW_PAGES, base = lone_time(lab, hierarchy, FEW_PAGES, hierarchy->page), half = base, whole;

	/* Twice as many as some TLB holds: places on half as many pages are clearly quicker there. */
	do {
		half = places > FEW_PAGES ? whole : base;
		places *= 2;
		whole = lone_time(lab, hierarchy, places, hierarchy->page);
	} while (whole - half < NOTICED && places < MOST_PAGES);
	while (hierarchy->page / 2 >= SMALLEST_PAGE && whole - half >= NOTICED) {
		double nearer = lone_time(lab, hierarchy, places, hierarchy->page / 2);

		if (!(nearer > (whole + half) / 2))
			break;
		hierarchy->page /= 2;
	}
}

static bool add_point(struct hierarchy *hierarchy, double bytes, double pages, bool lone)
{
	if (hierarchy->count == HIERARCHY_POINTS)
		return false;
	hierarchy->points[hierarchy->count++] =
		(struct curve_point){ .bytes = bytes, .pages = fmax(1, pages), .lone = lone };
	return true;
}

static void plan_dense(struct hierarchy *hierarchy)
{
	double bytes = SMALLEST;

	while (bytes <= hierarchy->most * 1.001) {
		double whole = floor(bytes / LONGEST_LINE) * LONGEST_LINE;

		if (!add_point(hierarchy, whole, whole / hierarchy->page, false))
			return;
		bytes *= exp2(1 / PER_OCTAVE);
	}
}

static void plan_sparse(struct hierarchy *hierarchy, double memory)
{
	double most = fmin(FURTHER_PAGES * hierarchy->most / hierarchy->page, memory / lone_stride(hierarchy));

	double pages = 4;

	while (pages <= most && add_point(hierarchy, floor(pages) * hierarchy->line, floor(pages), true))
		pages *= exp2(2 / PER_OCTAVE);
}

static bool take_walk(struct lab *lab, struct hierarchy *hierarchy, int index, double *time)
{
	struct walk walk = walk_for(hierarchy, &hierarchy->points[index]);
	struct stroll stroll = timing_walk(lab->timer, &walk, STEPS);

	if (timer_over(lab->timer))
		stroll.status = MACHINE_FAULT;
	if (stroll.status != MACHINE_RAN) {
		hierarchy->status = stroll.status;
		snprintf(hierarchy->why, sizeof(hierarchy->why), "%s", stroll.why[0] ? stroll.why : "out of time");
		return false;
	}
	lab->finding.samples += MACHINE_BURST;
	*time = stroll.ticks / lab->cycle;
	return true;
}

/* Takes the walks from `first` on. Of small ones the rounds lie outside, so that what changes slowly spreads over all
 * sizes; large ones take long to begin, and are taken several times in a row. */
static bool take_walks(struct lab *lab, struct hierarchy *hierarchy, int first)
{
	double times[HIERARCHY_POINTS][ROUNDS];
	int rounds = lab->timer->noise == NOISE_QUIET ? QUIET_ROUNDS : ROUNDS;

	for (int round = 0; round < rounds; round++)
		for (int i = first; i < hierarchy->count; i++)
			if (hierarchy->points[i].bytes < LARGE && !take_walk(lab, hierarchy, i, &times[i][round]))
				return false;
	for (int i = first; i < hierarchy->count; i++)
		for (int round = 0; round < rounds && hierarchy->points[i].bytes >= LARGE; round++)
			if (!take_walk(lab, hierarchy, i, &times[i][round]))
				return false;
	for (int i = first; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];

		point->time = stat_quantile(times[i], rounds, lab->timer->noise == NOISE_QUIET ? 0.5 : QUICKER);
		point->error = fmax(ERROR_FLOOR * point->time,
				    (stat_median(times[i], rounds) - stat_quantile(times[i], rounds, 0)) / 2);
	}
	return true;
}

/* A last level that is large needs walks much larger than it. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy)
{
	double last = hierarchy->levels ? hierarchy->level[hierarchy->levels - 1].reach : 0;
	double wanted = fmin(FURTHER * last, fmin(FARTHEST, (double)lab->timer->machine->memory));
	int first = hierarchy->count;

	while (hierarchy->most * M_SQRT2 <= wanted) {
		double whole = floor(hierarchy->most * M_SQRT2 / PLACE) * PLACE;

		if (!add_point(hierarchy, whole, whole / hierarchy->page, false))
			break;
		hierarchy->most = whole;
	}
	return take_walks(lab, hierarchy, first);
}

/* More walks about each bend, where what is known is decided. */
bool survey_closer(struct lab *lab, struct hierarchy *hierarchy)
{
	static const double about[] = { 0.7, 0.8, 0.88, 0.95, 1.03, 1.12, 1.22, 1.34, 1.5, 1.7, 2 };
	int first = hierarchy->count;

	for (int i = 0; i < hierarchy->terms.count; i++) {
		const struct term *term = &hierarchy->terms.term[i];

		for (size_t j = 0; j < sizeof(about) / sizeof(about[0]) && term->kind == TERM_CACHE; j++) {
			double bytes = floor(term->reach * about[j] / LONGEST_LINE) * LONGEST_LINE;

			if (bytes > hierarchy->most || !add_point(hierarchy, bytes, bytes / hierarchy->page, false))
				break;
		}
	}
	return take_walks(lab, hierarchy, first);
}

/* A chain of pointers in the nearest level, in an order that nothing foresees. */
double survey_chase(struct lab *lab)
{
	uint64_t places[SMALLEST_PLACES];
	long order[SMALLEST_PLACES], count = SMALLEST_PLACES;

	walk_shuffle(order, count);
	for (long i = 0; i < count; i++)
		places[i] = (uint64_t)order[i] * PLACE;

	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count };

	/* Many steps, since these take hardly longer than a look at the clock. */
	return engine_walk_long(lab, &walk, MOST_LOOKS, 8 * STEPS);
}

bool survey_dense(struct lab *lab, struct hierarchy *hierarchy)
{
	hierarchy->count = 0;
	plan_dense(hierarchy);
	return take_walks(lab, hierarchy, 0);
}

bool survey_sparse(struct lab *lab, struct hierarchy *hierarchy)
{
	int first = hierarchy->count;

	plan_sparse(hierarchy, (double)lab->timer->machine->memory);
	return take_walks(lab, hierarchy, first);
}

/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.c - random walks over more and more memory, and the levels that explain their times
 *
 * Two kinds of walks: dense ones over whole pages, and sparse ones that touch as many pages but only one line of each.
 * A cache sees lines and a TLB sees pages, so the two together keep a TLB from being taken for a cache.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hierarchy.h"

enum { SMALLEST_PLACES = 16, LONG_LINE = 256, STEPS = 2048, ROUNDS = 5, QUIET_ROUNDS = 3, MOST_LOOKS = 9 };

static const double SMALLEST = SMALLEST_PLACES * PLACE, LARGEST = 64 << 20; /* bytes */
static const double LARGE = 1 << 20, FARTHEST = 1 << 29; /* bytes */
static const double FURTHER = 5; /* times the last reach */
static const double PER_OCTAVE = 4;
static const double DENSE = 128 << 10; /* bytes: up to here places lie a long line apart: the index is plain there,
					 * and a line that is fetched in parts would bend the law */
static const double ERROR_FLOOR = 0.006; /* of a time: policies bend the law by so much beside their bends */
static const double BEND = 0.04;
static const double LEAST_TERM = 0.15; /* of a load that the levels before it serve */
static const double QUICKER = 0.25; /* others only ever take room away: the quicker looks are nearer to the truth */
static const double FAR = 3.5, SMALL_RISE = 0.25;
static const double SAME_LEVEL = 1.7; /* reaches nearer than this are one level seen twice */

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
	return stat_quantile(times, n, lab->timer->noise == NOISE_QUIET ? 0.5 : 0);
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
	uint64_t apart = point->bytes <= DENSE ? LONG_LINE : PLACE;

	walk.grid.stride[0] = point->lone ? (uint64_t)lone_stride(hierarchy) : apart;
	walk.grid.count[0] = (long)(point->lone ? point->pages : point->bytes / (double)apart);
	return walk;
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
	for (double bytes = SMALLEST; bytes <= hierarchy->most * 1.001; bytes *= exp2(1 / PER_OCTAVE)) {
		double whole = floor(bytes / LONG_LINE) * LONG_LINE;

		if (!add_point(hierarchy, whole, whole / hierarchy->page, false))
			return;
	}
}

static void plan_sparse(struct hierarchy *hierarchy, double memory)
{
	double most = fmin(2 * hierarchy->most / hierarchy->page, memory / lone_stride(hierarchy));

	for (double pages = 4; pages <= most; pages *= exp2(2 / PER_OCTAVE))
		if (!add_point(hierarchy, floor(pages) * hierarchy->line, floor(pages), true))
			return;
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
				    stat_median(times[i], rounds) - stat_quantile(times[i], rounds, 0));
	}
	return true;
}

/* A last level that is large needs walks much larger than it. */
static bool look_further(struct lab *lab, struct hierarchy *hierarchy)
{
	double last = hierarchy->levels ? hierarchy->level[hierarchy->levels - 1].reach : 0;
	double wanted = fmin(FURTHER * last, fmin(FARTHEST, (double)lab->timer->machine->memory));
	int first = hierarchy->count;

	for (double bytes = hierarchy->most * M_SQRT2; bytes <= wanted; bytes *= M_SQRT2) {
		double whole = floor(bytes / PLACE) * PLACE;

		if (!add_point(hierarchy, whole, whole / hierarchy->page, false))
			break;
		hierarchy->most = whole;
	}
	return take_walks(lab, hierarchy, first);
}

/* More walks about each bend, where what is known is decided. */
static bool look_closer(struct lab *lab, struct hierarchy *hierarchy)
{
	static const double about[] = { 0.7, 0.8, 0.88, 0.95, 1.03, 1.12, 1.22, 1.34, 1.5, 1.7, 2 };
	int first = hierarchy->count;

	for (int i = 0; i < hierarchy->terms.count; i++) {
		const struct term *term = &hierarchy->terms.term[i];

		for (size_t j = 0; j < sizeof(about) / sizeof(about[0]) && term->kind == TERM_CACHE; j++) {
			double bytes = floor(term->reach * about[j] / LONG_LINE) * LONG_LINE;

			if (bytes > hierarchy->most || !add_point(hierarchy, bytes, bytes / hierarchy->page, false))
				break;
		}
	}
	return take_walks(lab, hierarchy, first);
}

/* A chain of pointers in the nearest level, in an order that nothing foresees. */
static double chase(struct lab *lab)
{
	uint64_t places[SMALLEST_PLACES];
	long count = SMALLEST_PLACES;
	uint64_t random = 88172645463325252u;

	for (long i = 0; i < count; i++)
		places[i] = (uint64_t)i * PLACE;
	for (long i = count - 1; i > 0; i--) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;

		long j = (long)(random % (uint64_t)(i + 1));
		uint64_t kept = places[i];

		places[i] = places[j];
		places[j] = kept;
	}

	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count };

	/* Many steps, since these take hardly longer than a look at the clock. */
	return engine_walk_long(lab, &walk, 5, 8 * STEPS);
}

/* A small rise not far beyond a large one is how that one ends. */
static bool is_same_level(const struct term *term, double first, double height)
{
	return term->reach < SAME_LEVEL * first || (term->reach < FAR * first && term->height < SMALL_RISE * height);
}

/* Terms of nearly the same reach are one level whose bend is no simple one; a level's reach is then where the lines far
 * from the bend cross, which is the mean weighted by height. */
static void gather_levels(struct hierarchy *hierarchy)
{
	const struct terms *terms = &hierarchy->terms;
	double latency = hierarchy->chase;

	for (int i = 0; i < terms->count && terms->term[i].kind == TERM_CACHE;) {
		double height = 0, weighted = 0, low = 0, high = 0, first = terms->term[i].reach;
		struct level *level = &hierarchy->level[hierarchy->levels];

		if (hierarchy->levels == HIERARCHY_LEVELS)
			break;
		for (;
		     i < terms->count && terms->term[i].kind == TERM_CACHE && is_same_level(&terms->term[i], first, height);
		     i++) {
			double from, to;

			terms_range(hierarchy->points, hierarchy->count, terms, i, &from, &to);
			height += terms->term[i].height;
			weighted += terms->term[i].height * terms->term[i].reach;
			low += terms->term[i].height * from;
			high += terms->term[i].height * to;
		}
		*level = (struct level){
			.reach = weighted / height, .low = low / height, .high = high / height, .latency = latency
		};
		latency += height;
		hierarchy->levels++;
	}
	hierarchy->memory = latency;
}

double hierarchy_step(const struct hierarchy *hierarchy, int depth)
{
	double next = depth + 1 < hierarchy->levels ? hierarchy->level[depth + 1].latency : hierarchy->memory;

	return next - hierarchy->level[depth].latency;
}

/* Beside a bend the policy, the index and the frames have their say, far from it only the law. */
static void doubt_bends(struct hierarchy *hierarchy)
{
	for (int i = 0; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];

		for (int j = 0; j < hierarchy->levels; j++) {
			double load = point->bytes / hierarchy->level[j].reach;

			if (load > 0.8)
				point->error = hypot(point->error, BEND * hierarchy_step(hierarchy, j) *
									   fmin(1, 1.7 / (load * load)));
		}
	}
}

static void fit(struct hierarchy *hierarchy)
{
	hierarchy->terms = terms_fit(hierarchy->points, hierarchy->count, hierarchy->points[0].time - hierarchy->chase,
				     LEAST_TERM);
	hierarchy->levels = 0;
	gather_levels(hierarchy);
}

/* What a place takes in the nearest cache: needed to say how much of it a sparse walk covers. */
static double nearest_line(struct lab *lab, const struct hierarchy *hierarchy)
{
	char why[160];
	double line = NAN;

	if (hierarchy->levels == 0)
		return PLACE;
	engine_conflicts(lab, 0);
	line = engine_tag_line(lab, 0, why, sizeof(why));
	if (isnan(line))
		line = engine_fetch_line(lab, 0, why, sizeof(why));
	return isnan(line) ? PLACE : line;
}

static void explore(struct lab *lab, struct hierarchy *hierarchy)
{
	int first;

	hierarchy->page = (double)lab->timer->machine->identity.page_bytes;
	hierarchy->most = fmin(LARGEST, (double)lab->timer->machine->memory);
	hierarchy->chase = chase(lab);
	plan_dense(hierarchy);
	if (!take_walks(lab, hierarchy, 0))
		return;
	fit(hierarchy);
	hierarchy->line = nearest_line(lab, hierarchy);
	first = hierarchy->count;
	plan_sparse(hierarchy, (double)lab->timer->machine->memory);
	if (!take_walks(lab, hierarchy, first))
		return;
	fit(hierarchy);
	if (!look_further(lab, hierarchy))
		return;
	if (!look_closer(lab, hierarchy))
		return;
	doubt_bends(hierarchy);
	fit(hierarchy);
}

const struct hierarchy *engine_hierarchy(struct lab *lab)
{
	if (!lab->hierarchy) {
		lab->hierarchy = calloc(1, sizeof(*lab->hierarchy));
		if (!lab->hierarchy)
			abort();
		explore(lab, lab->hierarchy);
	}
	return lab->hierarchy;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
	free(hierarchy);
}

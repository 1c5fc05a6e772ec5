/* SPDX-License-Identifier: MIT */
/*
 * survey.c - random walks over more and more memory
 *
 * Two kinds of walks over the same memory: one draws every place afresh, the other draws four that lie in one page at a
 * time (BlackjackBench's segments by pages, made random). Caches see the same references either way; a TLB is asked for
 * a new page only once in four. The difference is what translation costs, whatever the pages and TLBs are, and
 * taking it off leaves the caches alone.
 */
#include <math.h>
#include <stdio.h>

#include "survey.h"

enum { SMALLEST_PLACES = 16, STEPS = ENGINE_WALK_STEPS / MACHINE_BURST, ROUNDS = 7, QUIET_ROUNDS = 4, MOST_AGAIN = 6 };

static const double SMALLEST = SMALLEST_PLACES * PLACE;
static const double GROUPED = 32 << 10; /* bytes; every TLB holds the pages of less */
static const double FARTHEST = 1 << 29; /* bytes */
static const double GOLDEN = 0.618034, ALIGNED = 4096;
/* Times the last reach: where frames are large, chance has its say until all sets are full. */
static const double FURTHER[] = { [NOISE_QUIET] = 9, [NOISE_NOISY] = 5, [NOISE_HOSTILE] = 5 };
static const double BEYOND = 1 << 28; /* bytes */
/* Of the time: beside others memory itself is slower at one time than at another. */
static const double RISES[] = { [NOISE_QUIET] = 0.15, [NOISE_NOISY] = 0.35, [NOISE_HOSTILE] = 0.35 };
static const double PER_OCTAVE = 4, FINE = 4 << 20; /* points, half as many beyond so many bytes */
static const double ERROR_FLOOR = 0.006; /* of a time: policies bend the law by so much beside their bends */
static const double TOO_QUICK = 0.97; /* of the smallest walk: less is what a tick that was held up makes of it */
static const double SOON_SETTLED = 2 << 20; /* bytes */
static const double QUICKER = 0.2; /* others only ever take room away: the quicker looks are nearer to the truth */

/* Each round of small walks lies elsewhere: where frames fall as chance will, so many of them compete for a set here
 * and so many there, and the law is about the mean. */
struct walk survey_walk(const struct hierarchy *hierarchy, const struct curve_point *point, int round, bool grouped)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .grouped = grouped };
	double apart = point->bytes <= hierarchy->small ? hierarchy->apart : hierarchy->far_apart;
	double where = fmod(round * GOLDEN, 1) * fmax(0, hierarchy->most - point->bytes) / ALIGNED;

	walk.grid.base = (uint64_t)where * ALIGNED;
	walk.grid.stride[0] = (uint64_t)apart;
	walk.grid.count[0] = (long)(point->bytes / apart);
	if (grouped) {
		/* Two long lines apart: what fetches a line's neighbour brings none of the others. */
		walk.grid.stride[0] = WALK_GROUPED_FROM * 2 * LONG_LINE;
		walk.grid.count[0] = (long)(point->bytes / (WALK_GROUPED_FROM * 2 * LONG_LINE));
		walk.grid.stride[1] = 2 * LONG_LINE;
		walk.grid.count[1] = WALK_GROUPED_FROM;
		walk.grid.stride[2] = (uint64_t)apart;
		walk.grid.count[2] = (long)(2 * LONG_LINE / apart);
	}
	return walk;
}

static bool add_point(struct hierarchy *hierarchy, double bytes)
{
	double unit = bytes >= GROUPED ? WALK_GROUPED_FROM * 2 * LONG_LINE : LONG_LINE;

	/* Noise may make a fit say anything, even that a reach is no number. */
	if (hierarchy->count == HIERARCHY_POINTS || !(bytes >= SMALLEST))
		return false;
	hierarchy->points[hierarchy->count++] = (struct curve_point){ .bytes = floor(bytes / unit) * unit };
	return true;
}

static void plan(struct hierarchy *hierarchy)
{
	double bytes = SMALLEST;

	while (bytes <= hierarchy->most * 1.001 && add_point(hierarchy, bytes))
		bytes *= exp2(1 / (bytes < FINE ? PER_OCTAVE : PER_OCTAVE / 2));
}

static bool is_slow(const struct hierarchy *hierarchy, double bytes)
{
	return bytes > hierarchy->slow_from && bytes < hierarchy->slow_to;
}

/* The tick beside it may be lost to a preemption each time, or held up by whoever shares the core: no walk is quicker
 * than the smallest. NaN when it was so each time. */
static bool stroll_for(struct lab *lab, struct hierarchy *hierarchy, int index, int round, bool grouped, double *time)
{
	struct walk walk = survey_walk(hierarchy, &hierarchy->points[index], round, grouped);
	double least = grouped ? 0 : TOO_QUICK * hierarchy->floor;

	*time = NAN;
	for (int i = 0; i < MOST_AGAIN || isnan(*time); i++) {
		struct stroll stroll = timing_walk(lab->timer, &walk, STEPS);

		if (timer_over(lab->timer))
			stroll.status = MACHINE_FAULT;
		if (stroll.status != MACHINE_RAN) {
			hierarchy->status = stroll.status;
			snprintf(hierarchy->why, sizeof(hierarchy->why), "%s",
				 stroll.why[0] ? stroll.why : "out of time");
			return false;
		}
		*time = stroll.ticks / lab->cycle;
		if (*time >= least)
			break;
	}
	lab->finding.samples += MACHINE_BURST;
	if (*time < least)
		*time = NAN;
	return true;
}

/* Both kinds of walk over the same memory, one after the other. */
struct look {
	double dense, grouped; /* cycles a step */
};

static bool take_look(struct lab *lab, struct hierarchy *hierarchy, int index, int round, struct look *look)
{
	look->grouped = NAN;
	return stroll_for(lab, hierarchy, index, round, false, &look->dense) &&
	       (hierarchy->points[index].bytes < GROUPED ||
		stroll_for(lab, hierarchy, index, round, true, &look->grouped));
}

/* What translation costs a step of a dense walk: a grouped one pays for it once in a group, and has an overhead of its
 * own. */
static double translation(const struct hierarchy *hierarchy, const struct look *look)
{
	double saved = look->dense - look->grouped - hierarchy->drawing;

	return saved > 0 ? saved * WALK_GROUP / (WALK_GROUP - 1.0) : 0;
}

static void conclude(struct lab *lab, struct hierarchy *hierarchy, int index, const struct look *looks, int rounds)
{
	struct curve_point *point = &hierarchy->points[index];
	double times[ROUNDS], costs[ROUNDS], mean = 0, least;

	for (int i = 0; i < rounds; i++) {
		costs[i] = translation(hierarchy, &looks[i]);
		times[i] = looks[i].dense;
		mean += times[i] / rounds;
	}
	hierarchy->translation[index] = stat_median(costs, rounds);
	point->time = (lab->timer->noise == NOISE_QUIET ? mean : stat_quantile(times, rounds, QUICKER)) -
		      hierarchy->translation[index];
	least = ERROR_FLOOR * (point->time + hierarchy->translation[index]);
	point->error = fmax(least, (stat_median(times, rounds) - stat_quantile(times, rounds, 0)) / 2);
	if (isnan(point->time))
		point->time = point->error = hierarchy->floor;
	hierarchy->repeated += point->bytes >= FINE;
	hierarchy->wavering += point->bytes >= FINE && point->error > least;
}

static bool in_a_row(const struct hierarchy *hierarchy, int index)
{
	return hierarchy->points[index].bytes >= FINE || is_slow(hierarchy, hierarchy->points[index].bytes);
}

/* Takes the walks from `first` on. Of small ones the rounds lie outside, so that what changes slowly spreads over all
 * sizes; large ones take long to begin, and are taken several times in a row. What settles slowly does so at every
 * place anew, unless it is large. */
static bool take_walks(struct lab *lab, struct hierarchy *hierarchy, int first)
{
	struct look looks[HIERARCHY_POINTS][ROUNDS] = { { { 0, 0 } } };
	/* Until a line is known it is about where the nearest level lies, and what it holds is asked of sets. */
	bool few = lab->timer->noise == NOISE_QUIET || hierarchy->line == 0;
	int rounds = (few ? QUIET_ROUNDS : ROUNDS) / (lab->brief ? 2 : 1);

	for (int round = 0; round < rounds; round++)
		for (int i = first; i < hierarchy->count; i++)
			if (!in_a_row(hierarchy, i) && !take_look(lab, hierarchy, i, round, &looks[i][round]))
				return false;
	for (int i = first; i < hierarchy->count; i++) {
		double bytes = hierarchy->points[i].bytes;
		bool slow = is_slow(hierarchy, bytes), anew = slow && bytes < SOON_SETTLED;

		for (int round = 0; round < rounds && in_a_row(hierarchy, i); round++) {
			if (anew || (slow && round == 0))
				survey_settle(lab, hierarchy, &hierarchy->points[i], round);
			if (!take_look(lab, hierarchy, i, anew ? round : 0, &looks[i][round]))
				return false;
		}
	}
	for (int i = first; i < hierarchy->count; i++)
		conclude(lab, hierarchy, i, looks[i], rounds);
	return true;
}

/* What a step takes more or less when places come in groups: seen where translation costs nothing yet. */
static bool compare_drawing(struct lab *lab, struct hierarchy *hierarchy)
{
	double off[ROUNDS];
	int kept = hierarchy->count;

	add_point(hierarchy, GROUPED);
	for (int i = 0; i < ROUNDS; i++) {
		struct look look;

		if (!take_look(lab, hierarchy, kept, 0, &look))
			return false;
		off[i] = look.dense - look.grouped;
	}
	hierarchy->drawing = stat_median(off, ROUNDS);
	hierarchy->count = kept;
	return true;
}

bool survey_all(struct lab *lab, struct hierarchy *hierarchy)
{
	hierarchy->count = 0;
	if (!compare_drawing(lab, hierarchy))
		return false;
	plan(hierarchy);
	return take_walks(lab, hierarchy, 0);
}

/* Whether a walk as large as any is clearly slower than the largest so far. */
static bool rises_beyond(struct lab *lab, struct hierarchy *hierarchy, double farthest, bool *rises)
{
	int last = hierarchy->count - 1;

	if (hierarchy->most * 2 > farthest || !add_point(hierarchy, farthest))
		return true;
	if (!take_walks(lab, hierarchy, last + 1))
		return false;
	*rises = hierarchy->points[last + 1].time > (1 + RISES[lab->timer->noise]) * hierarchy->points[last].time;
	/* A point so far out, alone, tells nothing about where it rises. */
	hierarchy->count = last + 1;
	return true;
}

/* A last level that is large needs walks much larger than it, and may be larger than all walks so far. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy)
{
	int far = hierarchy->levels - 1, depth = lab->brief && far > 1 ? 1 : far, first = hierarchy->count;
	double last = depth >= 0 ? hierarchy->level[depth].reach : 0;
	double memory = (double)lab->timer->machine->memory, farthest = fmin(FARTHEST, memory),
	       wanted = fmin(FURTHER[lab->timer->noise] * last, farthest);
	bool rises = false;

	if (wanted <= hierarchy->most && !lab->brief && !rises_beyond(lab, hierarchy, fmin(BEYOND, memory), &rises))
		return false;
	if (rises)
		wanted = farthest;
	while (hierarchy->most * M_SQRT2 <= wanted) {
		if (!add_point(hierarchy, hierarchy->most * M_SQRT2))
			break;
		hierarchy->most = hierarchy->points[hierarchy->count - 1].bytes;
	}
	return take_walks(lab, hierarchy, first);
}

bool survey_closer(struct lab *lab, struct hierarchy *hierarchy)
{
	static const double about[] = { 0.7, 0.8, 0.88, 0.95, 1.03, 1.12, 1.22, 1.34, 1.5, 1.7, 2 };
	int first = hierarchy->count;

	for (int i = 0; i < hierarchy->terms.count; i++) {
		const struct term *term = &hierarchy->terms.term[i];

		for (size_t j = 0; j < sizeof(about) / sizeof(about[0]); j++)
			if (term->reach * about[j] > hierarchy->most || !add_point(hierarchy, term->reach * about[j]))
				break;
	}
	return take_walks(lab, hierarchy, first);
}

/* SPDX-License-Identifier: MIT */
/*
 * ways.c - AMP's search for ways, and what happens to a line too many
 *
 * If there are k ways, 2k places size / k apart thrash one set, and with more than k they fit. A cache above would hide
 * misses of so few places; so there are as many columns of them, in one set of that and in sets of their own, as it
 * takes to crowd it out.
 */
#include <stdio.h>

#include "counters.h"

enum { MOST_WAYS = 256, A_LITTLE = 4, PLACES = 4 };

static const double PART = 0.75; /* of its size: twice that has no room, and a third is missed */
static const double UNIFIED = 0.15, NOT_UNIFIED = 0.05; /* misses a load */

static const double CROWDS_OUT = 1.5; /* times what a set of the cache above holds */
static const double THRASHES = 0.4, FITS = 0.05; /* misses a step */
static const double HALF_A_MISS = 0.5; /* in a round */
static const double EACH_TIME = 0.95, SELDOM = 0.9; /* misses of lines that are one too many */
static const double MOST_LINES = 1 << 20;

/* Columns that lie in one set of the cache above, so many that with the rows they have no room there. */
static void crowd_out(struct lab *lab, enum walk_event event, struct counters_grid *grid)
{
	double size, ways;

	if (event != WALK_L2_MISSES && event != WALK_LAST_MISSES)
		return;
	size = counters_size(lab, WALK_L1D_MISSES)->value * counters_line(lab, WALK_L1D_MISSES)->value;
	ways = counters_ways(lab, WALK_L1D_MISSES)->value;
	grid->columns = ceil(CROWDS_OUT * (ways + 1) / grid->rows);
	grid->columns_apart = size / ways;
}

/* `rows` places a way of `way` lines apart. */
static double rows_share(struct lab *lab, enum walk_event event, double rows, double way)
{
	struct counters_grid grid = { rows, way * counters_line(lab, event)->value, 1, 0, 0, false };
	double share;

	crowd_out(lab, event, &grid);
	share = counters_grid_share(lab, event, grid);
	lab_note(lab, "misses a step, by places in a set", rows, share, "");
	return share;
}

/* As many places as there are ways fit, and one more does not. */
static bool is_set(struct lab *lab, enum walk_event event, double ways, double way)
{
	double one_more = ways + 1;

	return rows_share(lab, event, ways, way) < FITS &&
	       rows_share(lab, event, one_more, way) > HALF_A_MISS / one_more;
}

static double ask_ways(struct lab *lab, enum walk_event event)
{
	double lines = counters_size(lab, event)->value;

	for (int ways = 1; ways <= MOST_WAYS && ways <= lines; ways++) {
		double share;

		if (fmod(lines, ways) != 0)
			continue;
		share = rows_share(lab, event, 2 * ways, lines / ways);
		if (share > THRASHES)
			return is_set(lab, event, ways, lines / ways) ? ways : NAN;
		if (!(share < FITS))
			return NAN;
	}
	return NAN;
}

static const struct voted *unknown(struct voted *voted, const char *why)
{
	*voted = (struct voted){ .tried = true, .value = NAN };
	snprintf(voted->why, sizeof(voted->why), "%s", why);
	return voted;
}

static bool is_known_above(struct lab *lab)
{
	return counters_try(lab, WALK_L1D_MISSES)->trusted && !isnan(counters_ways(lab, WALK_L1D_MISSES)->value);
}

const struct voted *counters_ways(struct lab *lab, enum walk_event event)
{
	struct voted *ways = &counters_of(lab)->counted[event].ways;

	if (ways->tried)
		return ways;
	if (isnan(counters_size(lab, event)->value))
		return unknown(ways, "its size is not known");
	if ((event == WALK_L2_MISSES || event == WALK_LAST_MISSES) && !is_known_above(lab))
		return unknown(ways, "sets of the nearest cache, which hides some misses, are not known");
	*ways = counters_vote(lab, event, ask_ways);
	if (isnan(ways->value))
		snprintf(
			ways->why, sizeof(ways->why),
			"no number of places at equal distances thrashes one set: the index may be hashed, or frames lie "
			"in no order");
	return ways;
}

/* Twice as many places miss each time with LRU, and seldom where any goes. What holds a few more than its ways, as
 * levels do that exclude each other, looks like neither. */
static double ask_same(struct lab *lab, enum walk_event event)
{
	double ways = counters_ways(lab, event)->value, lines = counters_size(lab, event)->value;
	double one_more = rows_share(lab, event, ways + 1, lines / ways);
	double twice = rows_share(lab, event, 2 * ways, lines / ways);

	if (one_more > EACH_TIME && twice > EACH_TIME)
		return 1;
	return one_more < SELDOM && twice < EACH_TIME ? 0 : NAN;
}

const struct voted *counters_same(struct lab *lab, enum walk_event event)
{
	struct voted *same = &counters_of(lab)->counted[event].same;

	if (same->tried)
		return same;
	if (isnan(counters_ways(lab, event)->value))
		return unknown(same, "its ways are not known");
	*same = counters_vote(lab, event, ask_same);
	return same;
}

/* Loads from so many lines, each of which a jump waits for: a jump to one of so many lines of code, `base` on in its
 * memory. */
static double misses_beside(struct lab *lab, enum walk_event event, double lines, double code, double base)
{
	struct walk walk = { .order = WALK_RANDOM, .event = event, .code = true, .has_hot = true };
	double line = counters_line(lab, event)->value;

	walk.pages = counters_is_tlb(event) ? WALK_BASE_PAGES : WALK_HUGE_PAGES;
	walk.hot.stride[0] = walk.grid.stride[0] = (uint64_t)line;
	walk.hot.count[0] = (long)lines;
	walk.grid.count[0] = (long)code;
	walk.grid.base = (uint64_t)(base * line);
	return counters_share(lab, &walk, 8 * (long)lines);
}

/* Data and code may meet further out, in a level of few ways, and go from the nearer ones with what that loses. So the
 * code is put here and there, and the least counts. */
static double ask_unified(struct lab *lab, enum walk_event event)
{
	double size = counters_size(lab, event)->value, lines = floor(PART * size);
	double more = INFINITY;

	for (int i = 0; i < PLACES && more > NOT_UNIFIED; i++) {
		double little = misses_beside(lab, event, lines, A_LITTLE, i * size);
		double much = misses_beside(lab, event, lines, lines, i * size);

		lab_note(lab, "misses a load, beside a little code", i, little, "");
		lab_note(lab, "misses a load, beside as much code", i, much, "");
		more = fmin(more, much - little);
	}
	return more > UNIFIED ? 1 : more < NOT_UNIFIED ? 0 : NAN;
}

const struct voted *counters_unified(struct lab *lab, enum walk_event event)
{
	struct voted *unified = &counters_of(lab)->counted[event].unified;

	if (unified->tried)
		return unified;
	if (isnan(counters_size(lab, event)->value) || counters_size(lab, event)->value > MOST_LINES)
		return unknown(unified, "its size is not known, or too large for as much code");
	*unified = counters_vote(lab, event, ask_unified);
	return unified;
}

/* SPDX-License-Identifier: MIT */
/*
 * compact.c - X-Ray's compact sequences, for machines that others use, too
 *
 * <S, n> is n places S bytes apart, walked in a circle; it is compact when a level holds all of them, so that no step
 * misses. If it holds fewer, every round misses at least once, whatever the policy. What others do only adds to the
 * time, so one quick look shows that a sequence is compact, where the mean of random references would need them all to
 * be undisturbed. X-Ray's Theorem 1: with a stride of a way's size or a multiple of it the longest compact sequence has
 * as many places as the level has ways; with half that stride, twice as many.
 */
#include <math.h>
#include <stdio.h>

#include "sets.h"

enum {
	TURNS = 3,
	LOOKS = 4,
	REFERENCE = 2, /* places that the nearest level holds for certain */
	REFERENCE_ARENA = 7,
	MOST_PLACES = 2048,
	MOST_WAYS = 64,
	MOST_ODD = 15,
	MOST_FIRST_COLUMNS = 4,
	AMONG = 4 /* times as many places of the set, to take any of */
};

static const double HALF_A_MISS = 0.5; /* in a round */
static const double LEAST_TOLD = 0.04; /* of a step's time: less is not told apart beside others */
static const double CLEARLY_FEWER = 0.6;
static const double CROWDED = 1.3; /* times what it holds: a level holds nothing of more that go round */
static const double OFF = 0.6, OFF_QUIET = 0.3; /* ways */
static const double PER_WAY = 0.02, BESIDE_OTHERS = 0.25; /* of all ways: the error of the reach */
static const double MOST_MEMORY = 1 << 29; /* bytes: more takes seconds to come by */
static const double LONGEST_LINE = 512, SHORTEST_LINE = 8; /* bytes */

static bool in_pages_of_their_own(const uint64_t *places, long count, uint64_t page)
{
	for (long i = 0; i < count; i++)
		for (long j = 0; j < i; j++)
			if (places[i] / page == places[j] / page)
				return false;
	return true;
}

/* The same pages, and sets of the nearest level that hold them: a TLB may have no room for pages so far apart (16 sets
 * of 4 do not hold five that are 64 KiB apart), and must not be taken for the cache. False when there is no room. */
static bool move_apart(const struct search *search, const uint64_t *places, long count, uint64_t *moved)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	long lines = (long)(hierarchy->page / PLACE) - 1;
	double held = search->depth && hierarchy->level[0].conflicts.found ? hierarchy->level[0].conflicts.held : 1;

	for (long i = 0; i < count; i++)
		moved[i] = places[i] - places[i] % PLACE + (uint64_t)(1 + i % lines) * PLACE;
	return (double)count <= held * (double)lines && in_pages_of_their_own(places, count, (uint64_t)hierarchy->page);
}

/* Cycles a step of places in a circle takes more than one that hits in the nearest level, translation apart. NaN when
 * they do not run. */
static double circle(struct search *search, const uint64_t *places, long count)
{
	static const uint64_t few[REFERENCE] = { 0, 2 * PLACE };
	const struct hierarchy *hierarchy = search->hierarchy;
	uint64_t moved[MOST_PLACES];
	bool has_room = move_apart(search, places, count, moved);
	struct walk walks[3] = { { .arena = REFERENCE_ARENA, .places = few, .count = REFERENCE },
				 { .places = places, .count = count },
				 { .places = moved, .count = count } };
	double ns[3], extent = 0, pages = 0;

	for (int i = 0; i < 3; i++)
		walks[i].pages = WALK_HUGE_PAGES;
	if (!timing_walks_by_turns(search->lab->timer, walks, has_room ? 3 : 2, TURNS, ns))
		return NAN;
	search->lab->finding.samples += 2 * TURNS * MACHINE_BURST;
	if (has_room)
		return hierarchy->chase * (ns[1] - ns[2]) / ns[0];
	for (long i = 0; i < count; i++)
		extent = fmax(extent, (double)places[i]);
	pages = fmin((double)count * hierarchy->page, extent);
	return hierarchy->chase * (ns[1] / ns[0] - 1) - hierarchy_translation(hierarchy, pages);
}

/* Of n groups of places, each as wide as it takes to crowd out the level above. */
static bool is_compact(struct search *search, const uint64_t *groups, long n)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double allowed = HALF_A_MISS * hierarchy_step(search->hierarchy, search->depth) / (double)n;
	long wide = (long)sets_columns(search), order[MOST_PLACES];
	double apart = wide > 1 ? level[-1].conflicts.way : 0;
	uint64_t places[MOST_PLACES];

	if (n * wide > MOST_PLACES)
		return false;
	walk_shuffle(order, n * wide);
	for (long i = 0; i < n * wide; i++)
		places[i] = groups[order[i] / wide] + (uint64_t)(order[i] % wide) * (uint64_t)apart;
	if (search->depth)
		allowed += level->latency - search->hierarchy->chase;
	for (int look = 0; look < LOOKS && !timer_over(search->lab->timer); look++) {
		double more = circle(search, places, n * wide);

		if (!(more >= allowed))
			return !isnan(more);
	}
	return false;
}

static bool compact(struct search *search, double stride, double n)
{
	uint64_t groups[MOST_WAYS + 2];
	bool is;

	if (n > MOST_WAYS + 2 || stride * n > fmin(MOST_MEMORY, (double)search->lab->timer->machine->memory))
		return false;
	for (long i = 0; i < (long)n; i++)
		groups[i] = (uint64_t)i * (uint64_t)stride;
	is = is_compact(search, groups, (long)n);
	lab_note(search->lab, is ? "compact, places by stride" : "not compact, places by stride", stride, n, "");
	return is;
}

/* Places of the longest compact sequence with this stride; 0 when there is no end to them. */
static double longest(struct search *search, double stride)
{
	double fits = 1, over = 2;

	while (compact(search, stride, over)) {
		fits = over;
		over *= 2;
		if (over > MOST_WAYS)
			return 0;
	}
	while (over - fits > 1) {
		double middle = floor((fits + over) / 2);

		if (compact(search, stride, middle))
			fits = middle;
		else
			over = middle;
	}
	return fits;
}

/* The smallest stride, among halves of this one, with no longer sequences. */
static double smallest_stride(struct search *search, double stride, double ways)
{
	double room = search->room;

	while (stride / 2 >= PLACE) {
		search->room = fmin(room, stride / 2); /* or columns would fall on each other's places */
		if (compact(search, stride / 2, ways + 1))
			break;
		stride /= 2;
	}
	search->room = fmin(room, stride);
	return stride;
}

/* A way whose size is an odd multiple of the stride holds only a part of those places. */
static void try_odd(struct search *search, double *ways, double *stride)
{
	for (double odd = 3; odd <= MOST_ODD && odd <= *ways; odd += 2) {
		double fewer;

		if (compact(search, *stride * odd, fmax(2, floor(CLEARLY_FEWER * *ways))))
			continue;
		fewer = longest(search, *stride * odd);
		if (fewer < 1 || fewer > CLEARLY_FEWER * *ways)
			continue;
		*ways = fewer;
		*stride = smallest_stride(search, *stride * odd, fewer);
		odd = 1;
	}
}

/* A level above that holds other lines adds to the reach. Beyond the nearest level others make the reach uncertain. */
static bool agrees_with_reach(const struct search *search, double ways, double stride)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	bool quiet = search->lab->timer->noise == NOISE_QUIET;
	double above = search->depth ? level[-1].reach : 0, by_reach = level->reach / stride;
	double off = (quiet ? OFF_QUIET : OFF) + PER_WAY * ways + (search->depth && !quiet ? BESIDE_OTHERS * ways : 0);

	return by_reach > ways - off && by_reach < ways + above / stride + off;
}

/* Any so many places of the set, not only those in a row. */
static bool compact_anywhere(struct search *search, double stride, double n)
{
	uint64_t groups[AMONG * (MOST_WAYS + 2)];
	long order[AMONG * (MOST_WAYS + 2)];

	if (AMONG * n * stride > (double)search->lab->timer->machine->memory)
		return compact(search, stride, n);
	walk_shuffle(order, AMONG * (long)n);
	for (long i = 0; i < (long)n; i++)
		groups[i] = (uint64_t)order[i] * (uint64_t)stride;
	return is_compact(search, groups, (long)n);
}

/* One miss in a round of so many must show. */
static bool is_told(const struct search *search, double ways)
{
	const struct hierarchy *hierarchy = search->hierarchy;

	return HALF_A_MISS * hierarchy_step(hierarchy, search->depth) / (ways + 1) >
	       LEAST_TOLD * hierarchy->level[search->depth].latency;
}

/* Ways, as places far apart tell that share a set for certain. The level above holds as many of one column as it has
 * ways itself, and hides a level of fewer; with more columns it does not. They must lie within a way. */
static double count_far_apart(struct search *search, double stride)
{
	const struct conflicts *above = search->depth ? &search->hierarchy->level[search->depth - 1].conflicts : NULL;
	double ways, columns = 1;

	search->room = 0;
	ways = longest(search, stride);
	while (above && ways > 0 && columns < MOST_FIRST_COLUMNS && ways * columns <= CROWDED * above->held) {
		columns *= 2;
		search->room = columns * above->way;
		ways = longest(search, stride);
	}
	return above && ways * columns <= CROWDED * above->held ? 0 : ways;
}

bool compact_search(struct search *search, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double stride = PLACE, ways;

	while (stride < level->high)
		stride *= 2;
	ways = search->depth && !level[-1].conflicts.found ? 0 : count_far_apart(search, stride);
	if (ways < 1 || !is_told(search, ways) || compact(search, 2 * stride, ways + 1)) {
		snprintf(conflicts->why, sizeof(conflicts->why), "places %.0f KiB apart show no set of the level",
			 stride / 1024);
		return false;
	}
	stride = smallest_stride(search, stride, ways);
	/* With more columns the level above hides less; and what others take away they do not take each time. */
	search->room = stride;
	if (search->depth)
		ways = fmax(longest(search, stride), longest(search, stride));
	try_odd(search, &ways, &stride);
	if (!agrees_with_reach(search, ways, stride)) {
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "%.0f places compete for a set of the %.1f that the reach has room for", ways,
			 level->reach / stride);
		return false;
	}
	if (!compact_anywhere(search, stride, ways) || compact_anywhere(search, stride, ways + 1)) {
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "%.0f places in a row compete for a set, but not any %.0f of them: the index is hashed",
			 ways + 1, ways + 1);
		return false;
	}
	conflicts->ways = conflicts->held = ways;
	conflicts->way = stride;
	conflicts->compact = true;
	return true;
}

/* X-Ray's Figure 10: two groups of places, more than a set holds together; moved by a line, one is in the next set. */
double compact_line(struct search *search, char *why, size_t size)
{
	const struct conflicts *conflicts = &search->hierarchy->level[search->depth].conflicts;
	double far = conflicts->columns > 1 ? conflicts->apart : conflicts->way;
	long half = (long)floor(conflicts->held / 2) + 1;
	uint64_t groups[2 * (MOST_WAYS / 2 + 1)];

	search->room = conflicts->way;
	for (double shift = SHORTEST_LINE; shift <= fmin(LONGEST_LINE, far / 2) && half <= MOST_WAYS / 2; shift *= 2) {
		bool is;

		for (long i = 0; i < 2 * half; i++)
			groups[i] = (uint64_t)i * (uint64_t)conflicts->way + (uint64_t)(i < half ? 0 : shift);
		is = is_compact(search, groups, 2 * half) && is_compact(search, groups, 2 * half);
		lab_note(search->lab, is ? "compact, by shift" : "not compact, by shift", shift, 2 * (double)half, "");
		if (is)
			return shift;
	}
	snprintf(why, size, "no shift up to %.0f bytes ends the conflict", fmin(LONGEST_LINE, far / 2));
	return NAN;
}

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
	MOST_WAYS = 64,
	MOST_ODD = 15,
	MOST_FIRST_COLUMNS = 4,
	MOST_DOUBLINGS = 5,
	FEW_WAYS = 8,
	NOISY_ATTEMPTS = 8,
	CLIMBS = 5,
	MOST_BEYOND = 32, /* ways of a further level */
	AMONG = 4 /* times as many places of the set, to take any of */
};

static const double LEAST_TOLD = 0.04; /* of a step's time: less is not told apart beside others */
static const double CLEARLY_FEWER = 0.6, CLEARLY_MORE = 1.5;
static const double CROWDED = 1.3; /* times what it holds: a level holds nothing of more that go round */
static const double OFF = 0.3, PER_WAY = 0.02; /* ways, and of all ways: the error of the reach */
static const double BESIDE_OTHERS = 1.6; /* times, beyond the nearest level */
static const double PAUSE = 6e6; /* ns */
static const double CLIMBED = 1.5; /* times: part of a way, taken for all of it, holds twice as many at the least */
static const double MOST_MEMORY = 1 << 29; /* bytes: more takes seconds to come by */
/* Bytes: from a set to another one of every level. Whoever keeps some places of a set warm may go on doing so. */
static const uint64_t ELSEWHERE = 4096 + 7 * LONG_LINE;

static bool compact(struct search *search, double stride, double n)
{
	uint64_t groups[MOST_WAYS + 2];
	bool is;

	if (n > MOST_WAYS + 2 || stride * n > fmin(MOST_MEMORY, (double)search->lab->timer->machine->memory))
		return false;
	for (long i = 0; i < (long)n; i++)
		groups[i] = (uint64_t)i * (uint64_t)stride;
	is = sets_compact(search, groups, (long)n);
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

/* The smallest stride, among halves of this one, with no longer sequences. At half of a way they are twice as long; one
 * place more may be what others had taken before. */
static double smallest_stride(struct search *search, double stride, double ways)
{
	double room = search->room, longer = ways + 1;

	if (search->lab->timer->noise != NOISE_QUIET)
		longer = fmax(longer, ceil(CLEARLY_MORE * ways));

	while (stride / 2 >= PLACE) {
		search->room = fmin(room, stride / 2); /* or columns would fall on each other's places */
		if (compact(search, stride / 2, longer))
			break;
		stride /= 2;
	}
	search->room = fmin(room, stride);
	return stride;
}

/* A way whose size is an odd multiple of the stride holds only a part of those places. */
static void try_odd(struct search *search, double *ways, double *stride)
{
	for (int odd = 3; odd <= MOST_ODD && odd <= *ways; odd += 2) {
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

/* A level above that holds other lines adds to the reach. Beside others the reach is what they leave of the level,
 * which may be a fifth, and says nothing about the nearest, which they fill in no time. */
static bool agrees_with_reach(const struct search *search, double ways, double stride)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double above = search->depth ? level[-1].reach : 0, by_reach = level->reach / stride;
	double off = OFF + PER_WAY * ways;

	if (search->lab->timer->noise != NOISE_QUIET)
		return search->depth == 0 || by_reach < BESIDE_OTHERS * (ways + above / stride) + 1;
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
	return sets_compact(search, groups, (long)n);
}

/* One miss in a round of so many must show. */
static bool is_told(const struct search *search, double ways)
{
	const struct hierarchy *hierarchy = search->hierarchy;

	return SETS_HALF_A_MISS * hierarchy_step(hierarchy, search->depth) / (ways + 1) >
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

/* Doubles the stride until the count stays the same twice: beside others the reach may be anything, and the first
 * stride half a way. 0 when it does not. */
static double settle(struct search *search, double *stride)
{
	double ways = count_far_apart(search, *stride);

	for (int i = 0; i < MOST_DOUBLINGS && ways > 0; i++) {
		if (compact(search, 2 * *stride, ways) && !compact(search, 2 * *stride, ways + 1) &&
		    compact(search, 4 * *stride, ways))
			return ways;
		*stride *= 2;
		ways = count_far_apart(search, *stride);
	}
	return 0;
}

static bool search_once(struct search *search, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	bool quiet = search->lab->timer->noise == NOISE_QUIET;
	double stride = PLACE, ways;

	/* No further apart than need be: the TLB has sets, too. */
	while (stride < level->high / FEW_WAYS)
		stride *= 2;
	ways = search->depth && !level[-1].conflicts.found ? 0 : settle(search, &stride);
	if (ways < 1 || (search->depth && ways > MOST_BEYOND) || !is_told(search, ways)) {
		snprintf(conflicts->why, sizeof(conflicts->why), "places %.0f KiB apart show no set of the level",
			 stride / 1024);
		return false;
	}
	stride = smallest_stride(search, stride, ways);
	/* With more columns the level above hides less, but there are more sets that others may be in; and what they
	 * take away they do not take each time. */
	search->room = stride;
	if (search->depth) {
		double wide = fmax(longest(search, stride), longest(search, stride));

		/* More than the level above held is lost: places of other columns share the set, as when a way is three
		 * quarters of the stride. */
		if (quiet && wide + level[-1].conflicts.held + 1 < ways) {
			snprintf(conflicts->why, sizeof(conflicts->why),
				 "places %.0f KiB apart fall into several sets of the level", stride / 1024);
			return false;
		}
		ways = wide < ways && wide + 1 >= ways && !quiet ? ways : wide;
	}
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

/* Others take places of a set, and never add any: what holds one more twice has them. They may do so for longer than
 * all of the search took. */
static void climb(struct search *search, struct conflicts *conflicts)
{
	struct machine *machine = search->lab->timer->machine;
	int held = 0;

	search->room = conflicts->way;
	for (int i = 0; i < CLIMBS && held < 2; i++) {
		machine->ops->wait(machine, held ? 0 : i * PAUSE);
		search->base = (uint64_t)(i + 1) * ELSEWHERE;
		held += compact(search, conflicts->way, conflicts->ways + 1);
	}
	if (held < 2)
		return;
	conflicts->held = ++conflicts->ways;
	climb(search, conflicts);
}

/* Beside others what comes out twice is believed: they make it smaller, and hardly ever larger. */
bool compact_search(struct search *search, struct conflicts *conflicts)
{
	struct conflicts seen[NOISY_ATTEMPTS];
	int n = 0;

	if (search->lab->timer->noise == NOISE_QUIET)
		return search_once(search, conflicts);
	for (int i = 0; i < NOISY_ATTEMPTS && !timer_over(search->lab->timer); i++) {
		int same = 0;

		search->base = (uint64_t)i * ELSEWHERE;
		if (!search_once(search, conflicts)) {
			if (search->depth > 1)
				return false;
			continue;
		}
		while (same < n && (seen[same].ways != conflicts->ways || seen[same].way != conflicts->way))
			same++;
		if (same == n) {
			seen[n++] = *conflicts;
			continue;
		}
		climb(search, conflicts);
		if (conflicts->ways <= CLIMBED * seen[same].ways)
			return true;
	}
	if (n > 0)
		snprintf(conflicts->why, sizeof(conflicts->why), "it comes out otherwise each time");
	return false;
}

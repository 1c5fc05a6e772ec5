/* SPDX-License-Identifier: MIT */
/*
 * conflicts.c - places that compete for one set of a cache, and how many of them it holds
 *
 * X-Ray's Theorem 1 with the resident-set law in place of a threshold: of n places a stride s apart a cache of reach R
 * holds R/s while s is below the size of a way, and as many as it has ways from there on. With uniform random
 * references the number held follows from the time of any n beyond it, for every policy: no edge has to be found. A
 * number of sets that is no power of two shows when an odd multiple of the stride lowers the number once more.
 */
#include <math.h>
#include <stdio.h>

#include "sets.h"

enum {
	MOST_DENSE = 4096,
	FIRST_PLACES = 64,
	MOST_FIRST = 512,
	SHORTEST = 16,
	MOST_ODD = 31,
	MOST_WAYS = 128 /* of a level beyond the first: more are not believed there */
};

static const double SAME = 0.2, HALF = 0.24, FEWER = 0.6,
		    MORE = 1.5; /* relative: as many, half as many, clearly fewer, more */
static const double AGREES = 0.025, WHOLE = 0.2; /* relative; ways: more is as near to the next number */
static const double FILLS = 1.4; /* times: between what sets come to and what is held */
static const double SMALL_WAY = 512; /* bytes: the reach is not known that well where a line may be a way */

static bool is_near(double value, double expected, double tolerance)
{
	return fabs(value - expected) <= fmax(tolerance * expected, 0.3);
}

static double beyond(double places)
{
	return fmax(places + 1, ceil(1.5 * places));
}

/* A stride of which few enough places are held, and as many as a plain index would. Caches of many ways need a smaller
 * one; those that are small can be tried from the first line on. */
static bool find_start(struct search *search, double *stride)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double places, found;

	*stride = PLACE;
	while (level->reach / *stride > FIRST_PLACES)
		*stride *= 2;
	search->room = *stride;
	places = level->reach / *stride;
	found = sets_held(search, *stride, beyond(places));
	/* Of an odd number of sets, or a small multiple, places so far apart reach too few to tell. */
	while (found > (1 + SAME) * places && places < MOST_FIRST) {
		*stride = search->room = *stride / 2;
		places *= 2;
		found = sets_held(search, *stride, beyond(places));
	}
	if (is_near(found, places, SAME))
		return true;
	*stride = search->room = PLACE;
	return level->reach / PLACE <= MOST_DENSE;
}

/* Doubles the stride until the number held falls no more. 0 when it never settles, and why. */
static double settle(struct search *search, double *stride, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double last, tried, memory = (double)search->lab->timer->machine->memory;
	int same = 0;

	if (!find_start(search, stride)) {
		snprintf(
			conflicts->why, sizeof(conflicts->why),
			"places far apart do not compete as they would for a plain index: frames are not contiguous, or the index is hashed");
		return 0;
	}
	last = level->reach / *stride;
	tried = *stride;
	while (same < 2) {
		double n = beyond(last), found;

		tried *= 2;
		if (tried * n > memory || tried > 6 * level->reach) {
			snprintf(conflicts->why, sizeof(conflicts->why),
				 "%.0f places %.0f KiB apart do not compete for a set", n, tried / 2048);
			return 0;
		}
		found = sets_held(search, tried, n);
		/* Further apart they are held no better: more is what translation was taken for. */
		if ((is_near(found, last, SAME) && !(last < 1.5 && found < 0.7)) ||
		    (found > last && found < MORE * last)) {
			same++;
		} else if (same == 0 && is_near(found, last / 2, HALF)) {
			*stride = search->room = tried;
			last = last < 48 ? found : last / 2;
		} else if (same > 0 && found < last) {
			/* They begin to compete for the next level, too, and each miss costs more. */
			break;
		} else {
			snprintf(
				conflicts->why, sizeof(conflicts->why),
				"of places %.0f KiB apart %.1f are held, of places twice as near %.1f: frames are not contiguous, or the index is hashed",
				tried / 1024, found, last);
			return 0;
		}
	}
	return last;
}

/* The nearer n is to what is held, the less an error in what a miss costs does to the count. */
static double count_exactly(struct search *search, double stride, double ways)
{
	for (int i = 0; i < 3; i++)
		ways = fmax(1, round(sets_held(search, stride, round(ways) + 2)));
	return ways;
}

/* With many ways it may have settled long ago: back to the smallest stride that holds no more. */
static double descend(struct search *search, double *stride, double ways)
{
	while (*stride / 2 >= SHORTEST && is_near(sets_held(search, *stride / 2, beyond(ways)), ways, SAME)) {
		*stride /= 2;
		search->room = fmin(search->room, *stride);
	}
	return ways;
}

/* Where n places all fit and one more does not, sets are what they seem. */
static bool is_sharp(struct search *search, double ways, double stride, struct conflicts *conflicts)
{
	double fitting = sets_held(search, stride, ways), over = sets_held(search, stride, ways + 1);

	if (fitting > ways - 0.25 - 0.02 * ways && over < ways + 0.6)
		return true;
	snprintf(
		conflicts->why, sizeof(conflicts->why),
		"of %.0f places in a set %.1f are held, and %.1f of one more: frames are not contiguous, or the index is hashed",
		ways, fitting, over);
	return false;
}

/* A way that is an odd multiple of the stride. */
static void try_odd(struct search *search, double *ways, double *stride)
{
	for (int odd = 3; odd <= MOST_ODD && odd <= *ways + 1; odd += 2) {
		double n = beyond(*ways), held;

		if (*stride * odd * n > (double)search->lab->timer->machine->memory)
			return;
		held = sets_held(search, *stride * odd, n);
		/* Fewer than that: they compete for the next level, too, and each miss costs more. */
		if (held < FEWER * *ways / odd)
			held = sets_held(search, *stride * odd, beyond(*ways / odd));
		if (!(held <= FEWER * *ways && held >= FEWER * *ways / odd))
			continue;
		*stride *= odd;
		*ways = count_exactly(search, *stride, held);
		/* The way may be half of that, or a quarter. */
		*ways = descend(search, stride, *ways);
		search->room = *stride;
		*ways = count_exactly(search, *stride, *ways);
		odd = 1;
	}
}

/* Two ways to the same number: places of one set, and the reach over the size of a way. The reach, from far more
 * references, corrects a count that is off by one. Where the level above adds to what is held, its part is allowed for.
 */
static bool agrees_with_reach(struct search *search, double *ways, double stride, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	struct columns columns = sets_columns(search, stride, *ways);
	double share = columns.in_a_row ? level[-1].reach / columns.apart / columns.count
		       : search->depth && level[-1].conflicts.found
			       ? sets_held_by(&level[-1].conflicts, stride) / columns.count
			       : 0;
	double by_reach = level->reach / stride, off = fabs(by_reach - round(by_reach));

	if (search->depth == 0 && stride <= SMALL_WAY)
		return true;
	if (search->depth && *ways > MOST_WAYS) {
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "places at every distance compete alike: frames are not contiguous, or the index is hashed");
		return false;
	}
	if (off < fmin(AGREES * by_reach, WHOLE) && by_reach > 0.5 && share < 0.5 &&
	    fabs(*ways - by_reach) < 0.6 + 0.12 * by_reach) {
		*ways = round(by_reach);
		return true;
	}
	if (*ways - by_reach > -0.6 - AGREES * by_reach && *ways - by_reach < share + 0.6)
		return true;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "%.0f places compete for a set of the %.1f that the reach has room for", *ways, by_reach);
	return false;
}

static bool by_stride_law(struct search *search, struct conflicts *conflicts)
{
	double stride, ways = settle(search, &stride, conflicts);

	if (ways <= 0)
		return false;
	ways = descend(search, &stride, ways);
	ways = count_exactly(search, stride, ways);
	try_odd(search, &ways, &stride);
	/* A buffer behind the level adds to what a set holds; where to look for it is known all the same. */
	conflicts->way = stride;
	if (!agrees_with_reach(search, &ways, stride, conflicts) || !is_sharp(search, ways, stride, conflicts))
		return false;
	conflicts->ways = conflicts->held = ways;
	if (sets_plain(search, conflicts))
		return true;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "%.0f places in a row compete for a set, but not any %.0f of them: the index is hashed", ways + 1,
		 ways + 1);
	return false;
}

/* Compact sequences end early where frames part what lies in a row; random references know how much is held. */
static bool fills_reach(const struct search *search, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double size = conflicts->ways * conflicts->way, own = level->reach - (search->depth ? level[-1].reach : 0);

	if (size > own / FILLS && size < FILLS * level->reach)
		return true;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "sets of %.0f ways come to %.0f KiB, and %.0f KiB are held: frames are not contiguous",
		 conflicts->ways, size / 1024, level->reach / 1024);
	return false;
}

void engine_conflicts_again(struct lab *lab, int depth)
{
	lab->hierarchy->level[depth].conflicts.tried = lab->hierarchy->level[depth].conflicts.found;
}

const struct conflicts *engine_conflicts(struct lab *lab, int depth)
{
	struct conflicts *conflicts = &lab->hierarchy->level[depth].conflicts;
	const struct conflicts *nearest = &lab->hierarchy->level[0].conflicts;
	struct search search = { lab, lab->hierarchy, depth, 88172645463325252u, 0, 0 };
	bool quiet = lab->timer->noise == NOISE_QUIET;
	struct columns columns;

	if (depth > 0)
		engine_conflicts(lab, depth - 1);
	if (conflicts->tried)
		return conflicts;
	conflicts->tried = true;
	conflicts->found = conflicts->exclusive = conflicts->open = false;
	if (depth && quiet && (nearest->buffer > 0 || nearest->uneven)) {
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "a buffer behind the nearest level adds to every set, or its sets are not all that it is");
		return conflicts;
	}
	/* Random references need quiet, and then know all policies; compact sequences need a set that holds what it
	 * should. */
	if (quiet && depth)
		conflicts->found = by_stride_law(&search, conflicts);
	if (!conflicts->found) {
		struct conflicts law = *conflicts;

		conflicts->found = compact_search(&search, conflicts) && (!quiet || fills_reach(&search, conflicts));
		if (!conflicts->found && law.why[0])
			*conflicts = law; /* it knows more about why not */
	}
	if (quiet && !depth && !conflicts->found)
		conflicts->found = by_stride_law(&search, conflicts);
	if (quiet && !depth)
		victims_tell(&search, conflicts);
	if (!conflicts->found)
		return conflicts;
	columns = sets_own_columns(&search);
	conflicts->columns = columns.count;
	conflicts->apart = columns.apart;
	exclusion_tell(&search, conflicts);
	return conflicts;
}

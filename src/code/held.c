/* SPDX-License-Identifier: MIT */
/*
 * held.c - how many places are held, by the times of jumps among more and more of them
 */
#include <math.h>

#include "strides.h"

static const double FINER = 1.03, CLOSER = 1.08; /* times: between counts tried, of this and of what is in front */
static const double LOWEST = 0.6,
		    HIGHEST = 1.7; /* times a cost of misses: places of one set have other troubles, too */
static const double UNTOLD = 0.005; /* of a count */
static const double SURE = 9; /* squares, in errors: three of them */

/* Squares that are left, in errors; INFINITY when misses would have to cost much less or more than elsewhere. */
static double left_of(const struct quest *quest, const struct sight *sight, double held, double in_front,
		      double further)
{
	struct terms terms = { .count = 1, .term = { { held, INFINITY, quest->height, 1 } } };
	double left, front = 0, most = HIGHEST * (quest->height + (further > 0 ? quest->further : 0));

	if (further > 0)
		terms.term[terms.count++] = (struct term){ further, INFINITY, 0, 1 };
	if (in_front > 0)
		terms.term[terms.count++] = (struct term){ in_front, INFINITY, quest->in_front, 1 };
	left = sight->count * terms_heights(sight->points, sight->count, &terms);
	if (in_front > 0)
		front = terms.term[terms.count - 1].height;
	return terms.term[0].height > LOWEST * quest->height && terms.term[0].height < most &&
			       front <= HIGHEST * quest->in_front
		       ? left
		       : INFINITY;
}

/* The least that is left when so many places are held; and fewer by what is in front, if there is anything. Where this
 * does not explain the times, the next level may hold not many more: one place may tell, and must by three errors. */
static double left_with(const struct quest *quest, const struct sight *sight, double held)
{
	double least = INFINITY, fewest = quest->in_front > 0 ? 1 : held, in_front = held, further = held;

	while (in_front * CLOSER > fewest) {
		least = fmin(least, left_of(quest, sight, held, quest->in_front > 0 ? in_front : 0, 0));
		in_front /= CLOSER;
	}
	if (least < SURE || !(quest->further > 0))
		return least;
	while (further < sight->points[sight->count - 1].bytes) {
		least = fmin(least, SURE + left_of(quest, sight, held, quest->in_front > 0 ? held / 2 : 0, further));
		further *= CLOSER;
	}
	return least;
}

double held_best(const struct quest *quest, const struct sight *sight, double from, double to)
{
	double best = 0, least = INFINITY, held = fmax(from, 1);

	while (held <= to * FINER) {
		double left = left_with(quest, sight, held);

		if (left < least) {
			least = left;
			best = held;
		}
		held *= FINER;
	}
	return best;
}

struct count held_exactly(const struct quest *quest, const struct sight *sights, int looks, double about)
{
	double off = fmax(1, ceil(2 * STRIDES_OFF * about)), first = fmax(1, round(about) - off), points = 0;
	struct count count = { .best = round(about), .left = INFINITY };

	for (int i = 0; i < looks; i++)
		points += sights[i].count;
	for (int round = 0; round < 2; round++)
		for (int i = 0; first + i <= about + off; i++) {
			double held = first + i, left = 0;

			for (int j = 0; j < looks; j++)
				left += left_with(quest, &sights[j], held);
			if (round == 0 && left < count.left)
				count = (struct count){ held, held, held, left };
			if (round == 1 && left < count.left + SURE * fmax(1, count.left / points)) {
				count.low = fmin(count.low, held);
				count.high = fmax(count.high, held);
			}
		}
	/* One more or less of hundreds is not told. */
	count.low = fmin(count.low, count.best - floor(UNTOLD * count.best));
	count.high = fmax(count.high, count.best + floor(UNTOLD * count.best));
	return count;
}

/* SPDX-License-Identifier: MIT */
/*
 * stretches.c - terms of a curve that need not follow the law all the way
 *
 * As many points from the first on as the law explains; then from there on, with what is known taken off, as many
 * again.
 */
#include <math.h>

#include "terms.h"

enum { FEWEST_POINTS = 8 };

static const double EXPLAINED = 4; /* mean square of what the law leaves, in errors */
static const double SHORTER = 0.9; /* times: points that are tried next */
static const double AGAIN = 4; /* times: so much of a stretch lies in the next one, too */
static const double TOLD = 1.5; /* times a reach: a stretch that ends before tells nothing of it */

/* Fits as many of the first points as the law explains; how many those are, 0: none. */
static int fit_some(const struct curve_point *points, int count, double nearest, double least, struct terms *terms)
{
	for (int used = count; used >= FEWEST_POINTS; used = (int)(SHORTER * used)) {
		*terms = terms_fit(points, used, nearest, least, 1);
		if (terms->misfit < EXPLAINED)
			return used;
	}
	terms->count = 0;
	return 0;
}

static void keep(struct terms *all, const struct terms *some, double end)
{
	for (int i = 0; i < some->count && all->count < TERMS_MOST; i++)
		if (TOLD * some->term[i].reach <= end)
			all->term[all->count++] = some->term[i];
}

/* More code takes no less time: a point above both that follow was disturbed. */
static void smooth(const struct curve_point *points, int count, struct curve_point *smoothed)
{
	for (int i = count - 1; i >= 0; i--) {
		smoothed[i] = points[i];
		if (i + 2 < count)
			smoothed[i].time = fmin(points[i].time, fmax(points[i + 1].time, points[i + 2].time));
	}
}

/* The first point of the next stretch: what the last one did not tell of must lie in it. */
static int next_start(const struct curve_point *points, int from, int used)
{
	int next = from + 1;

	while (points[next].bytes < points[from + used - 1].bytes / AGAIN)
		next++;
	return next;
}

struct terms terms_by_stretches(const struct curve_point *seen, int count, double nearest, double least)
{
	struct curve_point points[TERMS_POINTS];
	struct terms all = { .count = 0 };
	int from = 0;

	smooth(seen, count, points);

	while (count - from >= FEWEST_POINTS) {
		struct curve_point rest[TERMS_POINTS];
		struct terms some;
		double before = nearest;
		int used;

		for (int i = 0; i < all.count; i++)
			before += all.term[i].height;
		for (int i = from; i < count; i++) {
			rest[i - from] = points[i];
			rest[i - from].time = fmax(0, points[i].time - terms_at(&all, points[i].bytes));
		}
		used = fit_some(rest, count - from, before, least, &some);
		keep(&all, &some, used ? rest[used - 1].bytes : 0);
		if (used == count - from)
			break;
		from = used ? next_start(points, from, used) : from + 1;
	}
	return all;
}

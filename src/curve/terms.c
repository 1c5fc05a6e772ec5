/* SPDX-License-Identifier: MIT */
/*
 * terms.c - fits levels to a curve: one term more at a time, where it helps most, until none helps
 */
#include <math.h>
#include <stdlib.h>

#include "fit.h"

static const double SOFT = 8;
static const double shapes[] = { INFINITY, 12, 3 }; /* tried where nothing is known yet */
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const double GRID = 1.07; /* between reaches tried first */
static const double SMALLEST_REACH = 256, LARGEST_REACH = 1e12; /* bytes */
static const double NEIGHBOURS = 5;
static const double WORTH = 25; /* a term must lower the sum of squares by this, and by this share: */
static const double WORTH_SHARE = 0.1;

/* Changes the term at `at` and lets all move; keeps what is better, and clearly so where few caches are like that. */
static void attempt(const struct fit *fit, struct terms *terms, double *best, int at, struct term term)
{
	struct terms tried = *terms;
	bool rarer = term.parts > terms->term[at].parts;
	double sum, enough = rarer ? fmax(WORTH, WORTH_SHARE * *best) : 1e-6 * *best;

	tried.term[at] = term;
	sum = fit_refine(fit, &tried, -1);
	if (sum < *best - enough) {
		*best = sum;
		*terms = tried;
	}
}

/* Moves all terms to where the points want them, bends that are corners and bends that are not. */
static double polish(const struct fit *fit, struct terms *terms)
{
	double best = fit_refine(fit, terms, -1);

	for (int i = 0; i < terms->count; i++) {
		struct term term = terms->term[i];

		term.shape = isinf(term.shape) ? SOFT : INFINITY;
		if (!fit->sharp)
			attempt(fit, terms, &best, i, term);
		for (int parts = 1; parts <= fit->most_parts; parts *= 2) {
			term = terms->term[i];
			term.parts = parts;
			if (parts != terms->term[i].parts)
				attempt(fit, terms, &best, i, term);
		}
	}
	return best;
}

/* Adds the one term more that helps most. */
static void extend(const struct fit *fit, struct terms *terms, double before)
{
	struct terms best_terms = *terms;
	double best = before;

	for (int k = 0; k < (fit->sharp ? 1 : SHAPES); k++) {
		struct term term = { SMALLEST_REACH, shapes[k], 0, 1 };

		while (term.reach < LARGEST_REACH) {
			struct terms tried = *terms;
			struct term here = term;
			double sum;

			term.reach *= GRID;
			if (!fit_tells_of(fit, &here))
				continue;
			tried.term[tried.count++] = here;
			sum = fit_evaluate(fit, &tried, tried.count - 1);
			if (sum < best) {
				best = sum;
				best_terms = tried;
			}
		}
	}
	*terms = best_terms;
	fit_evaluate(fit, terms, -1);
}

/* Tries fewer: without a term, or with one in place of two neighbours. True when that explains the points as well. */
static bool simplify(const struct fit *fit, struct terms *terms, double *best)
{
	for (int i = 0; i < terms->count; i++)
		for (int j = 0; j < terms->count; j++) {
			struct terms fewer = *terms;
			const struct term *a = &terms->term[i], *b = &terms->term[j];
			double sum;

			if (i != j && (b->reach < a->reach || b->reach > NEIGHBOURS * a->reach))
				continue;
			if (i != j)
				fewer.term[j].reach =
					(a->height * a->reach + b->height * b->reach) / (a->height + b->height);
			fewer.term[i] = fewer.term[--fewer.count];
			fit_evaluate(fit, &fewer, -1);
			sum = polish(fit, &fewer);
			if (sum < *best + fmax(WORTH, WORTH_SHARE * *best)) {
				*best = sum;
				*terms = fewer;
				fit_evaluate(fit, terms, -1);
				return true;
			}
		}
	fit_evaluate(fit, terms, -1);
	return false;
}

static int by_reach(const void *a, const void *b)
{
	const struct term *x = a, *y = b;

	return (x->reach > y->reach) - (x->reach < y->reach);
}

/* A term below `least` of the load it makes slower is no level but how the others are not what they seem. */
static bool drop_lowest(struct terms *terms, double nearest, double least)
{
	int lowest = -1;
	double share = least;

	for (int i = 0; i < terms->count; i++) {
		const struct term *term = &terms->term[i];
		double before = nearest, here;

		for (int j = 0; j < terms->count; j++)
			if (terms->term[j].reach < term->reach)
				before += terms->term[j].height;
		here = term->height / before;
		if (here < share) {
			share = here;
			lowest = i;
		}
	}
	if (lowest < 0)
		return false;
	terms->term[lowest] = terms->term[--terms->count];
	return true;
}

static struct terms fit_all(const struct fit *fit, double nearest, double least)
{
	struct terms terms = { .base = 0 };
	double best = fit_evaluate(fit, &terms, -1);

	while (terms.count < TERMS_MOST) {
		struct terms more = terms;
		double sum;

		extend(fit, &more, best);
		if (more.count == terms.count)
			break;
		sum = polish(fit, &more);
		if (best - sum < fmax(WORTH, WORTH_SHARE * best))
			break;
		best = sum;
		terms = more;
		fit_evaluate(fit, &terms, -1);
	}
	while (simplify(fit, &terms, &best))
		continue;
	while (drop_lowest(&terms, nearest, least)) {
		fit_evaluate(fit, &terms, -1);
		best = polish(fit, &terms);
	}
	terms.misfit = fit_squares(fit, &terms) / fit->count;
	qsort(terms.term, (size_t)terms.count, sizeof(terms.term[0]), by_reach);
	return terms;
}

static struct terms fit_points(const struct curve_point *points, int count, double nearest, double least,
			       int most_parts, bool sharp)
{
	struct terms terms = { .base = 0 };
	struct fit fit;

	if (count == 0 || !fit_open(&fit, points, count))
		return terms;
	fit.most_parts = most_parts;
	fit.sharp = sharp;
	terms = fit_all(&fit, nearest, least);
	fit_close(&fit);
	return terms;
}

struct terms terms_fit(const struct curve_point *points, int count, double nearest, double least, int most_parts)
{
	return fit_points(points, count, nearest, least, most_parts, false);
}

struct terms terms_fit_from(const struct curve_point *points, int count, const struct terms *given)
{
	struct terms terms = *given;
	struct fit fit;

	if (count == 0 || !fit_open(&fit, points, count))
		return terms;
	fit.most_parts = 1;
	fit_evaluate(&fit, &terms, -1);
	polish(&fit, &terms);
	terms.misfit = fit_squares(&fit, &terms) / count;
	qsort(terms.term, (size_t)terms.count, sizeof(terms.term[0]), by_reach);
	fit_close(&fit);
	return terms;
}

struct terms terms_fit_sharp(const struct curve_point *points, int count, double nearest, double least)
{
	return fit_points(points, count, nearest, least, 1, true);
}

double terms_heights(const struct curve_point *points, int count, struct terms *terms)
{
	struct fit fit;
	double squares;

	if (count == 0 || !fit_open(&fit, points, count))
		return NAN;
	squares = fit_evaluate(&fit, terms, -1);
	fit_close(&fit);
	return squares / count;
}

void terms_range(const struct curve_point *points, int count, const struct terms *terms, int index, double *low,
		 double *high)
{
	struct fit fit;
	double worse;

	*low = *high = terms->term[index].reach;
	if (!fit_open(&fit, points, count))
		return;

	/* The square of three errors, errors being what the misfit shows them to be. */
	worse = terms->misfit * count + 9 * fmax(1, terms->misfit);
	for (int way = -1; way <= 1; way += 2) {
		double *end = way < 0 ? low : high, step = 0.005, sum = 0;
		struct terms tried = *terms;

		while (sum < worse && step < 0.7) {
			*end = terms->term[index].reach * exp(way * step);
			tried.term[index].reach = *end;
			sum = fit_refine(&fit, &tried, index);
			step *= 1.5;
		}
	}
	fit_close(&fit);
}

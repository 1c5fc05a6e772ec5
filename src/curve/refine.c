/* SPDX-License-Identifier: MIT */
/*
 * refine.c - moves all reaches, shapes and heights together to where the points want them
 *
 * Levenberg and Marquardt's way: linear about the present place, and the less trust in that the more it misled. The
 * numbers are moved as logarithms, so that none becomes negative and a step is a share of what it changes. One number
 * at a time would not do: a smaller reach with a softer bend looks much like a larger one with a sharper.
 */
#include <math.h>
#include <stdlib.h>

#include "fit.h"

enum { PER_TERM = 3, MOST = PER_TERM * TERMS_MOST + 1, ROUNDS = 40 };

static const double DIFFERENCE = 1e-3, ENOUGH = 1e-5;
static const double SOFTEST = 1, SHARPEST = 100; /* shapes that bend: beyond, it is as good as a corner */
static const double SOFTEST_IN_PARTS = 4; /* softer, it explains what the levels before it do */
static const double LONGEST_STEP = 0.3;
static const double LEAST_TRUST = 1e6;
static const double LEAST_MISFIT = 0.1; /* the errors of points are no smaller than this makes them */

struct slope {
	double product[MOST][MOST], right[MOST];
};

/* What the point's time changes by with each number's logarithm, over its error; the base comes last. */
static double gradient(const struct terms *terms, const struct curve_point *point, double *row)
{
	double time = terms->base;

	for (int i = 0; i < terms->count; i++) {
		struct term term = terms->term[i];
		double height = term.height / point->error, share = fit_covered(&term, point);

		time += term.height * share;
		row[PER_TERM * i] = height * share;
		term.reach *= 1 + DIFFERENCE;
		row[PER_TERM * i + 1] = height * (fit_covered(&term, point) - share) / DIFFERENCE;
		term = terms->term[i];
		term.shape *= 1 + DIFFERENCE;
		row[PER_TERM * i + 2] =
			isinf(term.shape) ? 0 : height * (fit_covered(&term, point) - share) / DIFFERENCE;
	}
	row[PER_TERM * terms->count] = 1 / point->error;
	return (point->time - time) / point->error;
}

double fit_squares(const struct fit *fit, const struct terms *terms)
{
	double sum = 0;

	for (int i = 0; i < fit->count; i++) {
		const struct curve_point *point = &fit->points[i];
		double off = (terms_at(terms, point->bytes) - point->time) / point->error;

		sum += off * off;
	}
	return sum;
}

static void linearise(const struct fit *fit, const struct terms *terms, int width, int held, struct slope *slope)
{
	*slope = (struct slope){ .right = { 0 } };
	for (int i = 0; i < fit->count; i++) {
		double row[MOST], off = gradient(terms, &fit->points[i], row);

		if (held >= 0)
			row[PER_TERM * held + 1] = 0;
		for (int a = 0; a < width; a++) {
			for (int b = 0; b <= a; b++)
				slope->product[a][b] += row[a] * row[b];
			slope->right[a] += row[a] * off;
		}
	}
}

/* Cholesky's way; a number that nothing depends on stays where it is. */
static void solve_damped(const struct slope *slope, int width, double damping, double *step)
{
	double root[MOST][MOST] = { { 0 } };

	for (int a = 0; a < width; a++) {
		double rest = slope->right[a];

		for (int b = 0; b <= a; b++) {
			double sum = slope->product[a][b] * (a == b ? 1 + damping : 1) + (a == b ? 1e-12 : 0);

			for (int k = 0; k < b; k++)
				sum -= root[a][k] * root[b][k];
			root[a][b] = a == b ? sqrt(fmax(sum, 1e-12)) : sum / root[b][b];
		}
		for (int k = 0; k < a; k++)
			rest -= root[a][k] * step[k];
		step[a] = rest / root[a][a];
	}
	for (int a = width - 1; a >= 0; a--) {
		for (int k = a + 1; k < width; k++)
			step[a] -= root[k][a] * step[k];
		step[a] /= root[a][a];
	}
}

static double change(double step)
{
	return exp(fmax(-LONGEST_STEP, fmin(LONGEST_STEP, step)));
}

static struct terms moved(const struct fit *fit, const struct terms *terms, const double *step, int held)
{
	struct terms to = *terms;

	for (int i = 0; i < to.count; i++) {
		struct term *term = &to.term[i];

		term->height *= change(step[PER_TERM * i]);
		term->reach *= i == held ? 1 : change(step[PER_TERM * i + 1]);
		if (i != held && !fit_tells_of(fit, term))
			term->reach = terms->term[i].reach;
		if (isfinite(term->shape))
			term->shape = fmax(term->parts > 1 ? SOFTEST_IN_PARTS : SOFTEST,
					   fmin(SHARPEST, term->shape * change(step[PER_TERM * i + 2])));
	}
	to.base = fmax(0, to.base + step[PER_TERM * to.count]);
	return to;
}

double fit_refine(const struct fit *fit, struct terms *terms, int held)
{
	struct slope *slope = malloc(sizeof(*slope));
	int width = PER_TERM * terms->count + 1;
	double best = fit_squares(fit, terms), damping = 1e-3, step[MOST] = { 0 };

	for (int round = 0; slope && round < ROUNDS && damping < LEAST_TRUST; round++) {
		struct terms tried = *terms;
		double sum = INFINITY, before = best;

		linearise(fit, terms, width, held, slope);
		while (sum >= best && damping < LEAST_TRUST) {
			solve_damped(slope, width, damping, step);
			tried = moved(fit, terms, step, held);
			sum = fit_squares(fit, &tried);
			damping *= sum < best ? 1 : 8;
		}
		if (sum >= best)
			break;
		*terms = tried;
		best = sum;
		damping /= 20;
		if (before - best < ENOUGH * best)
			break;
	}
	free(slope);
	return best;
}

double terms_height_error(const struct curve_point *points, int count, const struct terms *terms, int upto)
{
	const struct fit fit = { .points = points, .count = count };
	struct slope *slope = malloc(sizeof(*slope));
	int width = PER_TERM * terms->count + 1;
	double step[MOST] = { 0 }, square = 0;

	if (!slope)
		return NAN;
	linearise(&fit, terms, width, -1, slope);
	for (int i = 0; i < width; i++)
		slope->right[i] = 0;
	for (int i = 0; i <= upto && i < terms->count; i++)
		slope->right[PER_TERM * i] = terms->term[i].height;
	solve_damped(slope, width, 0, step);
	for (int i = 0; i <= upto && i < terms->count; i++)
		square += terms->term[i].height * step[PER_TERM * i];
	free(slope);
	return sqrt(fmax(0, square) * fmax(LEAST_MISFIT, terms->misfit));
}

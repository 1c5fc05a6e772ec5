/* SPDX-License-Identifier: MIT */
/*
 * fit.c - what a level adds to a curve, and how much of it by least squares
 */
#include <math.h>
#include <stdlib.h>

#include "fit.h"

enum { SWEEPS = 2400 };

static const double MARGIN = 1.4; /* points beyond a reach, times it */

/* Of lines that come as a whole. */
static double missed_whole(double load, double shape)
{
	double mean = load * shape, probability, held = 0, below = 0;

	if (load <= 0)
		return 0;
	if (isinf(shape) || mean > 300)
		return load > 1 ? 1 - 1 / load : 0;
	/* E[min(Poisson(mean), shape)], shape between whole numbers taken as it comes. */
	probability = exp(-mean);
	for (int k = 0; k < shape; k++) {
		held += k * probability;
		below += probability;
		probability *= mean / (k + 1);
	}
	held += shape * (1 - below);
	return fmax(0, 1 - held / mean);
}

/* Of a line in k parts a reference brings one. References find its tag with p, so n of them have come since the tag did
 * with (1 - p) p^(n - 1), and none of the n brought a given part with (1 - 1/k)^n.
 * In all they find p / (k - (k - 1) p). Where lines are thrown out at random, at any age, it comes to the same. */
double terms_missed(double load, double shape, int parts)
{
	double missed = missed_whole(load, shape);

	return parts * missed / (1 + (parts - 1) * missed);
}

double fit_covered(const struct term *term, const struct curve_point *point)
{
	return terms_missed(point->bytes / term->reach, term->shape, term->parts);
}

double terms_at(const struct terms *terms, double bytes)
{
	double time = terms->base;

	for (int i = 0; i < terms->count; i++)
		time += terms->term[i].height *
			terms_missed(bytes / terms->term[i].reach, terms->term[i].shape, terms->term[i].parts);
	return time;
}

static void fill_column(const struct fit *fit, const struct term *term, double *column)
{
	for (int i = 0; i < fit->count; i++)
		column[i] = (term ? fit_covered(term, &fit->points[i]) : 1) / fit->points[i].error;
}

/* Heights and base by least squares, none negative, going round the coordinates; returns the sum of squares. */
static double solve(const struct fit *fit, double *const *columns, int width, double *heights)
{
	double product[TERMS_MOST + 2][TERMS_MOST + 2] = { { 0 } }, total = 0;

	for (int i = 0; i < fit->count; i++) {
		double time = fit->points[i].time / fit->points[i].error;

		total += time * time;
		for (int a = 0; a < width; a++) {
			for (int b = 0; b <= a; b++)
				product[a][b] += columns[a][i] * columns[b][i];
			product[width][a] += columns[a][i] * time;
		}
	}
	for (int a = 0; a < width; a++)
		for (int b = 0; b < a; b++)
			product[b][a] = product[a][b];
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		double moved = 0;

		for (int a = width - 1; a >= 0; a--) {
			double rest = product[width][a];

			for (int b = 0; b < width; b++)
				if (b != a)
					rest -= product[a][b] * heights[b];

			double better = product[a][a] > 0 ? fmax(0, rest / product[a][a]) : 0;

			moved = fmax(moved, fabs(better - heights[a]) / (fabs(better) + 1e-9));
			heights[a] = better;
		}
		if (moved < 1e-7)
			break;
	}
	for (int a = 0; a < width; a++) {
		total -= 2 * heights[a] * product[width][a];
		for (int b = 0; b < width; b++)
			total += heights[a] * heights[b] * product[a][b];
	}
	return fmax(total, 0);
}

double fit_evaluate(const struct fit *fit, struct terms *terms, int fresh)
{
	double heights[TERMS_MOST + 1], sum;

	for (int i = 0; i < terms->count; i++) {
		if (fresh < 0 || i == fresh)
			fill_column(fit, &terms->term[i], fit->columns[i]);
		heights[i] = terms->term[i].height;
	}
	fill_column(fit, NULL, fit->columns[terms->count]);
	heights[terms->count] = terms->base;
	sum = solve(fit, fit->columns, terms->count + 1, heights);
	for (int i = 0; i < terms->count; i++)
		terms->term[i].height = heights[i];
	terms->base = heights[terms->count];
	return sum;
}

bool fit_tells_of(const struct fit *fit, const struct term *term)
{
	double most = 0, least = INFINITY;

	for (int i = 0; i < fit->count; i++) {
		most = fmax(most, fit->points[i].bytes);
		least = fmin(least, fit->points[i].bytes);
	}
	return term->reach >= least && term->reach * MARGIN <= most;
}

bool fit_open(struct fit *fit, const struct curve_point *points, int count)
{
	double *memory = calloc((size_t)(count ? count : 1) * (TERMS_MOST + 1), sizeof(*memory));

	*fit = (struct fit){ .points = points, .count = count };
	for (int i = 0; i <= TERMS_MOST && memory; i++)
		fit->columns[i] = memory + (size_t)i * (size_t)count;
	return memory != NULL;
}

void fit_close(struct fit *fit)
{
	free(fit->columns[0]);
}

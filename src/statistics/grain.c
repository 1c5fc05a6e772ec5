/* SPDX-License-Identifier: MIT */
/*
 * grain.c - how finely a clock counts, from the steps between looks at it
 */
#include <math.h>
#include <stdlib.h>

#include "statistics.h"

static const double LONG = 0.9; /* quantile: the longest steps are interruptions, and lie far apart in any clock */
static const double SMOOTH = 1e-6; /* ns: the rounding of a product */

/* The smallest of those gaps, longest first, that make up half of the way: a counter that counts in lumps and is then
 * rounded shows steps of 20, 21, 30 and 31, and its lumps are not the smallest gap. */
static double usual_gap(const double *sorted, int n)
{
	double *gaps = stat_scratch((size_t)n + 1, sizeof(*gaps)), *ascending, half = 0, gap = INFINITY;
	int count = 0;

	for (int i = 1; i < n; i++)
		if (sorted[i] - sorted[i - 1] > SMOOTH)
			gaps[count++] = sorted[i] - sorted[i - 1];
	for (int i = 0; i < count; i++)
		half += gaps[i] / 2;
	ascending = stat_sorted_copy(gaps, count, &count);
	for (int i = count - 1; i >= 0 && half > 0; i--) {
		gap = ascending[i];
		half -= gap;
	}
	free(gaps);
	free(ascending);
	return gap;
}

double stat_grain(const double *steps, int n)
{
	double *sorted = stat_sorted_copy(steps, n, &n), grain = INFINITY;
	int first = 0;

	while (first < n && sorted[first] <= SMOOTH)
		first++;
	if (first < n)
		grain = fmin(sorted[first], usual_gap(sorted, 1 + (int)(LONG * (n - 1))));
	free(sorted);
	return isfinite(grain) ? grain : NAN;
}

/* SPDX-License-Identifier: MIT */
/*
 * between.c - a value between the points of a curve
 */
#include <math.h>

#include "terms.h"

double curve_between(const struct curve_point *points, const double *values, int count, double bytes)
{
	double below = 0, above = INFINITY, low = 0, high = NAN;

	for (int i = 0; i < count; i++) {
		double here = points[i].bytes;

		if (here <= bytes && here >= below) {
			below = here;
			low = values[i];
		}
		if (here >= bytes && here < above) {
			above = here;
			high = values[i];
		}
	}
	return isnan(high) || above <= below ? low : low + (high - low) * (bytes - below) / (above - below);
}

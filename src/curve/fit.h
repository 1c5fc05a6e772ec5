/* SPDX-License-Identifier: MIT */
/*
 * fit.h - heights of given terms by least squares; private to curve/
 */
#ifndef XRAY_CURVE_FIT_H
#define XRAY_CURVE_FIT_H

#include <stdbool.h>

#include "terms.h"

struct fit {
	const struct curve_point *points;
	int count;
	int most_parts; /* of a line */
	bool sharp; /* all bends are corners */
	double *columns[TERMS_MOST + 1]; /* of the terms at the points, over the errors; the last one is the base */
};

/* False when memory ran out. */
bool fit_open(struct fit *fit, const struct curve_point *points, int count);
void fit_close(struct fit *fit);

/* The sum of squares with these terms; heights and base are set. Only the term `fresh` changed since the last call, or
 * all did (-1). */
double fit_evaluate(const struct fit *fit, struct terms *terms, int fresh);

/* Share of the point's references that the term does not serve. */
double fit_covered(const struct term *term, const struct curve_point *point);

/* Whether some points lie beyond the term's reach, so that they can tell of it. */
bool fit_tells_of(const struct fit *fit, const struct term *term);

/* Of what the terms leave of the points, in errors. */
double fit_squares(const struct fit *fit, const struct terms *terms);

/* Moves all reaches but that of the term `held` (-1: none), finite shapes and heights to a minimum of the sum of
 * squares nearby, and returns that. */
double fit_refine(const struct fit *fit, struct terms *terms, int held);

#endif

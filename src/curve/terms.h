/* SPDX-License-Identifier: MIT */
/*
 * terms.h - a curve of the mean time of a random reference, taken apart into levels
 *
 * Uniform random references over x bytes hit a level that holds R of them with R / x, whatever its policy. So each
 * level adds one term to the time: its extra cost times the share of references that it cannot serve.
 */
#ifndef XRAY_CURVE_TERMS_H
#define XRAY_CURVE_TERMS_H

enum { TERMS_MOST = 12, TERMS_POINTS = 96 /* of a curve in stretches */ };

struct term {
	double reach; /* bytes */
	double shape; /* lines of one set, spread over the sets as chance will; INFINITY: evenly, with a sharp bend */
	double height; /* what a reference that is not served costs more */
	int parts; /* of a line that come one by one; 1: it comes as a whole */
};

struct curve_point {
	double bytes; /* what the walk covers */
	double time, error;
};

struct terms {
	double base; /* time of a reference that everything serves */
	struct term term[TERMS_MOST]; /* ascending by reach */
	int count;
	double misfit; /* mean square of (time - model) / error */
};

/* Share of references that a level does not serve; `load` is what is covered over what it has tags for. */
double terms_missed(double load, double shape, int parts);

double terms_at(const struct terms *terms, double bytes);

/* Fits as few terms as explain the points. Each is higher than `least` of a load that the levels before it serve; one
 * that the nearest serves takes `nearest`, and the times may hold a constant besides the load. Lines may come in up to
 * `most_parts`: 1 where noise makes bends soft, too. */
struct terms terms_fit(const struct curve_point *points, int count, double nearest, double least, int most_parts);

/* As many terms as are given, moved to where the points want them. */
struct terms terms_fit_from(const struct curve_point *points, int count, const struct terms *given);

/* The same of levels that fill evenly, line after line: all bends are corners. One soft bend looks much like several
 * corners, and where it comes first it hides them. */
struct terms terms_fit_sharp(const struct curve_point *points, int count, double nearest, double least);

/* The heights and the base that fit best, of terms whose reaches are given. Returns the mean square of what is left. */
double terms_heights(const struct curve_point *points, int count, struct terms *terms);

/* How far the heights of the terms up to `upto`, taken together, may be off: one error of theirs. */
double terms_height_error(const struct curve_point *points, int count, const struct terms *terms, int upto);

/* How far the reach of term `index` can be moved, the others following, before the fit is clearly worse. */
void terms_range(const struct curve_point *points, int count, const struct terms *terms, int index, double *low,
		 double *high);

/* --- stretches.c: the same stretch by stretch, of at most TERMS_POINTS. Further out something may not follow the law,
 * and would bend what is near. */
struct terms terms_by_stretches(const struct curve_point *points, int count, double nearest, double least);

/* --- between.c: linearly between values at the points, in whatever order those are, from 0 at no bytes on; beyond
 * the last as there. */
double curve_between(const struct curve_point *points, const double *values, int count, double bytes);

#endif

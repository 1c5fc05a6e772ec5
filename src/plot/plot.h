/* SPDX-License-Identifier: MIT */
/*
 * plot.h - a curve in a terminal: evidence drawn in a few lines of text
 */
#ifndef XRAY_PLOT_H
#define XRAY_PLOT_H

#include <stdio.h>

#include "../findings/findings.h"

/* --- raster.c: dots, 2 x 4 to a character as Braille has them, or one to a character in ASCII. */
struct raster {
	int columns, rows; /* characters */
	bool utf8;
	unsigned short *cells;
};
/* False without memory, or for no size. */
bool raster_open(struct raster *raster, int columns, int rows, bool utf8);
void raster_close(struct raster *raster);
/* Places are parts of the width from the left and of the height from below, 0 to 1; others are not drawn. */
void raster_point(struct raster *raster, double x, double y);
void raster_line(struct raster *raster, const double from[2], const double to[2]);
/* A column's empty cells become a line upwards. */
void raster_post(struct raster *raster, int column);
/* Which column that is; -1: outside. */
int raster_column(const struct raster *raster, double x);
/* The character of a cell, as UTF-8; row 0 is on top. */
void raster_cell(const struct raster *raster, int column, int row, char text[4]);

/* --- axis.c */
struct axis {
	double low, high;
	bool octaves; /* logarithmic */
	const char *unit; /* bytes, or empty */
};
/* Of these values; octaves where they are positive and span more than `factor`. */
struct axis axis_over(const double *values, int count, double factor, const char *unit);
/* Where a value lies, 0 to 1 within the axis. */
double axis_place(const struct axis *axis, double value);
/* At most `most` round values within it, in order; their number. */
enum { AXIS_TICKS = 16 };
int axis_ticks(const struct axis *axis, int most, double ticks[AXIS_TICKS]);
void axis_write(const struct axis *axis, double value, char *text, size_t size);

/* --- curve.c: which evidence a finding is best drawn from: its own, or that of the finding whose curve it was read
 * off. x is in order; of several looks at one x the lowest counts, since what disturbs adds time. */
struct curve {
	char what[160]; /* the evidence's words */
	const char *from; /* the finding it is from, when it is another; else NULL */
	double *x, *y;
	int count;
	bool marked; /* the finding's value is an x */
	const char *unit; /* of x */
};
enum { CURVE_LEAST = 4 }; /* points that are worth a drawing */
/* False when there is nothing to draw. */
bool curve_of(struct curve *curve, const struct findings *findings, const struct finding *finding);
void curve_free(struct curve *curve);

/* --- plot.c: at most PLOT_LINES lines of that width. False, and nothing drawn, when there is nothing to draw. */
enum { PLOT_LINES = 16 };
bool plot_draw(FILE *out, const struct findings *findings, const struct finding *finding, int width, bool utf8);

#endif

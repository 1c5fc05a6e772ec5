/* SPDX-License-Identifier: MIT */
/*
 * raster.c - dots in characters
 */
#include <math.h>
#include <stdlib.h>

#include "plot.h"

/* Of a cell: a bit for each Braille dot, whether one of them is a point of the curve, and a post behind. */
enum { WIDE = 2, HIGH = 4, POINT = 0x100, POST = 0x200, DOTS = 0xFF };

bool raster_open(struct raster *raster, int columns, int rows, bool utf8)
{
	*raster = (struct raster){ .columns = columns, .rows = rows, .utf8 = utf8 };
	if (columns > 0 && rows > 0)
		raster->cells = calloc((size_t)columns * (size_t)rows, sizeof(*raster->cells));
	return raster->cells != NULL;
}

void raster_close(struct raster *raster)
{
	free(raster->cells);
	raster->cells = NULL;
}

static bool inside(double part)
{
	return part >= 0 && part <= 1;
}

static void set(struct raster *raster, int across, int up, unsigned kind)
{
	static const unsigned char bits[WIDE][HIGH] = { { 0x40, 0x04, 0x02, 0x01 }, { 0x80, 0x20, 0x10, 0x08 } };
	int row = raster->rows - 1 - up / HIGH, column = across / WIDE;

	raster->cells[row * raster->columns + column] |= (unsigned short)(bits[across % WIDE][up % HIGH] | kind);
}

static int across_of(const struct raster *raster, double x)
{
	return (int)lround(x * (raster->columns * WIDE - 1));
}

static int up_of(const struct raster *raster, double y)
{
	return (int)lround(y * (raster->rows * HIGH - 1));
}

void raster_point(struct raster *raster, double x, double y)
{
	if (inside(x) && inside(y))
		set(raster, across_of(raster, x), up_of(raster, y), POINT);
}

void raster_line(struct raster *raster, const double from[2], const double to[2])
{
	int across, up, steps;

	if (!inside(from[0]) || !inside(from[1]) || !inside(to[0]) || !inside(to[1]))
		return;
	across = abs(across_of(raster, to[0]) - across_of(raster, from[0]));
	up = abs(up_of(raster, to[1]) - up_of(raster, from[1]));
	steps = across > up ? across : up;
	for (int i = 1; i < steps; i++) {
		double part = (double)i / steps;

		set(raster, across_of(raster, from[0] + part * (to[0] - from[0])),
		    up_of(raster, from[1] + part * (to[1] - from[1])), 0);
	}
}

int raster_column(const struct raster *raster, double x)
{
	return inside(x) ? across_of(raster, x) / WIDE : -1;
}

void raster_post(struct raster *raster, int column)
{
	for (int row = 0; row < raster->rows && column >= 0 && column < raster->columns; row++)
		raster->cells[row * raster->columns + column] |= POST;
}

void raster_cell(const struct raster *raster, int column, int row, char text[4])
{
	unsigned cell = raster->cells[row * raster->columns + column], dots = cell & DOTS;

	if (!dots)
		snprintf(text, 4, "%s", !(cell & POST) ? " " : raster->utf8 ? "│" : "|");
	else if (!raster->utf8)
		snprintf(text, 4, "%s", cell & POINT ? "*" : ".");
	else /* U+2800 and the dots */
		snprintf(text, 4, "\xE2%c%c", (char)(0xA0 | dots >> 6), (char)(0x80 | (dots & 0x3F)));
}

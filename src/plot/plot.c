/* SPDX-License-Identifier: MIT */
/*
 * plot.c - a curve with its axes, and where the answer lies on it
 */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../report/line.h"
#include "../report/report.h"

enum { ROWS = 10, LEFT_EDGE = 10, LEAST_COLUMNS = 20, TICK_COLUMNS = 10, TEXT = 64, Y_TICKS = 4 };

static const double X_OCTAVES = 6, Y_OCTAVES = 20; /* spans beyond which an axis is logarithmic */

/* A line of text under the plot, filled piece by piece from the left. */
static void put_at(struct line *line, int column, const char *text)
{
	line->blanks = column - line->column;
	line_put(line, text, 0, LEFT, PLAIN);
}

static void put_rows(struct line *line, const struct raster *raster, const struct axis *axis)
{
	double ticks[AXIS_TICKS];
	int count = axis_ticks(axis, Y_TICKS, ticks);

	for (int row = 0; row < raster->rows; row++) {
		char text[TEXT] = "", cell[4];

		for (int i = 0; i < count; i++)
			if (raster->rows - 1 - (int)lround(axis_place(axis, ticks[i]) * (raster->rows - 1)) == row)
				axis_write(axis, ticks[i], text, sizeof(text));
		line_put(line, text, LEFT_EDGE - 2, RIGHT, PLAIN);
		line->blanks += 1;
		line_put(line, raster->utf8 ? (text[0] ? "┤" : "│") : "|", 0, LEFT, PLAIN);
		for (int column = 0; column < raster->columns; column++) {
			raster_cell(raster, column, row, cell);
			if (cell[0] == ' ')
				line->blanks++;
			else
				line_put(line, cell, 0, LEFT, PLAIN);
		}
		line_end(line);
	}
}

/* The axis itself, heavy where the interval is; then its ticks. */
static void put_axis(struct line *line, const struct raster *raster, const struct axis *axis, const double range[2])
{
	int low = raster_column(raster, fmin(fmax(axis_place(axis, range[0]), 0), 1));
	int high = raster_column(raster, fmin(fmax(axis_place(axis, range[1]), 0), 1));
	double ticks[AXIS_TICKS];
	int count = axis_ticks(axis, raster->columns / TICK_COLUMNS, ticks);

	line->blanks = LEFT_EDGE - 1;
	line_put(line, raster->utf8 ? "└" : "+", 0, LEFT, PLAIN);
	for (int column = 0; column < raster->columns; column++) {
		bool tick = false, heavy = isfinite(range[0]) && low <= column && column <= high;

		for (int i = 0; i < count; i++)
			tick = tick || raster_column(raster, axis_place(axis, ticks[i])) == column;
		if (raster->utf8)
			line_put(line, heavy ? (tick ? "┯" : "━") : tick ? "┬" : "─", 0, LEFT, PLAIN);
		else
			line_put(line, heavy ? "=" : tick ? "+" : "-", 0, LEFT, PLAIN);
	}
	line_end(line);
	for (int i = 0; i < count; i++) {
		char text[TEXT];
		int column = LEFT_EDGE + raster_column(raster, axis_place(axis, ticks[i]));

		axis_write(axis, ticks[i], text, sizeof(text));
		column -= line_columns(text) / 2;
		if (column + line_columns(text) > LEFT_EDGE + raster->columns)
			column = LEFT_EDGE + raster->columns - line_columns(text);
		if (line->column == 0 || column > line->column)
			put_at(line, column, text);
	}
	line_end(line);
}

/* A sign under the axis and its words, on the side where there is room. */
static void put_mark(struct line *line, const struct raster *raster, double place, const char *sign, const char *words)
{
	int column = raster_column(raster, place), needed = 1 + line_columns(words);
	char text[2 * TEXT];
	bool left = column + 1 + needed > raster->columns;

	if (column < 0)
		return;
	snprintf(text, sizeof(text), "%s %s", left ? words : sign, left ? sign : words);
	put_at(line, LEFT_EDGE + column - (left ? needed : 0), text);
	line_end(line);
}

static void put_marks(struct line *line, const struct raster *raster, const struct axis *axis,
		      const struct finding *finding)
{
	char value[TEXT], words[2 * TEXT];
	struct finding claim = *finding;
	bool claimed = isfinite(finding->claimed), same = claimed && finding->claimed == finding->value;

	report_value(finding, value, sizeof(value));
	snprintf(words, sizeof(words), "%s%s%s%s", value, same ? ", as " : "", same ? finding->claimed_source : "",
		 same ? " says" : "");
	put_mark(line, raster, axis_place(axis, finding->value), raster->utf8 ? "▲" : "^", words);
	if (!claimed || same)
		return;
	claim.value = finding->claimed;
	report_value(&claim, value, sizeof(value));
	snprintf(words, sizeof(words), "%s, says %s", value, finding->claimed_source);
	put_mark(line, raster, axis_place(axis, finding->claimed), raster->utf8 ? "△" : "?", words);
}

static void draw_curve(struct raster *raster, const struct curve *curve, const struct axis *x, const struct axis *y)
{
	for (int i = 0; i < curve->count; i++) {
		double place[2] = { axis_place(x, curve->x[i]), axis_place(y, curve->y[i]) };

		raster_point(raster, place[0], place[1]);
		if (i > 0)
			raster_line(raster,
				    (double[]){ axis_place(x, curve->x[i - 1]), axis_place(y, curve->y[i - 1]) },
				    place);
	}
}

bool plot_draw(FILE *out, const struct findings *findings, const struct finding *finding, int width, bool utf8)
{
	struct line line = { .out = out, .width = width };
	struct curve curve;
	struct raster raster;

	if (width < LEFT_EDGE + LEAST_COLUMNS || !curve_of(&curve, findings, finding))
		return false;

	struct axis x = axis_over(curve.x, curve.count, X_OCTAVES, curve.unit);
	struct axis y = axis_over(curve.y, curve.count, Y_OCTAVES, "");
	bool marked = curve.marked && finding->outcome == MEASURED, drawn = x.high > x.low;
	double range[] = { marked ? finding->low : NAN, marked ? finding->high : NAN };

	if (!y.octaves && y.low > 0 && y.low < y.high / 2)
		y.low = 0;
	if (drawn && raster_open(&raster, width - LEFT_EDGE - 1, ROWS, utf8)) {
		line.blanks = 2;
		line_put_words(&line, curve.what, 4, PLAIN);
		if (curve.from) {
			line.blanks = 1;
			line_put(&line, "(evidence of ", 0, LEFT, PLAIN);
			line_put(&line, curve.from, 0, LEFT, PLAIN);
			line_put(&line, ")", 0, LEFT, PLAIN);
		}
		line_end(&line);
		draw_curve(&raster, &curve, &x, &y);
		if (marked)
			raster_post(&raster, raster_column(&raster, axis_place(&x, finding->value)));
		put_rows(&line, &raster, &y);
		put_axis(&line, &raster, &x, range);
		if (marked)
			put_marks(&line, &raster, &x, finding);
		raster_close(&raster);
	}
	curve_free(&curve);
	return drawn;
}

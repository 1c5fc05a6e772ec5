/* SPDX-License-Identifier: MIT */
/*
 * matrix.c - a matrix for a person: numbers under labels, hot and cold in colour
 */
#include <math.h>
#include <string.h>

#include "shapes.h"
#include "units.h"

enum { WIDEST = 32, CELL = 32 };

struct scale {
	double low, high;
	struct units_form form; /* one for all cells, so that they compare */
};

/* Three digits of the largest cell: 32 columns have to fit beside each other. */
static struct scale scale_of(const struct matrix *matrix)
{
	struct scale scale;
	double shown;

	matrix_range(matrix, &scale.low, &scale.high);
	scale.form = units_choose(matrix->unit, scale.high);
	shown = fabs(scale.high / scale.form.divisor);
	scale.form.decimals = shown >= 100 ? 0 : shown >= 10 ? 1 : 2;
	return scale;
}

/* Cold to hot by ratios where there are any: neighbours, sockets and machines lie factors apart. */
static void choose_paint(const struct scale *scale, double value, char *paint, size_t size)
{
	static const int ramp[] = { 17, 19, 24, 29, 64, 136, 130, 124 };
	const int last = sizeof(ramp) / sizeof(ramp[0]) - 1;
	double part = 0;

	if (scale->low > 0 && scale->high > scale->low)
		part = log(value / scale->low) / log(scale->high / scale->low);
	else if (scale->high > scale->low)
		part = (value - scale->low) / (scale->high - scale->low);
	snprintf(paint, size, "\033[38;5;15;48;5;%dm", ramp[(int)lround(part * last)]);
}

static void write_cell(const struct matrix *matrix, const struct scale *scale, int place, char text[CELL])
{
	double value = matrix->cells[place];

	if (isfinite(value))
		units_number(&scale->form, value, text, CELL);
	else
		snprintf(text, CELL, "%s", place / matrix->size == place % matrix->size ? "-" : "?");
}

static int width_of(const struct matrix *matrix, const struct scale *scale)
{
	int widest = 0;
	char text[CELL];

	for (int i = 0; i < matrix->size * matrix->size; i++) {
		write_cell(matrix, scale, i, text);
		widest = (int)fmax(widest, line_columns(text));
	}
	for (int i = 0; i < matrix->size; i++)
		widest = (int)fmax(widest, snprintf(text, sizeof(text), "%d", matrix->labels[i]));
	return widest + 1;
}

static void put_label(struct line *line, int label, int width)
{
	char text[CELL];

	snprintf(text, sizeof(text), "%d", label);
	line_put(line, text, width, RIGHT, PLAIN);
}

static void put_row(struct line *line, const struct matrix *matrix, const struct scale *scale, int row, int width)
{
	put_label(line, matrix->labels[row], width);
	line->blanks = 1;
	for (int i = row * matrix->size; i < (row + 1) * matrix->size; i++) {
		char text[CELL], padded[2 * CELL], paint[CELL] = PLAIN;

		write_cell(matrix, scale, i, text);
		/* Padded before it is painted: a heat map has no gaps. */
		snprintf(padded, sizeof(padded), "%*s", width, text);
		if (isfinite(matrix->cells[i]))
			choose_paint(scale, matrix->cells[i], paint, sizeof(paint));
		line_put(line, padded, width, RIGHT, paint);
	}
	line_end(line);
}

bool matrix_put(struct line *line, const struct finding *finding)
{
	const struct matrix *matrix = finding->matrix;
	struct scale scale;
	int width;

	if (finding->outcome != MEASURED || strcmp(finding->unit, "matrix") != 0 || !matrix)
		return false;
	scale = scale_of(matrix);
	if (matrix->size > WIDEST) {
		fprintf(line->out, "  %s: %d x %d; --json and --csv have all of it\n", finding->name, matrix->size,
			matrix->size);
		return true;
	}
	fprintf(line->out, "  %s (%s)\n", finding->name, scale.form.word);
	width = width_of(matrix, &scale);
	line->blanks = width + 1;
	for (int i = 0; i < matrix->size; i++)
		put_label(line, matrix->labels[i], width);
	line_end(line);
	for (int i = 0; i < matrix->size; i++)
		put_row(line, matrix, &scale, i, width);
	return true;
}

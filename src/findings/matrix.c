/* SPDX-License-Identifier: MIT */
/*
 * matrix.c - a value for every pair of CPUs or nodes
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings.h"

static size_t cell_count(const struct matrix *matrix)
{
	return (size_t)matrix->size * (size_t)matrix->size;
}

void matrix_free(struct matrix *matrix)
{
	if (!matrix)
		return;
	free(matrix->labels);
	free(matrix->cells);
	free(matrix);
}

struct matrix *matrix_new(const char *unit, int size)
{
	struct matrix *matrix = size > 0 ? malloc(sizeof(*matrix)) : NULL;

	if (!matrix)
		return NULL;
	matrix->unit = unit;
	matrix->size = size;
	matrix->labels = calloc((size_t)size, sizeof(*matrix->labels));
	matrix->cells = calloc(cell_count(matrix), sizeof(*matrix->cells));
	if (!matrix->labels || !matrix->cells) {
		matrix_free(matrix);
		return NULL;
	}
	for (int i = 0; i < size; i++)
		matrix->labels[i] = i;
	for (size_t i = 0; i < cell_count(matrix); i++)
		matrix->cells[i] = NAN;
	return matrix;
}

struct matrix *matrix_copy(const struct matrix *matrix)
{
	struct matrix *copy = matrix_new(matrix->unit, matrix->size);

	if (!copy)
		return NULL;
	memcpy(copy->labels, matrix->labels, (size_t)matrix->size * sizeof(*matrix->labels));
	memcpy(copy->cells, matrix->cells, cell_count(matrix) * sizeof(*matrix->cells));
	return copy;
}

bool matrix_range(const struct matrix *matrix, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < cell_count(matrix); i++) {
		if (!isfinite(matrix->cells[i]))
			continue;
		*low = fmin(*low, matrix->cells[i]);
		*high = fmax(*high, matrix->cells[i]);
	}
	return *low <= *high;
}

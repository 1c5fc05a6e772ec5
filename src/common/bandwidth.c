/* SPDX-License-Identifier: MIT */
/*
 * bandwidth.c - how fast a block goes from one CPU to another
 *
 * BlackjackBench's: one CPU writes a block, the other reads it and writes it back, over block sizes. Which levels of
 * the tree differ, and from which size on, says what they share.
 */
#include <math.h>
#include <stdio.h>

#include "blocks.h"
#include "common.h"

enum { LOOKS = 3 };

static const double USUAL_LAST = 8 << 20; /* bytes of the last level where it is not known */
static const double BEYOND = 1.5; /* times that: comes from memory, for the most part */
static const double LARGEST = 64 << 20;
static const double APART = 1.25; /* rates of pairs that differ */
static const double PATIENCE = 2e9, PER_BYTE = 6; /* ns for the whole matrix, and that a pair takes for all its looks */

static double rate(struct lab *lab, int a, int b, double bytes)
{
	double ns = timer_over(lab->timer) ? NAN : teams_pass(lab, a, b, (uint64_t)bytes, LOOKS);

	return ns > 0 ? bytes / ns * 1e9 : NAN;
}

struct curve {
	double sizes[BLOCKS_SIZES], rates[BLOCKS_SIZES][TREE_LEVELS];
	int count, pair[TREE_LEVELS][2], pairs;
};

/* A pair of each level over all sizes. */
static void trace(struct lab *lab, struct curve *curve)
{
	for (int i = 0; i < curve->count && !lab->settled; i++) {
		double cuts[TREE_LEVELS];
		int kinds;

		for (int j = 0; j < curve->pairs && !lab->settled; j++) {
			char what[96];

			curve->rates[i][j] = rate(lab, curve->pair[j][0], curve->pair[j][1], curve->sizes[i]);
			snprintf(what, sizeof(what), "block from CPU %d to CPU %d, bytes; bytes/s",
				 teams_cpu(lab, curve->pair[j][0]), teams_cpu(lab, curve->pair[j][1]));
			lab_note(lab, what, curve->sizes[i], curve->rates[i][j], "");
		}
		kinds = stat_gaps(curve->rates[i], curve->pairs, APART, cuts, TREE_LEVELS);
		if (curve->pairs > 1)
			lab_note(lab, "levels of the tree that differ, by bytes of the block", curve->sizes[i], kinds,
				 kinds == curve->pairs ? "all of them" : "");
	}
}

static double last_level(const struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	bool known = hierarchy && hierarchy->status == MACHINE_RAN && hierarchy->levels > 0 && !hierarchy->shallow;

	return known ? hierarchy->level[hierarchy->levels - 1].reach : USUAL_LAST;
}

struct matrix *common_bandwidth(struct lab *lab, double *bytes)
{
	const struct teamwork *teamwork = teams_passes(lab);
	struct curve curve = { .count = 0 };
	int rows[BLOCKS_ROWS], count, best;
	struct matrix *matrix;

	if (!teamwork)
		return NULL;
	count = blocks_rows(teamwork->tree, rows);
	curve.pairs = blocks_pairs(teamwork->tree, rows, count, curve.pair);
	curve.count = blocks_sizes(BEYOND * last_level(lab), fmin(LARGEST, (double)lab->timer->machine->memory / 4),
				   curve.sizes);
	trace(lab, &curve);
	/* Many pairs pass smaller blocks: the largest take as long as all others together. */
	while (curve.count > 1 && curve.sizes[curve.count - 1] * PER_BYTE * count * (count - 1) / 2 > PATIENCE)
		curve.count--;
	best = lab->settled ? -1 : blocks_best(curve.rates, curve.count, curve.pairs);
	matrix = matrix_new("bytes/s", count);
	if (best < 0 || !matrix) {
		lab_outcome(lab, matrix ? UNCLEAR : FAILED,
			    matrix ? "some pairs of CPUs never passed a block in time" : "out of memory");
		matrix_free(matrix);
		return NULL;
	}
	*bytes = curve.sizes[best];
	for (int i = 0; i < count; i++) {
		matrix->labels[i] = teams_cpu(lab, rows[i]);
		for (int j = 0; j < i && !lab->settled; j++)
			matrix->cells[i * count + j] = matrix->cells[j * count + i] =
				rate(lab, rows[i], rows[j], *bytes);
	}
	return matrix;
}

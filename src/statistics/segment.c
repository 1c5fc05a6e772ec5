/* SPDX-License-Identifier: MIT */
/*
 * segment.c - cut a curve into plateaus
 *
 * segments     Jackson et al., An algorithm for optimal partitioning of data on an interval, 2005: the best cut of all,
 *              not a greedy one. Killick et al. (PELT, 2012) prune the same search; curves here are too short to need
 *              it. Absolute deviations, since a single disturbed point must not become a plateau.
 * noise sigma  differences of neighbours forget the curve: von Neumann et al., The mean square successive difference,
 *              1941; their MAD instead of their mean square forgets the steps as well
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A piece while points join it: its values ascending, and the sum of absolute deviations from their median. */
struct piece {
	double *sorted;
	int count;
	double cost;
};

static int place_of(const struct piece *piece, double value)
{
	int low = 0, high = piece->count;

	while (low < high) {
		int middle = (low + high) / 2;

		if (piece->sorted[middle] <= value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Anything between the two middle values is a median, so the cost grows by the distance to the nearer of them. */
static void join(struct piece *piece, double value)
{
	int place = place_of(piece, value);

	if (piece->count) {
		double lower = piece->sorted[(piece->count - 1) / 2], upper = piece->sorted[piece->count / 2];

		piece->cost += fmax(0, fmax(lower - value, value - upper));
	}
	memmove(piece->sorted + place + 1, piece->sorted + place, (size_t)(piece->count - place) * sizeof(double));
	piece->sorted[place] = value;
	piece->count++;
}

/* from[j] = where the last piece of the best cut of the first j points starts. */
static void partition(const double *y, int n, double penalty, int *from)
{
	double *best = stat_scratch((size_t)n + 1, sizeof *best);
	struct piece piece = { .sorted = stat_scratch((size_t)n, sizeof(double)) };

	for (int j = 1; j <= n; j++)
		best[j] = INFINITY;
	for (int i = 0; i < n; i++) {
		double before = i ? best[i] + penalty : 0;

		piece.count = 0;
		piece.cost = 0;
		for (int j = i + 1; j <= n; j++) {
			join(&piece, y[j - 1]);
			if (before + piece.cost < best[j]) {
				best[j] = before + piece.cost;
				from[j] = i;
			}
		}
	}
	free(piece.sorted);
	free(best);
}

static int finite_points(const double *y, int n, double *points, int *index)
{
	int kept = 0;

	for (int i = 0; i < n; i++)
		if (isfinite(y[i])) {
			index[kept] = i;
			points[kept++] = y[i];
		}
	return kept;
}

int stat_segments(const double *y, int n, double penalty, int *starts, int max)
{
	size_t room = n > 0 ? (size_t)n : 0;
	double *points = stat_scratch(room, sizeof *points);
	int *index = stat_scratch(room, sizeof *index), *from = stat_scratch(room + 1, sizeof *from);
	int kept = finite_points(y, n, points, index), count = 0;

	partition(points, kept, penalty > 0 ? penalty : 0, from);
	for (int j = kept; j; j = from[j])
		count++;
	for (int j = kept, k = count - 1; j; j = from[j], k--)
		if (k < max)
			starts[k] = index[from[j]];
	free(from);
	free(index);
	free(points);
	return count;
}

double stat_noise_sigma(const double *y, int n)
{
	size_t room = n > 0 ? (size_t)n : 0;
	double *points = stat_scratch(room, sizeof *points), sigma = NAN;
	int *index = stat_scratch(room, sizeof *index);
	int kept = finite_points(y, n, points, index);

	for (int i = 0; i + 1 < kept; i++)
		points[i] = points[i + 1] - points[i];
	if (kept >= 3)
		sigma = stat_mad(points, kept - 1) / sqrt(2);
	free(index);
	free(points);
	return sigma;
}

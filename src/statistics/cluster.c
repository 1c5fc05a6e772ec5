/* SPDX-License-Identifier: MIT */
/*
 * cluster.c - values that fall into groups: cache levels by latency
 *
 * QT clusters  Heyer, Kruglyak and Yooseph, Exploring expression data: identification and analysis of coexpressed
 *              genes, 1999, with the diameter relative to the cluster's mean as in Danalis et al., BlackjackBench,
 *              2013, figure 11 (whose lines 16-18 belong after its loop)
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

struct point {
	double value;
	int index; /* in the caller's array */
};

struct range {
	int first, count;
};

static int ascending(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? 1 : -1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Of all points the one that widens a cluster least is a neighbour in sorted order, so a cluster is a range. */
static struct range grow(const struct point *sorted, int n, int seed, double fraction)
{
	int low = seed, high = seed;
	double sum = sorted[seed].value;

	while (high - low + 1 < n) {
		double down = low > 0 ? sorted[high].value - sorted[low - 1].value : INFINITY;
		double up = high + 1 < n ? sorted[high + 1].value - sorted[low].value : INFINITY;
		double width = fmin(down, up);

		if (!isfinite(width) || !(width <= fraction * sum / (high - low + 1)))
			break;
		sum += down <= up ? sorted[--low].value : sorted[++high].value;
	}
	return (struct range){ low, high - low + 1 };
}

static struct range largest(const struct point *sorted, int n, double fraction)
{
	struct range best = { 0, 0 };

	for (int seed = 0; seed < n; seed++) {
		struct range range = grow(sorted, n, seed, fraction);

		if (range.count > best.count)
			best = range;
	}
	return best;
}

/* Clusters come largest first; renumbers them in the order in which sorted points meet them. */
static void renumber(const struct point *sorted, int n, int clusters, int *cluster_of)
{
	int *number = stat_scratch((size_t)clusters, sizeof *number), met = 0;

	for (int i = 0; i < n; i++) {
		int *cluster = &cluster_of[sorted[i].index];

		if (!number[*cluster])
			number[*cluster] = ++met;
		*cluster = number[*cluster] - 1;
	}
	free(number);
}

int stat_qt_clusters(const double *values, int n, double fraction, int *cluster_of)
{
	size_t room = n > 0 ? (size_t)n : 0;
	struct point *sorted = stat_scratch(room, sizeof *sorted), *left = stat_scratch(room, sizeof *left);
	int kept = 0, clusters = 0;

	for (int i = 0; i < n; i++) {
		cluster_of[i] = -1;
		if (!isnan(values[i]))
			sorted[kept++] = (struct point){ values[i], i };
	}
	qsort(sorted, (size_t)kept, sizeof *sorted, ascending);
	for (int i = 0; i < kept; i++)
		left[i] = sorted[i];

	for (int remaining = kept; remaining; clusters++) {
		struct range range = largest(left, remaining, fraction);

		for (int i = range.first; i < range.first + range.count; i++)
			cluster_of[left[i].index] = clusters;
		remaining -= range.count;
		for (int i = range.first; i < remaining; i++)
			left[i] = left[i + range.count];
	}
	renumber(sorted, kept, clusters, cluster_of);
	free(left);
	free(sorted);
	return clusters;
}

int stat_gaps(const double *values, int n, double factor, double *cuts, int most)
{
	int kept, groups = 1;
	double *sorted = stat_sorted_copy(values, n, &kept);

	for (int i = 1; i < kept && groups < most; i++)
		if (sorted[i] > factor * sorted[i - 1])
			cuts[groups++ - 1] = sqrt(sorted[i] * sorted[i - 1]);
	free(sorted);
	return kept ? groups : 0;
}

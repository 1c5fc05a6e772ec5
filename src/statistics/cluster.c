/* SPDX-License-Identifier: MIT */
/*
 * cluster.c - values that fall into groups: cache levels by latency, a machine with two speeds
 *
 * QT clusters  Heyer, Kruglyak and Yooseph, Exploring expression data: identification and analysis of coexpressed
 *              genes, 1999, with the diameter relative to the cluster's mean as in Danalis et al., BlackjackBench,
 *              2013, figure 11 (whose lines 16-18 belong after its loop)
 * two speeds   the best cut of sorted values in two: Fisher, On grouping for maximum homogeneity, 1958, with absolute
 *              instead of squared deviations, so that one outlier does not draw the cut to itself
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

/*
 * SMALLEST, TENTH  a speed seen once, or in fewer than a tenth of the samples, is a disturbance
 * APART            halving one normal distribution puts the medians of the halves 1.35 sigma apart, 2.3 times the
 *                  MAD of a half; 4 leaves room for the scatter of small groups
 * VALLEY           the room between the groups, of the distance of their medians: chance splits one speed where its
 *                  samples happen to be thin, two speeds leave a gap. Without it 6.4 % of normal samples of n = 20
 *                  pass, with it 1.5 % (20 % and 9 % of exponential ones); of two speeds 8 sigma apart 96 % are seen
 * DISTINCT         steps of the clock and layout of the code move a time by 1-2 %; the next clock multiplier of a
 *                  3 GHz core (100 MHz) by 3.3 %
 */
enum { SMALLEST = 2, TENTH = 10 };
static const double APART = 4, VALLEY = 0.4, DISTINCT = 0.03;

/* Sum of absolute deviations from the median of sorted values first..end - 1; sums[i] is that of the first i. */
static double deviations(const double *sums, int first, int end)
{
	int half = (end - first) / 2;

	return (sums[end] - sums[end - half]) - (sums[first + half] - sums[first]);
}

static int best_cut(const double *sorted, int n, int smallest)
{
	double *sums = stat_scratch((size_t)n + 1, sizeof *sums), least = INFINITY;
	int cut = -1;

	for (int i = 0; i < n; i++)
		sums[i + 1] = sums[i] + sorted[i];
	for (int i = smallest; i <= n - smallest; i++) {
		double cost = deviations(sums, 0, i) + deviations(sums, i, n);

		if (cost < least) {
			least = cost;
			cut = i;
		}
	}
	free(sums);
	return cut;
}

static bool two_groups(const double *sorted, int n, int cut, struct stat_speeds *speeds)
{
	double fast = stat_median(sorted, cut), slow = stat_median(sorted + cut, n - cut);
	double scatter = fmax(stat_mad(sorted, cut), stat_mad(sorted + cut, n - cut));
	double gap = slow - fast, valley = sorted[cut] - sorted[cut - 1];

	if (!(gap > APART * scatter && valley > VALLEY * gap && gap > DISTINCT * fast))
		return false;
	*speeds = (struct stat_speeds){ 2, fast, slow, (double)cut / n };
	return true;
}

struct stat_speeds stat_two_speeds(const double *values, int n)
{
	struct stat_speeds speeds = { 0, NAN, NAN, NAN };
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);
	int tenth = (kept + TENTH - 1) / TENTH;
	int cut = best_cut(sorted, kept, tenth > SMALLEST ? tenth : SMALLEST);

	if (kept && (cut < 0 || !two_groups(sorted, kept, cut, &speeds))) {
		double median = stat_median(sorted, kept);

		speeds = (struct stat_speeds){ 1, median, median, 1 };
	}
	free(sorted);
	return speeds;
}

/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - numbers made of numbers: where samples lie, how two sets differ, where a curve jumps
 *
 * Pure: no clock, no printing, no state kept between calls. Inputs are never changed. A NaN among the inputs
 * counts as a sample that was not taken; where nothing is left the answer is NaN. Out of memory aborts.
 */
#ifndef XRAY_STATISTICS_H
#define XRAY_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Working memory of the statistics themselves: zeroed, never NULL, released with free(). */
void *stat_scratch(size_t count, size_t size);

/* The values that are not NaN, ascending, and how many they are. The caller frees. */
double *stat_sorted_copy(const double *values, int n, int *kept);

/* location.c - one set of samples */

struct stat_interval {
	double low, high;
};

double stat_median(const double *values, int n);

/* q is clamped to 0..1; between two samples linearly interpolated (type 7). */
double stat_quantile(const double *values, int n, double q);

/* Median absolute deviation from the median, scaled to estimate sigma for a normal distribution. */
double stat_mad(const double *values, int n);

/* Mean of the lowest quarter of the samples, rounded up to at least one. */
double stat_low_quartile_mean(const double *values, int n);

/* Median of the lowest values that lie within a factor of each other. One value alone below all others is passed over,
 * and where the next ones are as far apart, it is the median of all. For values above 0. */
double stat_lowest_cluster(const double *values, int n, double factor);

/* The densest place; of two equally dense ones the lower, since disturbances only ever add time. */
double stat_half_sample_mode(const double *values, int n);

/* Covers the true median with at least the given confidence (0..1), whatever the distribution. Where n is too
 * small for that it is min..max, which covers it with 1 - 2^(1-n): 0.95 takes n >= 6. */
struct stat_interval stat_median_interval(const double *values, int n, double confidence);

/* grain.c - the unit a clock counts in, from the steps between looks at it: the smallest step, or what lies between
 * steps as a rule. NaN when it never moved. */
double stat_grain(const double *steps, int n);

/* compare.c - two sets of samples */

/* How far b lies above a, in their unit, with an interval of at least 95 % confidence. */
struct stat_shift {
	double value, low, high;
};

/* Takes memory for na * nb differences, which must be below 2^31. With fewer than 4 samples of each the interval spans
 * all differences and may cover less. NaNs when a or b is empty. */
struct stat_shift stat_shift(const double *a, int na, const double *b, int nb);

enum stat_verdict { STAT_UNDECIDED, STAT_NO, STAT_YES };

/* Is the chance of a win p1 (yes) or p0 (no)? Wrong yes at most about alpha, wrong no at most about beta. */
struct stat_sprt {
	double win, loss; /* log likelihood ratio of one trial */
	double yes, no; /* bounds of the sum */
	int wins, losses; /* counted until the verdict */
	enum stat_verdict verdict;
};

/* Needs 0 < p0 < p1 < 1, alpha and beta > 0, alpha + beta < 1; a test started otherwise never decides. */
struct stat_sprt stat_sprt_start(double p0, double p1, double alpha, double beta);

/* A verdict once reached stays. Giving up after too many trials is the caller's business. */
enum stat_verdict stat_sprt_add(struct stat_sprt *test, bool win);

/* out[i] = log(b[i] / a[i]): positive where b is slower. NaN where either is not a positive finite number. */
void stat_paired_logs(const double *a, const double *b, int n, double *out);

/* steps.c - a curve that should only rise; out may be in, and a NaN stays where it is */

/* out[i] = the smallest of in[i], in[i + 1], ...: BlackjackBench's. One low point pulls down all before it. */
void stat_enforce_monotone(const double *in, int n, double *out);

/* The rising curve nearest to in by weighted least squares. weights NULL: all equal. A point whose weight is not
 * positive counts as NaN. */
void stat_isotonic(const double *in, const double *weights, int n, double *out);

/* The three below return the index of the last point before the step, -1 when the curve never rises. Only finite
 * points count, for the relative ones only positive ones too. The earliest of equals wins. */

/* First step whose relative rise is above the mean relative rise; needs a monotone curve. A straight line in the
 * logarithm has none. Noise alone also has one: a caller has to ask whether it is big enough. */
int stat_first_step(const double *values, int n);

/* Biggest relative rise (y[i + 1] - y[i]) / y[i]. */
int stat_biggest_step(const double *values, int n);

/* Biggest rise times level (y[i + 1] - y[i]) * y[i]: prefers the last of several steps. */
int stat_biggest_scaled_step(const double *values, int n);

/* cluster.c - values that fall into groups */

/* Groups positive values so that none is wider than about fraction (BlackjackBench: 0.25) of its mean. Fills
 * cluster_of[n] with 0, 1, ... ascending by the lowest member, -1 for a NaN, and returns the number of clusters. */
int stat_qt_clusters(const double *values, int n, double fraction, int *cluster_of);

/* Groups positive values wherever two next to each other in order differ by more than a factor; what would be beyond
 * `most` groups stays in the last. Fills cuts[most] with the bounds between them, rising, and returns the number of
 * groups, one more than there are bounds; 0 when there are no values. */
int stat_gaps(const double *values, int n, double factor, double *cuts, int most);

/* segment.c - a curve of plateaus */

/* Cuts y into constant pieces: least sum of absolute deviations from each piece's median + penalty per cut (in the
 * unit of y; not positive counts as 0). Returns the number of pieces and writes the index of the first point of the
 * first max of them; a return above max says that not all fit. Points not finite are skipped. Time grows as n^2
 * log n, with copying of n^3 doubles at worst: meant for n up to 512. */
int stat_segments(const double *y, int n, double penalty, int *starts, int max);

/* Sigma of the noise on a curve of few steps, from the differences of neighbours. NaN below 3 finite points. */
double stat_noise_sigma(const double *y, int n);

#endif

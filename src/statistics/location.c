/* SPDX-License-Identifier: MIT */
/*
 * location.c - where one set of samples lies, and how sure that is
 *
 * Disturbances only add time, so none of these is the plain mean: the median and its kin stand up to half the
 * samples being wrong, the low quartile and the mode to most of them being too slow.
 *
 * quantile         definition 7 of Hyndman and Fan, Sample quantiles in statistical packages, 1996
 * MAD              Rousseeuw and Croux, Alternatives to the median absolute deviation, 1993
 * low quartile     one-sided noise: Chen and Revels, Robust benchmarking in noisy environments, 2016
 * half-sample mode Bickel and Fruehwirth, On a fast, robust estimator of the mode, 2006
 * median interval  order statistics and the sign test: Conover, Practical nonparametric statistics, 3.2
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static const double MAD_TO_SIGMA = 1.4826; /* 1 / (75 % quantile of the standard normal) */

void *stat_scratch(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory)
		abort();
	return memory;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double *stat_sorted_copy(const double *values, int n, int *kept)
{
	double *copy = stat_scratch(n > 0 ? (size_t)n : 0, sizeof *copy);

	*kept = 0;
	for (int i = 0; i < n; i++)
		if (!isnan(values[i]))
			copy[(*kept)++] = values[i];
	qsort(copy, (size_t)*kept, sizeof *copy, ascending);
	return copy;
}

static double sorted_quantile(const double *sorted, int n, double q)
{
	double place = fmin(fmax(q, 0), 1) * (n - 1);
	int below = (int)place;
	double beyond = place - below;

	if (beyond == 0 || sorted[below] == sorted[below + 1])
		return sorted[below];
	return sorted[below] + beyond * (sorted[below + 1] - sorted[below]);
}

double stat_quantile(const double *values, int n, double q)
{
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);
	double answer = kept && !isnan(q) ? sorted_quantile(sorted, kept, q) : NAN;

	free(sorted);
	return answer;
}

double stat_median(const double *values, int n)
{
	return stat_quantile(values, n, 0.5);
}

double stat_mad(const double *values, int n)
{
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);
	double answer = NAN;

	if (kept) {
		double median = sorted_quantile(sorted, kept, 0.5);

		for (int i = 0; i < kept; i++)
			sorted[i] = fabs(sorted[i] - median);
		answer = MAD_TO_SIGMA * stat_median(sorted, kept);
	}
	free(sorted);
	return answer;
}

double stat_low_quartile_mean(const double *values, int n)
{
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);
	int quarter = kept / 4 + (kept % 4 > 0);
	double sum = 0;

	for (int i = 0; i < quarter; i++)
		sum += sorted[i];
	free(sorted);
	return quarter ? sum / quarter : NAN;
}

double stat_lowest_cluster(const double *values, int n, double factor)
{
	int kept, from = 0, to = 0;
	double *sorted = stat_sorted_copy(values, n, &kept);

	if (kept > 2 && sorted[1] > factor * sorted[0])
		from = 1;
	for (to = from; to < kept && sorted[to] <= factor * sorted[from]; to++)
		;
	if (to - from < 2) {
		from = 0;
		to = kept;
	}

	double answer = stat_median(sorted + from, to - from);

	free(sorted);
	return answer;
}

static double sorted_mode(const double *sorted, int n)
{
	while (n > 3) {
		int half = (n + 1) / 2, narrowest = 0;

		for (int i = 1; i + half <= n; i++)
			if (sorted[i + half - 1] - sorted[i] < sorted[narrowest + half - 1] - sorted[narrowest])
				narrowest = i;
		sorted += narrowest;
		n = half;
	}
	if (n == 3 && sorted[1] - sorted[0] == sorted[2] - sorted[1])
		return sorted[1];
	if (n == 3 && sorted[1] - sorted[0] > sorted[2] - sorted[1])
		sorted++;
	return sorted_quantile(sorted, n == 3 ? 2 : n, 0.5);
}

double stat_half_sample_mode(const double *values, int n)
{
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);
	double answer = kept ? sorted_mode(sorted, kept) : NAN;

	free(sorted);
	return answer;
}

/* Largest k with P(fewer than k of n fair coins show heads) <= tail; 0 when not even k = 1 does. */
static int sign_test_rank(int n, double tail)
{
	double log_chance = -n * log(2), below = exp(log_chance);
	int k = 0;

	while (k < (n + 1) / 2 && below <= tail) {
		log_chance += log((double)(n - k) / (k + 1));
		below += exp(log_chance);
		k++;
	}
	return k;
}

struct stat_interval stat_median_interval(const double *values, int n, double confidence)
{
	struct stat_interval interval = { NAN, NAN };
	int kept;
	double *sorted = stat_sorted_copy(values, n, &kept);

	if (kept) {
		int k = sign_test_rank(kept, (1 - confidence) / 2);

		interval.low = sorted[k ? k - 1 : 0];
		interval.high = sorted[k ? kept - k : kept - 1];
	}
	free(sorted);
	return interval;
}

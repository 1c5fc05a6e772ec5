/* SPDX-License-Identifier: MIT */
/*
 * steps.c - make a noisy curve rise, and find the step in it
 *
 * The suffix minimum and the three steps are those of Danalis et al., BlackjackBench: portable hardware
 * characterization with automated results' analysis, 2013, sections 4.1 and 4.2: first step for execution contexts,
 * biggest for live ranges, line size and ways, biggest scaled for page size. The suffix minimum lets one lucky
 * point destroy a plateau; isotonic regression shares the blame: Ayer et al., An empirical distribution function for
 * sampling with incomplete information, 1955 (pool adjacent violators).
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

void stat_enforce_monotone(const double *in, int n, double *out)
{
	double least = INFINITY;

	for (int i = n - 1; i >= 0; i--) {
		if (in[i] < least)
			least = in[i];
		out[i] = isnan(in[i]) ? NAN : least;
	}
}

struct block {
	double mean, weight;
	int last; /* index of its last point */
};

static struct block pool(struct block left, struct block right)
{
	double weight = left.weight + right.weight;

	return (struct block){
		.mean = (left.mean * left.weight + right.mean * right.weight) / weight,
		.weight = weight,
		.last = right.last,
	};
}

static bool counts(const double *in, const double *weights, int i)
{
	return !isnan(in[i]) && (!weights || weights[i] > 0);
}

void stat_isotonic(const double *in, const double *weights, int n, double *out)
{
	struct block *blocks = stat_scratch(n > 0 ? (size_t)n : 0, sizeof *blocks);
	int top = 0;

	for (int i = 0; i < n; i++) {
		if (!counts(in, weights, i))
			continue;
		blocks[top++] = (struct block){ in[i], weights ? weights[i] : 1, i };
		for (; top > 1 && blocks[top - 2].mean > blocks[top - 1].mean; top--)
			blocks[top - 2] = pool(blocks[top - 2], blocks[top - 1]);
	}
	for (int i = 0, block = 0; i < n; i++) {
		if (block < top && i > blocks[block].last)
			block++;
		out[i] = counts(in, weights, i) ? blocks[block].mean : NAN;
	}
	free(blocks);
}

static double relative(double from, double to)
{
	return from > 0 ? (to - from) / from : NAN;
}

static double scaled(double from, double to)
{
	return (to - from) * from;
}

static int next_finite(const double *values, int n, int i)
{
	while (i < n && !isfinite(values[i]))
		i++;
	return i;
}

static int biggest(const double *values, int n, double (*rise)(double from, double to))
{
	double most = 0;
	int at = -1;

	for (int i = next_finite(values, n, 0), next; i < n; i = next) {
		next = next_finite(values, n, i + 1);
		if (next < n && rise(values[i], values[next]) > most) {
			most = rise(values[i], values[next]);
			at = i;
		}
	}
	return at;
}

int stat_biggest_step(const double *values, int n)
{
	return biggest(values, n, relative);
}

int stat_biggest_scaled_step(const double *values, int n)
{
	return biggest(values, n, scaled);
}

int stat_first_step(const double *values, int n)
{
	static const double rounding = 1e-9; /* equal rises shall not differ from their own mean */
	double sum = 0, threshold;
	int steps = 0;

	for (int i = next_finite(values, n, 0), next; i < n; i = next) {
		next = next_finite(values, n, i + 1);
		if (next < n && values[i] > 0) {
			sum += relative(values[i], values[next]);
			steps++;
		}
	}
	threshold = steps ? fmax(0, sum / steps * (1 + rounding)) : 0;

	for (int i = next_finite(values, n, 0), next; i < n; i = next) {
		next = next_finite(values, n, i + 1);
		if (next < n && relative(values[i], values[next]) > threshold)
			return i;
	}
	return -1;
}

/* SPDX-License-Identifier: MIT */
/* test_cluster.c - quality threshold clusters, and one speed or two */
#include "../../src/statistics/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
enum { MOST = 12 };

/* The expected cluster of each point is a digit, - for none. */
static void clusters(void **state)
{
	static const struct {
		int line;
		double values[MOST];
		const char *want;
		int count;
	} table[] = {
		{ __LINE__, { 0 }, "", 0 },
		{ __LINE__, { NAN }, "-", 0 },
		{ __LINE__, { 5 }, "0", 1 },
		{ __LINE__, { 10, 12 }, "00", 1 },
		{ __LINE__, { 10, 13 }, "00", 1 }, /* 3 <= 0.25 * 13: the cluster started by 13 */
		{ __LINE__, { 10, 14 }, "01", 2 },
		{ __LINE__, { 14, 10 }, "10", 2 },
		{ __LINE__, { 7, 7, 7, 7 }, "0000", 1 },
		{ __LINE__, { 0, 0, 1 }, "001", 2 },
		{ __LINE__, { 4, 4, 4, 14, 14, 50, 51, 50, 200 }, "000112223", 4 },
		{ __LINE__, { 200, 50, 51, 50, 14, 14, 4, 4, 4 }, "322211000", 4 },
		{ __LINE__, { 4, NAN, 14, 4, NAN }, "0-10-", 2 },
		{ __LINE__, { 10, 10, 10, 10, 10, 1e6 }, "000001", 2 },
		{ __LINE__, { 100, 100, 124, 124, 150, 150 }, "000011", 2 }, /* both 4 long: the lower */
		{ __LINE__, { 78, 104, 130 }, "001", 2 }, /* 26 either way from 104: down */
		{ __LINE__, { 1, INFINITY, INFINITY }, "012", 3 },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		int n = (int)strlen(table[i].want), cluster_of[MOST];
		int count = stat_qt_clusters(table[i].values, n, 0.25, cluster_of);

		if (count != table[i].count)
			fail_msg("row %d: %d clusters", table[i].line, count);
		for (int j = 0; j < n; j++) {
			int want = table[i].want[j] == '-' ? -1 : table[i].want[j] - '0';

			if (cluster_of[j] != want)
				fail_msg("row %d: point %d in cluster %d", table[i].line, j, cluster_of[j]);
		}
	}
}

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

static double gauss(uint64_t *state)
{
	double radius = sqrt(-2 * log(1 - uniform(state)));

	return radius * cos(6.283185307179586 * uniform(state));
}

enum { POINTS = 40 };

/* Lines 6 to 15 of figure 11 word by word: marks the cluster started by seed, returns its size. */
static int grow(const double *values, const bool *gone, int seed, bool *in)
{
	double low = values[seed], high = low, sum = low;
	int size = 1;

	memset(in, 0, POINTS * sizeof *in);
	for (in[seed] = true;; size++) {
		int next = -1;
		double least = INFINITY;

		for (int j = 0; j < POINTS; j++) {
			double diameter = fmax(high, values[j]) - fmin(low, values[j]);

			if (!gone[j] && !in[j] && diameter < least) {
				least = diameter;
				next = j;
			}
		}
		if (next < 0 || least > 0.25 * sum / size)
			return size;
		in[next] = true;
		low = fmin(low, values[next]);
		high = fmax(high, values[next]);
		sum += values[next];
	}
}

/* The rest of figure 11; name[i] is the seed of the cluster that took point i. */
static void figure_11(const double *values, int *name)
{
	bool gone[POINTS] = { false }, in[POINTS];

	for (int remaining = POINTS; remaining;) {
		int most = 0, best = -1;

		for (int seed = 0; seed < POINTS; seed++)
			if (!gone[seed] && grow(values, gone, seed, in) > most) {
				most = grow(values, gone, seed, in);
				best = seed;
			}
		remaining -= grow(values, gone, best, in);
		for (int i = 0; i < POINTS; i++)
			if (in[i]) {
				gone[i] = true;
				name[i] = best;
			}
	}
}

static void clusters_as_figure_11(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		uint64_t random = seed * 1000003u;
		double values[POINTS], reversed[POINTS], value = 4;
		int name[POINTS], cluster_of[POINTS], backwards[POINTS];

		for (int i = 0; i < POINTS; i++)
			values[i] = reversed[POINTS - 1 - i] = value *= 1 + 0.2 * uniform(&random);
		figure_11(values, name);
		stat_qt_clusters(values, POINTS, 0.25, cluster_of);
		stat_qt_clusters(reversed, POINTS, 0.25, backwards);
		for (int i = 0; i < POINTS; i++) {
			if (cluster_of[i] != backwards[POINTS - 1 - i])
				fail_msg("seed %d: point %d depends on the order", (int)seed, i);
			for (int j = 0; j < i; j++)
				if ((name[i] == name[j]) != (cluster_of[i] == cluster_of[j]))
					fail_msg("seed %d: points %d and %d", (int)seed, i, j);
		}
	}
}

static void speeds(void **state)
{
	static const struct {
		int line, n;
		double values[MOST];
		struct stat_speeds want;
	} table[] = {
		{ __LINE__, 0, { 0 }, { 0, NAN, NAN, NAN } },
		{ __LINE__, 2, { NAN, NAN }, { 0, NAN, NAN, NAN } },
		{ __LINE__, 1, { 5 }, { 1, 5, 5, 1 } },
		{ __LINE__, 2, { 5, 50 }, { 1, 27.5, 27.5, 1 } },
		{ __LINE__, 3, { 5, 5, 50 }, { 1, 5, 5, 1 } },
		{ __LINE__, 4, { 5, 50, 5, 50 }, { 2, 5, 50, 0.5 } },
		{ __LINE__, 6, { 5, 50, NAN, 5, NAN, 50 }, { 2, 5, 50, 0.5 } },
		{ __LINE__, 6, { 7, 7, 7, 7, 7, 7 }, { 1, 7, 7, 1 } },
		{ __LINE__, 8, { 8, 7, 6, 5, 4, 3, 2, 1 }, { 1, 4.5, 4.5, 1 } },
		{ __LINE__, 8, { 13, 13.1, 10, 10.1, 10, 10.1, 10, 10.1 }, { 2, 10.05, 13.05, 0.75 } },
		{ __LINE__, 8, { 10, 10.1, 10, 10.1, 10, 10.1, 10, 99 }, { 1, 10.05, 10.05, 1 } },
		{ __LINE__, 9, { 10, 10.1, 10, 10.1, 10, 13, 13.1, 13, 99 }, { 2, 10, 13.05, 5.0 / 9 } },
		{ __LINE__, 6, { 100, 100, 100, 102, 102, 102 }, { 1, 101, 101, 1 } }, /* 2 % apart */
		{ __LINE__, 6, { 100, 100, 100, 104, 104, 104 }, { 2, 100, 104, 0.5 } },
		{ __LINE__, 4, { 1, 1, 2, INFINITY }, { 1, 1.5, 1.5, 1 } },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		struct stat_speeds got = stat_two_speeds(table[i].values, table[i].n), want = table[i].want;
		double off = fabs(got.fast - want.fast) + fabs(got.slow - want.slow);
		bool same = want.modes ? off + fabs(got.fast_share - want.fast_share) < 1e-9 : isnan(off);

		if (got.modes != want.modes || !same)
			fail_msg("row %d: %d modes, fast %g, slow %g, share %g", table[i].line, got.modes, got.fast,
				 got.slow, got.fast_share);
	}
}

/* Relative noise, chance of the slow speed, distance of the speeds in sigmas: how many of 1000 sets look like two. */
static int seen_as_two(double noise, double slow_share, double apart, int n)
{
	int two = 0;

	for (uint64_t seed = 1; seed <= 1000; seed++) {
		uint64_t random = seed * 1000003u;
		double values[100];

		for (int i = 0; i < n; i++)
			values[i] = 1 + noise * (gauss(&random) + (i < slow_share * n) * apart);
		two += stat_two_speeds(values, n).modes == 2;
	}
	return two;
}

static void speeds_rates(void **state)
{
	/* clang-format off */
	static const struct {
		int line, n;
		double noise, slow_share, apart;
		int least, most;
	} table[] = {
		{ __LINE__, 20, 0.001, 0, 0, 0, 0 },
		{ __LINE__, 20, 0.01, 0, 0, 0, 20 },
		{ __LINE__, 20, 0.1, 0, 0, 0, 20 },
		{ __LINE__, 50, 0.1, 0, 0, 0, 5 },
		{ __LINE__, 20, 0.01, 0.3, 8, 930, 1000 },
		{ __LINE__, 20, 0.01, 0.3, 12, 990, 1000 },
		{ __LINE__, 50, 0.01, 0.5, 12, 990, 1000 },
		{ __LINE__, 100, 0.01, 0.2, 12, 990, 1000 },
		{ __LINE__, 50, 0.01, 0.05, 12, 0, 10 },
	};
	/* clang-format on */

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		int two = seen_as_two(table[i].noise, table[i].slow_share, table[i].apart, table[i].n);

		if (two < table[i].least || two > table[i].most)
			fail_msg("row %d: %d of 1000 sets look like two speeds", table[i].line, two);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clusters),
		cmocka_unit_test(clusters_as_figure_11),
		cmocka_unit_test(speeds),
		cmocka_unit_test(speeds_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

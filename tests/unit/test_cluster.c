/* SPDX-License-Identifier: MIT */
/* test_cluster.c - quality threshold clusters */
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

static void test_gaps(void **state)
{
	static const struct {
		int line, n;
		double values[6], factor;
		int most, groups;
		double cuts[3];
	} rows[] = {
		{ __LINE__, 0, { 0 }, 1.5, 4, 0, { 0 } },
		{ __LINE__, 1, { NAN }, 1.5, 4, 0, { 0 } },
		{ __LINE__, 1, { 7 }, 1.5, 4, 1, { 0 } },
		{ __LINE__, 3, { 7, 7, 7 }, 1.5, 4, 1, { 0 } },
		{ __LINE__, 4, { 1, 4, NAN, 1 }, 1.5, 4, 2, { 2 } },
		{ __LINE__, 4, { 100, 4, 1, 25 }, 1.5, 4, 4, { 2, 10, 50 } },
		/* Exactly the factor is no gap. */
		{ __LINE__, 2, { 2, 3 }, 1.5, 4, 1, { 0 } },
		/* No room for a third group. */
		{ __LINE__, 3, { 1, 4, 16 }, 1.5, 2, 2, { 2 } },
		{ __LINE__, 3, { 1, 4, 16 }, 1.5, 1, 1, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double cuts[4];
		int groups = stat_gaps(rows[i].values, rows[i].n, rows[i].factor, cuts, rows[i].most);

		if (groups != rows[i].groups)
			fail_msg("row at line %d: %d groups", rows[i].line, groups);
		for (int j = 0; j < groups - 1; j++)
			if (fabs(cuts[j] - rows[i].cuts[j]) > 1e-12)
				fail_msg("row at line %d: cut %d at %g", rows[i].line, j, cuts[j]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clusters),
		cmocka_unit_test(clusters_as_figure_11),
		cmocka_unit_test(test_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

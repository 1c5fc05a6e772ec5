/* SPDX-License-Identifier: MIT */
/* test_location.c - median, quantile, MAD, low quartile, mode, and the interval of the median */
#include "../../src/statistics/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void expect(int line, const char *what, double got, double want)
{
	bool same = isnan(want) ? isnan(got) : got == want || fabs(got - want) <= 1e-9 * fabs(want);

	if (!same)
		fail_msg("row %d: %s is %.12g, not %.12g", line, what, got, want);
}

struct row {
	int line, n;
	double values[12];
	double median, mad, low_quartile, mode;
};

static const struct row rows[] = {
	{ __LINE__, 0, { 0 }, NAN, NAN, NAN, NAN },
	{ __LINE__, 1, { 7 }, 7, 0, 7, 7 },
	{ __LINE__, 1, { NAN }, NAN, NAN, NAN, NAN },
	{ __LINE__, 2, { NAN, 7 }, 7, 0, 7, 7 },
	{ __LINE__, 2, { 1, 3 }, 2, 1.4826, 1, 2 },
	{ __LINE__, 2, { 3, 1 }, 2, 1.4826, 1, 2 },
	{ __LINE__, 3, { 1, 2, 4 }, 2, 1.4826, 1, 1.5 },
	{ __LINE__, 3, { 1, 3, 4 }, 3, 1.4826, 1, 3.5 },
	{ __LINE__, 3, { 3, 2, 1 }, 2, 1.4826, 1, 2 },
	{ __LINE__, 4, { 5, 5, 5, 5 }, 5, 0, 5, 5 },
	{ __LINE__, 5, { 5, 5, 5, 5, 5 }, 5, 0, 5, 5 },
	{ __LINE__, 5, { 5, 4, 3, 2, 1 }, 3, 1.4826, 1.5, 2 },
	{ __LINE__, 6, { NAN, 1, 2, NAN, 3, 1e9 }, 2.5, 1.4826, 1, 1.5 },
	{ __LINE__, 6, { 10, 10, 10, 10, 10, 1e6 }, 10, 0, 10, 10 },
	{ __LINE__, 8, { 8, 7, 6, 5, 4, 3, 2, 1 }, 4.5, 2 * 1.4826, 1.5, 1.5 },
	{ __LINE__, 9, { 1, 5, 9, 20, 21, 21, 22, 40, 90 }, 21, 12 * 1.4826, 5, 21 },
	{ __LINE__, 3, { 1, 2, INFINITY }, 2, 1.4826, 1, 1.5 },
	{ __LINE__, 2, { INFINITY, INFINITY }, INFINITY, NAN, INFINITY, INFINITY },
};

static const struct {
	int line, n;
	double values[8], want;
} clusters[] = {
	{ __LINE__, 0, { 0 }, NAN },
	{ __LINE__, 1, { 7 }, 7 },
	{ __LINE__, 2, { NAN, 7 }, 7 },
	{ __LINE__, 2, { 100, 103 }, 101.5 },
	{ __LINE__, 3, { 100, 101, 102 }, 101 },
	{ __LINE__, 3, { 100, 102.1, 100.5 }, 100.25 },
	{ __LINE__, 5, { 105, 105, 100, 105, 100 }, 100 },
	{ __LINE__, 5, { 105, 105, 90, 105, 105 }, 105 },
	{ __LINE__, 6, { 105, 105, 90, 105, 100, 100 }, 100 },
	{ __LINE__, 5, { 90, 100, 110, 110, 120 }, 110 },
	{ __LINE__, 4, { 5, 5, 5, INFINITY }, 5 },
};

static void lowest_cluster(void **state)
{
	(void)state;
	for (int i = 0; i < COUNT(clusters); i++)
		expect(clusters[i].line, "lowest cluster", stat_lowest_cluster(clusters[i].values, clusters[i].n, 1.02),
		       clusters[i].want);
}

static void location(void **state)
{
	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];

		expect(row->line, "median", stat_median(row->values, row->n), row->median);
		expect(row->line, "MAD", stat_mad(row->values, row->n), row->mad);
		expect(row->line, "low quartile", stat_low_quartile_mean(row->values, row->n), row->low_quartile);
		expect(row->line, "mode", stat_half_sample_mode(row->values, row->n), row->mode);
	}
}

static void quantile(void **state)
{
	static const struct {
		int line, n;
		double values[5], q, want;
	} table[] = {
		{ __LINE__, 0, { 0 }, 0.5, NAN },
		{ __LINE__, 1, { 3 }, 0.9, 3 },
		{ __LINE__, 2, { 10, 20 }, 0.25, 12.5 },
		{ __LINE__, 4, { 4, 3, 2, 1 }, 0.25, 1.75 },
		{ __LINE__, 5, { 1, 2, 3, 4, 5 }, 0.25, 2 },
		{ __LINE__, 5, { 1, NAN, 3, 4, 5 }, 0, 1 },
		{ __LINE__, 5, { 1, NAN, 3, 4, 5 }, 1, 5 },
		{ __LINE__, 5, { 1, 2, 3, 4, 5 }, -3, 1 },
		{ __LINE__, 5, { 1, 2, 3, 4, 5 }, 7, 5 },
		{ __LINE__, 5, { 1, 2, 3, 4, 5 }, NAN, NAN },
		{ __LINE__, 5, { 2, 2, 2, 2, 2 }, 0.3, 2 },
		{ __LINE__, 5, { 1, 1, 1, 1, 1000 }, 0.75, 1 },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		double got = stat_quantile(table[i].values, table[i].n, table[i].q);

		expect(table[i].line, "quantile", got, table[i].want);
	}
}

/* The ranks are those of the sign test's tables: of 1..n the interval is k..n + 1 - k. */
static void interval_ranks(void **state)
{
	/* clang-format off */
	static const struct {
		int line, n;
		double confidence, low, high;
	} table[] = {
		{ __LINE__, 0, 0.95, NAN, NAN },
		{ __LINE__, 1, 0.95, 1, 1 },
		{ __LINE__, 2, 0.95, 1, 2 },
		{ __LINE__, 5, 0.95, 1, 5 },
		{ __LINE__, 6, 0.95, 1, 6 },
		{ __LINE__, 8, 0.95, 1, 8 },
		{ __LINE__, 9, 0.95, 2, 8 },
		{ __LINE__, 10, 0.95, 2, 9 },
		{ __LINE__, 15, 0.95, 4, 12 },
		{ __LINE__, 20, 0.95, 6, 15 },
		{ __LINE__, 20, 0.99, 4, 17 },
		{ __LINE__, 50, 0.95, 18, 33 },
		{ __LINE__, 100, 0.95, 40, 61 },
		{ __LINE__, 100, 1, 1, 100 },
		{ __LINE__, 101, 0, 51, 51 },
		{ __LINE__, 100, 0, 50, 51 },
		{ __LINE__, 100, NAN, 1, 100 },
		{ __LINE__, 5, -1, 3, 3 },
		{ __LINE__, 2000, 0.95, 956, 1045 },
	};
	/* clang-format on */
	double values[2000];

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		struct stat_interval got;

		for (int j = 0; j < table[i].n; j++)
			values[j] = table[i].n - j;
		got = stat_median_interval(values, table[i].n, table[i].confidence);
		expect(table[i].line, "low", got.low, table[i].low);
		expect(table[i].line, "high", got.high, table[i].high);
	}
}

static void interval_skips_nan(void **state)
{
	double values[] = { NAN, 4, NAN, 2 };
	struct stat_interval got = stat_median_interval(values, COUNT(values), 0.9);

	(void)state;
	expect(__LINE__, "low", got.low, 2);
	expect(__LINE__, "high", got.high, 4);
}

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

static void interval_covers(void **state)
{
	static const int sizes[] = { 6, 10, 15, 40, 101 };
	enum { SETS = 2000 };

	(void)state;
	for (int s = 0; s < COUNT(sizes); s++) {
		int covered = 0;

		for (uint64_t seed = 1; seed <= SETS; seed++) {
			uint64_t random = seed * 1000003u;
			double values[101];
			struct stat_interval got;

			for (int i = 0; i < sizes[s]; i++)
				values[i] = -log(1 - uniform(&random));
			got = stat_median_interval(values, sizes[s], 0.95);
			covered += got.low <= log(2) && log(2) <= got.high;
		}
		if (covered < (0.95 - 0.02) * SETS)
			fail_msg("n = %d: %d of %d intervals cover the median", sizes[s], covered, SETS);
	}
}

static void inputs_stay(void **state)
{
	double values[] = { 3, NAN, 1, 2 };

	(void)state;
	stat_median(values, 4);
	stat_mad(values, 4);
	stat_low_quartile_mean(values, 4);
	stat_half_sample_mode(values, 4);
	stat_median_interval(values, 4, 0.9);
	assert_true(values[0] == 3 && isnan(values[1]) && values[2] == 1 && values[3] == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(location),           cmocka_unit_test(lowest_cluster),
		cmocka_unit_test(quantile),           cmocka_unit_test(interval_ranks),
		cmocka_unit_test(interval_skips_nan), cmocka_unit_test(interval_covers),
		cmocka_unit_test(inputs_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

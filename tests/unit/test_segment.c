/* SPDX-License-Identifier: MIT */
/* test_segment.c - plateaus of a curve, and the noise on it */
#include "../../src/statistics/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
enum { MOST = 10, UNTOUCHED = -7 };

static void segments(void **state)
{
	static const struct {
		int line, n;
		double y[MOST], penalty;
		int max, count, starts[4];
	} table[] = {
		{ __LINE__, 0, { 0 }, 1, 4, 0, { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 2, { NAN, NAN }, 1, 4, 0, { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 1, { 3 }, 1, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 2, { 3, 3 }, 1, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 2, { 3, 9 }, 1, 4, 2, { 0, 1, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 2, { 3, 9 }, 7, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 5, 5, 5, 5, 5, 5 }, 0, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 1, 1, 1, 5, 5, 5 }, 2, 4, 2, { 0, 3, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 5, 5, 5, 1, 1, 1 }, 2, 4, 2, { 0, 3, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 1, 1, 1, 5, 5, 5 }, INFINITY, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 1, 1, 1, 5, 5, 5 }, NAN, 4, 2, { 0, 3, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 6, { 1, 1, 1, 5, 5, 5 }, -9, 4, 2, { 0, 3, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 9, { 1, 1, 1, 5, 5, 5, 9, 9, 9 }, 2, 4, 3, { 0, 3, 6, UNTOUCHED } },
		{ __LINE__, 9, { 1, 1, 1, 5, 5, 5, 9, 9, 9 }, 2, 2, 3, { 0, 3, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 9, { 1, 1, 1, 5, 5, 5, 9, 9, 9 }, 2, 0, 3, { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 7, { 1, 1, 1, 99, 1, 1, 1 }, 60, 4, 1, { 0, UNTOUCHED, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 8, { NAN, 1, 1, NAN, 5, 5, NAN, 5 }, 2, 4, 2, { 1, 4, UNTOUCHED, UNTOUCHED } },
		{ __LINE__, 5, { 1, 1, INFINITY, 5, 5 }, 2, 4, 2, { 0, 3, UNTOUCHED, UNTOUCHED } },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		int starts[4] = { UNTOUCHED, UNTOUCHED, UNTOUCHED, UNTOUCHED };
		int count = stat_segments(table[i].y, table[i].n, table[i].penalty, starts, table[i].max);

		if (count != table[i].count)
			fail_msg("row %d: %d segments, not %d", table[i].line, count, table[i].count);
		for (int k = 0; k < 4; k++)
			if (starts[k] != table[i].starts[k])
				fail_msg("row %d: starts[%d] is %d", table[i].line, k, starts[k]);
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

static double deviations(const double *y, int n)
{
	double median = stat_median(y, n), sum = 0;

	for (int i = 0; i < n; i++)
		sum += fabs(y[i] - median);
	return sum;
}

/* Every way of cutting ten points: bit i of the set cuts before point i + 1. */
static void segments_are_optimal(void **state)
{
	enum { POINTS = 10 };

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		uint64_t random = seed * 1000003u;
		double y[POINTS], least = INFINITY, got = 0;
		int starts[POINTS + 1], count;

		for (int i = 0; i < POINTS; i++)
			y[i] = 3 * (int)(3 * uniform(&random)) + uniform(&random);
		for (int set = 0; set < 1 << (POINTS - 1); set++) {
			double cost = 0;

			for (int i = 1, start = 0; i <= POINTS; i++)
				if (i == POINTS || set >> (i - 1) & 1) {
					cost += deviations(y + start, i - start) + (i < POINTS ? 1.5 : 0);
					start = i;
				}
			least = fmin(least, cost);
		}
		count = stat_segments(y, POINTS, 1.5, starts, POINTS);
		starts[count] = POINTS;
		for (int k = 0; k < count; k++)
			got += deviations(y + starts[k], starts[k + 1] - starts[k]) + (k ? 1.5 : 0);
		if (fabs(got - least) > 1e-9)
			fail_msg("seed %d: cost %g, best %g", (int)seed, got, least);
	}
}

static double usual_penalty(const double *y, int n)
{
	return 3 * stat_noise_sigma(y, n) * log(n);
}

/* Three plateaus 10 sigma apart; flat noise has none. */
static void segments_under_noise(void **state)
{
	enum { POINTS = 60, SETS = 500 };
	int found = 0, imagined = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SETS; seed++) {
		uint64_t random = seed * 1000003u;
		double flat[POINTS], stairs[POINTS];
		int starts[3];

		for (int i = 0; i < POINTS; i++) {
			flat[i] = 100 + gauss(&random);
			stairs[i] = flat[i] + i / 20 * 10;
		}
		imagined += stat_segments(flat, POINTS, usual_penalty(flat, POINTS), starts, 1) > 1;
		found += stat_segments(stairs, POINTS, usual_penalty(stairs, POINTS), starts, 3) == 3 &&
			 starts[1] == 20 && starts[2] == 40;
	}
	if (imagined > 0.02 * SETS || found < 0.98 * SETS)
		fail_msg("of %d curves %d flat ones cut, %d stairs found", SETS, imagined, found);
}

static void longest(void **state)
{
	double y[512];
	int starts[8];

	(void)state;
	for (int i = 0; i < COUNT(y); i++)
		y[i] = i / 128 * 10 + i % 7 * 0.1;
	assert_int_equal(stat_segments(y, COUNT(y), 20, starts, COUNT(starts)), 4);
	assert_int_equal(starts[3], 384);
}

static void noise(void **state)
{
	static const struct {
		int line, n;
		double y[MOST], want;
	} table[] = {
		{ __LINE__, 0, { 0 }, NAN },
		{ __LINE__, 1, { 1 }, NAN },
		{ __LINE__, 2, { 1, 2 }, NAN },
		{ __LINE__, 4, { 1, NAN, INFINITY, 2 }, NAN },
		{ __LINE__, 4, { 4, 4, 4, 4 }, 0 },
		{ __LINE__, 5, { 5, 4, 3, 2, 1 }, 0 },
		{ __LINE__, 6, { 1, 1, 1, 90, 90, 90 }, 0 },
		{ __LINE__, 7, { 1, 1, 1, 90, 1, 1, 1 }, 0 },
		{ __LINE__, 3, { 0, 1, 0 }, 1.4826 / 1.4142135623731 },
		{ __LINE__, 4, { 0, NAN, 1, 0 }, 1.4826 / 1.4142135623731 },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		double got = stat_noise_sigma(table[i].y, table[i].n);

		if (isnan(table[i].want) ? !isnan(got) : !(fabs(got - table[i].want) <= 1e-9))
			fail_msg("row %d: sigma %.12g, not %.12g", table[i].line, got, table[i].want);
	}
}

static void noise_of_stairs(void **state)
{
	double y[200], mean = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		uint64_t random = seed * 1000003u;

		for (int i = 0; i < COUNT(y); i++)
			y[i] = i / 50 * 40 + 2 * gauss(&random);
		mean += stat_noise_sigma(y, COUNT(y)) / 200;
	}
	if (fabs(mean - 2) > 0.1)
		fail_msg("sigma %g, not 2", mean);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments),
		cmocka_unit_test(segments_are_optimal),
		cmocka_unit_test(segments_under_noise),
		cmocka_unit_test(longest),
		cmocka_unit_test(noise),
		cmocka_unit_test(noise_of_stairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

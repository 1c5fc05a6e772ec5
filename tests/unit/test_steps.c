/* SPDX-License-Identifier: MIT */
/* test_steps.c - curves made to rise, and the steps found in them */
#include "../../src/statistics/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
enum { MOST = 8 };

static void expect_curve(int line, const char *what, const double *got, const double *want, int n)
{
	for (int i = 0; i < n; i++) {
		bool same = isnan(want[i]) ? isnan(got[i]) : fabs(got[i] - want[i]) <= 1e-9;

		if (!same)
			fail_msg("row %d: %s[%d] is %.12g, not %.12g", line, what, i, got[i], want[i]);
	}
}

static void rising(void **state)
{
	static const struct {
		int line, n;
		double in[MOST], monotone[MOST], isotonic[MOST];
	} table[] = {
		{ __LINE__, 0, { 0 }, { 0 }, { 0 } },
		{ __LINE__, 1, { 3 }, { 3 }, { 3 } },
		{ __LINE__, 1, { NAN }, { NAN }, { NAN } },
		{ __LINE__, 2, { 1, 2 }, { 1, 2 }, { 1, 2 } },
		{ __LINE__, 2, { 2, 1 }, { 1, 1 }, { 1.5, 1.5 } },
		{ __LINE__, 4, { 4, 4, 4, 4 }, { 4, 4, 4, 4 }, { 4, 4, 4, 4 } },
		{ __LINE__, 4, { 4, 3, 2, 1 }, { 1, 1, 1, 1 }, { 2.5, 2.5, 2.5, 2.5 } },
		{ __LINE__, 5, { 1, 3, 2, 4, 5 }, { 1, 2, 2, 4, 5 }, { 1, 2.5, 2.5, 4, 5 } },
		{ __LINE__, 5, { 1, 9, 9, 9, 1 }, { 1, 1, 1, 1, 1 }, { 1, 7, 7, 7, 7 } },
		{ __LINE__, 4, { 1, 100, 1, 1 }, { 1, 1, 1, 1 }, { 1, 34, 34, 34 } },
		{ __LINE__, 5, { NAN, 3, NAN, 1, NAN }, { NAN, 1, NAN, 1, NAN }, { NAN, 2, NAN, 2, NAN } },
		{ __LINE__, 6, { 1, 3, 5, 2, NAN, 0 }, { 0, 0, 0, 0, NAN, 0 }, { 1, 2.5, 2.5, 2.5, NAN, 2.5 } },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		double out[MOST];

		stat_enforce_monotone(table[i].in, table[i].n, out);
		expect_curve(table[i].line, "monotone", out, table[i].monotone, table[i].n);
		stat_isotonic(table[i].in, NULL, table[i].n, out);
		expect_curve(table[i].line, "isotonic", out, table[i].isotonic, table[i].n);
	}
}

static void weighted(void **state)
{
	static const struct {
		int line, n;
		double in[4], weights[4], want[4];
	} table[] = {
		{ __LINE__, 2, { 2, 1 }, { 3, 1 }, { 1.75, 1.75 } },
		{ __LINE__, 3, { 1, 5, 2 }, { 1, 1, 2 }, { 1, 3, 3 } },
		{ __LINE__, 3, { 1, 5, 2 }, { 1, 0, 2 }, { 1, NAN, 2 } },
		{ __LINE__, 3, { 1, 5, 2 }, { 1, NAN, 2 }, { 1, NAN, 2 } },
		{ __LINE__, 3, { 1, 5, 2 }, { 1, 1, -1 }, { 1, 5, NAN } },
		{ __LINE__, 4, { 3, 2, 1, 9 }, { 0, 0, 0, 0 }, { NAN, NAN, NAN, NAN } },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		double out[4];

		stat_isotonic(table[i].in, table[i].weights, table[i].n, out);
		expect_curve(table[i].line, "isotonic", out, table[i].want, table[i].n);
	}
}

static void steps(void **state)
{
	static const struct {
		int line, n;
		double values[MOST];
		int first, biggest, scaled;
	} table[] = {
		{ __LINE__, 0, { 0 }, -1, -1, -1 },
		{ __LINE__, 1, { 1 }, -1, -1, -1 },
		{ __LINE__, 2, { 1, 1 }, -1, -1, -1 },
		{ __LINE__, 2, { 1, 2 }, -1, 0, 0 },
		{ __LINE__, 2, { 2, 1 }, -1, -1, -1 },
		{ __LINE__, 3, { 1, 1, 2 }, 1, 1, 1 },
		{ __LINE__, 4, { 3, 3, 3, 3 }, -1, -1, -1 },
		{ __LINE__, 5, { 1, 2, 4, 8, 16 }, -1, 0, 3 },
		{ __LINE__, 6, { 1, 1.01, 2, 2.01, 6, 9 }, 1, 3, 4 },
		{ __LINE__, 4, { 1, 1.1, 1.21, 1.331 }, -1, 0, 2 },
		{ __LINE__, 7, { 1, 1, 1, 4, 4, 8, 8 }, 2, 2, 4 },
		{ __LINE__, 6, { 1, NAN, 1, 4, NAN, 4 }, 2, 2, 2 },
		{ __LINE__, 6, { 1, 1, NAN, NAN, 4, 4 }, 1, 1, 1 },
		{ __LINE__, 4, { NAN, NAN, NAN, NAN }, -1, -1, -1 },
		{ __LINE__, 4, { 0, 5, 5, 6 }, 2, 2, 2 },
		{ __LINE__, 4, { 1, 1, 2, INFINITY }, 1, 1, 1 },
		{ __LINE__, 5, { 5, 4, 3, 2, 1 }, -1, -1, -1 },
		{ __LINE__, 6, { 2, 2, 2, 90, 2, 3 }, 2, 2, 2 },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		int first = stat_first_step(table[i].values, table[i].n);
		int biggest = stat_biggest_step(table[i].values, table[i].n);
		int scaled = stat_biggest_scaled_step(table[i].values, table[i].n);

		if (first != table[i].first || biggest != table[i].biggest || scaled != table[i].scaled)
			fail_msg("row %d: first %d, biggest %d, scaled %d", table[i].line, first, biggest, scaled);
	}
}

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

static void isotonic_properties(void **state)
{
	enum { POINTS = 60 };

	(void)state;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		uint64_t random = seed * 1000003u;
		double in[POINTS], weights[POINTS], once[POINTS], twice[POINTS], sum = 0;

		for (int i = 0; i < POINTS; i++) {
			in[i] = i / 20 + uniform(&random);
			weights[i] = 0.1 + uniform(&random);
		}
		stat_isotonic(in, weights, POINTS, once);
		stat_isotonic(once, weights, POINTS, twice);
		for (int i = 0; i < POINTS; i++) {
			sum += weights[i] * (once[i] - in[i]);
			if (once[i] != twice[i] || (i && once[i] < once[i - 1]))
				fail_msg("seed %d: point %d falls or moves again", (int)seed, i);
		}
		if (fabs(sum) > 1e-9)
			fail_msg("seed %d: the weighted mean moved by %g", (int)seed, sum);
		stat_isotonic(in, weights, POINTS, in);
		expect_curve(__LINE__, "in place", in, once, POINTS);
	}
}

static void monotone_in_place(void **state)
{
	double curve[] = { 2, 3, 1, NAN, 5, 4 };
	const double want[] = { 1, 1, 1, NAN, 4, 4 };

	(void)state;
	stat_enforce_monotone(curve, COUNT(curve), curve);
	expect_curve(__LINE__, "in place", curve, want, COUNT(curve));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rising),
		cmocka_unit_test(weighted),
		cmocka_unit_test(steps),
		cmocka_unit_test(isotonic_properties),
		cmocka_unit_test(monotone_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

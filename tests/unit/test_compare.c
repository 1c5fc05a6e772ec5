/* SPDX-License-Identifier: MIT */
/* test_compare.c - the shift between two sets, the sequential test, paired logarithms */
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

static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

static void shift(void **state)
{
	static const struct {
		int line, na, nb;
		double a[6], b[6];
		struct stat_shift want;
	} table[] = {
		{ __LINE__, 0, 0, { 0 }, { 0 }, { NAN, NAN, NAN } },
		{ __LINE__, 0, 2, { 0 }, { 1, 2 }, { NAN, NAN, NAN } },
		{ __LINE__, 2, 1, { 1, 2 }, { NAN }, { NAN, NAN, NAN } },
		{ __LINE__, 1, 1, { 1 }, { 5 }, { 4, 4, 4 } },
		{ __LINE__, 2, 1, { 1, 2 }, { 5 }, { 3.5, 3, 4 } },
		{ __LINE__, 3, 2, { 1, NAN, 2 }, { 5, NAN }, { 3.5, 3, 4 } },
		{ __LINE__, 2, 2, { 2, 1 }, { 1, 2 }, { 0, -1, 1 } },
		{ __LINE__, 3, 3, { 3, 3, 3 }, { 4, 4, 4 }, { 1, 1, 1 } },
		{ __LINE__, 5, 5, { 5, 4, 3, 2, 1 }, { 11, 12, 13, 14, 15 }, { 10, 7, 13 } },
		{ __LINE__, 6, 6, { 1, 1, 1, 1, 1, 1 }, { 2, 2, 2, 2, 2, 1e9 }, { 1, 1, 1e9 - 1 } },
		{ __LINE__, 1, 1, { INFINITY }, { INFINITY }, { NAN, NAN, NAN } },
		{ __LINE__, 2, 1, { INFINITY, 1 }, { INFINITY }, { INFINITY, INFINITY, INFINITY } },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		struct stat_shift got = stat_shift(table[i].a, table[i].na, table[i].b, table[i].nb);

		expect(table[i].line, "shift", got.value, table[i].want.value);
		expect(table[i].line, "low", got.low, table[i].want.low);
		expect(table[i].line, "high", got.high, table[i].want.high);
	}
}

/*
 * Critical values of U + 1, from tables up to 20 and counted with exact integers beyond; the last four rows take the
 * normal approximation, which may miss by 1 in 1000. With a = 0..m - 1 and b = 0, m, 2m, ... the m n differences are
 * the integers from 1 - m on, so that the k-th is k - m.
 */
static void shift_ranks(void **state)
{
	/* clang-format off */
	static const struct {
		int line, m, n, k, slack;
	} table[] = {
		{ __LINE__, 3, 4, 1, 0 },
		{ __LINE__, 4, 4, 1, 0 },
		{ __LINE__, 4, 5, 2, 0 },
		{ __LINE__, 5, 5, 3, 0 },
		{ __LINE__, 7, 4, 4, 0 },
		{ __LINE__, 4, 7, 4, 0 },
		{ __LINE__, 8, 8, 14, 0 },
		{ __LINE__, 10, 10, 24, 0 },
		{ __LINE__, 15, 15, 65, 0 },
		{ __LINE__, 20, 20, 128, 0 },
		{ __LINE__, 50, 50, 966, 0 },
		{ __LINE__, 100, 100, 4198, 0 },
		{ __LINE__, 120, 90, 4546, 0 },
		{ __LINE__, 200, 60, 4999, 0 },
		{ __LINE__, 2000, 6, 3243, 0 },
		{ __LINE__, 101, 100, 4242, 0 },
		{ __LINE__, 150, 150, 9778, 0 },
		{ __LINE__, 200, 100, 8612, 0 },
		{ __LINE__, 2000, 23, 17551, 17 },
	};
	/* clang-format on */
	double a[2000], b[200];

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		int m = table[i].m, n = table[i].n;
		struct stat_shift got;

		for (int j = 0; j < m; j++)
			a[j] = j;
		for (int j = 0; j < n; j++)
			b[j] = j * m;
		got = stat_shift(a, m, b, n);
		if (fabs(got.low + m - table[i].k) > table[i].slack)
			fail_msg("row %d: k is %g, not %d", table[i].line, got.low + m, table[i].k);
		expect(table[i].line, "mirrored", got.low - (1 - m), m * (n - 1) - got.high);
	}
}

static void shift_covers(void **state)
{
	static const int sizes[][2] = { { 15, 15 }, { 5, 9 } };
	enum { SETS = 2000 };

	(void)state;
	for (int s = 0; s < COUNT(sizes); s++) {
		int covered = 0;

		for (uint64_t seed = 1; seed <= SETS; seed++) {
			uint64_t random = seed * 1000003u;
			double a[15], b[15];
			struct stat_shift got;

			for (int i = 0; i < sizes[s][0]; i++)
				a[i] = 100 - log(1 - uniform(&random));
			for (int i = 0; i < sizes[s][1]; i++)
				b[i] = 103 - log(1 - uniform(&random));
			got = stat_shift(a, sizes[s][0], b, sizes[s][1]);
			covered += got.low <= 3 && 3 <= got.high;
		}
		if (covered < (0.95 - 0.02) * SETS)
			fail_msg("%d of %d intervals cover the shift", covered, SETS);
	}
}

/* Each trial is a letter: w(in) or l(oss); the verdict after the last and the number of trials counted. */
static void sprt(void **state)
{
	static const struct {
		int line;
		double p0, p1, alpha, beta;
		const char *trials;
		enum stat_verdict want;
		int counted;
	} table[] = {
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "", STAT_UNDECIDED, 0 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "wwww", STAT_UNDECIDED, 4 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "wwwww", STAT_YES, 5 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "lllll", STAT_NO, 5 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "wlwlwlwlwlwl", STAT_UNDECIDED, 12 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "lwwwwww", STAT_YES, 7 },
		{ __LINE__, 0.2, 0.8, 1e-3, 1e-3, "wwwwwllllllllllll", STAT_YES, 5 },
		{ __LINE__, 0.2, 0.8, 1e-4, 1e-4, "wwwwww", STAT_UNDECIDED, 6 },
		{ __LINE__, 0.2, 0.8, 1e-4, 1e-4, "wwwwwww", STAT_YES, 7 },
		{ __LINE__, 0.2, 0.8, 0.2, 0.2, "w", STAT_YES, 1 },
		{ __LINE__, 0.2, 0.8, 0.2, 0.2, "l", STAT_NO, 1 },
		{ __LINE__, 0.03, 0.08, 1e-3, 1e-3, "wwwwwww", STAT_UNDECIDED, 7 },
		{ __LINE__, 0.03, 0.08, 1e-3, 1e-3, "wwwwwwww", STAT_YES, 8 },
		{ __LINE__, 0.8, 0.2, 1e-3, 1e-3, "wwwwwwwwww", STAT_UNDECIDED, 10 },
		{ __LINE__, 0, 0.8, 1e-3, 1e-3, "wwwwwwwwww", STAT_UNDECIDED, 10 },
		{ __LINE__, 0.2, 1, 1e-3, 1e-3, "llllllllll", STAT_UNDECIDED, 10 },
		{ __LINE__, 0.2, 0.8, 0, 1e-3, "wwwwwwwwww", STAT_UNDECIDED, 10 },
		{ __LINE__, 0.2, 0.8, 0.5, 0.5, "wwwwwwwwww", STAT_UNDECIDED, 10 },
		{ __LINE__, NAN, 0.8, 1e-3, 1e-3, "wwwwwwwwww", STAT_UNDECIDED, 10 },
	};

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		struct stat_sprt test = stat_sprt_start(table[i].p0, table[i].p1, table[i].alpha, table[i].beta);

		for (const char *trial = table[i].trials; *trial; trial++)
			if (stat_sprt_add(&test, *trial == 'w') != test.verdict)
				fail_msg("row %d: the answer is not the verdict kept", table[i].line);
		if (test.verdict != table[i].want || test.wins + test.losses != table[i].counted)
			fail_msg("row %d: %d after %d trials", table[i].line, (int)test.verdict,
				 test.wins + test.losses);
	}
}

static int wrong_verdicts(double chance, enum stat_verdict wrong, double alpha)
{
	int count = 0;

	for (uint64_t seed = 1; seed <= 10000; seed++) {
		struct stat_sprt test = stat_sprt_start(0.2, 0.8, alpha, alpha);
		uint64_t random = seed * 1000003u;

		uniform(&random);
		while (stat_sprt_add(&test, uniform(&random) < chance) == STAT_UNDECIDED)
			;
		count += test.verdict == wrong;
	}
	return count;
}

static void sprt_errors(void **state)
{
	static const double alphas[] = { 0.1, 0.05, 0.01, 0.001 };

	(void)state;
	for (int i = 0; i < COUNT(alphas); i++) {
		int yes = wrong_verdicts(0.2, STAT_YES, alphas[i]), no = wrong_verdicts(0.8, STAT_NO, alphas[i]);

		if (yes > 1.5 * alphas[i] * 10000 || no > 1.5 * alphas[i] * 10000)
			fail_msg("alpha %g: %d wrong yes, %d wrong no of 10000", alphas[i], yes, no);
	}
}

static void paired_logs(void **state)
{
	/* clang-format off */
	static const struct {
		int line;
		double a, b, want;
	} table[] = {
		{ __LINE__, 2, 2, 0 },
		{ __LINE__, 1, 2, 0.69314718056 },
		{ __LINE__, 2, 1, -0.69314718056 },
		{ __LINE__, NAN, 1, NAN },
		{ __LINE__, 1, NAN, NAN },
		{ __LINE__, 0, 1, NAN },
		{ __LINE__, 1, 0, NAN },
		{ __LINE__, -1, -1, NAN },
		{ __LINE__, 1, INFINITY, NAN },
	};
	/* clang-format on */
	double untouched = 42;

	(void)state;
	for (int i = 0; i < COUNT(table); i++) {
		double got;

		stat_paired_logs(&table[i].a, &table[i].b, 1, &got);
		expect(table[i].line, "log", got, table[i].want);
	}
	stat_paired_logs(NULL, NULL, 0, &untouched);
	expect(__LINE__, "n = 0", untouched, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shift), cmocka_unit_test(shift_ranks), cmocka_unit_test(shift_covers),
		cmocka_unit_test(sprt),  cmocka_unit_test(sprt_errors), cmocka_unit_test(paired_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

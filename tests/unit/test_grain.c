/* SPDX-License-Identifier: MIT */
/* test_grain.c - how finely a clock counts: in lumps, in rounded lumps, finer than its own cost, hardly at all */
#include "../../src/statistics/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	int line, n;
	double steps[12];
	double grain;
};

static const struct row rows[] = {
	{ __LINE__, 0, { 0 }, NAN },
	{ __LINE__, 1, { 0 }, NAN },
	{ __LINE__, 1, { 20 }, 20 },
	{ __LINE__, 2, { NAN, 20 }, 20 },
	{ __LINE__, 4, { 0, 0, 0, 0 }, NAN }, /* it stands still */
	{ __LINE__, 5, { 20, 20, 20, 20, 20 }, 20 }, /* its cost, to the dot */
	{ __LINE__, 6, { 26, 52, 26, 78, 52, 26 }, 26 }, /* lumps */
	{ __LINE__, 8, { 30, 20, 31, 20, 21, 30, 40, 41 }, 9 }, /* lumps of 10, rounded */
	{ __LINE__, 8, { 24, 22, 25, 21, 23, 22, 26, 20 }, 1 }, /* finer than its cost */
	{ __LINE__, 5, { 0, 1000, 0, 0, 0 }, 1000 }, /* it steps now and then */
	{ __LINE__, 11, { 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 9000 }, 1 }, /* an interruption */
	{ __LINE__, 4, { 20, 20 + 1e-9, 40, 40 + 1e-9 }, 20 }, /* a product's rounding is no grain */
};

static void grain(void **state)
{
	(void)state;
	for (int i = 0; i < (int)(sizeof(rows) / sizeof *rows); i++) {
		double got = stat_grain(rows[i].steps, rows[i].n), want = rows[i].grain;

		if (isnan(want) ? !isnan(got) : !(fabs(got - want) < 1e-6))
			fail_msg("row %d: %.12g, not %.12g", rows[i].line, got, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(grain) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

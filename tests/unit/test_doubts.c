/* SPDX-License-Identifier: MIT */
/*
 * test_doubts.c - which walks are known to have been disturbed, and by how much
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "levels/survey.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { POINTS = 6 };

static void test_disturbed(void **state)
{
	static const struct {
		int line, count;
		double times[POINTS], errors[POINTS]; /* of 1, 2, 3... bytes, each with an error of 1 before */
	} rows[] = {
		{ __LINE__, 0, { 0 }, { 0 } },
		{ __LINE__, 1, { 50 }, { 1 } },
		{ __LINE__, 2, { 50, 10 }, { 1, 1 } }, /* one may have had luck */
		{ __LINE__, 3, { 50, 10, 10 }, { 40, 1, 1 } },
		{ __LINE__, 3, { 10, 20, 30 }, { 1, 1, 1 } },
		{ __LINE__, 3, { 10.5, 10, 10 }, { 1, 1, 1 } }, /* no more than its error says */
		{ __LINE__, 5, { 10, 10, 60, 20, 20 }, { 1, 1, 40, 1, 1 } },
		{ __LINE__, 6, { 10, 40, 60, 5, 20, 20 }, { 1, 20, 40, 1, 1, 1 } },
		{ __LINE__, 4, { 10, NAN, 60, 20 }, { 1, 1, 1, 1 } },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		static struct hierarchy hierarchy;

		hierarchy.count = rows[i].count;
		for (int j = 0; j < rows[i].count; j++)
			hierarchy.points[j] =
				(struct curve_point){ .bytes = j + 1, .time = rows[i].times[j], .error = 1 };
		/* Doubts do not add up. */
		for (int twice = 0; twice < 2; twice++)
			doubt_disturbed(&hierarchy);
		for (int j = 0; j < rows[i].count; j++)
			if (hierarchy.points[j].error != rows[i].errors[j])
				fail_msg("row at line %d: error %d is %g", rows[i].line, j, hierarchy.points[j].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disturbed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

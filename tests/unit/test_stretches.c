/* SPDX-License-Identifier: MIT */
/*
 * test_stretches.c - terms of curves that follow the law all the way, part of the way, or not at all
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "curve/terms.h"

enum { PER_OCTAVE = 7 };

static const double JUMP = 20, LEAST = 0.04; /* cycles; of them */

static const struct terms one = { .count = 1, .term = { { 32 << 10, INFINITY, 12, 1 } } };
static const struct terms two = { .count = 2,
				  .term = { { 16 << 10, INFINITY, 10, 1 }, { 512 << 10, INFINITY, 40, 1 } } };

/* From 2 KiB up to `to` bytes; each time is off by half of its error at most. */
static int make_curve(const struct terms *truth, double to, struct curve_point *points)
{
	int count = 0;

	for (double bytes = 2048; bytes <= to * 1.001 && count < TERMS_POINTS; bytes *= exp2(1.0 / PER_OCTAVE)) {
		struct curve_point *point = &points[count++];

		*point = (struct curve_point){ .bytes = bytes, .time = terms_at(truth, bytes) };
		point->error = 0.006 * (JUMP + point->time);
		point->time += point->error / 2 * sin(37.0 * count);
	}
	return count;
}

static void assert_terms(const struct curve_point *points, int count, const struct terms *truth)
{
	struct terms found = terms_by_stretches(points, count, JUMP, LEAST);

	assert_int_equal(found.count, truth->count);
	for (int i = 0; i < found.count; i++)
		if (fabs(found.term[i].reach / truth->term[i].reach - 1) > 0.04 ||
		    fabs(found.term[i].height / truth->term[i].height - 1) > 0.06)
			fail_msg("term %d: %g bytes, %g cycles", i, found.term[i].reach, found.term[i].height);
}

static void test_lawful(void **state)
{
	struct curve_point points[TERMS_POINTS];

	(void)state;
	assert_terms(points, make_curve(&one, 1 << 20, points), &one);
	assert_terms(points, make_curve(&two, 8 << 20, points), &two);
}

/* Further out times fall, or rise as no cache would have it. */
static void test_lawless_tail(void **state)
{
	struct curve_point points[TERMS_POINTS];
	int count = make_curve(&one, 4 << 20, points);

	(void)state;
	for (int i = 0; i < count; i++)
		if (points[i].bytes > 512 << 10)
			points[i].time -= 5 * log2(points[i].bytes / (512 << 10));
	assert_terms(points, count, &one);
	count = make_curve(&one, 4 << 20, points);
	for (int i = 0; i < count; i++)
		if (points[i].bytes > 512 << 10)
			points[i].time += i % 4 < 2 ? 9 : 0;
	assert_true(fabs(terms_by_stretches(points, count, JUMP, LEAST).term[0].reach / (32 << 10) - 1) < 0.04);
}

/* More code takes no less time, so a point that stands out was disturbed; so were some of them. */
static void test_outliers(void **state)
{
	static const int where[] = { 3, 18, 21, 24, 40, 63, 80 }; /* the 21st is the first reach */

	(void)state;
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		struct curve_point points[TERMS_POINTS];
		int count = make_curve(&two, 8 << 20, points);

		points[where[i]].time += 25;
		assert_terms(points, count, &two);
	}
}

static void test_many_outliers(void **state)
{
	struct curve_point points[TERMS_POINTS];
	int count = make_curve(&two, 8 << 20, points);

	(void)state;
	for (int i = 8; i < count; i += 11)
		points[i].time += 8;
	assert_terms(points, count, &two);
}

static void test_nothing_to_tell(void **state)
{
	static const struct terms flat = { .count = 0 };
	struct curve_point points[TERMS_POINTS];
	int count = make_curve(&flat, 8 << 20, points);

	(void)state;
	assert_terms(points, count, &flat);
	assert_terms(points, 0, &flat);
	/* Seven points are too few, and a reach near the last one is none that they tell of. */
	make_curve(&one, 1 << 20, points);
	assert_terms(points + 21, 7, &flat);
	assert_terms(points, 31, &flat);
	assert_true(points[30].bytes > 32 << 10 && points[30].bytes < 48 << 10);
	assert_terms(points, 42, &one);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lawful), cmocka_unit_test(test_lawless_tail),
					    cmocka_unit_test(test_outliers), cmocka_unit_test(test_many_outliers),
					    cmocka_unit_test(test_nothing_to_tell) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

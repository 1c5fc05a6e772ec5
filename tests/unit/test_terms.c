/* SPDX-License-Identifier: MIT */
/*
 * test_terms.c - curves made of known terms are taken apart again
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "curve/terms.h"

enum { MOST = 256 };

static const double NEAREST = 4; /* a load that is served at once; the times hold 14 more for drawing a place */

/* Walks from 1 KiB to 64 MiB. `wobble` is a relative error that is the same in every run. */
static int make_curve(const struct terms *truth, struct curve_point *points, double wobble)
{
	int n = 0;

	for (double bytes = 1024; bytes <= 64 << 20; bytes *= 1.19)
		points[n++] = (struct curve_point){ .bytes = bytes };
	for (int i = 0; i < n; i++) {
		points[i].time = terms_at(truth, points[i].bytes) * (1 + wobble * sin(37.0 * i));
		points[i].error = 0.006 * points[i].time;
	}
	return n;
}

static void assert_near(double value, double expected, double tolerance)
{
	if (fabs(value - expected) > tolerance * expected)
		fail_msg("%g is not %g", value, expected);
}

static void missed_share(void **state)
{
	(void)state;
	assert_true(terms_missed(0, INFINITY) == 0);
	assert_true(terms_missed(1, INFINITY) == 0);
	assert_near(terms_missed(2, INFINITY), 0.5, 1e-12);
	/* One way: a place is there unless another came later to its set. */
	assert_near(terms_missed(1, 1), 1 - (1 - exp(-1)), 1e-9);
	/* Far beyond, the spread makes no difference. */
	assert_near(terms_missed(20, 8), 1 - 1.0 / 20, 1e-3);
	/* Random frames: just what fits on average does not fit all the time. */
	assert_true(terms_missed(1, 8) > 0.05 && terms_missed(1, 8) < 0.25);
}

static void one_level(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.001);
	struct terms found = terms_fit(points, n, NEAREST, 0.15);

	(void)state;
	assert_int_equal(found.count, 1);
	assert_near(found.term[0].reach, 32768, 0.01);
	assert_near(found.term[0].height, 100, 0.01);
	assert_near(found.base, 18, 0.01);
}

static void assert_found(const struct terms *truth)
{
	struct curve_point points[MOST];
	int n = make_curve(truth, points, 0.001);
	struct terms found = terms_fit(points, n, NEAREST, 0.15);

	assert_int_equal(found.count, truth->count);
	for (int i = 0; i < found.count; i++) {
		assert_near(found.term[i].reach, truth->term[i].reach, 0.03);
		assert_near(found.term[i].height, truth->term[i].height, 0.05);
	}
}

static void three_levels(void **state)
{
	struct terms truth = {
		.base = 18,
		.count = 3,
		.term = { { 48 << 10, INFINITY, 9 }, { 1280 << 10, INFINITY, 60 }, { 12 << 20, INFINITY, 200 } }
	};

	(void)state;
	assert_found(&truth);
}

/* A level with a soft bend that ends where the next, softer one begins: one number at a time leads astray here. */
static void soft_bends_side_by_side(void **state)
{
	struct terms truth = { .base = 19,
			       .count = 3,
			       .term = { { 4096, INFINITY, 6 }, { 1 << 20, 8, 19 }, { 5632 << 10, 11, 74 } } };

	(void)state;
	assert_found(&truth);
}

static void flat_curve(void **state)
{
	struct terms truth = { .base = 18 };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.002);

	(void)state;
	assert_int_equal(terms_fit(points, n, NEAREST, 0.15).count, 0);
	assert_int_equal(terms_fit(points, 0, NEAREST, 0.15).count, 0);
}

static void bent_curve_shows(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0);

	(void)state;
	assert_true(terms_fit(points, n, NEAREST, 0.15).misfit < 0.1);
	for (int i = 0; i < n; i++)
		points[i].time *= 1 + 0.05 * sin(5 * log(points[i].bytes));
	assert_true(terms_fit(points, n, NEAREST, 0.15).misfit > 0.5);
}

static void range_holds_the_truth(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.003);
	struct terms found = terms_fit(points, n, NEAREST, 0.15);
	double low, high;

	(void)state;
	terms_range(points, n, &found, 0, &low, &high);
	assert_true(low < 32768 && 32768 < high);
	assert_true(high - low < 0.2 * 32768);
}

/* Points beyond the bend fix the height; without them it may be anything. */
static void heights_know_their_errors(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 8 << 20, INFINITY, 100 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.003), few = 0;
	struct terms found = terms_fit(points, n, NEAREST, 0.15);
	double error = terms_height_error(points, n, &found, 0);

	(void)state;
	while (points[few].bytes < 10 << 20)
		few++;
	assert_true(error > 0 && error < 2);
	assert_true(terms_height_error(points, few, &found, 0) > 5 * error);
	assert_true(terms_height_error(points, n, &found, -1) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missed_share),
		cmocka_unit_test(one_level),
		cmocka_unit_test(three_levels),
		cmocka_unit_test(soft_bends_side_by_side),
		cmocka_unit_test(flat_curve),
		cmocka_unit_test(bent_curve_shows),
		cmocka_unit_test(range_holds_the_truth),
		cmocka_unit_test(heights_know_their_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

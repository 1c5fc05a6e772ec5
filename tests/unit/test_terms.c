/* SPDX-License-Identifier: MIT */
/*
 * test_terms.c - curves made of known terms are taken apart again
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
	assert_true(terms_missed(0, INFINITY, 1) == 0);
	assert_true(terms_missed(1, INFINITY, 1) == 0);
	assert_near(terms_missed(2, INFINITY, 1), 0.5, 1e-12);
	/* One way: a place is there unless another came later to its set. */
	assert_near(terms_missed(1, 1, 1), 1 - (1 - exp(-1)), 1e-9);
	/* Far beyond, the spread makes no difference. */
	assert_near(terms_missed(20, 8, 1), 1 - 1.0 / 20, 1e-3);
	/* Random frames: just what fits on average does not fit all the time. */
	assert_true(terms_missed(1, 8, 1) > 0.05 && terms_missed(1, 8, 1) < 0.25);
}

static void one_level(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100, 1 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.001);
	struct terms found = terms_fit(points, n, NEAREST, 0.15, 4);

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
	struct terms found = terms_fit(points, n, NEAREST, 0.15, 4);

	assert_int_equal(found.count, truth->count);
	for (int i = 0; i < found.count; i++) {
		assert_near(found.term[i].reach, truth->term[i].reach, 0.03);
		assert_near(found.term[i].height, truth->term[i].height, 0.05);
	}
}

static void three_levels(void **state)
{
	struct terms truth = { .base = 18,
			       .count = 3,
			       .term = { { 48 << 10, INFINITY, 9, 1 },
					 { 1280 << 10, INFINITY, 60, 1 },
					 { 12 << 20, INFINITY, 200, 1 } } };

	(void)state;
	assert_found(&truth);
}

/* A level with a soft bend that ends where the next, softer one begins: one number at a time leads astray here. */
static void soft_bends_side_by_side(void **state)
{
	struct terms truth = { .base = 19,
			       .count = 3,
			       .term = { { 4096, INFINITY, 6, 1 }, { 1 << 20, 8, 19, 1 }, { 5632 << 10, 11, 74, 1 } } };

	(void)state;
	assert_found(&truth);
}

/* A cache of lines in parts, LRU or random, and uniform references to parts: counted against the closed form. */
static double missed_by_count(int tags, int lines, int parts, bool lru)
{
	enum { LINES = 256, STEPS = 400000 };
	static unsigned present[LINES], at[LINES], tag[LINES];
	uint64_t random = 88172645463325252u;
	long missed = 0;

	for (int i = 0; i < LINES; i++)
		present[i] = at[i] = 0;
	for (int i = 0; i < tags; i++) {
		tag[i] = (unsigned)i;
		present[i] = 1;
	}
	for (unsigned step = 1; step <= STEPS; step++) {
		unsigned line, part, out = 0;

		random = random * 6364136223846793005u + 1442695040888963407u;
		line = (unsigned)(random >> 33) % (unsigned)lines;
		part = 1u << ((random >> 50) % (uint64_t)parts);
		missed += step > STEPS / 4 && !(present[line] & part);
		if (!present[line]) {
			out = (unsigned)((random >> 20) % (uint64_t)tags);
			for (int i = 0; i < tags && lru; i++)
				out = at[tag[i]] < at[tag[out]] ? (unsigned)i : out;
			present[tag[out]] = 0;
			tag[out] = line;
		}
		present[line] |= part;
		at[line] = step;
	}
	return (double)missed / (STEPS - STEPS / 4);
}

static void lines_in_parts(void **state)
{
	static const struct {
		int tags, lines, parts;
	} rows[] = { { 64, 64, 2 }, { 64, 72, 2 },  { 64, 96, 2 }, { 64, 240, 2 },
		     { 64, 96, 4 }, { 64, 240, 4 }, { 64, 240, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int lru = 0; lru < 2; lru++) {
			double counted = missed_by_count(rows[i].tags, rows[i].lines, rows[i].parts, lru),
			       by_law = terms_missed((double)rows[i].lines / rows[i].tags, INFINITY, rows[i].parts);

			if (fabs(counted - by_law) > 0.006)
				fail_msg("%d of %d lines in %d parts: %g, not %g", rows[i].tags, rows[i].lines,
					 rows[i].parts, counted, by_law);
		}
}

static void levels_in_parts(void **state)
{
	struct terms truth = { .base = 18,
			       .count = 3,
			       .term = { { 20 << 10, INFINITY, 6, 1 },
					 { 3584 << 10, INFINITY, 57, 2 },
					 { 12 << 20, INFINITY, 106, 1 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.001);
	struct terms found = terms_fit(points, n, NEAREST, 0.15, 4);

	(void)state;
	assert_found(&truth);
	assert_int_equal(found.term[0].parts, 1);
	assert_int_equal(found.term[1].parts, 2);
	assert_int_equal(found.term[2].parts, 1);
}

static void flat_curve(void **state)
{
	struct terms truth = { .base = 18 };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.002);

	(void)state;
	assert_int_equal(terms_fit(points, n, NEAREST, 0.15, 4).count, 0);
	assert_int_equal(terms_fit(points, 0, NEAREST, 0.15, 4).count, 0);
}

static void bent_curve_shows(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100, 1 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0);

	(void)state;
	assert_true(terms_fit(points, n, NEAREST, 0.15, 4).misfit < 0.1);
	for (int i = 0; i < n; i++)
		points[i].time *= 1 + 0.05 * sin(5 * log(points[i].bytes));
	assert_true(terms_fit(points, n, NEAREST, 0.15, 4).misfit > 0.5);
}

static void range_holds_the_truth(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 32768, INFINITY, 100, 1 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.003);
	struct terms found = terms_fit(points, n, NEAREST, 0.15, 4);
	double low, high;

	(void)state;
	terms_range(points, n, &found, 0, &low, &high);
	assert_true(low < 32768 && 32768 < high);
	assert_true(high - low < 0.2 * 32768);
}

/* Points beyond the bend fix the height; without them it may be anything. */
static void heights_know_their_errors(void **state)
{
	struct terms truth = { .base = 18, .count = 1, .term = { { 8 << 20, INFINITY, 100, 1 } } };
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.003), few = 0;
	struct terms found = terms_fit(points, n, NEAREST, 0.15, 4);
	double error = terms_height_error(points, n, &found, 0);

	(void)state;
	while (points[few].bytes < 10 << 20)
		few++;
	assert_true(error > 0 && error < 2);
	assert_true(terms_height_error(points, few, &found, 0) > 5 * error);
	assert_true(terms_height_error(points, n, &found, -1) == 0);
}

/* Three corners, the first one low: a single soft bend explains them best of all single ones, and no second one helps
 * much. */
static void corners_that_one_bend_hides(void **state)
{
	struct terms truth = {
		.base = 18,
		.count = 3,
		.term = { { 160 << 10, INFINITY, 5, 1 }, { 1 << 20, INFINITY, 26, 1 }, { 4 << 20, INFINITY, 43, 1 } }
	};
	struct curve_point points[MOST];
	int n = make_curve(&truth, points, 0.001);
	struct terms found = terms_fit_sharp(points, n, NEAREST, 0.12);

	(void)state;
	assert_int_equal(found.count, 3);
	for (int i = 0; i < 3; i++) {
		assert_near(found.term[i].reach, truth.term[i].reach, 0.03);
		assert_near(found.term[i].height, truth.term[i].height, 0.05);
	}
	assert_true(found.misfit < 1);
}

/* From as many terms as there are, begun in the wrong places. */
static void from_given(void **state)
{
	const struct terms truth = { .base = 18,
				     .term = { { 32 << 10, INFINITY, 10, 1 }, { 4 << 20, 1.5, 150, 1 } },
				     .count = 2 };
	const struct terms given = { .term = { { 24 << 10, 8, 1, 1 }, { 2 << 20, 8, 1, 1 } }, .count = 2 };
	struct curve_point points[MOST];
	struct terms found = terms_fit_from(points, make_curve(&truth, points, 0.002), &given);

	(void)state;
	assert_int_equal(found.count, 2);
	assert_near(found.term[0].reach, truth.term[0].reach, 0.02);
	assert_near(found.term[0].height, truth.term[0].height, 0.05);
	assert_near(found.term[1].reach, truth.term[1].reach, 0.1);
	assert_true(found.misfit < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_given),
		cmocka_unit_test(missed_share),
		cmocka_unit_test(one_level),
		cmocka_unit_test(three_levels),
		cmocka_unit_test(soft_bends_side_by_side),
		cmocka_unit_test(lines_in_parts),
		cmocka_unit_test(levels_in_parts),
		cmocka_unit_test(flat_curve),
		cmocka_unit_test(bent_curve_shows),
		cmocka_unit_test(range_holds_the_truth),
		cmocka_unit_test(heights_know_their_errors),
		cmocka_unit_test(corners_that_one_bend_hides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

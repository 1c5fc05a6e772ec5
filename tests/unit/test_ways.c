/* SPDX-License-Identifier: MIT */
/*
 * test_ways.c - what sets hold of scattered lines, and the number of ways that explains times of such lines
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "curve/occupancy.h"
#include "curve/ways.h"

enum { SIGHTS = 13, ROUNDS = 400000 };

static const double KIB = 1024;

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%g is not %g", value, expected);
}

static void held_at_the_edges(void **state)
{
	(void)state;
	assert_near(occupancy_held(8, 0, INFINITY, ABOVE_COPIED, 0), 1, 0);
	/* One way: a line is held unless another of its set is: (1 - exp(-1)) sets of one. */
	assert_near(occupancy_held(1, 1, INFINITY, ABOVE_COPIED, 0), 1 - exp(-1), 1e-6);
	/* Far beyond what fits, chance does not matter. */
	assert_near(occupancy_held(8, 80, INFINITY, ABOVE_COPIED, 0), 0.1, 1e-6);
	assert_near(occupancy_held(8, 5000, INFINITY, ABOVE_COPIED, 0), 8 / 5000.0, 1e-9);
	/* All lines there are, and they just fit. */
	assert_near(occupancy_held(8, 8, 8, ABOVE_COPIED, 0), 1, 1e-6);
	/* Fewer to choose from, less is left to chance. */
	assert_true(occupancy_held(8, 8, 32, ABOVE_COPIED, 0) > occupancy_held(8, 8, INFINITY, ABOVE_COPIED, 0));
	/* Everything is in the level above. */
	assert_near(occupancy_held(4, 40, INFINITY, ABOVE_EXCLUSIVE, 1), 1, 1e-6);
	assert_near(occupancy_held(4, 40, INFINITY, ABOVE_VICTIM, 1), 1, 1e-6);
}

/* A set of so many ways under a level that drops each of its lines now and then, step by step. */
static double simulate(int ways, int lines, double share)
{
	enum { AWAY, SET, ABOVE } where[64] = { AWAY };
	double held = 0, leaving = (1 - share) / share;
	int in_set = 0;

	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		int line = rand() % lines, kept = 0;

		if (where[line] == ABOVE && rand() < leaving / (1 + leaving) * RAND_MAX) {
			int victim = rand() % lines;

			while (in_set == ways && where[victim] != SET)
				victim = rand() % lines;
			if (in_set == ways)
				where[victim] = AWAY;
			else
				in_set++;
			where[line] = SET;
		} else if (where[line] != ABOVE && rand() < 1 / (1 + leaving) * RAND_MAX) {
			in_set -= where[line] == SET;
			where[line] = ABOVE;
		}
		for (int i = 0; i < lines; i++)
			kept += where[i] != AWAY;
		held += kept;
	}
	return held / ROUNDS / lines;
}

static void exclusion_is_as_simulated(void **state)
{
	static const int ways[] = { 4, 4, 8, 8, 16, 16 }, lines[] = { 5, 9, 10, 16, 18, 30 };

	(void)state;
	for (int i = 0; i < 6; i++)
		for (int tenths = 1; tenths <= 3; tenths += 2)
			assert_near(occupancy_held(ways[i], lines[i], lines[i], ABOVE_EXCLUSIVE, tenths / 10.0),
				    simulate(ways[i], lines[i], tenths / 10.0), 0.02);
}

/* Times as a level of such a size and ways would show them, with an error that is the same in every run. */
static struct ways_question ask(struct ways_sight *sights, double size, double ways, double among, double wobble)
{
	static const double loads[SIGHTS] = { 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2.1 };
	struct ways_question question = { .sights = sights,
					  .count = SIGHTS,
					  .spread = 8 * size,
					  .depth = 1,
					  .latency = 14,
					  .reach_off = 0.012,
					  .level_count = 2,
					  .levels = { { 32 * KIB, 8, 10 }, { 1.005 * size, 0, 60 } } };

	for (int i = 0; i < SIGHTS; i++) {
		double bytes = loads[i] * size, mean = ways * loads[i];
		double near = 1 - occupancy_held(8, 8 * bytes / (32 * KIB), INFINITY, ABOVE_COPIED, 0);
		double far = 1 - occupancy_held(ways, mean, among, ABOVE_COPIED, 0);

		sights[i] = (struct ways_sight){ .bytes = bytes,
						 .time = 10 * near + 60 * far + wobble * sin(37.0 * i),
						 .error = 0.1 };
	}
	return question;
}

static void finds_ways_and_size(void **state)
{
	static const double ways[] = { 1, 2, 3, 5, 8, 11, 16, 20 };

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct ways_sight sights[SIGHTS];
		double size = ways[i] * 256 * KIB;
		struct ways_question question = ask(sights, size, ways[i], INFINITY, 0.05);
		struct ways_answer answer = ways_decide(&question);

		assert_true(answer.ways == ways[i]);
		assert_true(answer.low <= ways[i] && ways[i] <= answer.high && answer.high <= 1.4 * answer.low);
		assert_near(answer.size, size, 0.5);
	}
}

static void frames_in_a_row(void **state)
{
	struct ways_sight sights[SIGHTS];
	struct ways_question question = ask(sights, 1024 * KIB, 8, 64, 0.05);
	struct ways_answer answer = ways_decide(&question);

	(void)state;
	assert_true(answer.ways == 8);
}

/* What no number of ways explains is not explained. */
static void says_nothing_where_nothing_fits(void **state)
{
	struct ways_sight sights[SIGHTS];
	struct ways_question question = ask(sights, 1024 * KIB, 8, INFINITY, 8);
	struct ways_answer answer = ways_decide(&question);

	(void)state;
	assert_true(answer.ways == 0);
	/* Neither is a level that has a line for every place. */
	question = ask(sights, 1024 * KIB, 16384, 16384, 0);
	answer = ways_decide(&question);
	assert_true(answer.ways == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(held_at_the_edges),
		cmocka_unit_test(exclusion_is_as_simulated),
		cmocka_unit_test(finds_ways_and_size),
		cmocka_unit_test(frames_in_a_row),
		cmocka_unit_test(says_nothing_where_nothing_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

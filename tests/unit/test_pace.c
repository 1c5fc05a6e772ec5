/* SPDX-License-Identifier: MIT */
/*
 * test_pace.c - address walks are counted in what a tick should take, whoever holds it up
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hindered.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define MEMORY "[cache l1d]\nsize = 32 KiB\nways = 8\nlatency = 5\n[memory]\nlatency = 100 ns\nsize = 4 MiB\n"

static const long STEPS = 2048;
static const double CYCLE = 1.0 / 24 / 5; /* the tick is 24 multiplications of 5 cycles */

static double step(struct hindered *hindered)
{
	struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { 128 } } };
	struct stroll stroll = timing_walk(&hindered->timer, &walk, STEPS);

	assert_int_equal(stroll.status, MACHINE_RAN);
	return stroll.ticks;
}

static void test_walks(void **state)
{
	static const struct {
		int line;
		double learns; /* what loads take, when they take so many times as long; 0: does not */
		struct pace pace;
		double seems; /* times what it takes */
	} rows[] = {
		{ __LINE__, 1, { 1, 1, 1, 1, 1 }, 1 },
		{ __LINE__, 1, { 1.25, 1.25, 1.25, 1, 1 }, 1 },
		{ __LINE__, 0, { 1.25, 1.25, 1.25, 1, 1 }, 1 / 1.25 }, /* and nothing else tells */
		{ __LINE__, 1, { 1, 1, 1, 1.25, 1 }, 1 }, /* loads are held up */
		{ __LINE__, 1, { 1.25, 1.25, 1.25, 1.1, 1 }, 1 / 1.1 },
		{ __LINE__, 1.08, { 1.25, 1.25, 1.25, 1, 1 }, 1 / 1.25 }, /* 5.4 cycles: they were held up */
		{ __LINE__, 1.08, { 1, 1, 1, 1, 1 }, 1 }, /* and that does no harm */
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hindered hindered;
		double alone, beside;

		open_at(&hindered, SMALL_MACHINE("") MEMORY, UNHINDERED);
		alone = step(&hindered);
		hindered.pace.other = rows[i].learns;
		if (rows[i].learns > 0)
			timing_learn_load(&hindered.timer, CYCLE);
		hindered.pace = rows[i].pace;
		beside = step(&hindered);
		if (fabs(beside / alone / rows[i].seems - 1) > 0.02)
			fail_msg("row at line %d: %g times", rows[i].line, beside / alone);
		close_timer(&hindered);
	}
}

/* Without loads there is nothing to learn, and the tick alone counts. */
static void test_no_loads(void **state)
{
	struct hindered hindered;
	double alone;

	(void)state;
	open_at(&hindered,
		"[machine]\nname = Bare\nfrequency = 1 GHz\n[core]\nwidth = 1\n"
		"[op add,mul.i64,f64]\nlatency = 3\n" MEMORY,
		UNHINDERED);
	alone = step(&hindered);
	timing_learn_load(&hindered.timer, CYCLE);
	assert_true(isnan(pace_of_loads(&hindered.timer)));
	assert_true(fabs(step(&hindered) / alone - 1) < 0.02);
	close_timer(&hindered);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walks),
		cmocka_unit_test(test_no_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

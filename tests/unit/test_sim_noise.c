/* SPDX-License-Identifier: MIT */
/*
 * test_sim_noise.c - the virtual clock: exact when quiet, repeatable when not, and each cause does what it says
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/noise.h"

static struct description still(void)
{
	return (struct description){ .frequency = 1e9, .timer_quantum = 1, .noise = { [NOISE_RAMP_START] = 1 } };
}

static double timed(struct sim_noise *noise, double alone, double shared, bool *disturbed)
{
	double start = sim_noise_clock(noise);

	*disturbed = sim_noise_run(noise, (struct sim_work){ .alone = alone, .shared = shared });
	return sim_noise_clock(noise) - start;
}

static void test_still(void **state)
{
	struct description d = still();
	struct sim_noise noise;
	bool disturbed;

	(void)state;
	sim_noise_start(&noise, &d, 1);
	assert_true(timed(&noise, 1000, 2000, &disturbed) == 1000 && !disturbed);
	assert_true(timed(&noise, 0, 0, &disturbed) == 0);
	d.timer_quantum = 100;
	d.timer_cost = 30;
	sim_noise_start(&noise, &d, 1);
	assert_true(timed(&noise, 1000, 1000, &disturbed) == 1000);
	assert_true(timed(&noise, 30, 30, &disturbed) == 100);
	sim_noise_wait(&noise, -5);
	sim_noise_wait(&noise, 1000);
	assert_true(fmod(sim_noise_clock(&noise), 100) == 0);
}

/* Mean slowdown of a second of work in each single cause. */
static void test_causes(void **state)
{
	static const struct {
		int line;
		enum noise_term a, b, c;
		double in_a, in_b, in_c, low, high;
		bool flagged;
	} rows[] = {
		{ __LINE__, NOISE_TICK_RATE, NOISE_TICK_LENGTH, NOISE_JITTER, 1000, 1e5, 0, 1.10, 1.12, false },
		{ __LINE__, NOISE_STEAL_RATE, NOISE_STEAL_LENGTH, NOISE_JITTER, 100, 1e6, 0, 1.05, 1.15, false },
		{ __LINE__, NOISE_PREEMPTION_RATE, NOISE_PREEMPTION_LENGTH, NOISE_JITTER, 100, 1e6, 0, 1.05, 1.15,
		  true },
		{ __LINE__, NOISE_SIBLING_ON, NOISE_SIBLING_OFF, NOISE_JITTER, 1e6, 3e6, 0, 1.10, 1.20, false },
		{ __LINE__, NOISE_SIBLING_ON, NOISE_SIBLING_OFF, NOISE_JITTER, 1e6, 0, 0, 2, 2, false },
		{ __LINE__, NOISE_FREQUENCY_STEPS, NOISE_FREQUENCY_SPREAD, NOISE_FREQUENCY_DWELL, 100, 0.5, 1e7, 1.1,
		  1.25, false },
		{ __LINE__, NOISE_RAMP_START, NOISE_RAMP_TIME, NOISE_JITTER, 0.5, 1e8, 0, 1.02, 1.03, false },
		{ __LINE__, NOISE_JITTER, NOISE_TICK_RATE, NOISE_STEAL_RATE, 0.01, 0, 0, 0.94, 1.06, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct description d = still();
		struct sim_noise noise;
		bool disturbed;
		double ns;

		d.noise[rows[i].a] = rows[i].in_a;
		d.noise[rows[i].b] = rows[i].in_b;
		d.noise[rows[i].c] = rows[i].in_c;
		sim_noise_start(&noise, &d, 5);
		ns = timed(&noise, 1e9, 2e9, &disturbed);
		if (ns < rows[i].low * 1e9 - 1 || ns > rows[i].high * 1e9 + 1 || disturbed != rows[i].flagged)
			fail_msg("row at line %d: %g ns", rows[i].line, ns);
	}
}

/* One cause must not shift the random numbers of another. */
static void test_repeats(void **state)
{
	struct description d = still(), e;
	struct sim_noise one, two, other;
	bool disturbed, differs = false;

	(void)state;
	d.noise[NOISE_JITTER] = 0.01;
	e = d;
	e.noise[NOISE_TICK_RATE] = 1;
	sim_noise_start(&one, &d, 9);
	sim_noise_start(&two, &d, 9);
	sim_noise_start(&other, &d, 10);
	for (int i = 0; i < 100; i++) {
		double ns = timed(&one, 1e5, 1e5, &disturbed);

		assert_true(ns == timed(&two, 1e5, 1e5, &disturbed));
		differs |= ns != timed(&other, 1e5, 1e5, &disturbed);
	}
	assert_true(differs);
	sim_noise_start(&one, &d, 9);
	sim_noise_start(&two, &e, 9);
	assert_true(timed(&one, 1e3, 1e3, &disturbed) == timed(&two, 1e3, 1e3, &disturbed));
}

static void test_wait(void **state)
{
	struct description d = still();
	struct sim_noise noise;
	bool disturbed;

	(void)state;
	d.noise[NOISE_PREEMPTION_RATE] = 1000;
	d.noise[NOISE_PREEMPTION_LENGTH] = 1e6;
	sim_noise_start(&noise, &d, 3);
	sim_noise_wait(&noise, 1e9);
	assert_true(sim_noise_clock(&noise) == 1e9);
	assert_true(timed(&noise, 10, 10, &disturbed) <= 11);
}

static void test_unit(void **state)
{
	struct sim_random random;
	double sum = 0;

	(void)state;
	sim_random_seed(&random, 0);
	for (int i = 0; i < 10000; i++) {
		double x = sim_random_unit(&random);

		assert_true(x >= 0 && x < 1);
		sum += x;
	}
	assert_true(fabs(sum / 10000 - 0.5) < 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_still), cmocka_unit_test(test_causes), cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_wait),  cmocka_unit_test(test_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

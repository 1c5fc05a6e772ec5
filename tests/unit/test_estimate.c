/* SPDX-License-Identifier: MIT */
/*
 * test_estimate.c - timing of simulated machines: the numbers that are in the machine file come back
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "timing/timing.h"
#include "machine_file.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct probe *probe_of(const char *text)
{
	char error[1024] = "";
	struct probe *probe = probe_new(text, NANO_BARRIER_ASM, error, sizeof(error));

	if (!probe)
		fail_msg("%s", error);
	return probe;
}

static void open_timer(struct timer *timer, struct machine *machine)
{
	char why[256] = "";

	if (timer_open(timer, machine, 1e9, why, sizeof(why)) != MACHINE_RAN)
		fail_msg("%s", why);
}

static void close_timer(struct timer *timer)
{
	struct machine *machine = timer->machine;

	timer_close(timer);
	machine->ops->close(machine);
}

static struct estimate estimate_of(struct timer *timer, const char *text)
{
	struct probe *probe = probe_of(text);
	struct estimate estimate = timing_of(timer, probe, 0.0015);

	probe_free(probe);
	return estimate;
}

static void test_timer(void **state)
{
	struct timer timer;

	(void)state;
	open_timer(&timer, open_text(SMALL_MACHINE(""), -1));
	assert_int_equal(timer.noise, NOISE_QUIET);
	assert_string_equal(noise_word(timer.noise), "quiet");
	assert_non_null(strstr(timer.audit, "quiet"));
	assert_true(timer.cost > 15 && timer.cost < 25);
	assert_true(timer.granularity > 0.5 && timer.granularity <= 20);
	close_timer(&timer);
	open_timer(&timer, open_text(SMALL_MACHINE("") "[noise]\npreset = hostile\n", -1));
	assert_int_not_equal(timer.noise, NOISE_QUIET);
	close_timer(&timer);
}

static const struct {
	int line;
	const char *text;
	double cycles; /* per statement */
} chains[] = {
	{ __LINE__, "p1 = p1 + p2 : i64", 1 },
	{ __LINE__, "p1 = p1 * p2 : i64", 3 },
	{ __LINE__, "p1 = p1 + p2 : f64", 4 },
	{ __LINE__, "p1 = p1 * p2 : f64", 5 },
	{ __LINE__, "p1 = p1 / p2 : f64", 17 },
	{ __LINE__, "p1 = *p1 : ptr", 5 },
	{ __LINE__, "p1 = p1 + p2 | p1 = p1 * p2 : i64", 2 },
	{ __LINE__, "for i=1..3 p{i} = p{i} * p0 : i64", 1 },
	{ __LINE__, "for i=1..2 p{i} = p{i} + p0 : f64", 2 },
};

static void check_chains(const char *text, double slack)
{
	struct timer timer;
	struct estimate add;

	open_timer(&timer, open_text(text, -1));
	add = estimate_of(&timer, chains[0].text);
	assert_int_equal(add.status, MACHINE_RAN);
	for (int i = 0; i < COUNT(chains); i++) {
		struct estimate one = estimate_of(&timer, chains[i].text);

		if (one.status != MACHINE_RAN || fabs(one.ticks / add.ticks / chains[i].cycles - 1) > slack)
			fail_msg("row at line %d: %g, not %g: %s", chains[i].line, one.ticks / add.ticks,
				 chains[i].cycles, one.why);
		/* 2 GHz: half a ns a cycle. */
		if (fabs(one.ns / (0.5 * chains[i].cycles) - 1) > slack)
			fail_msg("row at line %d: %g ns", chains[i].line, one.ns);
		if (!(one.low <= one.ticks && one.ticks <= one.high && one.high - one.low < 4 * slack * one.ticks))
			fail_msg("row at line %d: %g is not within %g..%g", chains[i].line, one.ticks, one.low,
				 one.high);
	}
	close_timer(&timer);
}

static void test_ratios(void **state)
{
	(void)state;
	check_chains(SMALL_MACHINE(""), 0.005);
}

static void test_coarse_clock(void **state)
{
	(void)state;
	check_chains(SMALL_MACHINE("timer.quantum = 50 ns\n"), 0.01);
	check_chains(SMALL_MACHINE("timer.quantum = 1 us\ntimer.cost = 300 ns\n"), 0.01);
}

static void test_absent(void **state)
{
	struct timer timer;
	struct estimate estimate;

	(void)state;
	open_timer(&timer, open_text(SMALL_MACHINE(""), -1));
	estimate = estimate_of(&timer, "p1 = p1 < p2 : i64");
	assert_int_equal(estimate.status, MACHINE_ABSENT);
	assert_non_null(strstr(estimate.why, "cmp"));
	/* The next question is answered all the same. */
	assert_int_equal(estimate_of(&timer, "p1 = p1 + p2 : i64").status, MACHINE_RAN);
	close_timer(&timer);
}

static void test_blocked(void **state)
{
	struct machine *machine = open_text(SMALL_MACHINE("compiler = no\n"), -1);
	struct timer timer;
	char why[256] = "";

	(void)state;
	assert_int_equal(timer_open(&timer, machine, 1e9, why, sizeof(why)), MACHINE_BLOCKED);
	assert_non_null(strstr(why, "compiler"));
	assert_true(timer.cost > 0);
	assert_int_equal(estimate_of(&timer, "p1 = p1 + p2 : i64").status, MACHINE_BLOCKED);
	close_timer(&timer);
}

static void test_slower(void **state)
{
	static const struct {
		int line;
		const char *base, *other;
		double factor;
		enum stat_verdict verdict;
	} rows[] = {
		/* Per statement two chains take half as long as one. */
		{ __LINE__, "for i=1..2 p{i} = p{i} + p0 : f64", "p1 = p1 + p0 : f64", 1.5, STAT_YES },
		{ __LINE__, "p1 = p1 + p0 : f64", "for i=1..2 p{i} = p{i} + p0 : f64", 1.5, STAT_NO },
		{ __LINE__, "p1 = p1 + p0 : f64", "for i=1..2 p{i} = p{i} + p0 : f64", 0.45, STAT_YES },
		{ __LINE__, "p1 = p1 + p0 : f64", "for i=1..2 p{i} = p{i} + p0 : f64", 0.55, STAT_NO },
		{ __LINE__, "p1 = p1 + p0 : f64", "p1 = p1 + p2 : f64", 1.05, STAT_NO },
		{ __LINE__, "p1 = p1 + p0 : f64", "p1 = p1 + p2 : f64", 0.95, STAT_YES },
		{ __LINE__, "p1 = p1 + p0 : f64", "p1 = p1 < p2 : i64", 1, STAT_UNDECIDED },
		{ __LINE__, "p1 = p1 < p2 : i64", "p1 = p1 + p0 : f64", 1, STAT_UNDECIDED },
	};
	static const char *const machines[] = { SMALL_MACHINE(""), SMALL_MACHINE("") "[noise]\npreset = cloud\n" };

	(void)state;
	for (int m = 0; m < COUNT(machines); m++) {
		struct timer timer;

		open_timer(&timer, open_text(machines[m], -1));
		for (int i = 0; i < COUNT(rows); i++) {
			struct probe *base = probe_of(rows[i].base), *other = probe_of(rows[i].other);
			enum stat_verdict verdict = timing_slower(&timer, base, other, rows[i].factor);

			if (verdict != rows[i].verdict)
				fail_msg("row at line %d, machine %d: verdict %d", rows[i].line, m, (int)verdict);
			probe_free(base);
			probe_free(other);
		}
		close_timer(&timer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timer),  cmocka_unit_test(test_ratios),  cmocka_unit_test(test_coarse_clock),
		cmocka_unit_test(test_absent), cmocka_unit_test(test_blocked), cmocka_unit_test(test_slower),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

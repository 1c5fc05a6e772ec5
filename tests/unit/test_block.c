/* SPDX-License-Identifier: MIT */
/*
 * test_block.c - what spoils a block: a tick that is held up, which the crowd tells or the tock, and throttled wide
 * units
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "hindered.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const char ADD[] = "p1 = p1 + p2 : i64", WIDE[] = "for i=1..12 p{i} = p{i} + p0 : f64x4",
		  WIDER[] = "for i=1..12 p{i} = p{i} * p0 : f32x16";

static struct probe *probe_of(struct hindered *hindered, const char *text)
{
	char error[256] = "";
	struct probe *probe = probe_new(text, NANO_BARRIER_ASM, error, sizeof(error));

	if (!probe)
		fail_msg("%s", error);
	/* Sizes it, too. */
	assert_int_equal(timing_of(&hindered->timer, probe, 0.01).status, MACHINE_RAN);
	return probe;
}

static void test_blocks(void **state)
{
	static const struct {
		int line;
		struct pace pace;
		const char *text;
		bool has_tock, steady, alone;
	} rows[] = {
		{ __LINE__, { 1, 1, 1, 1, 1 }, ADD, true, true, true },
		{ __LINE__, { 1.2, 1.2, 1, 1, 1 }, ADD, true, false, true }, /* what the tock is for */
		{ __LINE__, { 1.2, 1.2, 1, 1, 1 }, ADD, false, true, true }, /* and nothing else tells */
		{ __LINE__, { 1.2, 1.2, 1, 1.2, 1 }, ADD, true, false, true },
		{ __LINE__, { 1.2, 1, 1, 1, 1 }, ADD, true, false, true },
		{ __LINE__, { 1.2, 1, 1, 1, 1 }, ADD, false, false, true }, /* the crowd tells */
		{ __LINE__, { 1.2, 1, 1.2, 1, 1 }, ADD, true, false, true },
		{ __LINE__, { 1.2, 1.2, 1.2, 1.2, 1 }, ADD, true, true, true }, /* the clock fell */
		{ __LINE__, { 0.8, 0.8, 0.8, 0.8, 1 }, ADD, true, true, true },
		{ __LINE__, { 1, 1, 0.8, 0.8, 1 }, ADD, true, false, true }, /* it rose, and the tick was held up */
		{ __LINE__, { 1, 1.5, 1, 1, 1 }, ADD, true, true, false }, /* a neighbour, whom the tick does not feel
									    */
		{ __LINE__, { 1, 1, 1.2, 1, 1 }, ADD, true, true, true }, /* it is the tock that was held up */
		{ __LINE__, { 1.2, 1.2, 1.4, 1.2, 1 }, ADD, true, true, true },
		{ __LINE__, { 1.02, 1.02, 1, 1, 1 }, ADD, true, true, true }, /* scatter */
		{ __LINE__, { 1, 1, 1, 1, 4 }, WIDE, true, false, true },
		{ __LINE__, { 1, 1, 1, 1, 4 }, WIDER, true, false, true },
		{ __LINE__, { 1, 1, 1, 1, 2 }, WIDE, true, true, true }, /* a neighbour in the wide units */
		{ __LINE__, { 1, 1, 1, 1, 4 }, ADD, true, true, true }, /* which it does not use */
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hindered hindered;
		struct nano *tock;
		struct probe *probe;
		struct block block;

		open_at(&hindered, SMALL_MACHINE(""), UNHINDERED);
		probe = probe_of(&hindered, rows[i].text);
		tock = hindered.timer.tock;
		assert_non_null(tock);
		if (!rows[i].has_tock)
			hindered.timer.tock = NULL;
		hindered.pace = rows[i].pace;
		block = block_take(&hindered.timer, probe, INFINITY);
		if (!block.ran || block.steady != rows[i].steady || block.alone != rows[i].alone)
			fail_msg("row at line %d: steady %d, alone %d", rows[i].line, block.steady, block.alone);
		hindered.timer.tock = tock;
		probe_free(probe);
		close_timer(&hindered);
	}
}

/* A neighbour who was there during the audit made the tock slow. When he leaves, what the tock takes is known anew
 * after a while, and blocks are good. */
static void test_neighbour_leaves(void **state)
{
	struct hindered hindered;
	struct probe *probe;

	(void)state;
	open_at(&hindered, SMALL_MACHINE(""), (struct pace){ 1, 1, 1.3, 1, 1 });
	probe = probe_of(&hindered, "p1 = p1 + p2 : i64");
	hindered.pace = UNHINDERED;
	/* At first it might as well be the tick that is slow. */
	assert_false(block_take(&hindered.timer, probe, INFINITY).steady);
	for (int i = 0; i < RATIOS; i++)
		block_take(&hindered.timer, probe, INFINITY);
	assert_true(block_take(&hindered.timer, probe, INFINITY).steady);
	hindered.pace = (struct pace){ 1.2, 1.2, 1, 1, 1 };
	assert_false(block_take(&hindered.timer, probe, INFINITY).steady);
	probe_free(probe);
	close_timer(&hindered);
}

/* He holds up tick and crowd for two thirds of the time, and in such ticks everything else seems quick; or wide units
 * are throttled for as long. */
static void test_estimates(void **state)
{
	static const struct {
		const char *text;
		struct pace pace;
	} rows[] = {
		{ ADD, { 1.3, 1.3, 1, 1, 1 } },
		{ "p1 = p1 * p2 : i64", { 1.3, 1.3, 1, 1, 1 } },
		{ WIDE, { 1, 1, 1, 1, 4.5 } },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hindered hindered;
		struct probe *probe;
		struct estimate alone, beside;

		open_at(&hindered, SMALL_MACHINE(""), UNHINDERED);
		probe = probe_of(&hindered, rows[i].text);
		alone = timing_of(&hindered.timer, probe, 0.0015);
		hindered.pace = rows[i].pace;
		hindered.on = 14e6;
		hindered.off = 7e6;
		beside = timing_of(&hindered.timer, probe, 0.0015);
		assert_int_equal(beside.status, MACHINE_RAN);
		assert_true(beside.discarded > 0);
		if (fabs(beside.ticks / alone.ticks - 1) > 0.005)
			fail_msg("%s: %g ticks, not %g", rows[i].text, beside.ticks, alone.ticks);
		probe_free(probe);
		close_timer(&hindered);
	}
}

/* A neighbour who comes after the crowd's first burst, and stays, was there all the time that counts. */
static void test_calm(void **state)
{
	(void)state;
	for (int crowds = 0; crowds < 4; crowds++) {
		struct hindered hindered;
		struct probe *probe;

		open_at(&hindered, SMALL_MACHINE(""), UNHINDERED);
		probe = probe_of(&hindered, ADD);
		hindered.pace = (struct pace){ 1, 1.5, 1, 1.5, 1.5 };
		hindered.crowds = crowds;
		assert_int_equal(block_take(&hindered.timer, probe, INFINITY).alone, crowds > 1);
		probe_free(probe);
		close_timer(&hindered);
	}
}

/* A core that is never ours is looked at for long, but not once the time for it is spent. */
static void test_hurry(void **state)
{
	static const struct {
		int line;
		double until;
		int bursts; /* of the crowd */
	} rows[] = { { __LINE__, INFINITY, 24 }, { __LINE__, 0, 2 } };
	struct hindered hindered;
	struct probe *probe;

	(void)state;
	open_at(&hindered, SMALL_MACHINE(""), UNHINDERED);
	probe = probe_of(&hindered, ADD);
	timing_of(&hindered.timer, probe, 0.0015);
	hindered.pace = (struct pace){ 1, 1.5, 1, 1.5, 1.5 };
	for (int i = 0; i < COUNT(rows); i++) {
		hindered.crowds = 0;
		block_take(&hindered.timer, probe, rows[i].until);
		if (-hindered.crowds != rows[i].bursts)
			fail_msg("row at line %d: %d bursts", rows[i].line, -hindered.crowds);
	}

	double before = clock_of(&hindered.machine);

	hindered.timer.credit = 1e9;
	timing_of(&hindered.timer, probe, 0.0015);
	assert_true(fabs(1e9 - hindered.timer.credit - (clock_of(&hindered.machine) - before)) < 1e4);
	hindered.timer.credit = hindered.crowds = 0;
	timing_of(&hindered.timer, probe, 0.0015);
	assert_int_equal(-hindered.crowds, 3 * 2 + 2); /* three blocks, and the one that finds the time spent */
	assert_true(hindered.timer.credit == 0);
	probe_free(probe);
	close_timer(&hindered);
}

/* Who is on the units of vectors, and not on those of integers, is told by a crowd of their own; not by what it took
 * when it was learnt beside him. */
static void test_held(void **state)
{
	static const struct {
		int line;
		const char *text;
		double learnt, now, held;
	} rows[] = {
		{ __LINE__, ADD, 1, 1.6, 1 }, /* integers have none */
		{ __LINE__, WIDE, 1, 1, 1 },     { __LINE__, WIDE, 1, 1.6, 1.6 }, { __LINE__, WIDER, 1, 1.6, 1.6 },
		{ __LINE__, WIDE, 1.6, 1.6, 1 }, { __LINE__, WIDE, 1.6, 1, 1 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hindered hindered;
		struct probe *probe;
		struct estimate estimate;

		open_at(&hindered, SMALL_MACHINE(""), (struct pace){ 1, 1, 1, 1, rows[i].learnt });
		probe = probe_of(&hindered, rows[i].text);
		hindered.pace.wide = rows[i].now;
		timing_of(&hindered.timer, probe, 0.01);
		estimate = timing_of(&hindered.timer, probe, 0.01);
		if (fabs(estimate.held / rows[i].held - 1) > 0.03)
			fail_msg("row at line %d: held up %g times", rows[i].line, estimate.held);
		probe_free(probe);
		close_timer(&hindered);
	}
}

/* The shorter length met a better moment than the longer: the difference is then too much. */
static void test_lucky(void **state)
{
	struct hindered hindered;
	struct probe *probe;
	double alone, lucky;

	(void)state;
	open_at(&hindered, SMALL_MACHINE(""), UNHINDERED);
	probe = probe_of(&hindered, ADD);
	alone = timing_of(&hindered.timer, probe, 0.01).ticks;
	hindered.lucky = probe->brief;
	lucky = timing_of(&hindered.timer, probe, 0.01).ticks;
	if (fabs(lucky / alone - 1) > 0.03)
		fail_msg("%g ticks, not %g", lucky, alone);
	probe_free(probe);
	close_timer(&hindered);
}

/* It runs on other units than the tick, or there is none. */
static void test_choice(void **state)
{
	static const struct {
		int line;
		const char *ops, *tick, *tock;
	} rows[] = {
		{ __LINE__, "[op add,mul.f64]\nlatency = 4\ninterval = 1\n[op mul.i64]\nlatency = 3\n", "* p0 : f64",
		  "+ p0 : i64" },
		{ __LINE__, "[op mul.i64]\nlatency = 3\n", "* p0 : i64", NULL },
		/* Three of them take longer than one. */
		{ __LINE__, "[op add,mul.f64]\nlatency = 4\ninterval = 4\n[op mul.i64]\nlatency = 3\n", "* p0 : i64",
		  "+ p0 : f64" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hindered hindered;
		char text[512];

		snprintf(
			text, sizeof(text),
			"[machine]\nfrequency = 2 GHz\n[core]\nwidth = 4\n[op add.i*]\nlatency = 1\ninterval = 1/4\n%s",
			rows[i].ops);
		open_at(&hindered, text, UNHINDERED);
		if (!strstr(hindered.timer.tick->text, rows[i].tick) || !hindered.timer.tock != !rows[i].tock ||
		    (rows[i].tock && !strstr(hindered.timer.tock->text, rows[i].tock)))
			fail_msg("row at line %d: %s, %s", rows[i].line, hindered.timer.tick->text,
				 hindered.timer.tock ? hindered.timer.tock->text : "none");
		close_timer(&hindered);
	}
}

static void test_doubt(void **state)
{
	struct timer timer = { .noise = NOISE_QUIET, .audit = "quiet (1 % of samples off)" };

	(void)state;
	assert_true(timer_doubt(&timer));
	assert_int_equal(timer.noise, NOISE_NOISY);
	assert_string_equal(timer.audit, "noisy (quiet at first: 1 % of samples off)");
	assert_false(timer_doubt(&timer));
	assert_string_equal(timer.audit, "noisy (quiet at first: 1 % of samples off)");
	timer.noise = NOISE_HOSTILE;
	assert_false(timer_doubt(&timer));
	assert_int_equal(timer.noise, NOISE_HOSTILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),    cmocka_unit_test(test_neighbour_leaves),
		cmocka_unit_test(test_estimates), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_doubt),     cmocka_unit_test(test_calm),
		cmocka_unit_test(test_hurry),     cmocka_unit_test(test_held),
		cmocka_unit_test(test_lucky),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

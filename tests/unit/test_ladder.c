/* SPDX-License-Identifier: MIT */
/*
 * test_ladder.c - the I-cache paper's control engine on small simulated machines
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code_lab.h"

#define CACHE(size) "[cache l1i]\nsize = " size "\nways = 4\nlatency = 4\n"
#define FURTHER "[cache l2]\nsize = 1 MiB\nways = 8\nlatency = 14\n"

static const struct ladder_options usual = { .S = 8, .I = 5, .B = 4, .T = 2 };

/* Ladders as a machine ran them, and as it should. */
static struct {
	enum machine_status (*walk)(struct machine *machine, const struct walk *walk, long steps, int count,
				    struct reading *reading);
	long slow, width; /* so many lengths from the first on take twice as long; 0: none */
	long body;
	int runs; /* of lengths that eight short sequences have */
	int shorter; /* of those that are half as long */
} trail;

static enum machine_status walk_on(struct machine *machine, const struct walk *walk, long steps, int count,
				   struct reading *reading)
{
	enum machine_status status = trail.walk(machine, walk, steps, count, reading);

	if (walk->order != WALK_LADDER)
		return status;
	trail.runs += walk->count >= 256 && walk->count < 256 + 8;
	trail.shorter += walk->count >= 128 && walk->count < 128 + 8;
	trail.body = walk->body;
	if (walk->count >= trail.slow && walk->count < trail.slow + trail.width)
		for (int i = 0; i < count; i++)
			reading->ns[i] *= 2;
	return status;
}

static struct ladder climb(const char *text, const struct ladder_options *options, long slow, long width)
{
	static struct machine_ops ops;
	struct memory_lab bench;
	struct ladder ladder;

	code_open(&bench, text);
	ops = *bench.timer.machine->ops;
	trail.walk = ops.walk;
	trail.slow = slow;
	trail.width = width;
	trail.runs = trail.shorter = 0;
	ops.walk = walk_on;
	bench.timer.machine->ops = &ops;
	ladder = engine_ladder(&bench.lab, options);
	code_close(&bench);
	return ladder;
}

/* Straight code in a cache that throws out what was used longest ago: from its last byte on there is a step. */
static void test_capacity(void **state)
{
	static const struct {
		int line;
		const char *text;
		double bytes;
	} rows[] = {
		{ __LINE__, CODE_MEMORY CACHE("8 KiB") FURTHER, 8192 },
		{ __LINE__, CODE_MEMORY CACHE("16 KiB") FURTHER, 16384 },
		{ __LINE__, CODE_MEMORY CACHE("16 KiB") FURTHER "[code]\nadd = 4\njump = 12\nnop = 4\n", 16384 },
		{ __LINE__, CODE_MEMORY CACHE("12 KiB") "ways = 3\nline = 32\n" FURTHER, 12288 },
		/* 256 cases are more than it holds. */
		{ __LINE__, CODE_MEMORY CACHE("4 KiB") FURTHER "[code]\nadd = 4\njump = 16\nnop = 4\n", 4096 },
		/* And 128 are more than are kept decoded, with the jump. */
		{ __LINE__,
		  CODE_MEMORY CACHE("16 KiB") FURTHER
		  "[uops]\nentries = 64\nways = 8\nwindow = 32\neach = 6\npenalty = 8\n",
		  1033 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct ladder ladder = climb(rows[i].text, &usual, 0, 0);

		assert_int_equal(ladder.status, MACHINE_RAN);
		if (fabs(ladder.bytes / rows[i].bytes - 1) > 0.01 || ladder.longest < ladder.bytes)
			fail_msg("line %d: %g bytes, %g cases", rows[i].line, ladder.bytes, ladder.cases);
	}
}

/* A fetcher that runs ahead has all of it there in time; so has a cache that is larger than the longest of brief ones.
 * A TLB that is smaller is no cache. */
static void test_no_step(void **state)
{
	static const char *const texts[] = { CODE_MEMORY CACHE("8 KiB") FURTHER "[code]\nstraight = yes\n",
					     CODE_MEMORY CACHE("64 KiB") FURTHER,
					     CODE_MEMORY CACHE("64 KiB") FURTHER
					     "[tlb l1i]\nentries = 8\nways = full\npenalty = 40\n" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct ladder ladder = climb(texts[i], &usual, 0, 0);

		assert_int_equal(ladder.status, MACHINE_RAN);
		assert_true(ladder.cases == 0 && ladder.bytes == 0);
		assert_true(ladder.longest > 20000);
	}
}

/* B is the additions of a case, S the short sequences that say what is quick, T how much longer is slow. */
static void test_options(void **state)
{
	static const char text[] = CODE_MEMORY CACHE("16 KiB") FURTHER;
	struct ladder_options options = usual;
	struct ladder plain, other;

	(void)state;
	plain = climb(text, &usual, 0, 0);
	assert_int_equal(trail.runs, 8);
	assert_int_equal(trail.shorter, 8);
	assert_int_equal(trail.body, 4);
	options.B = 8;
	other = climb(text, &options, 0, 0);
	assert_int_equal(trail.body, 8);
	assert_true(fabs(other.cases / plain.cases - 0.5) < 0.01 && fabs(other.mean / plain.mean - 2) < 0.02);
	options = usual;
	options.S = 5;
	climb(text, &options, 0, 0);
	assert_int_equal(trail.runs, 5 + 1); /* and the length that is doubled */
	/* No case takes eleven times as long. */
	options = usual;
	options.T = 10 / 0.002;
	assert_true(climb(text, &options, 0, 0).cases == 0);
	assert_true(plain.mean > 1 && plain.mean < 1.1 && plain.deviation < 0.01);
}

/* Lengths that are slow by themselves, among those that doubling comes to: of I neighbours the least counts. */
static void test_isolated(void **state)
{
	static const char text[] = CODE_MEMORY CACHE("16 KiB") FURTHER;
	struct ladder_options options = usual;
	long doubled = 2 * (256 + usual.S);

	(void)state;
	assert_true(fabs(climb(text, &usual, doubled, 1).bytes / 16384 - 1) < 0.01);
	assert_true(fabs(climb(text, &usual, doubled - 1, 3).bytes / 16384 - 1) < 0.01);
	/* Five of them are a step to five neighbours, and one is to a sequence on its own. */
	assert_int_equal((long)climb(text, &usual, doubled - 2, 5).cases, doubled - 1);
	options.I = 1;
	assert_int_equal((long)climb(text, &options, doubled, 1).cases, doubled - 1);
}

static void test_blocked(void **state)
{
	struct ladder ladder = climb("[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n", &usual, 0, 0);

	(void)state;
	assert_int_equal(ladder.status, MACHINE_BLOCKED);
	assert_string_equal(ladder.why, "the file describes no code");
	assert_true(ladder.cases == 0 && ladder.bytes == 0);
	/* 48 KiB of code have room, and what doubling comes to has not. */
	ladder = climb("[memory]\nsize = 64 KiB\n" CACHE("128 KiB"), &(struct ladder_options){ 8, 5, 64, 2 }, 0, 0);
	assert_int_equal(ladder.status, MACHINE_BLOCKED);
	assert_string_equal(ladder.why, "no room for a ladder this long");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_capacity), cmocka_unit_test(test_no_step),
					    cmocka_unit_test(test_options), cmocka_unit_test(test_isolated),
					    cmocka_unit_test(test_blocked) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_lines.c - lines of simulated caches: what a tag stands for, and what comes together
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define PAIRS "[prefetch]\nadjacent = yes\ninto = l2\n"

static void open_known(struct memory_lab *bench, const struct memory_level *levels, const char *more, int depth)
{
	memory_open(bench, levels, more, 2);
	for (int i = 0; i <= depth; i++)
		memory_know(bench, levels, i);
}

static void test_lines(void **state)
{
	static const struct {
		int line, depth;
		struct memory_level levels[MEMORY_LEVELS];
		const char *more;
		double tag, fetch;
	} rows[] = {
		{ __LINE__, 0, { { 8, 2, "line = 32\n", 0 } }, "", 32, 32 },
		{ __LINE__, 0, { { 8, 4, "line = 64\n", 0 } }, "", 64, 64 },
		{ __LINE__, 0, { { 16, 4, "line = 128\n", 0 } }, "", 128, 128 },
		{ __LINE__, 0, { { 12, 3, "line = 64\npolicy = random\n", 0 } }, "", 64, 64 },
		{ __LINE__, 0, { { 1, 16, "line = 64\n", 0 } }, "", 64, 64 }, /* one set */
		/* A tag for 64 bytes, of which 32 come at a time. */
		{ __LINE__, 0, { { 8, 4, "line = 64\nsector = 32\n", 0 } }, "", 64, 32 },
		{ __LINE__, 1, { { 4, 2, "line = 64\n", 0 }, { 32, 4, "line = 64\n", 0 } }, "", 64, 64 },
		{ __LINE__, 1, { { 4, 2, "line = 32\n", 0 }, { 32, 4, "line = 128\n", 0 } }, "", 128, 128 },
		/* Two lines come together and are two all the same. */
		{ __LINE__, 1, { { 4, 2, "line = 64\n", 0 }, { 64, 8, "line = 64\n", 0 } }, PAIRS, 64, 128 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		char why[160] = "", also[160] = "";
		double tag, fetch;

		open_known(&bench, rows[i].levels, rows[i].more, rows[i].depth);
		tag = engine_tag_line(&bench.lab, rows[i].depth, why, sizeof(why));
		fetch = engine_fetch_line(&bench.lab, rows[i].depth, also, sizeof(also));
		if (tag != rows[i].tag || fetch != rows[i].fetch)
			fail_msg("row at line %d: a tag for %g, and %g together: '%s', '%s'", rows[i].line, tag, fetch,
				 why, also);
		memory_close(&bench);
	}
}

static void test_no_set(void **state)
{
	static const struct {
		int line, depth;
		struct memory_level levels[MEMORY_LEVELS];
		int known; /* the deepest level whose sets are */
		const char *why;
	} rows[] = {
		{ __LINE__, 0, { { 8, 4, "", 0 } }, -1, "no set of the level is known" },
		{ __LINE__, 1, { { 4, 2, "", 0 }, { 32, 4, "", 0 } }, 0, "no set of the level is known" },
		/* It has more ways, and they are no smaller. */
		{ __LINE__, 1, { { 16, 8, "", 0 }, { 8, 4, "", 0 } }, 1, "the level above hides the set" },
		/* Places of a way's distance do not compete. */
		{ __LINE__, 0, { { 16, 4, "index = hash\n", 0 } }, 0, "places in two sets are no quicker than in one" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		char why[160] = "";
		double tag;

		open_known(&bench, rows[i].levels, "", rows[i].known);
		tag = engine_tag_line(&bench.lab, rows[i].depth, why, sizeof(why));
		if (!isnan(tag) || strcmp(why, rows[i].why) != 0)
			fail_msg("row at line %d: a tag for %g: '%s'", rows[i].line, tag, why);
		memory_close(&bench);
	}
}

static void test_longest(void **state)
{
	static const struct memory_level levels[MEMORY_LEVELS] = { { 32, 4, "line = 2048\n", 0 } };
	struct memory_lab bench;
	char why[160] = "";

	(void)state;
	open_known(&bench, levels, "", 0);
	assert_true(isnan(engine_tag_line(&bench.lab, 0, why, sizeof(why))));
	assert_string_equal(why, "no shift up to 1024 bytes ends the conflict");
	assert_true(isnan(engine_fetch_line(&bench.lab, 0, why, sizeof(why))));
	assert_string_equal(why, "the second touch of two is always quick");
	memory_close(&bench);
}

/* The right line or none. */
static void test_beside_others(void **state)
{
	static const struct {
		int line, depth, bytes;
		struct memory_level levels[MEMORY_LEVELS];
	} rows[] = {
		{ __LINE__, 0, 32, { { 8, 2, "line = 32\n", 0 } } },
		{ __LINE__, 0, 64, { { 16, 4, "line = 64\nshared = 2\n", 0 } } },
		{ __LINE__, 1, 128, { { 4, 2, "line = 64\n", 0 }, { 64, 8, "line = 128\nshared = 2\n", 0 } } },
	};
	int right = 0;

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		char why[160] = "";
		double tag;

		open_known(&bench, rows[i].levels, "[noise]\npreset = cloud\n", rows[i].depth);
		bench.timer.noise = NOISE_NOISY; /* whatever the audit happened to see */
		tag = engine_tag_line(&bench.lab, rows[i].depth, why, sizeof(why));
		if (isnan(tag) ? !why[0] : tag != rows[i].bytes)
			fail_msg("row at line %d: a tag for %g: '%s'", rows[i].line, tag, why);
		right += isfinite(tag);
		memory_close(&bench);
	}
	assert_true(2 * right > COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_no_set),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_beside_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

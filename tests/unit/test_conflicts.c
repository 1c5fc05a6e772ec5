/* SPDX-License-Identifier: MIT */
/*
 * test_conflicts.c - the stride law on simulated second levels: ways, what is held in all, and whose lines they are
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define EXCLUSIVE "inclusion = exclusive\n"

#define ABOVE \
	{ \
		8, 2, "", 0 \
	}

static void test_ways(void **state)
{
	static const struct {
		int line;
		struct memory_level levels[MEMORY_LEVELS];
		double ways, held, columns;
		bool exclusive;
	} rows[] = {
		{ __LINE__, { ABOVE, { 64, 16, "", 0 } }, 16, 16, 1, false },
		{ __LINE__, { ABOVE, { 64, 16, "inclusion = inclusive\n", 0 } }, 16, 16, 1, false },
		{ __LINE__, { ABOVE, { 72, 3, "", 0 } }, 3, 3, 6, false },
		/* As an Athlon's: a way of either is as large, and both of the level above are held as well. */
		{ __LINE__, { ABOVE, { 64, 16, EXCLUSIVE, 72 } }, 16, 18, 1, true },
		/* As an Opteron's: 17 ways in reach, of which two columns crowd out one. */
		{ __LINE__, { ABOVE, { 128, 16, EXCLUSIVE, 136 } }, 16, 16, 2, true },
		{ __LINE__, { ABOVE, { 64, 8, "inclusion = victim\n", 66 } }, 8, 8, 2, false },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		double way = rows[i].levels[1].kib * 1024 / rows[i].ways;
		struct memory_lab bench;
		const struct conflicts *found;

		memory_open(&bench, rows[i].levels, "", 2);
		found = engine_conflicts(&bench.lab, 1);
		if (!found->found || found->compact || found->ways != rows[i].ways || found->held != rows[i].held ||
		    found->way != way || found->columns != rows[i].columns || found->apart != 4096 ||
		    found->exclusive != rows[i].exclusive)
			fail_msg("row at line %d: %g ways, %g held of %g bytes, %g columns, exclusive %d: '%s'",
				 rows[i].line, found->ways, found->held, found->way, found->columns, found->exclusive,
				 found->why);
		/* The level above was searched on the way. */
		assert_true(bench.hierarchy.level[0].conflicts.found && bench.hierarchy.level[0].conflicts.ways == 2);
		assert_ptr_equal(engine_conflicts(&bench.lab, 1), found);
		memory_close(&bench);
	}
}

static void test_none(void **state)
{
	static const struct {
		int line;
		struct memory_level levels[MEMORY_LEVELS];
		const char *more, *why;
	} rows[] = {
		{ __LINE__, { ABOVE, { 64, 8, "index = hash\n", 0 } }, "", "or the index is hashed" },
		{ __LINE__, { ABOVE, { 64, 4, "index = hash:2\n", 0 } }, "", "of them: the index is hashed" },
		{ __LINE__, { ABOVE, { 64, 8, "", 0 } }, "[pages]\nhost = 4 KiB\n", "frames are not contiguous" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		const struct conflicts *found;

		memory_open(&bench, rows[i].levels, rows[i].more, 2);
		found = engine_conflicts(&bench.lab, 1);
		if (!found->tried || found->found || !strstr(found->why, rows[i].why))
			fail_msg("row at line %d: %g ways of %g bytes: '%s'", rows[i].line, found->ways, found->way,
				 found->why);
		/* What was not found may be tried again. */
		engine_conflicts_again(&bench.lab, 1);
		assert_false(found->tried);
		engine_conflicts_again(&bench.lab, 0);
		assert_true(bench.hierarchy.level[0].conflicts.tried);
		memory_close(&bench);
	}
}

/* Places a stride apart fall into every set that a whole number of strides and of ways have in common. */
static void test_held_by(void **state)
{
	static const struct {
		int line;
		double way, held, stride, expected;
	} rows[] = {
		{ __LINE__, 4096, 8, 4096, 8 },    { __LINE__, 4096, 8, 16384, 8 },  { __LINE__, 4096, 8, 1024, 32 },
		{ __LINE__, 20480, 4, 16384, 20 }, { __LINE__, 20480, 4, 20480, 4 }, { __LINE__, 768, 8, 8192, 24 },
		{ __LINE__, 64, 12, 4096, 12 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct conflicts conflicts = { .way = rows[i].way, .held = rows[i].held };
		double held = sets_held_by(&conflicts, rows[i].stride);

		if (held != rows[i].expected)
			fail_msg("row at line %d: %g", rows[i].line, held);
	}
}

/* Where the level above has no sets that are known, or its sets do not suit, lines in a row crowd it out. */
static void test_beyond_odd_levels(void **state)
{
	static const struct {
		int line, depth;
		struct memory_level levels[MEMORY_LEVELS];
		double ways, way;
	} rows[] = {
		{ __LINE__, 2, { ABOVE, { 32, 4, "index = hash:2\n", 0 }, { 352, 11, "", 0 } }, 11, 32768 },
		/* A way of either is an odd number of pages, and each holds places of several sets of the other. */
		{ __LINE__, 1, { { 80, 4, "", 0 }, { 400, 20, "", 0 } }, 20, 20480 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		const struct conflicts *found;

		memory_open(&bench, rows[i].levels, "", 2);
		found = engine_conflicts(&bench.lab, rows[i].depth);
		if (!found->found || found->ways != rows[i].ways || found->way != rows[i].way)
			fail_msg("row at line %d: %g ways of %g bytes: '%s'", rows[i].line, found->ways, found->way,
				 found->why);
		memory_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_held_by),
		cmocka_unit_test(test_beyond_odd_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

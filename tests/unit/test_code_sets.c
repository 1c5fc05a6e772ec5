/* SPDX-License-Identifier: MIT */
/*
 * test_code_sets.c - the sets and the line of the nearest cache of code, on small simulated machines
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code_lab.h"

#define FURTHER "[cache l2]\nsize = 256 KiB\nways = 16\nline = 128\nlatency = 24\n"

struct row {
	int line;
	double kib;
	int ways; /* 0: full */
	int line_bytes;
	const char *more; /* of the nearest cache, and behind it */
	double expected_ways, expected_way; /* lines, bytes */
};

/* A miss costs 20 cycles, and a place has all the lines that it runs through. */
static void open_row(struct memory_lab *bench, const struct row *row)
{
	char text[1024], ways[16] = "full";

	if (row->ways)
		snprintf(ways, sizeof(ways), "%d", row->ways);
	snprintf(text, sizeof(text),
		 CODE_MEMORY "[cache l1i]\nsize = %.0f\nways = %s\nline = %d\nlatency = 4\n%s" FURTHER, row->kib * 1024,
		 ways, row->line_bytes, row->more);
	code_open(bench, text);
	code_know(bench, row->kib * 1024, 20 * fmax(1, (double)CODE_UNIT / row->line_bytes));
}

static void test_sets(void **state)
{
	static const struct row rows[] = {
		{ __LINE__, 4, 1, 64, "", 1, 4096 },
		/* A set of jumps is none of the cache: those of places 1 KiB apart share one of 4. */
		{ __LINE__, 4, 2, 64, "[code]\nbranches = 256\nbranch.ways = 4\nbranch.penalty = 12\n", 2, 2048 },
		{ __LINE__, 6, 3, 64, "", 3, 2048 },
		{ __LINE__, 6, 6, 64, "", 6, 1024 },
		{ __LINE__, 8, 8, 64, "policy = random\n", 8, 1024 },
		/* One set; and 24 of them. */
		{ __LINE__, 4, 0, 128, "", 32, 128 },
		{ __LINE__, 6, 4, 64, "", 4, 1536 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		const struct code_sets *sets;

		open_row(&bench, &rows[i]);
		sets = engine_code_sets(&bench.lab);
		if (!sets->found || sets->ways != rows[i].expected_ways || sets->way != rows[i].expected_way)
			fail_msg("line %d: %g ways of %g bytes: %s", rows[i].line, sets->ways, sets->way, sets->why);
		code_close(&bench);
	}
}

/* Places are counted, and one of 64 bytes has two of its lines. */
static void test_one_set(void **state)
{
	static const struct row row = { __LINE__, 4, 0, 32, "", 128, 32 };
	struct memory_lab bench;
	const struct code_sets *sets;

	(void)state;
	open_row(&bench, &row);
	sets = engine_code_sets(&bench.lab);
	if (!sets->found || sets->low > row.expected_ways || sets->high < row.expected_ways)
		fail_msg("%g ways [%g .. %g]: %s", sets->ways, sets->low, sets->high, sets->why);
	code_close(&bench);
}

static void test_lines(void **state)
{
	static const struct row rows[] = {
		{ __LINE__, 4, 4, 32, "", 4, 1024 },
		{ __LINE__, 4, 2, 64, "", 2, 2048 },
		{ __LINE__, 8, 4, 128, "", 4, 2048 },
		/* One set, by places of 64 bytes. */
		{ __LINE__, 4, 0, 64, "", 64, 128 },
		{ __LINE__, 4, 0, 32, "", 64, 128 },
		{ __LINE__, 4, 0, 16, "", 64, 128 },
		{ __LINE__, 4, 4, 32, "policy = random\n[code]\nstraight = yes\n", 4, 1024 },
		/* A miss fetches the line behind it, too. */
		{ __LINE__, 24, 12, 64, "[code]\nnext-line = yes\n", 12, 2048 },
		/* Moved, they are other jumps, too. */
		{ __LINE__, 4, 4, 64, "[code]\nbranches = 8\nbranch.ways = 1\nbranch.penalty = 9\n", 4, 1024 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		char why[256] = "";
		double line;

		open_row(&bench, &rows[i]);
		bench.lab.coding->sets = (struct code_sets){
			.tried = true, .found = true, .ways = rows[i].expected_ways, .way = rows[i].expected_way
		};
		line = engine_code_line(&bench.lab, why, sizeof(why));
		if (line != rows[i].line_bytes)
			fail_msg("line %d: %g bytes: %s", rows[i].line, line, why);
		code_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sets), cmocka_unit_test(test_one_set),
					    cmocka_unit_test(test_lines) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

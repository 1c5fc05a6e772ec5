/* SPDX-License-Identifier: MIT */
/*
 * test_blocks.c - which pairs of CPUs pass blocks, and what is made of it
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "common/blocks.h"

/* Groups of 2, 16 and 128, as many as there are CPUs for. */
static double apart(void *context, int a, int b)
{
	(void)context;
	return a / 2 == b / 2 ? 10 : a / 16 == b / 16 ? 30 : a / 128 == b / 128 ? 90 : 200;
}

static struct tree *tree_of(int count)
{
	struct tree_space space = { apart, NULL, count, 1.13, NULL };
	struct tree *tree = tree_find(&space);

	assert_non_null(tree);
	return tree;
}

static void test_rows(void **state)
{
	static const struct {
		int line, cpus, rows, levels;
	} rows[] = {
		{ __LINE__, 2, 2, 1 },    { __LINE__, 16, 16, 2 },  { __LINE__, 17, 16, 3 },
		{ __LINE__, 128, 16, 3 }, { __LINE__, 256, 16, 4 }, { __LINE__, 400, 16, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tree *tree = tree_of(rows[i].cpus);
		int chosen[BLOCKS_ROWS], pairs[TREE_LEVELS][2], count = blocks_rows(tree, chosen);
		int levels = blocks_pairs(tree, chosen, count, pairs);

		if (count > rows[i].rows || count < rows[i].rows / 2 || levels != rows[i].levels)
			fail_msg("row at line %d: %d rows, %d levels", rows[i].line, count, levels);
		for (int j = 1; j < count; j++)
			if (chosen[j] <= chosen[j - 1] || chosen[j] >= rows[i].cpus)
				fail_msg("row at line %d: %d after %d", rows[i].line, chosen[j], chosen[j - 1]);
		for (int j = 0; j < levels; j++)
			assert_int_equal(tree_level(tree, pairs[j][0], pairs[j][1]), j);
		tree_free(tree);
	}
}

static void test_sizes(void **state)
{
	double sizes[BLOCKS_SIZES];

	(void)state;
	assert_int_equal(blocks_sizes(1 << 20, 1e9, sizes), 4);
	assert_true(sizes[0] == 4096 && sizes[3] == 2 << 20);
	/* No more than there is memory for. */
	assert_int_equal(blocks_sizes(1 << 20, 300000, sizes), 3);
	assert_int_equal(blocks_sizes(1 << 20, 1000, sizes), 0);
	assert_int_equal(blocks_sizes(INFINITY, INFINITY, sizes), BLOCKS_SIZES);
}

static void test_best(void **state)
{
	double rates[4][TREE_LEVELS] = { { 5, 3 }, { 9, 4 }, { 20, 2 }, { 30, NAN } };

	(void)state;
	assert_int_equal(blocks_best(rates, 4, 2), 1);
	assert_int_equal(blocks_best(rates, 3, 1), 2);
	assert_int_equal(blocks_best(rates + 3, 1, 2), -1);
	assert_int_equal(blocks_best(rates, 0, 2), -1);
	assert_int_equal(blocks_best(rates, 4, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

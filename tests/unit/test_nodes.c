/* SPDX-License-Identifier: MIT */
/*
 * test_nodes.c - nodes of memory, from who pays more for whose
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "common/nodes.h"

static const double NEAR = 1.05, FAR = 1.1;

/* Of so many CPUs each node has `each`; memory of another takes `remote` times as long. */
static int group_of(int count, int each, double remote, double slower, int *node)
{
	double cells[NODES_MOST][NODES_MOST];

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
			cells[i][j] = (i / each == j / each ? 100 : 100 * remote) * (j % 2 ? slower : 1);
	return nodes_group(cells, count, NEAR, FAR, node);
}

static void test_group(void **state)
{
	int node[NODES_MOST];

	(void)state;
	assert_int_equal(group_of(1, 1, 2, 1, node), 1);
	assert_int_equal(group_of(2, 2, 2, 1, node), 1);
	assert_int_equal(group_of(8, 4, 1.5, 1, node), 2);
	assert_true(node[0] == 0 && node[3] == 0 && node[4] == 1 && node[7] == 1);
	/* Those of each node, whose CPUs are not equally fast. */
	assert_int_equal(group_of(8, 2, 1.2, 1.7, node), 4);
	/* As near as its own, and neither near nor far. */
	assert_int_equal(group_of(4, 2, 1.01, 1, node), 1);
	assert_int_equal(group_of(4, 2, 1.07, 1, node), 0);
}

static void test_misfits(void **state)
{
	/* Only one of them pays more; 0 is near to 1 and 1 to 2, but 0 is not to 2; a look was lost. */
	double one_way[2][NODES_MOST] = { { 100, 150 }, { 100, 100 } };
	double chain[3][NODES_MOST] = { { 100, 100, 150 }, { 100, 100, 100 }, { 150, 100, 100 } };
	double lost[2][NODES_MOST] = { { 100, NAN }, { 150, 100 } };
	int node[NODES_MOST];

	(void)state;
	assert_int_equal(nodes_group(one_way, 2, NEAR, FAR, node), 0);
	assert_int_equal(nodes_group(chain, 3, NEAR, FAR, node), 0);
	assert_int_equal(nodes_group(lost, 2, NEAR, FAR, node), 0);
}

/* Groups of 2, 16 and 128, or one group. */
static double apart(void *context, int a, int b)
{
	return context ? 50 : a / 2 == b / 2 ? 10 : a / 16 == b / 16 ? 30 : a / 128 == b / 128 ? 90 : 200;
}

static void test_rows(void **state)
{
	static const struct {
		int line, cpus;
		bool flat;
		int rows, last;
	} rows[] = {
		{ __LINE__, 2, true, 2, 1 },      { __LINE__, 3, true, 3, 2 },    { __LINE__, 64, true, 4, 48 },
		{ __LINE__, 16, false, 8, 14 },   { __LINE__, 32, false, 4, 24 }, { __LINE__, 128, false, 8, 112 },
		{ __LINE__, 256, false, 4, 192 },
	};
	int chosen[NODES_MOST];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tree_space space = { apart, rows[i].flat ? chosen : NULL, rows[i].cpus, 1.13, NULL };
		struct tree *tree = tree_find(&space);
		int count;

		assert_non_null(tree);
		count = nodes_rows(tree, 4, chosen);
		if (count != rows[i].rows || chosen[count - 1] != rows[i].last || chosen[0] != 0)
			fail_msg("row at line %d: %d rows, the last %d", rows[i].line, count, chosen[count - 1]);
		tree_free(tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_misfits),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

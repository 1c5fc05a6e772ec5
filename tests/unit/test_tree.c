/* SPDX-License-Identifier: MIT */
/*
 * test_tree.c - groups within groups of CPUs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "teams/tree.h"

/* Groups of so many, nearest first; 0 ends. Those of no common group are `far` apart. */
struct layout {
	int line, count;
	int of[4];
	double distance[4], far;
	double spread; /* relative, of each pair */
	int step; /* i's place is i * step modulo count: the system's numbers in another order */
	const char *text;
};

struct place {
	const struct layout *layout;
	long asked;
};

static double apart(void *context, int a, int b)
{
	struct place *place = context;
	const struct layout *layout = place->layout;
	int x = (int)((long)a * layout->step % layout->count), y = (int)((long)b * layout->step % layout->count);
	double far = layout->far;

	place->asked++;
	for (int i = 3; i >= 0; i--)
		if (layout->of[i] && x / layout->of[i] == y / layout->of[i])
			far = layout->distance[i];
	/* The same for both ways round. */
	return far * (1 + layout->spread * (((unsigned)(a + b) * 2654435761u >> 16 & 1023) / 1023.0));
}

static const struct layout layouts[] = {
	{ __LINE__, 1, { 0 }, { 0 }, 100, 0, 1, "[0]" },
	{ __LINE__, 2, { 0 }, { 0 }, 100, 0, 1, "[0,1]" },
	{ __LINE__, 8, { 0 }, { 0 }, 100, 0.1, 1, "[0,1,2,3,4,5,6,7]" },
	{ __LINE__, 8, { 4 }, { 40 }, 100, 0.05, 1, "[[0,1,2,3],[4,5,6,7]]" },
	{ __LINE__, 8, { 2, 4 }, { 10, 40 }, 100, 0.1, 1, "[[[0,1],[2,3]],[[4,5],[6,7]]]" },
	{ __LINE__, 8, { 2, 4 }, { 10, 40 }, 100, 0.1, 3, "[[[0,3],[1,6]],[[2,5],[4,7]]]" },
	/* Two of a size that does not divide: the last group is smaller. */
	{ __LINE__, 5, { 2 }, { 10 }, 100, 0.1, 1, "[[0,1],[2,3],4]" },
	{ __LINE__, 3, { 2 }, { 80 }, 100, 0, 1, "[[0,1],2]" },
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct place place = { &layouts[i], 0 };
		struct tree_space space = { apart, &place, layouts[i].count, 1.13, NULL };
		struct tree *tree = tree_find(&space);
		int numbers[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
		char *text = tree ? tree_text(tree, numbers) : NULL;

		if (!text || strcmp(text, layouts[i].text) != 0)
			fail_msg("row at line %d: %s", layouts[i].line, text ? text : "none");
		if (layouts[i].count > 1 && tree->fits != 1)
			fail_msg("row at line %d: fits %g", layouts[i].line, tree->fits);
		free(text);
		tree_free(tree);
	}
}

static const struct layout large[] = {
	{ __LINE__, 512, { 2, 16, 256 }, { 8, 25, 60 }, 200, 0.1, 1, "" },
	{ __LINE__, 512, { 2, 16, 256 }, { 8, 25, 60 }, 200, 0.1, 179, "" },
	{ __LINE__, 256, { 2 }, { 8 }, 100, 0.1, 1, "" },
	{ __LINE__, 384, { 8 }, { 30 }, 100, 0.12, 5, "" },
	{ __LINE__, 300, { 0 }, { 0 }, 100, 0.1, 1, "" },
};

/* All groups are right, and not all pairs were asked for. */
static void test_large(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		const struct layout *layout = &large[i];
		struct place place = { layout, 0 };
		struct tree_space space = { apart, &place, layout->count, 1.13, NULL };
		struct tree *tree = tree_find(&space);
		int levels = 1, n = layout->count;

		while (levels < 5 && layout->of[levels - 1])
			levels++;
		assert_non_null(tree);
		if (tree->levels != levels || tree->fits != 1 || place.asked > (long)n * n / 3)
			fail_msg("row at line %d: %d levels, fits %g, %ld asked", layout->line, tree->levels,
				 tree->fits, place.asked);
		for (int a = 0; a < n; a++)
			for (int b = 0; b < a; b++) {
				int level = 0, x = (int)((long)a * layout->step % n),
				    y = (int)((long)b * layout->step % n);

				while (level < levels - 1 && x / layout->of[level] != y / layout->of[level])
					level++;
				if (tree_level(tree, a, b) != level)
					fail_msg("row at line %d: %d and %d", layout->line, a, b);
			}
		tree_free(tree);
	}
}

enum { MANY = 200, PAIRS = 6 };

/* Some numbers, here and there, are pairs. */
static int partner(int i)
{
	return i % 16 == 5 && i < 16 * PAIRS ? i + 101 : i % 16 == 10 && i > 101 && i < 102 + 16 * PAIRS ? i - 101 : -1;
}

static double few_pairs(void *context, int a, int b)
{
	(void)context;
	return partner(a) == b ? 10 : 40;
}

/* Chance may meet none of them; who is likely to have somebody near is asked. */
static void test_few_pairs(void **state)
{
	bool likely[MANY];
	struct tree_space space = { few_pairs, NULL, MANY, 1.13, likely };
	struct tree *tree;

	(void)state;
	for (int i = 0; i < MANY; i++)
		likely[i] = partner(i) >= 0;
	tree = tree_find(&space);
	assert_non_null(tree);
	for (int i = 0; i < MANY; i++)
		if (partner(i) >= 0)
			assert_int_equal(tree_level(tree, i, partner(i)), 0);
	assert_int_equal(tree->levels, 2);
	tree_free(tree);
}

static double never(void *context, int a, int b)
{
	(void)context;
	return a + b == 5 ? NAN : 10;
}

/* No pair fits another: no tree explains them. */
static double anyhow(void *context, int a, int b)
{
	(void)context;
	return (unsigned)((a + 1) * (b + 1)) * 2654435761u >> 13 & 1 ? 100 : 20;
}

static void test_not_trees(void **state)
{
	struct tree_space unknown = { never, NULL, 8, 1.13, NULL }, wild = { anyhow, NULL, 16, 1.13, NULL };
	struct tree *tree = tree_find(&wild);

	(void)state;
	assert_null(tree_find(&unknown));
	assert_non_null(tree);
	assert_true(tree->fits < 0.9);
	tree_free(tree);
}

/* One pair that was disturbed once makes no level. */
static double disturbed(void *context, int a, int b)
{
	long *times = context;

	return a + b == 9 && a * b == 14 && (*times)++ == 0 ? 400 : a / 4 == b / 4 ? 40 : 100;
}

static void test_disturbed(void **state)
{
	long times = 0;
	struct tree_space space = { disturbed, &times, 8, 1.13, NULL };
	struct tree *tree = tree_find(&space);

	(void)state;
	assert_non_null(tree);
	assert_int_equal(times, 2);
	assert_int_equal(tree->levels, 2);
	assert_true(tree->fits == 1);
	tree_free(tree);
}

/* One pair that is always odd has a level of its own, on which nobody meets anybody new. */
static double odd(void *context, int a, int b)
{
	(void)context;
	return a + b == 9 && a * b == 14 ? 400 : a / 4 == b / 4 ? 40 : 100;
}

static void test_odd(void **state)
{
	struct tree_space space = { odd, NULL, 8, 1.13, NULL };
	struct tree *tree = tree_find(&space);

	(void)state;
	assert_non_null(tree);
	assert_int_equal(tree->levels, 2);
	assert_true(tree->distance[0] == 40 && tree->distance[1] == 100);
	assert_true(tree->most[0] > 40 && tree->most[0] < 100);
	assert_true(tree->spread == 1);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),     cmocka_unit_test(test_large),     cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_not_trees), cmocka_unit_test(test_disturbed), cmocka_unit_test(test_odd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_climb.c - the search for the largest n that holds, with questions answered by a table instead of a machine
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "engine/engine.h"

enum { START = 2, LIMIT = 250 };

/* Holds up to `edge`; at `lie` the first `truths` answers are true and one after them is not. */
struct oracle {
	int edge, undecided, lie, truths;
	int asked, heard_low, heard_high;
	int asked_of[LIMIT + 1];
};

static enum stat_verdict holds(struct lab *lab, int n, const void *of)
{
	struct oracle *oracle = (struct oracle *)(uintptr_t)of;
	bool held = n <= oracle->edge;

	(void)lab;
	assert_in_range(n, START, LIMIT);
	oracle->asked++;
	if (n == oracle->undecided)
		return STAT_UNDECIDED;
	if (oracle->asked_of[n]++ == oracle->truths && n == oracle->lie)
		held = !held;
	return held ? STAT_YES : STAT_NO;
}

static void between(struct lab *lab, int low, int high, const void *of)
{
	struct oracle *oracle = (struct oracle *)(uintptr_t)of;

	(void)lab;
	oracle->heard_low = low;
	oracle->heard_high = high;
}

static int climb(struct oracle *oracle)
{
	struct lab lab = { 0 };

	return engine_climb(&lab, START, LIMIT, holds, between, oracle);
}

static void test_every_edge(void **state)
{
	(void)state;
	for (int edge = 3; edge <= 200; edge++) {
		struct oracle oracle = { .edge = edge };
		int found = climb(&oracle);

		if (found != edge)
			fail_msg("edge %d: found %d", edge, found);
		if (oracle.asked > 20)
			fail_msg("edge %d: %d questions", edge, oracle.asked);
		if (oracle.heard_low && (oracle.heard_low > edge || oracle.heard_high <= edge))
			fail_msg("edge %d: between %d and %d", edge, oracle.heard_low, oracle.heard_high);
	}
}

static void test_without_between(void **state)
{
	struct oracle oracle = { .edge = 77 };
	struct lab lab = { 0 };

	(void)state;
	assert_int_equal(engine_climb(&lab, START, LIMIT, holds, NULL, &oracle), 77);
}

static void test_outcomes(void **state)
{
	static const struct {
		int line;
		struct oracle oracle;
		int found;
	} rows[] = {
		{ __LINE__, { .edge = LIMIT }, LIMIT }, /* never fails */
		{ __LINE__, { .edge = LIMIT - 1 }, LIMIT - 1 },
		{ __LINE__, { .edge = START }, START },
		{ __LINE__, { .edge = START - 1 }, -1 }, /* fails at once */
		{ __LINE__, { .edge = 100, .undecided = START }, -1 },
		{ __LINE__, { .edge = 100, .undecided = 4 }, -1 }, /* while doubling */
		{ __LINE__, { .edge = 100, .undecided = 128 }, -1 },
		{ __LINE__, { .edge = 100, .undecided = 96 }, -1 }, /* while bisecting */
		{ __LINE__, { .edge = 100, .undecided = 101 }, -1 },
		{ __LINE__, { .edge = 100, .undecided = 127 }, 100 }, /* never asked */
		{ __LINE__, { .edge = 100, .lie = 100, .truths = 1 }, -1 }, /* at the second question */
		{ __LINE__, { .edge = 100, .lie = 101, .truths = 1 }, -1 },
		{ __LINE__, { .edge = 100, .lie = 96 }, -1 }, /* at the first: the answer would be below 96 */
		{ __LINE__, { .edge = 100, .lie = 112 }, -1 }, /* the answer would be above 112 */
		{ __LINE__, { .edge = 100, .lie = 64 }, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct oracle oracle = rows[i].oracle;
		int found = climb(&oracle);

		if (found != rows[i].found)
			fail_msg("row at line %d: found %d", rows[i].line, found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_edge),
		cmocka_unit_test(test_without_between),
		cmocka_unit_test(test_outcomes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

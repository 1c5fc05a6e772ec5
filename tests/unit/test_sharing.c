/* SPDX-License-Identifier: MIT */
/*
 * test_sharing.c - which CPUs share a cache, from asking few of them
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "common/sharing.h"

enum { MOST = 512 };

/* CPUs in a row; i's place in it is i * step modulo count. Neighbours in hinted groups of `hint`, smallest first, and
 * caches of `shared`, or of `other` from place `from` on. */
struct layout {
	int line, count, step;
	int hint[3];
	int shared, from, other;
	int together, pivots;
	long asked; /* questions at most */
	int unsure; /* every so many-th question is not answered; 0: all are */
	bool assumed;
};

struct row {
	const struct layout *layout;
	long asked;
};

static int place(const struct layout *layout, int cpu)
{
	return (int)((long)cpu * layout->step % layout->count);
}

static int cache_of(const struct layout *layout, int cpu)
{
	int at = place(layout, cpu);

	return layout->from && at >= layout->from ? MOST + (at - layout->from) / layout->other : at / layout->shared;
}

static enum stat_verdict answer(void *context, int a, const int *set, int size)
{
	struct row *row = context;
	bool any = false;

	row->asked++;
	for (int i = 0; i < size; i++) {
		assert_int_not_equal(set[i], a);
		any = any || cache_of(row->layout, set[i]) == cache_of(row->layout, a);
	}
	assert_in_range(size, 1, row->layout->together);
	if (row->layout->unsure && row->asked % row->layout->unsure == 0)
		return STAT_UNDECIDED;
	return any ? STAT_YES : STAT_NO;
}

static const struct layout layouts[] = {
	{ __LINE__, 1, 1, { 0 }, 1, 0, 0, 1, 8, 0, 0, false },
	{ __LINE__, 2, 1, { 0 }, 1, 0, 0, 1, 8, 1, 0, false },
	{ __LINE__, 2, 1, { 0 }, 2, 0, 0, 1, 8, 1, 0, false },
	/* Private, by cores, by groups of four, by halves and by all of them. */
	{ __LINE__, 16, 1, { 2, 4, 8 }, 1, 0, 0, 4, 16, 48, 0, false },
	{ __LINE__, 16, 1, { 2, 4, 8 }, 2, 0, 0, 4, 16, 60, 0, false },
	{ __LINE__, 16, 1, { 2, 4, 8 }, 4, 0, 0, 4, 16, 50, 0, false },
	{ __LINE__, 16, 1, { 2, 4, 8 }, 8, 0, 0, 4, 16, 40, 0, false },
	{ __LINE__, 16, 1, { 2, 4, 8 }, 16, 0, 0, 4, 16, 16, 0, false },
	{ __LINE__, 16, 7, { 2, 4, 8 }, 4, 0, 0, 4, 16, 50, 0, false },
	/* Groups that no hint tells of. */
	{ __LINE__, 8, 1, { 0 }, 2, 0, 0, 4, 8, 60, 0, false },
	{ __LINE__, 8, 1, { 0 }, 4, 0, 0, 1, 8, 60, 0, false },
	{ __LINE__, 12, 5, { 0 }, 3, 0, 0, 8, 12, 120, 0, false },
	{ __LINE__, 16, 1, { 2, 8 }, 4, 0, 0, 4, 16, 90, 0, false },
	/* And that go across what the hints say. */
	{ __LINE__, 12, 1, { 2, 4 }, 6, 0, 0, 4, 12, 120, 0, false },
	/* Eight of two threads, each with its own; sixteen of one, four to a cache. */
	{ __LINE__, 32, 1, { 2, 4 }, 2, 16, 4, 8, 16, 120, 0, false },
	/* Many: some stand for the others. */
	{ __LINE__, 256, 1, { 2, 16, 128 }, 2, 0, 0, 8, 16, 200, 0, true },
	{ __LINE__, 256, 1, { 2, 16, 128 }, 16, 0, 0, 8, 8, 160, 0, true },
	{ __LINE__, 512, 179, { 2, 16, 256 }, 1, 0, 0, 8, 16, 160, 0, true },
	/* An answer that does not come is counted, and the rest is right all the same. */
	{ __LINE__, 8, 1, { 2 }, 2, 0, 0, 4, 8, 60, 100, false },
};

static void hints(const struct layout *layout, int group[4][MOST], struct sharing_space *space)
{
	for (int level = 0; level < 4; level++) {
		bool last = level == 3 || !layout->hint[level];

		for (int i = 0; i < layout->count; i++)
			for (int j = layout->count - 1; j >= 0; j--)
				if (last ||
				    place(layout, i) / layout->hint[level] == place(layout, j) / layout->hint[level])
					group[level][i] = j;
		space->hint[space->hints++] = group[level];
		if (last)
			return;
	}
}

static void check(const struct layout *layout)
{
	static int group[4][MOST];
	struct row row = { layout, 0 };
	struct sharing_space space = { .shares = answer,
				       .context = &row,
				       .count = layout->count,
				       .together = layout->together,
				       .pivots = layout->pivots };
	struct sharing sharing;

	hints(layout, group, &space);
	assert_true(sharing_find(&space, &sharing));
	for (int i = 0; i < layout->count; i++) {
		int lowest = i;

		for (int j = i; j >= 0; j--)
			lowest = cache_of(layout, i) == cache_of(layout, j) ? j : lowest;
		if (sharing.group[i] != lowest)
			fail_msg("row at line %d: CPU %d is with %d, not %d", layout->line, i, sharing.group[i],
				 lowest);
	}
	if (sharing.asked > layout->asked || sharing.asked != row.asked)
		fail_msg("row at line %d: asked %ld, %ld", layout->line, sharing.asked, row.asked);
	if ((sharing.assumed > 0) != layout->assumed)
		fail_msg("row at line %d: %d assumed", layout->line, sharing.assumed);
	free(sharing.group);
}

static void test_find(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		check(&layouts[i]);
}

static void test_undecided(void **state)
{
	static int group[4][MOST];
	struct layout layout = { __LINE__, 4, 1, { 0 }, 2, 0, 0, 1, 4, 0, 1, false };
	struct row row = { &layout, 0 };
	struct sharing_space space = { answer, &row, 4, { NULL }, 0, 1, 4 };
	struct sharing sharing;

	(void)state;
	hints(&layout, group, &space);
	assert_true(sharing_find(&space, &sharing));
	assert_true(sharing.undecided > 0 && sharing.undecided <= sharing.asked);
	for (int i = 0; i < 4; i++)
		assert_int_equal(sharing.group[i], i);
	/* Asked again, who was left open is open still, or is known. */
	assert_false(sharing_settles(&space, &sharing));
	layout.unsure = 0;
	assert_true(sharing_settles(&space, &sharing));
	for (int i = 0; i < 4; i++)
		assert_int_equal(sharing.group[i], i / 2 * 2);
	free(sharing.group);
}

static void test_scores(void **state)
{
	static const struct {
		int line;
		struct sharing_times times;
		double score;
	} rows[] = {
		{ __LINE__, { 10, 10, 10, 20, 1, false }, 0 },
		{ __LINE__, { 10, 20, 10, 20, 1, false }, 0.5 },
		/* Half of it is served above. */
		{ __LINE__, { 10, 15, 10, 20, 0.5, false }, 0.5 },
		{ __LINE__, { 12, 10, 10, 20, 1, false }, -0.1 },
		/* Quicker than it should be is fine. */
		{ __LINE__, { 8, 10, 10, 20, 1, false }, 0.1 },
		/* Misses anyway. */
		{ __LINE__, { 20, 30, 10, 20, 1, false }, NAN },
		{ __LINE__, { 16, 20, 10, 20, 1, false }, NAN },
		{ __LINE__, { 16, 20, 10, 20, 1, true }, 0.2 },
		/* A level that costs nothing, or serves nothing; a look that was lost. */
		{ __LINE__, { 10, 20, 10, 0, 1, false }, NAN },
		{ __LINE__, { 10, 20, 10, 20, 0, false }, NAN },
		{ __LINE__, { NAN, 20, 10, 20, 1, false }, NAN },
		{ __LINE__, { 10, NAN, 10, 20, 1, false }, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double score = sharing_score(&rows[i].times);

		if (isnan(score) != isnan(rows[i].score) || fabs(score - rows[i].score) > 1e-9)
			fail_msg("row at line %d: %g", rows[i].line, score);
	}
}

static void test_verdicts(void **state)
{
	static const struct {
		int line, count, more;
		double scores[5];
		enum stat_verdict verdict;
	} rows[] = {
		{ __LINE__, 0, 1, { 0 }, STAT_UNDECIDED },
		{ __LINE__, 1, 1, { 0.5 }, STAT_YES },
		{ __LINE__, 1, 1, { 0.01 }, STAT_NO },
		{ __LINE__, 1, 1, { 0.27 }, STAT_UNDECIDED },
		{ __LINE__, 1, 1, { NAN }, STAT_UNDECIDED },
		{ __LINE__, 1, 2, { 0.5 }, STAT_UNDECIDED },
		{ __LINE__, 3, 2, { 0.5, 0.01, 0.5 }, STAT_UNDECIDED },
		{ __LINE__, 4, 2, { 0.5, 0.01, 0.5, 0.5 }, STAT_UNDECIDED },
		{ __LINE__, 5, 2, { 0.5, 0.01, 0.5, 0.5, 0.4 }, STAT_YES },
		{ __LINE__, 3, 2, { -0.05, NAN, 0.01 }, STAT_NO },
		{ __LINE__, 4, 1, { NAN, NAN, 0.01, 0 }, STAT_NO },
		{ __LINE__, 3, 1, { NAN, NAN, 0.5 }, STAT_UNDECIDED },
		{ __LINE__, 2, 1, { -0.3, -0.2 }, STAT_UNDECIDED },
		{ __LINE__, 3, 1, { 0.4, 0.01, 0 }, STAT_UNDECIDED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (sharing_verdict(rows[i].scores, rows[i].count, rows[i].more) != rows[i].verdict)
			fail_msg("row at line %d", rows[i].line);
}

/* What was found holds where the same is said once more: asked of three at most, of none where nothing is shared. */
static void test_holds(void **state)
{
	static const struct {
		int line;
		struct layout first, then;
		bool holds;
		long asked;
	} rows[] = {
		{ __LINE__, { .count = 4, .step = 1, .shared = 1 }, { .count = 4, .step = 1, .shared = 1 }, true, 0 },
		{ __LINE__, { .count = 8, .step = 1, .shared = 8 }, { .count = 8, .step = 1, .shared = 8 }, true, 3 },
		{ __LINE__, { .count = 2, .step = 1, .shared = 2 }, { .count = 2, .step = 1, .shared = 1 }, false, 1 },
		{ __LINE__,
		  { .count = 2, .step = 1, .shared = 2 },
		  { .count = 2, .step = 1, .shared = 2, .unsure = 1 },
		  false,
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct layout then = rows[i].then;
		struct row row = { &then, 0 };
		struct sharing_space space = { .shares = answer, .context = &row, .count = then.count };
		int group[8];
		struct sharing sharing = { .group = group };

		then.together = 1;
		for (int cpu = 0; cpu < then.count; cpu++)
			group[cpu] = cpu / rows[i].first.shared * rows[i].first.shared;
		if (sharing_holds(&space, &sharing) != rows[i].holds || row.asked != rows[i].asked)
			fail_msg("row at line %d: %ld asked", rows[i].line, row.asked);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),     cmocka_unit_test(test_undecided), cmocka_unit_test(test_scores),
		cmocka_unit_test(test_verdicts), cmocka_unit_test(test_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

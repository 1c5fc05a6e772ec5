/* SPDX-License-Identifier: MIT */
/*
 * test_compact.c - compact sequences on simulated caches: ways and the size of a way, or a reason
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SMALL \
	{ \
		4, 2, "", 0 \
	}

static struct conflicts search_at(struct memory_lab *bench, const struct memory_level *levels, int depth)
{
	struct search search = { &bench->lab, &bench->hierarchy, depth, 0, 0, 0 };
	struct conflicts conflicts = { .tried = true };

	if (depth)
		memory_know(bench, levels, depth - 1);
	conflicts.found = compact_search(&search, &conflicts);
	return conflicts;
}

static bool is_right(const struct conflicts *found, const struct memory_level *level)
{
	double ways = level->ways ? level->ways : level->kib * 1024 / PLACE;

	return found->found && found->compact && found->ways == ways && found->held == ways &&
	       found->way * ways == level->kib * 1024;
}

static void test_ways(void **state)
{
	static const struct {
		int line, depth;
		struct memory_level levels[MEMORY_LEVELS];
	} rows[] = {
		{ __LINE__, 0, { { 8, 1, "", 0 } } },
		{ __LINE__, 0, { { 96, 3, "", 0 } } },
		{ __LINE__, 0, { { 64, 4, "", 0 } } },
		{ __LINE__, 0, { { 32, 8, "policy = tree-plru\n", 0 } } },
		{ __LINE__, 0, { { 12, 12, "policy = random\n", 0 } } },
		{ __LINE__, 0, { { 1, 0, "", 0 } } }, /* one set of 16: a line is a way */
		/* Numbers of sets that are no powers of two. */
		{ __LINE__, 0, { { 24, 2, "", 0 } } },
		{ __LINE__, 0, { { 96, 8, "", 0 } } },
		{ __LINE__,
		  0,
		  { { 96, 1, "line = 256\n", 0 } } }, /* what they are compared with must lie in other lines */
		{ __LINE__, 1, { SMALL, { 32, 1, "", 0 } } },
		{ __LINE__, 1, { SMALL, { 72, 3, "", 0 } } },
		{ __LINE__, 1, { SMALL, { 96, 12, "", 0 } } },
		{ __LINE__, 1, { SMALL, { 64, 8, "inclusion = exclusive\n", 68 } } },
		/* The level above has more ways, and holds them all in one column. */
		{ __LINE__, 1, { { 8, 8, "", 0 }, { 64, 4, "", 0 } } },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct conflicts found;

		memory_open(&bench, rows[i].levels, "", 1);
		found = search_at(&bench, rows[i].levels, rows[i].depth);
		if (!is_right(&found, &rows[i].levels[rows[i].depth]))
			fail_msg("row at line %d: %g ways of %g bytes: '%s'", rows[i].line, found.ways, found.way,
				 found.why);
		memory_close(&bench);
	}
}

/* 16 sets of 4 entries do not hold five pages 64 KiB apart, which is no level of 4 ways. */
static void test_translation(void **state)
{
	static const char tlb[] = "[pages]\nhuge = none\n[tlb l1d]\nentries = 64\nways = 4\npenalty = 20\n";
	static const struct memory_level levels[MEMORY_LEVELS] = { { 512, 8, "", 0 } };
	struct memory_lab bench;
	struct conflicts found;

	(void)state;
	memory_open(&bench, levels, tlb, 1);
	found = search_at(&bench, levels, 0);
	assert_true(is_right(&found, &levels[0]));
	memory_close(&bench);
}

static void test_none(void **state)
{
	static const struct {
		int line, depth;
		struct memory_level levels[MEMORY_LEVELS];
		const char *more, *why;
	} rows[] = {
		{ __LINE__, 0, { { 32, 8, "index = hash\n", 0 } }, "", "places 4 KiB apart show no set" },
		{ __LINE__, 0, { { 64, 4, "index = hash:2\n", 0 } }, "", "but not any 9 of them: the index is hashed" },
		{ __LINE__, 0, { { 64, 8, "index = hash:4\n", 0 } }, "", "of the 6.4 that the reach has room for" },
		{ __LINE__, 0, { { 8, 0, "", 0 } }, "", "places 1 KiB apart show no set" },
		{ __LINE__, 1, { SMALL, { 64, 8, "index = hash\n", 0 } }, "", "show no set" },
		{ __LINE__, 1, { SMALL, { 64, 0, "", 0 } }, "", "show no set" },
		{ __LINE__, 1, { SMALL, { 96, 48, "", 0 } }, "", "show no set" },
		{ __LINE__, 1, { { 8, 8, "", 0 }, { 64, 1, "", 0 } }, "", "show no set" }, /* all hidden */
		{ __LINE__, 1, { SMALL, { 64, 8, "", 0 } }, "[pages]\nhost = 4 KiB\n", "places" },
		/* What the law says of the level does not go with 8 ways of 4 KiB. */
		{ __LINE__, 0, { { 32, 8, "", 40 } }, "", "8 places compete for a set of the 10.0" },
		{ __LINE__, 0, { { 32, 8, "", 28 } }, "", "8 places compete for a set of the 7.0" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct conflicts found;

		memory_open(&bench, rows[i].levels, rows[i].more, 1);
		found = search_at(&bench, rows[i].levels, rows[i].depth);
		if (found.found || !strstr(found.why, rows[i].why))
			fail_msg("row at line %d: %g ways of %g bytes: '%s'", rows[i].line, found.ways, found.way,
				 found.why);
		memory_close(&bench);
	}
}

/* Where the level above is not known, it cannot be crowded out. */
static void test_unknown_above(void **state)
{
	static const struct memory_level levels[MEMORY_LEVELS] = { SMALL, { 64, 8, "", 0 } };
	struct memory_lab bench;
	struct search search = { &bench.lab, &bench.hierarchy, 1, 0, 0, 0 };
	struct conflicts conflicts = { .tried = true };

	(void)state;
	memory_open(&bench, levels, "", 1);
	assert_false(compact_search(&search, &conflicts));
	assert_non_null(strstr(conflicts.why, "show no set"));
	memory_close(&bench);
}

/* The right answer or none, and not always none. */
static void test_beside_others(void **state)
{
	static const struct {
		int line, seed, depth;
		struct memory_level levels[MEMORY_LEVELS];
		const char *noise;
	} rows[] = {
		{ __LINE__, 2, 0, { { 96, 3, "", 0 } }, "preset = cloud\n" },
		/* He throws out so much that lines beside each other seem to compete for a set. */
		{ __LINE__, 2, 0, { { 8, 8, "shared = 2\n", 0 } }, "preset = cloud\nneighbour.rate = 1e8\n" },
		{ __LINE__, 2, 1, { SMALL, { 32, 4, "shared = 2\n", 0 } }, "preset = cloud\n" },
	};
	int right = 0;

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct conflicts found;
		char noise[128];

		snprintf(noise, sizeof(noise), "[noise]\n%s", rows[i].noise);
		memory_open(&bench, rows[i].levels, noise, rows[i].seed);
		bench.timer.noise = NOISE_NOISY; /* whatever the audit happened to see */
		found = search_at(&bench, rows[i].levels, rows[i].depth);
		if (found.found ? !is_right(&found, &rows[i].levels[rows[i].depth]) : !found.why[0])
			fail_msg("row at line %d: %g ways of %g bytes: '%s'", rows[i].line, found.ways, found.way,
				 found.why);
		right += found.found;
		memory_close(&bench);
	}
	assert_true(2 * right > COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),          cmocka_unit_test(test_translation),   cmocka_unit_test(test_none),
		cmocka_unit_test(test_unknown_above), cmocka_unit_test(test_beside_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

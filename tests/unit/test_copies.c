/* SPDX-License-Identifier: MIT */
/*
 * test_copies.c - where stores go, and what levels hold together, on small simulated memories: right, or undecided
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "copies/copies.h"
#include "memory_lab.h"

static const char *const kinds[] = { "none", "inclusive", "exclusive", "victim" };
static const enum copies_inclusion answers[] = { COPIES_NEITHER, COPIES_INCLUSIVE, COPIES_EXCLUSIVE, COPIES_VICTIM };

/* Two or three levels, the lower ones standing to those above as said; what the nearest one does with stores. */
static void open_levels(struct memory_lab *bench, int levels, int kind, bool through, bool allocate, const char *policy)
{
	char nearest[128], lower[128];
	double sum = kind >= 2;
	const struct memory_level list[MEMORY_LEVELS + 1] = { { 8, 4, nearest, 0 },
							      { 64, 8, lower, 64 + 8 * sum },
							      { levels > 2 ? 512 : 0, 16, lower, 512 + 72 * sum } };

	snprintf(nearest, sizeof(nearest), "policy = %s\nwrite = %s\nallocate = %s\n", policy,
		 through ? "through" : "back", allocate ? "yes" : "no");
	snprintf(lower, sizeof(lower), "policy = %s\ninclusion = %s\n", policy, kinds[kind]);
	memory_open(bench, list, "", 1);
	for (int i = 0; i < levels; i++)
		memory_know(bench, list, i);
}

/* Every way to treat stores with every inclusion, over two and three levels. */
static void test_stores(void **state)
{
	int told = 0;

	(void)state;
	for (int combination = 0; combination < 32; combination++) {
		bool through = combination & 1, allocate = combination & 2;
		int levels = combination & 16 ? 3 : 2, kind = combination >> 2 & 3;
		struct memory_lab bench;
		char why[200] = "";
		enum stat_verdict passes, brings;

		open_levels(&bench, levels, kind, through, allocate, "lru");
		passes = copies_through(&bench.lab, 0, why, sizeof(why));
		brings = copies_allocated(&bench.lab, 0, why, sizeof(why));
		if (passes == (through ? STAT_NO : STAT_YES) || brings == (allocate ? STAT_NO : STAT_YES))
			fail_msg("%s, %s, %s below, %d levels: through %d, allocates %d", through ? "through" : "back",
				 allocate ? "allocate" : "none", kinds[kind], levels, passes, brings);
		told += (passes != STAT_UNDECIDED) + (brings != STAT_UNDECIDED);
		memory_close(&bench);
	}
	/* What an exclusive level gets it gets clean, too: back does not show there. */
	assert_true(told >= 54);
}

/* What a further level does with what reaches it. */
static void test_further_stores(void **state)
{
	(void)state;
	for (int combination = 0; combination < 16; combination++) {
		bool above = combination & 8, through = combination & 1, allocate = combination & 2;
		char nearest[64], lower[64], why[200] = "";
		const struct memory_level levels[MEMORY_LEVELS + 1] = { { 8, 4, nearest, 0 },
									{ 64, 8, lower, 0 },
									{ combination & 4 ? 512 : 0, 16, "", 0 } };
		struct memory_lab bench;
		enum stat_verdict passes, brings;

		snprintf(nearest, sizeof(nearest), "allocate = %s\n", above ? "yes" : "no");
		snprintf(lower, sizeof(lower), "write = %s\nallocate = %s\n", through ? "through" : "back",
			 allocate ? "yes" : "no");
		memory_open(&bench, levels, "", 1);
		passes = copies_through(&bench.lab, 1, why, sizeof(why));
		brings = copies_allocated(&bench.lab, 1, why, sizeof(why));
		if (passes == (through ? STAT_NO : STAT_YES) || brings == (allocate || above ? STAT_NO : STAT_YES))
			fail_msg("second level %s, above %s: through %d, allocates %d", lower, nearest, passes, brings);
		memory_close(&bench);
	}
}

/* Stores that all go to memory take longer where fewer lines happen to be in the cache: nothing is brought in. And
 * where only a few lines fit, written through they go together, as those to a few do. */
static void test_what_only_looks_so(void **state)
{
	const struct memory_level levels[MEMORY_LEVELS + 1] = {
		{ 8, 4, "allocate = no\n", 0 }, { 64, 8, "inclusion = victim\nwrite = through\n", 72 }
	};
	const struct memory_level lines[MEMORY_LEVELS + 1] = { { 2, 8, "line = 256\nwrite = through\n", 0 },
							       { 80, 10, "line = 256\ninclusion = exclusive\n", 82 } };
	struct memory_lab bench;
	char why[200] = "";

	(void)state;
	memory_open(&bench, levels, "", 1);
	assert_int_not_equal(copies_allocated(&bench.lab, 0, why, sizeof(why)), STAT_YES);
	memory_close(&bench);
	memory_open(&bench, lines, "", 1);
	bench.hierarchy.line = 256;
	assert_int_not_equal(copies_through(&bench.lab, 0, why, sizeof(why)), STAT_NO);
	memory_close(&bench);
}

/* A level that keeps stores to lines it has, and brings none in, keeps fewer where those below take its lines away.
 * And what stores bring in by way of the nearest level goes unseen while others wait for them to be written. */
static void test_what_only_looks_so_further_down(void **state)
{
	const struct memory_level taken[MEMORY_LEVELS + 1] = {
		{ 24, 1, "allocate = no\n", 0 },
		{ 80, 20, "policy = random\nwrite = through\ninclusion = inclusive\n", 0 },
		{ 256, 16, "write = through\n", 0 }
	};
	const struct memory_level hidden[MEMORY_LEVELS + 1] = {
		{ 16, 2, "", 0 },
		{ 96, 16, "policy = random\nwrite = through\nallocate = no\ninclusion = victim\n", 112 },
		{ 640, 20, "policy = nru\nwrite = through\ninclusion = exclusive\n", 752 }
	};
	struct memory_lab bench;
	char why[200] = "";

	(void)state;
	memory_open(&bench, taken, "", 1);
	assert_int_not_equal(copies_through(&bench.lab, 1, why, sizeof(why)), STAT_NO);
	memory_close(&bench);
	memory_open(&bench, hidden, "", 1);
	assert_int_not_equal(copies_allocated(&bench.lab, 1, why, sizeof(why)), STAT_NO);
	memory_close(&bench);
}

static void test_inclusion(void **state)
{
	static const char *const policies[] = { "lru", "tree-plru", "random" };
	int told = 0;

	(void)state;
	for (int kind = 0; kind < 4; kind++)
		for (int levels = 2; levels <= 3; levels++)
			for (int policy = 0; policy < 3; policy++) {
				struct memory_lab bench;
				enum copies_inclusion inclusion;
				char why[200] = "";

				open_levels(&bench, levels, kind, false, true, policies[policy]);
				inclusion = copies_inclusion(&bench.lab, levels - 1, why, sizeof(why));
				if (inclusion != answers[kind] && inclusion != COPIES_UNDECIDED)
					fail_msg("%s, %d levels, %s: %d", kinds[kind], levels, policies[policy],
						 inclusion);
				told += inclusion != COPIES_UNDECIDED;
				memory_close(&bench);
			}
	/* Chance throws even the hottest line out above, and so does an inclusive level above. */
	assert_true(told >= 18);
}

/* Lines are longer here: a whole one is the hot line's, and above one way loses it, but not from the other half. */
static void test_longer_lines(void **state)
{
	static const struct {
		int line, kind, ways;
		const char *above, *here;
	} rows[] = {
		{ __LINE__, 1, 4, "", "line = 256\ninclusion = inclusive\n" },
		{ __LINE__, 1, 1, "line = 32\n", "inclusion = inclusive\n" },
		{ __LINE__, 0, 1, "line = 32\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct memory_level levels[MEMORY_LEVELS + 1] = { { 8, rows[i].ways, rows[i].above, 0 },
									{ 64, 4, rows[i].here, 0 } };
		struct memory_lab bench;
		char why[200] = "";

		if (left_out(i))
			continue;
		memory_open(&bench, levels, "", 1);
		memory_know(&bench, levels, 0);
		memory_know(&bench, levels, 1);
		if (copies_inclusion(&bench.lab, 1, why, sizeof(why)) != answers[rows[i].kind])
			fail_msg("row at line %d: %s", rows[i].line, why);
		memory_close(&bench);
	}
}

/* A level with so few ways loses copies before the one above loses its lines: it looks as if it had no copies. */
static void test_few_ways(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		char lower[64];
		const struct memory_level levels[MEMORY_LEVELS + 1] = { { 8, 8, "", 0 }, { 64, 2, lower, 0 } };
		struct memory_lab bench;
		enum copies_inclusion inclusion;
		char why[200] = "";

		snprintf(lower, sizeof(lower), "inclusion = %s\n", kinds[kind]);
		memory_open(&bench, levels, "", 1);
		memory_know(&bench, levels, 0);
		memory_know(&bench, levels, 1);
		inclusion = copies_inclusion(&bench.lab, 1, why, sizeof(why));
		if (inclusion != answers[kind] && inclusion != COPIES_UNDECIDED)
			fail_msg("%s: %d", kinds[kind], inclusion);
		memory_close(&bench);
	}
}

static void test_unknown_sets(void **state)
{
	const struct memory_level levels[MEMORY_LEVELS + 1] = { { 8, 4, "", 0 }, { 64, 8, "index = hash\n", 0 } };
	struct memory_lab bench;
	char why[200] = "";

	(void)state;
	memory_open(&bench, levels, "", 1);
	memory_know(&bench, levels, 0);
	bench.hierarchy.level[1].conflicts.tried = true;
	assert_int_equal(copies_inclusion(&bench.lab, 1, why, sizeof(why)), COPIES_UNDECIDED);
	assert_non_null(strstr(why, "no set of the level"));
	memory_close(&bench);
}

static void test_range(void **state)
{
	const double values[] = { 3, 1, 2 }, lost[] = { 1, NAN };

	(void)state;
	assert_true(isnan(copies_range(values, 0).low) && isnan(copies_range(lost, 2).high));
	assert_true(copies_range(values, 1).low == 3 && copies_range(values, 1).high == 3);
	assert_true(copies_range(values, 3).low == 1 && copies_range(values, 3).high == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_further_stores),
		cmocka_unit_test(test_what_only_looks_so),
		cmocka_unit_test(test_what_only_looks_so_further_down),
		cmocka_unit_test(test_inclusion),
		cmocka_unit_test(test_longer_lines),
		cmocka_unit_test(test_few_ways),
		cmocka_unit_test(test_unknown_sets),
		cmocka_unit_test(test_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_survey.c - which levels take many laps to hold what they will of a walk; is somebody else in the caches
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "levels/survey.h"
#include "memory_lab.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define L1 \
	{ \
		32, 8, "policy = random\n", 0 \
	}

/* Lines of another walk are all that the levels hold. */
static void fill(struct memory_lab *bench)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .laps = 2 };

	walk.grid.stride[0] = 64;
	walk.grid.count[0] = (8 << 20) / 64;
	engine_walk(&bench->lab, &walk, 1);
}

static void test_slow_levels(void **state)
{
	static const struct {
		int line;
		struct memory_level levels[MEMORY_LEVELS + 1];
		double kib; /* of the slow one; 0: none */
	} rows[] = {
		{ __LINE__, { L1, { 512, 8, "", 0 } }, 0 }, /* a small level has its laps anyway */
		{ __LINE__, { L1, { 512, 8, "policy = tree-plru\n", 0 } }, 0 },
		{ __LINE__, { L1, { 512, 8, "policy = random\n", 0 } }, 512 },
		{ __LINE__, { L1, { 768, 12, "policy = random\ninclusion = inclusive\n", 0 } }, 768 },
		{ __LINE__, { L1, { 256, 8, "", 0 }, { 2048, 16, "policy = random\n", 0 } }, 2048 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct hierarchy *hierarchy = &bench.hierarchy;
		double bytes = rows[i].kib * 1024;

		memory_open(&bench, rows[i].levels, "", 1);
		hierarchy->apart = hierarchy->far_apart;
		hierarchy->most = 16 << 20;
		fill(&bench);
		if (survey_settles_slowly(&bench.lab, hierarchy) != (bytes > 0))
			fail_msg("row at line %d: slow up to %g", rows[i].line, hierarchy->slow_to);
		if (bytes > 0 && (hierarchy->slow_from > bytes / 2 || hierarchy->slow_to < 2 * bytes))
			fail_msg("row at line %d: slow from %g to %g", rows[i].line, hierarchy->slow_from,
				 hierarchy->slow_to);
		/* It is said once. */
		assert_false(bytes > 0 && survey_settles_slowly(&bench.lab, hierarchy));
		memory_close(&bench);
	}
}

/* Nobody is on the core, but somebody in the caches that cores share. */
static void test_others_in_caches(void **state)
{
	static const struct memory_level levels[MEMORY_LEVELS + 1] = { L1,
								       { 512, 8, "", 0 },
								       { 24576, 16, "shared = 8\n", 0 } };
	static const struct {
		int line;
		const char *noise;
		bool others;
	} rows[] = {
		{ __LINE__, "", false },
		{ __LINE__, "[noise]\nneighbour.rate = 2e7\nneighbour.period = 20 ms\n", true },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;

		memory_open(&bench, levels, rows[i].noise, 1);
		if (engine_others_in_caches(&bench.lab) != rows[i].others)
			fail_msg("row at line %d", rows[i].line);
		memory_close(&bench);
	}
}

/* Where frames fall as chance will, places differ, and their mean is what the law says of one way. */
static void test_luck(void **state)
{
	static const struct memory_level levels[MEMORY_LEVELS + 1] = { { 32, 1, "", 0 }, { 512, 8, "", 0 } };
	static const struct {
		const char *pages;
		bool lucky;
	} rows[] = { { "[pages]\nhuge = none\n", false }, { "[pages]\nhuge = none\nframes = random\n", true } };

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct hierarchy *hierarchy;
		struct memory_lab bench;

		memory_open(&bench, levels, rows[i].pages, 1);
		hierarchy = &bench.hierarchy;
		hierarchy->most = 256 << 10;
		assert_true(survey_all(&bench.lab, hierarchy));
		assert_true((hierarchy->lucky_to > 0) == rows[i].lucky);
		for (int j = 0; j < hierarchy->count && rows[i].lucky; j++) {
			const struct curve_point *point = &hierarchy->points[j];
			double load = point->bytes / (32 << 10), missed = 1 - (1 - exp(-load)) / load;

			if (load > 0.6 && fabs(point->time - hierarchy->points[0].time - 10 * missed) > 1)
				fail_msg("%g bytes take %g cycles, %g more", point->bytes, point->time,
					 point->time - hierarchy->points[0].time);
		}
		memory_close(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_slow_levels), cmocka_unit_test(test_others_in_caches),
					    cmocka_unit_test(test_luck) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_sim_cache.c - laws that hold for every cache: residence, closed forms, even sets
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/cache.h"
#include "describe/description_keys.h"

static const char *const POLICIES[] = { "lru",
					"fifo",
					"tree-plru",
					"nru",
					"srrip",
					"qlru-h00-m1-r2-u1",
					"qlru-h00-m1-r0-u1",
					"qlru-h11-m1-r0-u0",
					"qlru-h11-m1-r1-u2",
					"qlru-h21-m2-r0-u0-umo",
					"qlru-h20-m3-r1-u3",
					"qlru-h10-m0-r0-u1-umo",
					"random",
					"qlru-h11-mr31-r0-u0" };

enum { NAMES = sizeof POLICIES / sizeof *POLICIES };

static bool refer(struct sim_cache *cache, uint32_t line)
{
	uint32_t slot;

	if (sim_cache_touch(cache, line) != SIM_NONE)
		return true;
	sim_cache_insert(cache, line, &slot);
	return false;
}

/* The draw does not know what the cache holds: a hit is as likely as a line is to be resident. */
static void test_resident_set(void **state)
{
	static const uint32_t ways[] = { 3, 5, 8, 12, 40 };
	static const int slices[] = { 0, -1, 4, 3 };

	(void)state;
	for (int policy = 0; policy < NAMES; policy++)
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
			for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
				struct sim_shape shape = { .sets = 96, .ways = ways[w], .slices = slices[s] };
				uint32_t lines = 96 * 4 * ways[w];
				struct sim_random random;
				struct sim_cache cache;
				double hits = 0;

				assert_true(description_policy(POLICIES[policy], &shape.policy));
				assert_true(sim_cache_start(&cache, &shape, 7));
				sim_random_seed(&random, 3);
				for (int i = 0; i < 60000; i++) {
					bool hit = refer(&cache, (uint32_t)(sim_random_next(&random) % lines));

					hits += i >= 20000 && hit;
				}
				if (fabs(hits / 40000 - 0.25) > 0.02)
					fail_msg("%s, %u ways, slices %d: %g", POLICIES[policy], ways[w], slices[s],
						 hits / 40000);
				sim_cache_free(&cache);
			}
}

/* Misses per reference of a walk over `lines` lines in a fixed order, after `laps` laps. */
static double cyclic(const char *name, uint32_t sets, uint32_t ways, uint32_t lines, int laps)
{
	struct sim_shape shape = { .sets = sets, .ways = ways };
	struct sim_cache cache;
	double misses = 0;

	assert_true(description_policy(name, &shape.policy));
	assert_true(sim_cache_start(&cache, &shape, 11));
	for (int lap = 0; lap < 2 * laps; lap++)
		for (uint32_t line = 0; line < lines; line++)
			misses += !refer(&cache, line) && lap >= laps;
	sim_cache_free(&cache);
	return misses / laps / lines;
}

static void test_closed_forms(void **state)
{
	static const uint32_t ways[] = { 3, 4, 8, 12, 24 };

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		for (int part = 0; part <= 4; part++) {
			double a = ways[i], x = part / 4.0, f = 0.5;
			uint32_t lines = 128 * ways[i] + 32 * (uint32_t)part;

			assert_true(fabs(cyclic("lru", 128, ways[i], lines, 5) - x * (a + 1) / (a + x)) < 1e-9);
			assert_true(cyclic("tree-plru", 128, ways[i], 128 * ways[i], 5) == 0);
			/* The fixed point is that of many ways. */
			lines = 128 * ways[i] + 128 * ways[i] * (uint32_t)part / 4;
			if (ways[i] < 8)
				continue;
			for (int step = 0; step < 1000; step++)
				f = part ? 1 - exp(-(double)lines / (128 * a) * f) : 0;
			if (fabs(cyclic("random", 128, ways[i], lines, 200) - f) > 0.035)
				fail_msg("random, %u ways, %u lines: %g, not %g", ways[i], lines,
					 cyclic("random", 128, ways[i], lines, 200), f);
		}
}

/* A stretch as large as the cache fills every set of a hashed one evenly, or nearly so. */
static void test_indices(void **state)
{
	static const struct {
		int line;
		uint32_t sets;
		int slices, most; /* lines of a stretch of four times the sets that meet in one set */
	} rows[] = {
		{ __LINE__, 64, 0, 4 },      { __LINE__, 1000, 0, 5 },  { __LINE__, 96, 0, 5 },
		{ __LINE__, 64, -1, 4 },     { __LINE__, 1024, -1, 4 }, { __LINE__, 1000, -1, 12 },
		{ __LINE__, 1024, 4, 16 },   { __LINE__, 4096, 8, 16 }, { __LINE__, 3072, 3, 16 },
		{ __LINE__, 28672, 28, 20 }, { __LINE__, 1, -1, 4 },    { __LINE__, 64, 1, 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sim_shape shape = { .sets = rows[i].sets, .ways = 2, .slices = rows[i].slices };
		int *count = calloc(rows[i].sets, sizeof *count), most = 0;
		struct sim_cache cache;

		assert_true(count && sim_cache_start(&cache, &shape, 1));
		for (uint32_t line = 0; line < 4 * rows[i].sets; line++) {
			uint32_t set = sim_cache_set(&cache, line + (1u << 24));

			assert_true(set < rows[i].sets);
			if (++count[set] > most)
				most = count[set];
			if (!rows[i].slices)
				assert_int_equal(set, (line + (1u << 24)) % rows[i].sets);
		}
		if (most > rows[i].most)
			fail_msg("row at line %d: %d lines in one set", rows[i].line, most);
		sim_cache_free(&cache);
		free(count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resident_set),
		cmocka_unit_test(test_closed_forms),
		cmocka_unit_test(test_indices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_sim_laps.c - laps that are not taken, because all is as it was, cost what they would have
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine_file.h"
#include "memory/cache.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Cycles a step, over many stretches. */
static double mean(struct machine *machine, const struct walk *walk, long steps, int bursts)
{
	double sum = 0;

	for (int burst = 0; burst < bursts; burst++) {
		struct reading reading;

		if (machine->ops->walk(machine, walk, steps, MACHINE_BURST, &reading) != MACHINE_RAN)
			fail_msg("%s", reading.why);
		for (int i = 0; i < MACHINE_BURST; i++)
			sum += reading.ns[i];
	}
	return sum / MACHINE_BURST / bursts / (double)steps;
}

/* Stretches shorter than a lap are taken step by step. */
static void test_skipped_laps(void **state)
{
	static const struct {
		int line;
		const char *policy, *below;
	} rows[] = { { __LINE__, "lru", "none\nsector = 32\n[prefetch]\nstream = 4" },
		     { __LINE__, "lru", "none" },
		     { __LINE__, "fifo", "inclusive" },
		     { __LINE__, "tree-plru", "none" },
		     { __LINE__, "nru", "exclusive" },
		     { __LINE__, "random", "none" },
		     { __LINE__, "srrip", "victim" },
		     { __LINE__, "tree-plru", "inclusive" } };
	enum { PLACES = 21, SHORT = PLACES - 1, LONG = 60 * SHORT, STRETCHES = 60 };
	uint64_t places[PLACES];

	(void)state;
	for (int i = 0; i < PLACES; i++)
		places[i] = (uint64_t)(i * 8 % PLACES) * 4096;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct walk walk = { .order = WALK_CYCLE, .places = places, .count = PLACES };
		struct machine *machine[2];
		char text[1024];
		double by_step, by_laps;

		snprintf(text, sizeof(text),
			 "[machine]\nfrequency = 1 GHz\ntimer.cost = 0\n"
			 "[cache l1d]\nsize = 16 KiB\nways = 4\nlatency = 4\npolicy = %s\n"
			 "[cache l2]\nsize = 64 KiB\nways = 8\nlatency = 14\npolicy = %s\ninclusion = %s\n"
			 "[memory]\nlatency = 100 ns\nsize = 4 MiB\n"
			 "[tlb l1d]\nentries = 16\nways = 4\npenalty = 7\npolicy = %s\n"
			 "[noise]\njitter = 0\ntick.rate = 0\n",
			 rows[i].policy, rows[i].policy, rows[i].below, rows[i].policy);
		machine[0] = open_text(text, 1);
		machine[1] = open_text(text, 1);
		by_step = mean(machine[0], &walk, SHORT, STRETCHES);
		by_laps = mean(machine[1], &walk, LONG, 1);
		if (fabs(by_step / by_laps - 1) > 0.001)
			fail_msg("line %d: %g cycles and %g", rows[i].line, by_step, by_laps);
		machine[0]->ops->close(machine[0]);
		machine[1]->ops->close(machine[1]);
	}
}

/* The state is the same again only when all that follows will be. */
static void test_state(void **state)
{
	struct sim_shape shape = { .sets = 1, .ways = 3, .policy = { .kind = POLICY_LRU } };

	(void)state;
	for (int fixed = 0; fixed < 2; fixed++) {
		struct sim_cache cache;
		uint64_t first, other;
		uint32_t slot;

		shape.fixed = fixed;
		assert_true(sim_cache_start(&cache, &shape, 1));
		for (uint32_t line = 1; line <= 3; line++)
			sim_cache_insert(&cache, line, &slot);
		first = sim_cache_state(&cache, true);
		sim_cache_touch(&cache, 1);
		other = sim_cache_state(&cache, true);
		assert_true(other != first);
		sim_cache_touch(&cache, 2);
		sim_cache_touch(&cache, 3);
		assert_true(sim_cache_state(&cache, true) == first);
		sim_cache_insert(&cache, 4, &slot);
		assert_true(sim_cache_state(&cache, true) != first);
		/* In other slots, but in the same order. */
		for (uint32_t line = 1; line <= 3; line++)
			sim_cache_insert(&cache, line, &slot);
		assert_true(sim_cache_state(&cache, true) == first);
		/* With something beside the lines. */
		first = sim_cache_state(&cache, false);
		assert_true(sim_cache_state(&cache, false) == first);
		sim_cache_insert(&cache, 5, &slot);
		assert_true(sim_cache_state(&cache, false) != first);
		sim_cache_free(&cache);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_skipped_laps), cmocka_unit_test(test_state) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

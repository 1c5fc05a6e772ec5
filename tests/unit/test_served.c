/* SPDX-License-Identifier: MIT */
/*
 * test_served.c - what a second level holds, while others throw lines out of the third; and a value between points
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define NEIGHBOURS "[noise]\nneighbour.rate = 2e7\nneighbour.period = 20 ms\n"
#define ON_THE_CORE "[noise]\nneighbour.rate = 5e6\nneighbour.period = 0.02 ms\n" /* he never rests for long */
#define L1 \
	{ \
		32, 8, "", 0 \
	}

static struct served served_by(struct memory_lab *bench, double guess)
{
	struct serving level = { .guess = guess,
				 .line = 64,
				 .latency = memory_latency[1],
				 .above_step = memory_latency[1] - memory_latency[0],
				 .above_reach = 32 << 10,
				 .memory_ns = (200 - memory_latency[1]) * 0.5,
				 .cycle = 0.5 };

	return engine_served(&bench->lab, &level);
}

static void test_machines(void **state)
{
	static const struct {
		int line;
		struct memory_level levels[MEMORY_LEVELS + 1];
		const char *more;
		double guess; /* of the size */
		double reach; /* KiB; 0: not found */
	} rows[] = {
		{ __LINE__, { L1, { 512, 8, "", 0 }, { 4096, 16, "shared = 8\n", 0 } }, NEIGHBOURS, 1, 512 },
		{ __LINE__, { L1, { 512, 8, "", 0 }, { 4096, 16, "shared = 8\n", 0 } }, NEIGHBOURS, 2.2, 512 },
		{ __LINE__,
		  { L1, { 384, 6, "policy = random\n", 0 }, { 4096, 16, "shared = 8\n", 0 } },
		  NEIGHBOURS,
		  1,
		  384 },
		/* Somebody on the core itself, too: few of his lines stay among so many references. */
		{ __LINE__,
		  { L1, { 512, 8, "shared = 2\n", 0 }, { 4096, 16, "shared = 8\n", 0 } },
		  ON_THE_CORE,
		  1,
		  512 },
		/* An XOR of the frame's bits; frames anywhere. */
		{ __LINE__,
		  { L1, { 1024, 8, "index = hash\n", 0 }, { 8192, 16, "shared = 8\n", 0 } },
		  "[pages]\nframes = random\n" NEIGHBOURS,
		  1,
		  1024 },
		/* Memory is next: what the level does not serve is left out, and nothing tells of its end. */
		{ __LINE__, { L1, { 512, 8, "", 0 } }, "", 1, 0 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		if (left_out(i))
			continue;

		struct memory_lab bench;
		struct served served;

		memory_open(&bench, rows[i].levels, rows[i].more, 1);
		bench.lab.brief = i > 0; /* once, not the largest of three: simulated references are slow */
		served = served_by(&bench, rows[i].guess * rows[i].levels[1].kib * 1024);
		if (served.found != (rows[i].reach > 0))
			fail_msg("row at line %d: found %d, %g KiB", rows[i].line, served.found, served.reach / 1024);
		if (served.found && (fabs(served.reach / 1024 / rows[i].reach - 1) > 0.1 || fabs(served.step - 36) > 5))
			fail_msg("row at line %d: %g KiB, a step of %g cycles", rows[i].line, served.reach / 1024,
				 served.step);
		memory_close(&bench);
	}
}

static void test_between(void **state)
{
	/* In no order. */
	static const struct curve_point points[] = { { .bytes = 400 }, { .bytes = 100 }, { .bytes = 200 } };
	static const double values[] = { 8, 1, 4 };
	static const struct {
		int line, count;
		double bytes, value;
	} rows[] = {
		{ __LINE__, 0, 100, 0 },   { __LINE__, 3, 50, 0.5 }, { __LINE__, 3, 100, 1 },
		{ __LINE__, 3, 150, 2.5 }, { __LINE__, 3, 200, 4 },  { __LINE__, 3, 300, 6 },
		{ __LINE__, 3, 400, 8 },   { __LINE__, 3, 1e9, 8 },  { __LINE__, 1, 1000, 8 },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		double got = curve_between(points, values, rows[i].count, rows[i].bytes);

		if (fabs(got - rows[i].value) > 1e-9)
			fail_msg("row at line %d: %g", rows[i].line, got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_machines), cmocka_unit_test(test_between) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_traffic.c - bandwidth, loads under way and stores past the caches on simulated memories
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"
#include "traffic/traffic.h"

#define FILE_END \
	"[memory]\nbandwidth = 4 GB/s\nsize = 256 MiB\n[op store.*]\nlatency = 5\n" \
	"[cpus]\ncount = 2\nlatency = 60 ns\n"

static void begin(struct lab *lab)
{
	free(lab->finding.evidence);
	lab_start(lab, "test", "count");
}

static void test_spans(void **state)
{
	(void)state;
	assert_true(traffic_span(0, 32768, 1) == 16384);
	assert_true(traffic_span(32768, 1 << 20, INFINITY) == 1 << 19);
	assert_true(traffic_span(32768, 1 << 20, 4) == 1 << 17);
	/* Half of it would be in the level above. */
	assert_true(traffic_span(32768, 65536, 4) == 1.5 * 32768);
	assert_true(traffic_span(32768, 32768, 4) == 0);
	assert_true(traffic_leak(0, 1) == 0);
	assert_true(traffic_leak(100, 50) == 1);
	assert_true(fabs(traffic_leak(100, 400) - 0.02) < 0.002);
}

/* As many as the levels above may miss, or as the way up has room for. */
static void test_parallelism(void **state)
{
	static const int misses[] = { 4, 10, 23, 48 };

	(void)state;
	for (int i = 0; i < 4; i++) {
		char more[3][64];
		struct memory_level levels[] = {
			{ 16, 8, more[0], 0 }, { 64, 8, more[1], 0 }, { 1024, 16, more[2], 0 }, { .kib = 0 }
		};
		struct memory_lab bench;
		struct finding *finding = &bench.lab.finding;

		/* The first level's misses bind where the second serves, and the fewest of both further out. */
		snprintf(more[0], sizeof(more[0]), "misses = %d\n", i == 3 ? 48 : misses[i] + 2);
		snprintf(more[1], sizeof(more[1]), "misses = %d\n", misses[i]);
		snprintf(more[2], sizeof(more[2]), "bandwidth = %d\n", 64);
		memory_open(&bench, levels, "[memory]\nsize = 256 MiB\n", i + 1);
		bench.hierarchy.cycle = 0.5;
		traffic_parallelism(&bench.lab, 2);
		if (finding->outcome != MEASURED)
			fail_msg("%d: %s", misses[i], finding->reason);
		if (finding->value != misses[i] || finding->low > misses[i] || finding->high < misses[i])
			fail_msg("l3: %g, not %d", finding->value, misses[i]);
		begin(&bench.lab);
		traffic_parallelism(&bench.lab, 3);
		assert_int_equal(finding->outcome, MEASURED);
		if (finding->value != misses[i])
			fail_msg("memory: %g, not %d", finding->value, misses[i]);
		memory_close(&bench);
	}
}

/* A chain of pointers that nobody else's goes beside has one load under way; more chases than can be had are told. */
static void test_no_end(void **state)
{
	static const struct memory_level levels[] = { { 16, 8, "misses = 200\n", 0 }, { 512, 8, "", 0 }, { .kib = 0 } };
	struct memory_lab bench;

	(void)state;
	memory_open(&bench, levels, "[memory]\nsize = 256 MiB\nlatency = 3000 cycles\n", 1);
	bench.hierarchy.cycle = 0.5;
	bench.hierarchy.memory = 3000;
	traffic_parallelism(&bench.lab, 2);
	assert_int_equal(bench.lab.finding.outcome, UNCLEAR);
	memory_close(&bench);
}

static void near(struct lab *lab, const char *what, double value)
{
	if (lab->finding.outcome != MEASURED || fabs(lab->finding.value / value - 1) > 0.03)
		fail_msg("%s: %s, %g and not %g: %s", what, outcome_word(lab->finding.outcome), lab->finding.value,
			 value, lab->finding.reason);
	begin(lab);
}

/* The core's own loads and stores, the way from the second level, memory: what is least. 2 GHz. */
static void test_bandwidth(void **state)
{
	static const struct memory_level levels[] = { { 16, 8, "misses = 40\n", 0 },
						      { 256, 8, "bandwidth = 12\n", 0 },
						      { .kib = 0 } };
	struct memory_lab bench;
	struct lab *lab = &bench.lab;

	(void)state;
	memory_open(&bench, levels, FILE_END, 1);
	bench.hierarchy.cycle = 0.5;
	traffic_bandwidth(lab, 0, WALK_READ);
	near(lab, "l1d read", 256e9);
	traffic_bandwidth(lab, 0, WALK_WRITE);
	near(lab, "l1d write", 128e9);
	traffic_bandwidth(lab, 1, WALK_READ);
	near(lab, "l2 read", 24e9);
	/* A line comes up, and goes back. */
	traffic_bandwidth(lab, 1, WALK_WRITE);
	near(lab, "l2 write", 12e9);
	traffic_bandwidth(lab, 1, WALK_COPY);
	near(lab, "l2 copy", 16e9);
	traffic_bandwidth(lab, 2, WALK_READ);
	near(lab, "memory read", 4e9);
	traffic_crowd(lab, 2);
	near(lab, "memory, both CPUs", 4e9);
	traffic_crowd(lab, 0);
	near(lab, "l1d, both CPUs", 512e9);
	memory_close(&bench);
}

/* Streaming stores win where plain ones read a line from memory first: source and destination are each half of it. */
static void test_past(void **state)
{
	static const struct memory_level levels[] = { { 16, 8, "misses = 40\n", 0 }, { 256, 8, "", 0 }, { .kib = 0 } };
	struct memory_lab bench;
	const struct finding *finding = &bench.lab.finding;

	(void)state;
	memory_open(&bench, levels, FILE_END, 1);
	bench.hierarchy.cycle = 0.5;
	traffic_past(&bench.lab);
	assert_int_equal(finding->outcome, MEASURED);
	if (!(finding->low <= 140 * 1024 && finding->high >= 128 * 1024))
		fail_msg("%g [%g .. %g]", finding->value, finding->low, finding->high);
	memory_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_spans), cmocka_unit_test(test_parallelism),
					    cmocka_unit_test(test_no_end), cmocka_unit_test(test_bandwidth),
					    cmocka_unit_test(test_past) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

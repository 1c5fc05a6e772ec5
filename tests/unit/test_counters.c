/* SPDX-License-Identifier: MIT */
/*
 * test_counters.c - simulated counters, which of them are trusted, and how votes are counted
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "counters/counters.h"
#include "machine_file.h"
#include "recording/recording.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define CACHES \
	"[cache l1d]\nsize = 8 KiB\nways = 2\nlatency = 2 cycles\nline = 32\n" \
	"[cache l1i]\nsize = 8 KiB\nways = 2\nlatency = 2 cycles\nline = 32\n" \
	"[cache l2]\nsize = 64 KiB\nways = 4\nlatency = 9 cycles\nline = 32\n" \
	"[tlb l1d]\nentries = 16\nways = 4\npenalty = 9 cycles\n" \
	"[tlb l1i]\nentries = 8\nways = full\npenalty = 9 cycles\n" \
	"[memory]\nlatency = 50 cycles\nsize = 64 MiB\n"

struct bench {
	struct timer timer;
	struct lab lab;
};

static void open_bench(struct bench *bench, const char *counters)
{
	char text[4096], why[256] = "";

	snprintf(text, sizeof(text), SMALL_MACHINE("") CACHES "[counters]\n%s", counters);
	if (timer_open(&bench->timer, open_text(text, 1), 1e9, why, sizeof(why)) != MACHINE_RAN)
		fail_msg("%s", why);
	lab_open(&bench->lab, &bench->timer, NULL, NANO_BARRIER_ASM);
	lab_start(&bench->lab, "test", "count");
}

static void close_bench(struct bench *bench)
{
	struct machine *machine = bench->timer.machine;

	free(bench->lab.finding.evidence);
	free(bench->lab.counting);
	lab_close(&bench->lab);
	timer_close(&bench->timer);
	machine->ops->close(machine);
}

static double counted(struct machine *machine, const struct walk *walk, long steps, int count)
{
	struct reading reading;

	assert_int_equal(machine->ops->walk(machine, walk, steps, count, &reading), MACHINE_RAN);
	return reading.counted;
}

/* Rounds that are not simulated, because they repeat, count as much as those that are. */
static void test_rounds(void **state)
{
	static uint64_t places[512];
	struct machine *machine = open_text(SMALL_MACHINE("") CACHES "[counters]\nl1d.misses = exact\n"
								     "l2.misses = exact\ndtlb.misses = exact\n",
					    1);
	struct walk walk = { .order = WALK_CYCLE, .places = places, .count = 512, .event = WALK_L1D_MISSES };

	(void)state;
	for (int i = 0; i < 512; i++)
		places[i] = (uint64_t)i * 32;
	assert_true(counted(machine, &walk, 512, 1) == 512);
	assert_true(counted(machine, &walk, 512 * 100L, 3) == 512 * 300L);
	walk.count = 256;
	assert_true(counted(machine, &walk, 256 * 100L + 17, 2) == 0);
	/* One place more: three lines of one set take turns in two ways. */
	walk.count = 257;
	assert_true(counted(machine, &walk, 257 * 40L, 1) == 3 * 40);
	walk.event = WALK_L2_MISSES;
	assert_true(counted(machine, &walk, 257 * 40L, 1) == 0);
	walk.event = WALK_DTLB_MISSES;
	assert_true(counted(machine, &walk, 257 * 40L, 1) == 0);
	for (int i = 0; i < 17; i++)
		places[i] = (uint64_t)i * 4096;
	walk.count = 17;
	assert_true(counted(machine, &walk, 17 * 40L, 1) == 5 * 40);
	walk.event = WALK_NO_EVENT;
	assert_true(counted(machine, &walk, 17, 1) == 0);
	walk.event = WALK_ITLB_MISSES;
	assert_int_equal(machine->ops->walk(machine, &walk, 17, 1, &(struct reading){ 0 }), MACHINE_BLOCKED);
	machine->ops->close(machine);
}

/* What was counted comes back from a recording, and a question without a count is another one. */
static void test_recorded(void **state)
{
	static const uint64_t places[] = { 0, 4096, 8192, 12288 };
	struct walk walk = { .order = WALK_CYCLE, .places = places, .count = 4, .event = WALK_L1D_MISSES };
	struct machine *machine = open_text(SMALL_MACHINE("") CACHES "[counters]\nl1d.misses = noisy\n", 1);
	char path[512], error[256];
	struct reading reading;
	double before;

	(void)state;
	temporary_path(path, sizeof(path));
	machine = recording_make(machine, path, error, sizeof(error));
	assert_non_null(machine);
	before = counted(machine, &walk, 100, 2);
	counted(machine, &walk, 100, 2);
	machine->ops->close(machine);
	machine = recording_replay(path, error, sizeof(error));
	assert_non_null(machine);
	assert_true(counted(machine, &walk, 100, 2) == before);
	walk.event = WALK_NO_EVENT;
	assert_int_equal(machine->ops->walk(machine, &walk, 100, 2, &reading), MACHINE_FAULT);
	machine->ops->close(machine);
	unlink(path);
}

static void test_trust(void **state)
{
	static const struct {
		const char *counters;
		enum walk_event event;
		bool exists;
		const char *wrong; /* a part of why; NULL: it is trusted */
	} rows[] = {
		{ "l1d.misses = exact\n", WALK_L1D_MISSES, true, NULL },
		{ "l1d.misses = exact\noverhead = 5000\n", WALK_L1D_MISSES, true, NULL },
		{ "l1d.misses = noisy\nnoise = 0.02\nspikes = 0.3\nmultiplexed = 0.3\n", WALK_L1D_MISSES, true, NULL },
		{ "l1d.misses = exact\nrefused = yes\n", WALK_L1D_MISSES, false, "does not let us" },
		{ "l2.misses = exact\n", WALK_L1D_MISSES, false, "no counter of l1d.misses" },
		{ "l1d.misses = double\n", WALK_L1D_MISSES, true, "more than is missed" },
		{ "l1d.misses = nothing\n", WALK_L1D_MISSES, true, "nothing" },
		{ "l1d.misses = stuck\noverhead = 20\n", WALK_L1D_MISSES, true, "nothing" },
		{ "l1d.misses = wraps\n", WALK_L1D_MISSES, true, "counts" },
		{ "l1d.misses = dtlb.misses\n", WALK_L1D_MISSES, true, "less than is missed, or something else" },
		{ "l1d.misses = l1i.misses\n", WALK_L1D_MISSES, true, "nothing" },
		{ "l1d.misses = noisy\nmultiplexed = 1\n", WALK_L1D_MISSES, false, "others had the counter" },
		{ "l2.misses = l1d.misses\nl1d.misses = exact\n", WALK_L2_MISSES, true, "counts what l1d.misses does" },
		{ "l2.misses = exact\nl1d.misses = exact\n", WALK_L2_MISSES, true, NULL },
		{ "dtlb.misses = l1d.misses\n", WALK_DTLB_MISSES, true, "counts" },
		{ "dtlb.misses = exact\n", WALK_DTLB_MISSES, true, NULL },
		{ "l1i.misses = double\n", WALK_L1I_MISSES, true, "more than is missed" },
		{ "l1i.misses = itlb.misses\n", WALK_L1I_MISSES, true, "counts" },
		{ "itlb.misses = l1i.misses\n", WALK_ITLB_MISSES, true, "counts" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		const struct counter *counter;
		struct bench bench;

		open_bench(&bench, rows[i].counters);
		counter = counters_try(&bench.lab, rows[i].event);
		assert_non_null(counter);
		if (counter->exists != rows[i].exists || counter->trusted != !rows[i].wrong ||
		    !strstr(counter->why, rows[i].wrong ? rows[i].wrong : ""))
			fail_msg("row %d: %s%s: %s", i, counter->exists ? "" : "not there ",
				 counter->trusted ? "trusted" : "not trusted", counter->why);
		close_bench(&bench);
	}
}

static void test_answers(void **state)
{
	struct bench bench;

	(void)state;
	open_bench(&bench, "l1d.misses = noisy\nl2.misses = exact\ndtlb.misses = exact\noverhead = 31\n");
	assert_true(counters_try(&bench.lab, WALK_L1D_MISSES)->trusted);
	assert_true(counters_line(&bench.lab, WALK_L1D_MISSES)->value == 32);
	assert_true(counters_size(&bench.lab, WALK_L1D_MISSES)->value == 256);
	assert_true(counters_ways(&bench.lab, WALK_L1D_MISSES)->value == 2);
	assert_true(counters_same(&bench.lab, WALK_L1D_MISSES)->value == 1);
	assert_true(counters_try(&bench.lab, WALK_L2_MISSES)->trusted);
	assert_true(counters_size(&bench.lab, WALK_L2_MISSES)->value == 2048);
	assert_true(counters_ways(&bench.lab, WALK_L2_MISSES)->value == 4);
	assert_true(counters_unified(&bench.lab, WALK_L1D_MISSES)->value == 0);
	assert_true(counters_unified(&bench.lab, WALK_L2_MISSES)->value == 1);
	assert_true(counters_try(&bench.lab, WALK_DTLB_MISSES)->trusted);
	assert_true(counters_line(&bench.lab, WALK_DTLB_MISSES)->value == 4096);
	assert_true(counters_size(&bench.lab, WALK_DTLB_MISSES)->value == 16);
	assert_true(counters_ways(&bench.lab, WALK_DTLB_MISSES)->value == 4);
	close_bench(&bench);
}

static void test_wrong(void **state)
{
	(void)state;
	assert_null(counters_wrong(0, 1));
	assert_null(counters_wrong(0.049, 1.1));
	assert_null(counters_wrong(0, 0.9));
	assert_non_null(counters_wrong(0.05, 1));
	assert_non_null(counters_wrong(NAN, 1));
	assert_non_null(counters_wrong(0, NAN));
	assert_non_null(counters_wrong(0, 0));
	assert_non_null(counters_wrong(0, 0.89));
	assert_non_null(counters_wrong(0, 1.11));
}

static void test_votes(void **state)
{
	static const double answers[] = { 2, NAN, 4, NAN, 4, 4 };
	int times;

	(void)state;
	assert_true(isnan(counters_most_common(answers, 0, &times)));
	assert_int_equal(times, 0);
	assert_true(counters_most_common(answers, 1, &times) == 2);
	assert_int_equal(times, 1);
	/* Of as many votes each the first counts. */
	assert_true(counters_most_common(answers, 3, &times) == 2);
	assert_true(isnan(counters_most_common(answers, 4, &times)));
	assert_int_equal(times, 2);
	assert_true(counters_most_common(answers, 6, &times) == 4);
	assert_int_equal(times, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),  cmocka_unit_test(test_recorded), cmocka_unit_test(test_trust),
		cmocka_unit_test(test_answers), cmocka_unit_test(test_wrong),    cmocka_unit_test(test_votes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_segments.c - walks page by page: their places, the plateaus of their times, and both on simulated machines
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "levels/levels.h"
#include "machine_file.h"

enum { MOST_PLACES = 4096, MOST_TIMES = 40, BASE = 1 << 20 };

/* Every place once, a page at a time, neither pages nor places in a row, and no two pages in the same order. */
static void check_places(long count, long each)
{
	static uint64_t places[MOST_PLACES];
	static bool seen[MOST_PLACES];
	long pages = (count + each - 1) / each, entered = 0, in_row = 0, alike = 0;

	memset(seen, 0, sizeof(seen));
	segments_places(places, count, each, 64, BASE);
	for (long i = 0; i < count; i++)
		places[i] -= BASE;
	for (long i = 0; i < count; i++) {
		long place = (long)(places[i] / 64);

		assert_int_equal(places[i] % 64, 0);
		assert_in_range(place, 0, count - 1);
		assert_false(seen[place]);
		seen[place] = true;
		entered += i == 0 || place / each != (long)(places[i - 1] / 64) / each;
		in_row += i > 0 && places[i] == places[i - 1] + 64;
		alike += i >= each && place % each == (long)(places[i - each] / 64) % each;
	}
	assert_int_equal(entered, pages);
	if (count >= 256) {
		assert_true(in_row < count / 16);
		assert_true(alike < count / 16);
	}
}

static void test_places(void **state)
{
	(void)state;
	check_places(MOST_PLACES, 64);
	check_places(1000, 64); /* the last page is not whole */
	check_places(300, 1024); /* less than a page */
	check_places(64, 64);
	check_places(1, 64);
	check_places(5, 1);
}

/* Six sizes an octave from 1 KiB up; the times end at 0. */
static struct segments decided(const double *times)
{
	struct segments segments = { .plateaus = -1 };

	for (int i = 0; times[i] != 0; i++)
		segments.points[segments.count++] =
			(struct curve_point){ .bytes = 1024 * exp2(i / 6.0), .time = times[i] };
	segments_decide(&segments);
	return segments;
}

static void test_curves(void **state)
{
	static const struct {
		int line;
		double times[MOST_TIMES];
		int plateaus;
		double latency[4]; /* NaN: any */
		int last[4]; /* index of the largest size of each */
	} rows[] = {
		{ __LINE__, { 0 }, 0, { 0 }, { 0 } },
		{ __LINE__, { NAN, NAN, NAN, NAN, NAN, NAN }, 0, { 0 }, { 0 } },
		{ __LINE__, { 4, 4, 4 }, 0, { 0 }, { 0 } }, /* does not hold for long */
		{ __LINE__, { 4, 4, 4, 4, 4, 4, 4 }, 1, { 4 }, { 6 } },
		{ __LINE__, { 4, 4, 4, 4, 4, 14, 14, 14, 14, 14, 14 }, 2, { 4, 14 }, { 4, 10 } },
		/* Noise within a plateau, and one point that was disturbed: no level of its own, and no end of one. */
		{ __LINE__, { 4, 4.1, 4, 4.2, 4, 4.1, 14, 14.5, 15, 14.2, 14, 14.9 }, 2, { 4.05, 14.35 }, { 5, 11 } },
		{ __LINE__, { 4, 4, 4, 30, 4, 4, 4, 14, 14, 14, 14, 14, 14 }, 2, { 4, 14 }, { 6, 12 } },
		{ __LINE__, { 4, 4, NAN, 4, 4, 4, 14, 14, 14, NAN, 14, 14 }, 2, { 4, 14 }, { 5, 11 } },
		/* Two in a row cut a plateau, which is one all the same. */
		{ __LINE__, { 4, 4, 4, 4, 4, 30, 50, 4, 4, 4, 4, 4, 90, 90, 90, 90, 90 }, 2, { 4, 90 }, { 11, 16 } },
		/* Transitions: one point, and as gradual as frames at random make them. */
		{ __LINE__, { 4, 4, 4, 4, 4, 9, 14, 14, 14, 14, 14, 14 }, 2, { 4, 14 }, { 4, 11 } },
		{ __LINE__,
		  { 4, 4, 4, 4, 4, 5.5, 7, 9, 12, 16, 20, 26, 33, 40, 50, 60, 60, 60, 60, 60 },
		  2,
		  { 4, 60 },
		  { 4, 19 } },
		/* Three levels and memory. */
		{ __LINE__,
		  { 4, 4, 4, 4, 4, 4, 8, 12, 12, 12, 12, 12, 12, 20, 40, 40, 41, 40, 42, 90, 200, 200, 200, 205, 210 },
		  4,
		  { 4, 12, 40, 200 },
		  { 5, 12, 18, 24 } },
		/* A slow rise of all memory is not a level: the pages of page tables, say. */
		{ __LINE__,
		  { 4, 4, 4, 4, 4, 100, 105, 107, 110, 112, 118, 120, 122, 124, 126, 128, 130, 132 },
		  2,
		  { 4, NAN },
		  { 4, 17 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct segments segments = decided(rows[i].times);

		if (segments.plateaus != rows[i].plateaus)
			fail_msg("row at line %d: %d plateaus", rows[i].line, segments.plateaus);
		for (int j = 0; j < segments.plateaus; j++) {
			const struct plateau *plateau = &segments.plateau[j];

			if (fabs(plateau->latency - rows[i].latency[j]) > 1e-9 ||
			    plateau->reach != segments.points[rows[i].last[j]].bytes)
				fail_msg("row at line %d: plateau %d of %g up to %g", rows[i].line, j, plateau->latency,
					 plateau->reach);
		}
	}
}

/* A step that few of the places pay for. */
static void test_fine(void **state)
{
	struct segments segments = decided(
		(double[]){ 4, 4, 4, 4, 4, 59, 59, 59, 59, 59, 70, 70, 70, 70, 70, 109, 109, 109, 109, 109, 0 });

	(void)state;
	assert_int_equal(segments.plateaus, 3);
	segments_decide_finely(&segments);
	assert_int_equal(segments.plateaus, 4);
	assert_true(segments.plateau[1].latency == 59 && segments.plateau[2].latency == 70);
}

/* More steps than there is room for are not written past the end. */
static void test_many(void **state)
{
	struct segments segments = { .count = SEGMENTS_POINTS };

	(void)state;
	for (int i = 0; i < SEGMENTS_POINTS; i++)
		segments.points[i] = (struct curve_point){ .bytes = 512 * exp2(i / 6.0), .time = exp2(i / 6) };
	segments_decide(&segments);
	assert_int_equal(segments.plateaus, SEGMENTS_PLATEAUS);
}

#define L1 "[cache l1d]\nsize = 32 KiB\nways = 8\nlatency = 4\n"
#define L2 "[cache l2]\nsize = 256 KiB\nways = 8\nlatency = 14\n"
#define MEMORY(size) "[memory]\nlatency = 100 ns\nsize = " size "\n"

/* What engine_hierarchy would have found, so that only the walks in question are taken. */
static bool walked(const char *text, int levels, double reach, struct segments *segments)
{
	struct machine *machine = open_text(text, 1);
	struct timer timer;
	struct lab lab;
	char why[256] = "";
	bool seen;

	assert_int_equal(timer_open(&timer, machine, 0, why, sizeof(why)), MACHINE_RAN);
	lab_open(&lab, &timer, NULL, NANO_BARRIER_ASM);
	lab.cycle = 0.5 / timing_tick(&timer);
	lab.hierarchy = calloc(1, sizeof(*lab.hierarchy));
	assert_non_null(lab.hierarchy);
	lab.hierarchy->levels = levels;
	lab.hierarchy->level[levels - 1].reach = reach;
	lab.hierarchy->far_apart = 64;
	lab.hierarchy->page = 4096;
	lab.hierarchy->most = fmin(4 << 20, (double)machine->memory);
	*segments = *engine_segments(&lab);
	seen = segments->tried;
	free(lab.hierarchy);
	lab_close(&lab);
	timer_close(&timer);
	machine->ops->close(machine);
	return seen;
}

static void test_machines(void **state)
{
	static const struct {
		int line;
		const char *text;
		int levels;
		double reach; /* of the last */
		double latency[3]; /* 0: not seen; the last is memory's */
	} rows[] = {
		{ __LINE__, SMALL_MACHINE("") L1 MEMORY("8 MiB"), 1, 32 << 10, { 4, 200 } },
		{ __LINE__, SMALL_MACHINE("") L1 L2 MEMORY("8 MiB"), 2, 256 << 10, { 4, 14, 200 } },
		/* The law may have missed a level: the walks go on as far as its did. */
		{ __LINE__, SMALL_MACHINE("") L1 L2 MEMORY("8 MiB"), 1, 32 << 10, { 4, 14, 200 } },
		{ __LINE__,
		  SMALL_MACHINE("") L1 L2 "policy = random\n" MEMORY("8 MiB") "[pages]\nframes = random\n",
		  2,
		  256 << 10,
		  { 4, 14, 200 } },
		{ __LINE__,
		  SMALL_MACHINE("") L1 L2 "inclusion = exclusive\n" MEMORY("8 MiB"),
		  2,
		  288 << 10,
		  { 4, 14, 200 } },
		/* A TLB that a walk over single lines would miss each time. */
		{ __LINE__,
		  SMALL_MACHINE("") L1 L2 MEMORY("8 MiB") "[tlb d]\nentries = 16\nways = full\npenalty = 30\n",
		  2,
		  256 << 10,
		  { 4, 14, 200 } },
		{ __LINE__, SMALL_MACHINE("") L1 L2 MEMORY("512 KiB"), 2, 256 << 10, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct segments segments = { .plateaus = 0 };
		bool seen = walked(rows[i].text, rows[i].levels, rows[i].reach, &segments);
		int wanted = 0;

		while (wanted < 3 && rows[i].latency[wanted] > 0)
			wanted++;
		if (seen != (wanted > 0) || segments.plateaus != wanted)
			fail_msg("row at line %d: %d plateaus", rows[i].line, segments.plateaus);
		for (int j = 0; j < wanted; j++)
			if (fabs(segments.plateau[j].latency / rows[i].latency[j] - 1) > 0.06)
				fail_msg("row at line %d: plateau %d of %g", rows[i].line, j,
					 segments.plateau[j].latency);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places), cmocka_unit_test(test_curves),   cmocka_unit_test(test_fine),
		cmocka_unit_test(test_many),   cmocka_unit_test(test_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

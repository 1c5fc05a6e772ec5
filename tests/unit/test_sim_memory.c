/* SPDX-License-Identifier: MIT */
/*
 * test_sim_memory.c - the simulated memory: levels, frames, TLBs, prefetchers
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory/hierarchy.h"
#include "memory/memory.h"

#define HEAD "[machine]\nfrequency = 2 GHz\n"
#define L1(more) "[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n" more
#define L2(more) "[cache l2]\nsize = 32 KiB\nways = 8\nlatency = 14\n" more
#define L3(more) "[cache l3]\nsize = 96 KiB\nways = 12\nlatency = 40\n" more
#define MEMORY "[memory]\nlatency = 100 ns\nsize = 64 MiB\n"
#define PLAIN HEAD L1("") L2("") MEMORY
#define TWO_TLBS PLAIN "[tlb l1d]\nentries = 4\nways = 4\npenalty = 7\n[tlb l2]\nentries = 8\nways = 8\npenalty = 20\n"

static struct description *read_text(const char *text, char *error, size_t size)
{
	char path[] = "/tmp/xray-memory-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct description *description;

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	description = description_read(path, NULL, error, size);
	unlink(path);
	return description;
}

enum { SEEDS = 800 };

struct bench {
	struct description *description;
	struct sim_memory *memory;
};

static struct bench start(const char *text, uint64_t seed)
{
	char error[512] = "";
	struct bench bench = { .description = read_text(text, error, sizeof error) };

	if (!bench.description)
		fail_msg("%s", error);
	bench.memory = sim_memory_new(bench.description, NULL, seed);
	assert_non_null(bench.memory);
	return bench;
}

static void finish(struct bench *bench)
{
	sim_memory_free(bench->memory);
	description_free(bench->description);
}

/* Cycles per load of a walk round `count` places, `stride` bytes apart, after five laps. */
static double lap(struct bench *bench, enum walk_pages pages, long count, uint64_t stride)
{
	double cycles = 0;

	for (int i = 0; i < 10; i++)
		for (long at = 0; at < count; at++)
			cycles += sim_memory_load(bench->memory, pages, 1, (uint64_t)at * stride) * (i >= 5);
	return cycles / 5 / (double)count;
}

static void test_levels(void **state)
{
	static const struct {
		int line;
		const char *text;
		long count;
		uint64_t stride;
		double cycles;
	} rows[] = {
		{ __LINE__, PLAIN, 64, 64, 4 },
		{ __LINE__, PLAIN, 128, 64, 14 },
		{ __LINE__, PLAIN, 512, 64, 14 },
		{ __LINE__, PLAIN, 1024, 64, 200 },
		{ __LINE__, PLAIN, 4, 1024, 4 },
		{ __LINE__, PLAIN, 5, 1024, 14 },
		{ __LINE__, PLAIN, 9, 4096, 200 },
		{ __LINE__, HEAD MEMORY, 9, 4096, 200 },
		{ __LINE__, HEAD L1("") L2("inclusion = exclusive\n") MEMORY, 576, 64, 14 },
		{ __LINE__, HEAD L1("") L2("inclusion = exclusive\n") MEMORY, 12, 4096, 14 },
		{ __LINE__, HEAD L1("") L2("inclusion = exclusive\n") MEMORY, 13, 4096, 200 },
		{ __LINE__, HEAD L1("") L2("inclusion = inclusive\n") MEMORY, 8, 4096, 14 },
		{ __LINE__, HEAD L1("") L2("") L3("inclusion = victim\n") MEMORY, 1536, 64, 40 },
		{ __LINE__, HEAD L1("") L2("") L3("inclusion = exclusive\n") MEMORY, 2048, 64, 40 },
		{ __LINE__, HEAD L1("line = 32\n") MEMORY, 4, 32, 4 },
		{ __LINE__, HEAD L1("line = 64\nsector = 16\n") MEMORY, 256, 16, 4 },
		{ __LINE__, HEAD L1("holds = code\n") L2("") MEMORY, 512, 64, 14 },
		{ __LINE__, HEAD "[cache l1d]\nsize = 3000\nways = full\nline = 8\nlatency = 3\n" MEMORY, 375, 8, 3 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 16\nways = full\npenalty = 7\n", 16, 4096 + 64, 4 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 16\nways = full\npenalty = 7\n", 17, 4096 + 64, 11 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 16\nways = 4\npenalty = 7\n", 5, 16448, 11 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 16\nways = 4\npenalty = 7\npages = 2 MiB\n", 5, 16448, 4 },
		{ __LINE__, TWO_TLBS, 8, 4096 + 64, 11 },
		{ __LINE__, TWO_TLBS, 9, 4096 + 64, 31 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 8\nways = 8\npenalty = 7\ncoalescing = 4\n", 32, 4096 + 64, 4 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 8\nways = 2\npenalty = 7\ncoalescing = 4\n", 32, 4096 + 64, 4 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 8\nways = 8\npenalty = 7\ncoalescing = 4\n", 36, 4096 + 64,
		  4 + 7 / 4.0 },
		{ __LINE__,
		  PLAIN "[tlb l1d]\nentries = 8\nways = 8\npenalty = 7\ncoalescing = 4\n"
			"[pages]\nframes = random\n",
		  32, 4096 + 64, 11 },
		{ __LINE__, PLAIN "[tlb l1d]\nentries = 8\nways = 8\npenalty = 7\n[pages]\ntables = l2\n", 16,
		  4096 + 64, 4 + 7 + 14 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct bench bench = start(rows[i].text, 1);
		double cycles = lap(&bench, WALK_BASE_PAGES, rows[i].count, rows[i].stride);

		if (fabs(cycles - rows[i].cycles) > 1e-9 * cycles)
			fail_msg("row at line %d: %g cycles, not %g", rows[i].line, cycles, rows[i].cycles);
		finish(&bench);
	}
}

/* A place in every level, and what must hold of the levels after any loads. */
static void test_inclusion(void **state)
{
	static const struct {
		int line;
		const char *text;
		int above, below;
		bool inclusive;
	} rows[] = {
		{ __LINE__, HEAD L1("") L2("inclusion = exclusive\n") MEMORY, 0, 1, false },
		{ __LINE__, HEAD L1("policy = random\n") L2("inclusion = exclusive\npolicy = srrip\n") MEMORY, 0, 1,
		  false },
		{ __LINE__, HEAD L1("") L2("inclusion = inclusive\npolicy = random\n") MEMORY, 0, 1, true },
		{ __LINE__,
		  HEAD L1("") L2("inclusion = exclusive\n") L3("inclusion = inclusive\nindex = hash\n") MEMORY, 0, 2,
		  true },
		{ __LINE__,
		  HEAD L1("") L2("inclusion = exclusive\n") L3("inclusion = inclusive\nindex = hash\n") MEMORY, 1, 2,
		  true },
		{ __LINE__, HEAD L1("") L2("") L3("inclusion = exclusive\nindex = hash:2\n") MEMORY, 1, 2, false },
		{ __LINE__, HEAD L1("line = 32\n") L2("line = 128\ninclusion = inclusive\n") MEMORY, 0, 1, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct bench bench = start(rows[i].text, 1);
		struct sim_hierarchy hierarchy;
		struct sim_random random;

		assert_true(sim_hierarchy_start(&hierarchy, bench.description, NULL, 5));
		sim_random_seed(&random, 9);
		for (int turn = 0; turn < 60000; turn++) {
			uint64_t address = sim_random_next(&random) % 4096 * 64;
			const struct sim_level *above = hierarchy.levels[rows[i].above],
					       *below = hierarchy.levels[rows[i].below];

			sim_hierarchy_load(&hierarchy, SIM_DATA, address, 0);
			address = sim_random_next(&random) % 4096 * 64;
			if (sim_cache_has(&above->cache, (uint32_t)(address >> above->shift)) &&
			    sim_cache_has(&below->cache, (uint32_t)(address >> below->shift)) != rows[i].inclusive)
				fail_msg("row at line %d: turn %d", rows[i].line, turn);
		}
		sim_hierarchy_free(&hierarchy);
		finish(&bench);
	}
}

/* Random frames: a page shares its set of pages with others by chance. */
static void test_frames(void **state)
{
	static const char text[] =
		HEAD "[cache l1d]\nsize = 512 KiB\nways = 8\nlatency = 1\n[memory]\nlatency = 2\nsize = 64 MiB\n"
		     "[pages]\nframes = %s\n%s";
	double expected = 0, missed[5] = { 0 };
	char filled[512];

	(void)state;
	/* 128 pages on 16 colours: the other 127 put 8 or more on mine. */
	for (int k = 8; k <= 127; k++)
		expected +=
			exp(lgamma(128) - lgamma(k + 1) - lgamma(128 - k) - k * log(16) + (127 - k) * log(15.0 / 16));
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		static const struct {
			const char *frames, *more;
			enum walk_pages pages;
		} kinds[] = { { "random", "", WALK_BASE_PAGES },
			      { "random", "huge = 2 MiB\n", WALK_HUGE_PAGES },
			      { "coloured", "colours = 16\n", WALK_BASE_PAGES },
			      { "contiguous", "host = 4 KiB\nhuge = 2 MiB\n", WALK_HUGE_PAGES },
			      { "contiguous", "", WALK_BASE_PAGES } };

		for (int kind = 0; kind < 5; kind++) {
			struct bench bench;

			if (kind && seed > SEEDS / 8)
				continue;
			snprintf(filled, sizeof filled, text, kinds[kind].frames, kinds[kind].more);
			bench = start(filled, seed);
			missed[kind] += lap(&bench, kinds[kind].pages, 128, 4096) - 1;
			finish(&bench);
		}
	}
	if (fabs(missed[0] / SEEDS - expected) > 0.01)
		fail_msg("%g of the pages miss, not %g", missed[0] / SEEDS, expected);
	assert_true(missed[1] == 0 && missed[2] == 0 && missed[4] == 0);
	assert_true(fabs(missed[3] / (SEEDS / 8) - expected) < 0.04);
}

static void test_arenas(void **state)
{
	struct bench bench = start(PLAIN "[pages]\nhuge = 2 MiB\nframes = random\n", 1);

	(void)state;
	for (int kind = 0; kind < 2; kind++)
		for (int arena = -1; arena < 8; arena++) {
			assert_true(sim_memory_arena(bench.memory, (enum walk_pages)kind, arena));
			assert_true(sim_memory_load(bench.memory, (enum walk_pages)kind, arena, 4096) == 200);
			assert_true(sim_memory_load(bench.memory, (enum walk_pages)kind, arena, 4096) == 4);
		}
	finish(&bench);
}

static void test_prefetch(void **state)
{
	static const struct {
		int line;
		const char *prefetch;
		uint64_t seen[4], hit, missed;
	} rows[] = {
		{ __LINE__, "next-line = yes\n", { 64, 64, 64, 64 }, 128, 192 },
		{ __LINE__, "adjacent = yes\n", { 64, 64, 64, 64 }, 0, 128 },
		{ __LINE__, "adjacent = yes\ninto = l1d\n", { 256, 256, 256, 256 }, 320, 192 },
		{ __LINE__, "stream = 2\n", { 0, 64, 128, 128 }, 256, 320 },
		{ __LINE__, "stream = 2\n", { 0, 64, 64, 64 }, 64, 128 },
		{ __LINE__, "stride = yes\n", { 0, 192, 384, 384 }, 576, 512 },
		{ __LINE__, "next-line = yes\n", { 4032, 4032, 4032, 4032 }, 4032, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[512];

		snprintf(text, sizeof text, "%s[prefetch]\n%s", PLAIN, rows[i].prefetch);
		/* Afresh for each question, since an answer is a miss that prefetchers learn from. */
		for (int question = 0; question < 2; question++) {
			struct bench bench = start(text, 1);
			double cycles;

			for (int k = 0; k < 4; k++)
				sim_memory_load(bench.memory, WALK_BASE_PAGES, 1, rows[i].seen[k]);
			cycles = sim_memory_load(bench.memory, WALK_BASE_PAGES, 1,
						 question ? rows[i].missed : rows[i].hit);
			if (question ? cycles < 200 : cycles > 14)
				fail_msg("row at line %d, question %d: %g", rows[i].line, question, cycles);
			finish(&bench);
		}
	}
}

/* What followed a line last time is there when it comes again. */
static void test_temporal(void **state)
{
	struct bench bench = start(HEAD L1("") L2("") MEMORY "[prefetch]\ntemporal = yes\n", 1);
	double cycles = 0;

	(void)state;
	/* In an order that no other prefetcher follows, over more than all caches hold. */
	for (uint64_t at = 0; at < 2 * 4096; at++) {
		uint64_t place = at * 1103515245 % 4096 * 64;

		cycles += sim_memory_load(bench.memory, WALK_BASE_PAGES, 1, place) * (at >= 4096);
	}
	assert_true(cycles / 4096 < 15);
	finish(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels), cmocka_unit_test(test_inclusion), cmocka_unit_test(test_frames),
		cmocka_unit_test(test_arenas), cmocka_unit_test(test_prefetch),  cmocka_unit_test(test_temporal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

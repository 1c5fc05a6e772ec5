/* SPDX-License-Identifier: MIT */
/*
 * test_pages.c - pages and TLBs are found on small simulated machines, and what is no TLB is not taken for one
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "memory_lab.h"
#include "pages/pages.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct memory_level caches[MEMORY_LEVELS] = { { 32, 8, "", 0 }, { 512, 8, "", 0 }, { 0, 0, "", 0 } };

static void open_lab(struct memory_lab *bench, const char *more)
{
	memory_open(bench, caches, more, 1);
	bench->timer.machine->identity.page_bytes = 4096;
}

static void close_lab(struct memory_lab *bench)
{
	free(bench->lab.paging);
	free(bench->lab.huge_paging);
	memory_close(bench);
}

static void test_tlbs(void **state)
{
	static const struct {
		int line;
		const char *text;
		double entries[2], ways[2], penalty[2]; /* 0: no such TLB */
	} rows[] = {
		{ __LINE__, "[tlb l1d]\nentries = 64\nways = 4\npenalty = 12\n", { 64, 0 }, { 4, 0 }, { 12, 0 } },
		{ __LINE__, "[tlb l1d]\nentries = 96\nways = 6\npenalty = 7\n", { 96, 0 }, { 6, 0 }, { 7, 0 } },
		{ __LINE__,
		  "[tlb l1d]\nentries = 17\nways = full\npenalty = 30\npolicy = random\n",
		  { 17, 0 },
		  { 17, 0 },
		  { 30, 0 } },
		/* Three times a power of two sets; direct mapping behind a nearest one. */
		{ __LINE__,
		  "[tlb l1d]\nentries = 72\nways = full\npenalty = 7\n[tlb l2d]\nentries = 768\nways = 8\npenalty = 25\n",
		  { 72, 768 },
		  { 72, 8 },
		  { 7, 25 } },
		{ __LINE__,
		  "[tlb l1d]\nentries = 40\nways = full\npenalty = 8\n[tlb l2d]\nentries = 512\nways = 1\npenalty = 40\n",
		  { 40, 512 },
		  { 40, 1 },
		  { 8, 40 } },
		/* Sets in numbers that have little in common. */
		{ __LINE__,
		  "[tlb l1d]\nentries = 144\nways = 3\npenalty = 3\n[tlb l2d]\nentries = 960\nways = 12\npenalty = 16\n"
		  "policy = random\n",
		  { 144, 960 },
		  { 3, 12 },
		  { 3, 16 } },
		/* Neighbours in one set that frames in no order hide: more than it holds, and whole groups of them. */
		{ __LINE__,
		  "[pages]\nframes = random\n[tlb l1d]\nentries = 80\nways = 2\npenalty = 56\ncoalescing = 4\n",
		  { 80, 0 },
		  { 2, 0 },
		  { 56, 0 } },
		/* Three sets of six, in groups of four: neither rows nor strides below the group tell. */
		{ __LINE__,
		  "[pages]\nframes = random\n[tlb l1d]\nentries = 18\nways = 6\npenalty = 15\ncoalescing = 4\n",
		  { 18, 0 },
		  { 6, 0 },
		  { 15, 0 } },
		/* A cache of upper tables is no TLB. */
		{ __LINE__,
		  "[tlb l1d]\nentries = 64\nways = full\npenalty = 20\n[tlb pde]\nentries = 4\nways = full\npenalty = 30\n"
		  "covers = 64 MiB\n",
		  { 64, 0 },
		  { 64, 0 },
		  { 20, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (left_out(i))
			continue;

		struct memory_lab bench;
		struct paging *paging;

		open_lab(&bench, rows[i].text);
		paging = engine_paging(&bench.lab);
		if (paging->page != 4096 || paging->bent || paging->levels != (rows[i].entries[1] > 0) + 1)
			fail_msg("line %d: page %g, %d TLBs", rows[i].line, paging->page, paging->levels);
		for (int j = 0; j < paging->levels; j++) {
			const struct tlb_sets *sets = engine_tlb_sets(&bench.lab, paging, j);

			if (!sets->found || sets->ways != rows[i].ways[j] ||
			    sets->ways * sets->sets != rows[i].entries[j])
				fail_msg("line %d: TLB %d: %g ways, %g sets: %s", rows[i].line, j, sets->ways,
					 sets->sets, sets->why);
			if (fabs(paging->tlb[j].penalty - rows[i].penalty[j]) > 0.5)
				fail_msg("line %d: TLB %d: %g cycles", rows[i].line, j, paging->tlb[j].penalty);
		}
		close_lab(&bench);
	}
}

static void test_page_sizes(void **state)
{
	/* There is not memory enough to see huge pages; there is to see that they are none. */
	static const struct {
		int line;
		const char *text, *tlb;
		double base, huge;
	} rows[] = {
		{ __LINE__, "size = 4 KiB\n", "ways = full", 4096, 0 },
		{ __LINE__, "size = 16 KiB\n", "ways = full", 16384, 0 },
		{ __LINE__, "host = 4 KiB\n", "ways = full", 4096, 4096 },
		{ __LINE__, "host = 64 KiB\n", "ways = full", 4096, 65536 },
		/* Two neighbours do not fit into one set, whatever else there is. */
		{ __LINE__, "host = 4 KiB\n", "ways = 1\ncoalescing = 2", 4096, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (left_out(i))
			continue;

		char text[512];
		struct memory_lab bench;
		double base, huge;

		snprintf(text, sizeof(text), "[pages]\n%s[tlb l1d]\nentries = 48\npenalty = 20\n%s\n", rows[i].text,
			 rows[i].tlb);
		open_lab(&bench, text);
		base = pages_size(&bench.lab, WALK_BASE_PAGES).bytes;
		huge = pages_size(&bench.lab, WALK_HUGE_PAGES).bytes;
		if (base != rows[i].base || huge != rows[i].huge)
			fail_msg("line %d: %g and %g bytes", rows[i].line, base, huge);
		close_lab(&bench);
	}
}

static void test_neighbours_share(void **state)
{
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	open_lab(&bench, "[tlb l1d]\nentries = 64\nways = full\npenalty = 35\ncoalescing = 2\n");
	paging = engine_paging(&bench.lab);
	assert_true(paging->seen.bytes == 8192);
	assert_true(paging->page == 4096);
	assert_true(paging->sharing == 2);
	assert_true(engine_tlb_sets(&bench.lab, paging, 0)->ways == 64);
	close_lab(&bench);
}

/* Tables have a line for sixteen pages each, in a small cache: that costs more than the TLB does. */
static void test_tables_are_no_pages(void **state)
{
	static const struct memory_level small[MEMORY_LEVELS] = { { 4, 1, "", 0 }, { 96, 6, "line = 128\n", 0 } };
	struct memory_lab bench;

	(void)state;
	memory_open(&bench, small,
		    "[tlb l1d]\nentries = 24\nways = full\npenalty = 6\n[pages]\nhost = 4 KiB\ntables = l2\n", 1);
	bench.timer.machine->identity.page_bytes = 4096;
	assert_true(engine_paging(&bench.lab)->page == 4096);
	assert_true(bench.lab.paging->tlb[0].entries < 25);
	close_lab(&bench);
}

static void test_even(void **state)
{
	static const struct {
		int line;
		double ways, sets, neighbours, group;
		bool even;
	} rows[] = {
		{ __LINE__, 4, 16, 1, 1, true },  { __LINE__, 4, 16, 2, 1, true },  { __LINE__, 3, 16, 2, 1, false },
		{ __LINE__, 3, 16, 2, 2, true },  { __LINE__, 6, 16, 4, 2, true },  { __LINE__, 6, 16, 4, 1, false },
		{ __LINE__, 1, 16, 4, 1, false }, { __LINE__, 4, 16, 1, 2, false }, /* every other set is left out */
		{ __LINE__, 64, 1, 2, 1, true },  { __LINE__, 0, 0, 0, 2, true }, /* one set; nothing is known */
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct tlb_sets sets = { .ways = rows[i].ways, .sets = rows[i].sets, .neighbours = rows[i].neighbours };

		if (paging_is_even(&sets, rows[i].group) != rows[i].even)
			fail_msg("line %d", rows[i].line);
	}
}

/* Half of the penalty shows at twice the entries; less of it if there are more. */
static void test_what_a_penalty_may_be_more(void **state)
{
	struct tlb tlb = { .entries = 1000, .low = 900, .high = 1250, .penalty = 30 };

	(void)state;
	assert_true(fabs(pages_penalty_more(&tlb, 2000) - 10) < 1e-6);
	assert_true(pages_penalty_more(&tlb, 1e6) < 0.01);
	assert_true(isinf(pages_penalty_more(&tlb, 1250)));
}

/* One page of each group, and pages in a row on all frames alike. */
static void test_groups_use_all_frames(void **state)
{
	enum { FRAMES = 4, UNITS = 32 };

	(void)state;
	for (int group = 1; group <= 8; group *= 2) {
		struct paging paging = { .group = group };
		int used[FRAMES] = { 0 };

		for (long unit = 0; unit < UNITS; unit++) {
			long page = tour_page(&paging, unit);

			assert_true(page / group == unit);
			used[page % FRAMES]++;
		}
		for (int i = 0; i < FRAMES; i++)
			assert_int_equal(used[i], UNITS / FRAMES);
	}
}

static void test_nothing_to_see(void **state)
{
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	open_lab(&bench, "");
	paging = engine_paging(&bench.lab);
	assert_true(paging->seen.bytes == 0);
	assert_int_equal(paging->levels, 0);
	close_lab(&bench);
}

static void test_promotion(void **state)
{
	static const struct {
		const char *after;
		enum stat_verdict larger;
		bool at_once;
	} rows[] = { { "100 s", STAT_NO, false }, { "1 us", STAT_YES, true } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct promotion promotion;
		char text[256];

		snprintf(text, sizeof(text),
			 "[pages]\nhuge = 2 MiB\npromotion = %s\n[tlb l1d]\nentries = 48\nways = full\npenalty = 20\n",
			 rows[i].after);
		open_lab(&bench, text);
		promotion = engine_promotion(&bench.lab);
		assert_int_equal(promotion.larger, rows[i].larger);
		if (rows[i].at_once)
			assert_true(promotion.after == 0);
		close_lab(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_tlbs),
					    cmocka_unit_test(test_page_sizes),
					    cmocka_unit_test(test_neighbours_share),
					    cmocka_unit_test(test_tables_are_no_pages),
					    cmocka_unit_test(test_even),
					    cmocka_unit_test(test_groups_use_all_frames),
					    cmocka_unit_test(test_what_a_penalty_may_be_more),
					    cmocka_unit_test(test_nothing_to_see),
					    cmocka_unit_test(test_promotion) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

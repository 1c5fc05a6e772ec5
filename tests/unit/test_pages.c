/* SPDX-License-Identifier: MIT */
/*
 * test_pages.c - pages and TLBs are found on small simulated machines, and what is no TLB is not taken for one
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

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
		const char *text;
		double base, huge;
	} rows[] = {
		{ __LINE__, "[pages]\nsize = 4 KiB\n", 4096, 0 },
		{ __LINE__, "[pages]\nsize = 16 KiB\n", 16384, 0 },
		{ __LINE__, "[pages]\nhost = 4 KiB\n", 4096, 4096 },
		{ __LINE__, "[pages]\nhost = 64 KiB\n", 4096, 65536 },
	};
	static const char tlb[] = "[tlb l1d]\nentries = 48\nways = full\npenalty = 20\n";

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[512];
		struct memory_lab bench;
		double base, huge;

		snprintf(text, sizeof(text), "%s%s", rows[i].text, tlb);
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
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_tlbs), cmocka_unit_test(test_page_sizes),
					    cmocka_unit_test(test_neighbours_share),
					    cmocka_unit_test(test_nothing_to_see), cmocka_unit_test(test_promotion) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

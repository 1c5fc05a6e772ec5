/* SPDX-License-Identifier: MIT */
/*
 * test_page_kinds.c - TLBs of huge pages, of pages that are smaller than the system's, and of neighbours that share
 * entries, on small simulated machines
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "memory_lab.h"
#include "pages/pages.h"

static void open_lab(struct memory_lab *bench, double kib, int ways, const char *more)
{
	struct memory_level caches[MEMORY_LEVELS] = { { kib, ways, "", 0 }, { 512, 8, "", 0 }, { 0, 0, "", 0 } };

	memory_open(bench, caches, more, 1);
}

static void assert_sets(struct memory_lab *bench, struct paging *paging, int depth, double ways, double sets)
{
	const struct tlb_sets *found = engine_tlb_sets(&bench->lab, paging, depth);

	if (!found->found || found->ways != ways || found->sets != sets)
		fail_msg("%g ways, %g sets: %s", found->ways, found->sets, found->why);
}

static void close_lab(struct memory_lab *bench)
{
	free(bench->lab.paging);
	free(bench->lab.huge_paging);
	memory_close(bench);
}

/* Goldmont Plus: between them they hold more than either, which is what the law sees. */
static void test_two_of_as_many_entries(void **state)
{
	struct memory_lab bench;
	struct paging *huge;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[memory]\nsize = 1 GiB\n[tlb l1d]\nentries = 32\nways = full\npenalty = 8\n"
		 "[tlb l2]\nentries = 512\nways = 4\npenalty = 25\npages = 4 KiB\n"
		 "[tlb l2-huge]\nentries = 32\nways = 4\npenalty = 25\npages = 2 MiB\n");
	engine_paging(&bench.lab);
	huge = engine_huge_paging(&bench.lab);
	assert_true(paging_is_huge(&bench.lab));
	assert_true(huge->levels > 0 && huge->tlb[0].entries > 34);
	assert_sets(&bench, huge, 0, 32, 1);
	/* Half of them would be no explanation. */
	assert_true(pages_allow_for(&bench.lab, huge, 32));
	assert_false(pages_allow_for(&bench.lab, huge, 16));
	close_lab(&bench);
}

/* A hypervisor's pages are smaller, and lie anywhere: a nearest cache of two ways may not bend the law. */
static void test_smaller_than_the_systems(void **state)
{
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	open_lab(
		&bench, 16, 2,
		"[pages]\nsize = 64 KiB\nhost = 4 KiB\nframes = random\n[tlb l1d]\nentries = 18\nways = 2\npenalty = 5\n"
		"[tlb l2d]\nentries = 80\nways = 2\npenalty = 50\n");
	paging = engine_paging(&bench.lab);
	assert_true(paging->page == 4096 && paging->system == 65536);
	assert_int_equal(paging->levels, 2);
	assert_true(!paging->bent && fabs(paging->tlb[0].penalty - 5) < 0.3);
	assert_sets(&bench, paging, 0, 2, 9);
	assert_sets(&bench, paging, 1, 2, 40);
	close_lab(&bench);
}

/* A miss that costs little is told from what a row of pages does to a cache; so is a TLB that few pages fill. */
static void test_neighbours_share_entries(void **state)
{
	static const struct {
		int line, ways;
		double kib, sharing;
		const char *text;
	} rows[] = { { __LINE__, 4, 64, 4, "[tlb l1d]\nentries = 160\nways = 2\npenalty = 2\ncoalescing = 4\n" },
		     { __LINE__, 2, 16, 2, "[tlb l1d]\nentries = 11\nways = full\npenalty = 3\ncoalescing = 2\n" } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct memory_lab bench;
		struct paging *paging;

		open_lab(&bench, rows[i].kib, rows[i].ways, rows[i].text);
		paging = engine_paging(&bench.lab);
		if (paging->page != 4096 || paging->sharing != rows[i].sharing)
			fail_msg("line %d: %g bytes, %g share", rows[i].line, paging->page, paging->sharing);
		close_lab(&bench);
	}
}

/* Pages that are thrown out at random: one too many costs less than what the TLB in front may find in a crowd. */
static void test_one_page_too_many(void **state)
{
	struct memory_lab bench;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[tlb l1d]\nentries = 8\nways = 1\npenalty = 9\n"
		 "[tlb l2d]\nentries = 40\nways = full\npenalty = 14\npolicy = random\n");
	assert_sets(&bench, engine_paging(&bench.lab), 1, 40, 1);
	close_lab(&bench);
}

/* What the nearest TLB finds of few pages is no part of what the next one's misses cost. */
static void test_penalty_behind_a_small_one(void **state)
{
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[tlb l1d]\nentries = 12\nways = 1\npenalty = 8\n[tlb l2d]\nentries = 48\nways = full\npenalty = 9\n"
		 "[tlb l3d]\nentries = 512\nways = 8\npenalty = 28\n");
	paging = engine_paging(&bench.lab);
	assert_int_equal(paging->levels, 3);
	assert_true(fabs(paging->tlb[1].penalty - 9) < 0.5);
	close_lab(&bench);
}

/* Of nine places in a row one would lie alone in a set of the nearest TLB, which would hide it. */
static void test_places_that_hide(void **state)
{
	struct memory_lab bench;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[tlb l1d]\nentries = 25\nways = 1\npenalty = 4\n[tlb l2d]\nentries = 120\nways = 8\npenalty = 22\n");
	assert_sets(&bench, engine_paging(&bench.lab), 1, 8, 15);
	close_lab(&bench);
}

/* Pages that are farther apart fall into other sets, and cost more still: the first step is the page's. */
static void test_two_steps(void **state)
{
	struct memory_lab bench;
	struct page_size size;

	(void)state;
	open_lab(&bench, 64, 2,
		 "[memory]\nsize = 1 GiB\n[tlb l1d]\nentries = 128\nways = 4\npenalty = 11\npolicy = random\n"
		 "[tlb l2d]\nentries = 960\nways = 4\npenalty = 29\npolicy = nru\n");
	size = pages_size_by(&bench.lab, WALK_BASE_PAGES, 1);
	if (size.bytes != 4096)
		fail_msg("%g bytes: %s", size.bytes, size.why);
	close_lab(&bench);
}

/* Of neighbours in one set of a direct-mapped TLB all walks miss the same part: its penalty is less than that of the
 * next one, which is seen first. */
static void test_groups_before_all_that_is_seen(void **state)
{
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[pages]\nframes = random\n[tlb l1d]\nentries = 32\nways = 1\npenalty = 6\ncoalescing = 4\n"
		 "[tlb l2d]\nentries = 128\nways = 16\npenalty = 53\ncoalescing = 4\n");
	paging = engine_paging(&bench.lab);
	assert_int_equal(paging->levels, 2);
	assert_sets(&bench, paging, 0, 1, 32);
	assert_sets(&bench, paging, 1, 16, 8);
	close_lab(&bench);
}

/* Groups of neighbours fall into 18 sets of a further TLB; rows of them crowd out the nearest. */
static void test_groups_in_two_tlbs(void **state)
{
	struct memory_lab bench;

	(void)state;
	open_lab(&bench, 32, 8,
		 "[pages]\nframes = random\n[tlb l1d]\nentries = 24\nways = 12\npenalty = 6\ncoalescing = 4\n"
		 "[tlb l2d]\nentries = 288\nways = 16\npenalty = 47\ncoalescing = 4\n");
	assert_sets(&bench, engine_paging(&bench.lab), 1, 16, 18);
	close_lab(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_two_of_as_many_entries),
					    cmocka_unit_test(test_smaller_than_the_systems),
					    cmocka_unit_test(test_neighbours_share_entries),
					    cmocka_unit_test(test_one_page_too_many),
					    cmocka_unit_test(test_penalty_behind_a_small_one),
					    cmocka_unit_test(test_places_that_hide),
					    cmocka_unit_test(test_two_steps),
					    cmocka_unit_test(test_groups_before_all_that_is_seen),
					    cmocka_unit_test(test_groups_in_two_tlbs) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_huge_pages.c - TLBs of huge pages are found on small simulated machines
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "memory_lab.h"
#include "pages/pages.h"

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

/* Goldmont Plus: between them they hold more than either, which is what the law sees. */
static void test_two_of_as_many_entries(void **state)
{
	struct memory_lab bench;
	struct paging *huge;
	const struct tlb_sets *sets;

	(void)state;
	open_lab(&bench, "[memory]\nsize = 1 GiB\n[tlb l1d]\nentries = 32\nways = full\npenalty = 8\n"
			 "[tlb l2]\nentries = 512\nways = 4\npenalty = 25\npages = 4 KiB\n"
			 "[tlb l2-huge]\nentries = 32\nways = 4\npenalty = 25\npages = 2 MiB\n");
	engine_paging(&bench.lab);
	huge = engine_huge_paging(&bench.lab);
	assert_true(paging_is_huge(&bench.lab));
	assert_true(huge->levels > 0 && huge->tlb[0].low > 32);
	sets = engine_tlb_sets(&bench.lab, huge, 0);
	if (!sets->found || sets->ways != 32 || sets->sets != 1)
		fail_msg("%g ways, %g sets: %s", sets->ways, sets->sets, sets->why);
	/* Half of them would be no explanation. */
	assert_false(pages_allow_for(&bench.lab, huge, 16));
	close_lab(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_two_of_as_many_entries) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

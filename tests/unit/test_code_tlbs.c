/* SPDX-License-Identifier: MIT */
/*
 * test_code_tlbs.c - the TLBs of code, their sets, and whether data use them, on small simulated machines
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/code/strides.h"
#include "code_lab.h"

/* Pages may take no room in caches; where these are too small, neither they nor the branches are TLBs. */
#define CACHES \
	"[memory]\nsize = 32 MiB\n[cache l1i]\nsize = 4 KiB\nways = 4\nlatency = 4\n" \
	"[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n[cache l2]\nsize = 64 KiB\nways = 8\nlatency = 14\n"
#define BRANCHES "[code]\nbranches = 128\nbranch.ways = 4\nbranch.penalty = 12\n"

static void test_tlbs(void **state)
{
	static const struct {
		int line;
		const char *text;
		double entries, ways, penalty;
	} rows[] = {
		/* Data has one as large, of its own. */
		{ __LINE__,
		  "[tlb l1i]\nentries = 32\nways = 4\npenalty = 10\n[tlb l1d]\nentries = 32\nways = 4\npenalty = 10\n",
		  32, 4, 10 },
		{ __LINE__, "[tlb l1i]\nentries = 64\nways = full\npenalty = 7\npolicy = random\n", 64, 64, 7 },
		{ __LINE__, "[tlb l1i]\nentries = 48\nways = 3\npenalty = 25\n" BRANCHES, 48, 3, 25 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		struct paging *paging;
		const struct tlb_sets *sets;
		enum stat_verdict unified;
		char text[1024];

		snprintf(text, sizeof(text), CACHES "%s", rows[i].text);
		code_open(&bench, text);
		paging = engine_code_paging(&bench.lab);
		if (paging->status != MACHINE_RAN || paging->levels != 1 ||
		    fabs(paging->tlb[0].entries / rows[i].entries - 1) > 0.03 ||
		    fabs(paging->tlb[0].penalty - rows[i].penalty) > 0.5)
			fail_msg("line %d: %d TLBs, %g entries, %g cycles", rows[i].line, paging->levels,
				 paging->tlb[0].entries, paging->tlb[0].penalty);
		sets = engine_code_tlb_sets(&bench.lab, 0);
		if (!sets->found || sets->ways != rows[i].ways || sets->ways * sets->sets != rows[i].entries)
			fail_msg("line %d: %g ways, %g sets: %s", rows[i].line, sets->ways, sets->sets, sets->why);
		unified = engine_code_tlb_unified(&bench.lab, 0);
		if (unified != STAT_NO)
			fail_msg("line %d: unified: %d", rows[i].line, unified);
		code_close(&bench);
	}
}

/* Walks into more pages than it has entries take far more than the law allows, as on an Emerald Rapids; its entries are
 * where that begins. */
static void test_cliff(void **state)
{
	struct memory_lab bench;
	struct paging paging = { .pages = WALK_BASE_PAGES };
	struct curve_point points[48];

	(void)state;
	code_open(&bench, CACHES);
	for (int i = 0; i < 48; i++) {
		double pages = round(8 * exp2(i / 6.0)), held = fmin(1, 200 / pages);

		points[i] = (struct curve_point){ pages * CODE_PAGING_BYTES, 16 * (1 - pow(held, 5)), 0.2 };
	}
	paging.count = 48;
	code_find_tlbs(&bench.lab, &paging, points, 40);
	assert_true(paging.levels > 0);
	if (fabs(paging.tlb[0].entries / 200 - 1) > 0.05 || paging.tlb[0].low > 200 || paging.tlb[0].high < 200)
		fail_msg("%g entries [%g .. %g]", paging.tlb[0].entries, paging.tlb[0].low, paging.tlb[0].high);
	code_close(&bench);
}

/* One that both sides use. */
static void test_shared(void **state)
{
	struct memory_lab bench;

	(void)state;
	code_open(&bench, CACHES "[tlb l1]\nentries = 32\nways = 4\npenalty = 10\nholds = both\n");
	code_know_pages(&bench);
	bench.lab.code_paging->levels = 1;
	bench.lab.code_paging->tlb[0] = (struct tlb){ .entries = 32, .penalty = 10 };
	assert_int_equal(engine_code_tlb_unified(&bench.lab, 0), STAT_YES);
	code_close(&bench);
}

/* A second one that both sides share, behind one for each. */
static void test_two_levels(void **state)
{
	static const struct {
		double entries, penalty;
		enum stat_verdict unified;
	} expected[] = { { 16, 8, STAT_NO }, { 128, 30, STAT_YES } };
	struct memory_lab bench;
	struct paging *paging;

	(void)state;
	code_open(&bench, CACHES "[tlb l1i]\nentries = 16\nways = full\npenalty = 8\n"
				 "[tlb l1d]\nentries = 16\nways = full\npenalty = 8\n"
				 "[tlb l2]\nentries = 128\nways = 4\npenalty = 30\n");
	paging = engine_code_paging(&bench.lab);
	assert_int_equal(paging->levels, 2);
	for (int i = 0; i < 2; i++) {
		if (fabs(paging->tlb[i].entries / expected[i].entries - 1) > 0.03 ||
		    fabs(paging->tlb[i].penalty - expected[i].penalty) > 1)
			fail_msg("TLB %d: %g entries, %g cycles", i, paging->tlb[i].entries, paging->tlb[i].penalty);
		assert_int_equal(engine_code_tlb_unified(&bench.lab, i), expected[i].unified);
	}
	assert_false(engine_code_tlb_sets(&bench.lab, 1)->found);
	assert_string_equal(engine_code_tlb_sets(&bench.lab, 1)->why,
			    "sets of code are looked for in the nearest TLB alone");
	code_close(&bench);
}

struct second {
	int line;
	const char *text;
	double entries, penalty; /* 0: there is none */
};

/* Lines of 256 bytes hold several places of the twin's, if those are neighbours. One way holds pages side by side and
 * no others. Page tables leave a cache as entries leave a TLB. */
static void test_second(void **state)
{
	static const struct second rows[] = {
		{ __LINE__, "size = 16 KiB\nline = 256\n[tlb l2i]\nentries = 128\nways = 1\npenalty = 20\n", 128, 20 },
		{ __LINE__, "size = 16 KiB\n[pages]\ntables = l2\n", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_lab bench;
		const struct paging *paging;
		char text[1024];

		snprintf(text, sizeof(text),
			 "[memory]\nsize = 32 MiB\n[cache l1i]\nsize = 1 KiB\nways = 4\nlatency = 4\n"
			 "[tlb l1i]\nentries = 16\nways = full\npenalty = 8\n"
			 "[cache l1d]\nsize = 1 KiB\nways = 4\nlatency = 4\n"
			 "[cache l2]\nways = 4\nlatency = 14\n%s",
			 rows[i].text);
		code_open(&bench, text);
		bench.lab.brief = rows[i].entries > 0; /* tables of many pages */
		paging = engine_code_paging(&bench.lab);
		if (paging->levels != 1 + (rows[i].entries > 0) ||
		    (rows[i].entries > 0 && (fabs(paging->tlb[1].entries / rows[i].entries - 1) > 0.03 ||
					     fabs(paging->tlb[1].penalty - rows[i].penalty) > 1)))
			fail_msg("line %d: %d TLBs, %g entries, %g cycles %s", rows[i].line, paging->levels,
				 paging->tlb[1].entries, paging->tlb[1].penalty, paging->why);
		code_close(&bench);
	}
}

/* Data's nearest TLB keeps more pages than the second one has entries. */
static void test_kept_from_it(void **state)
{
	struct memory_lab bench;

	(void)state;
	code_open(&bench, CACHES "[tlb l1i]\nentries = 16\nways = full\npenalty = 8\n"
				 "[tlb l1d]\nentries = 96\nways = full\npenalty = 8\n"
				 "[tlb l2]\nentries = 64\nways = 4\npenalty = 30\n");
	code_know_pages(&bench);
	bench.lab.code_paging->levels = 2;
	bench.lab.code_paging->tlb[0] = (struct tlb){ .entries = 16, .penalty = 8 };
	bench.lab.code_paging->tlb[1] = (struct tlb){ .entries = 64, .penalty = 30 };
	assert_int_equal(engine_code_tlb_unified(&bench.lab, 1), STAT_YES);
	code_close(&bench);
}

/* Caches and branches are no TLBs, and neither is one for data. */
static void test_none(void **state)
{
	struct memory_lab bench;

	(void)state;
	code_open(&bench, CACHES BRANCHES "[tlb l1d]\nentries = 16\nways = 4\npenalty = 20\n");
	assert_int_equal(engine_code_paging(&bench.lab)->status, MACHINE_RAN);
	assert_int_equal(engine_code_paging(&bench.lab)->levels, 0);
	code_close(&bench);
}

static void test_no_code(void **state)
{
	struct memory_lab bench;

	(void)state;
	code_open(&bench, "[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n");
	assert_int_equal(engine_code_paging(&bench.lab)->status, MACHINE_BLOCKED);
	assert_string_equal(engine_code_paging(&bench.lab)->why, "the file describes no code");
	code_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_tlbs),         cmocka_unit_test(test_shared),
					    cmocka_unit_test(test_two_levels),   cmocka_unit_test(test_second),
					    cmocka_unit_test(test_kept_from_it), cmocka_unit_test(test_none),
					    cmocka_unit_test(test_no_code),      cmocka_unit_test(test_cliff) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

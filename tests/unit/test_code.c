/* SPDX-License-Identifier: MIT */
/*
 * test_code.c - caches of code are found on small simulated machines, and what is no cache is not taken for one
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code_lab.h"

#define L1I(size, more) "[cache l1i]\nsize = " size "\nways = 4\nlatency = 4\n" more
#define L1D "[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n"
#define L2(more) "[cache l2]\nsize = 32 KiB\nways = 8\nlatency = 14\n" more
#define LARGE "[cache l2]\nsize = 256 KiB\nways = 8\nlatency = 14\n"
#define BRANCHES(count) "[code]\nbranches = " count "\nbranch.ways = 4\nbranch.penalty = 12\n"

struct row {
	int line;
	const char *text;
	double most; /* KiB of code that are looked at */
	double kib[2]; /* 0: no such level */
	double height; /* of the nearest, cycles */
	enum stat_verdict unified;
};

static void check(const struct row *row, struct lab *lab)
{
	const struct coding *coding = engine_coding(lab);
	enum stat_verdict unified = engine_code_unified(lab, 0);
	int levels = (row->kib[0] > 0) + (row->kib[1] > 0);

	if (coding->status != MACHINE_RAN || coding->levels != levels || coding->hidden)
		fail_msg("line %d: %d levels, hidden: %d, %s", row->line, coding->levels, coding->hidden, coding->why);
	for (int i = 0; i < levels; i++)
		if (fabs(coding->level[i].reach / 1024 / row->kib[i] - 1) > 0.03)
			fail_msg("line %d: level %d holds %g bytes", row->line, i, coding->level[i].reach);
	if (fabs(coding->level[0].height / row->height - 1) > 0.05)
		fail_msg("line %d: a miss costs %g cycles", row->line, coding->level[0].height);
	if (unified != row->unified)
		fail_msg("line %d: unified: %d", row->line, unified);
}

static void check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct memory_lab bench;
		char text[1024];

		snprintf(text, sizeof(text), CODE_MEMORY "%s", rows[i].text);
		code_open(&bench, text);
		code_know_pages(&bench);
		bench.timer.machine->memory = (uint64_t)(8 * 1024 * rows[i].most);
		check(&rows[i], &bench.lab);
		code_close(&bench);
	}
}

static void test_levels(void **state)
{
	static const struct row rows[] = {
		{ __LINE__, "[cache l2]\nsize = 12 KiB\nways = 6\nlatency = 14\n", 64, { 12, 0 }, 186, STAT_YES },
		{ __LINE__,
		  L1D L1I("6 KiB", "ways = 3\npolicy = random\n[code]\nstraight = yes\n"),
		  32,
		  { 6, 0 },
		  196,
		  STAT_NO },
		{ __LINE__,
		  L1D L1I("8 KiB", "ways = full\n") L2("ways = full\ninclusion = exclusive\n"),
		  128,
		  { 8, 40 },
		  10,
		  STAT_NO },
	};

	(void)state;
	check_rows(rows, COUNT(rows));
}

static void test_fooling(void **state)
{
	static const struct row rows[] = {
		/* Places of 64 bytes: branches where the cache is too large to show, and more of them than it holds. */
		{ __LINE__, L1D L1I("64 KiB", BRANCHES("256")), 32, { 0, 0 }, 0, STAT_UNDECIDED },
		{ __LINE__, L1D L1I("8 KiB", "") LARGE BRANCHES("512"), 64, { 8, 0 }, 10, STAT_NO },
		{ __LINE__,
		  L1D L1I("8 KiB", "[uops]\nentries = 512\nways = 8\nwindow = 32\neach = 6\npenalty = 7\n"),
		  32,
		  { 8, 0 },
		  196,
		  STAT_NO },
		{ __LINE__, L1D L1I("4 KiB", "") L2("[code]\nnext-line = yes\n"), 128, { 4, 32 }, 10, STAT_NO },
		/* Code and data meet in one of its sets, and whichever goes there goes from the first level, too. */
		{ __LINE__, L1D L1I("4 KiB", "") L2("ways = 1\ninclusion = inclusive\n"), 128, { 4, 32 }, 10, STAT_NO },
	};

	(void)state;
	check_rows(rows, COUNT(rows));
}

static void know(struct lab *lab, const char *name, double bytes)
{
	struct finding finding = finding_blank(name, "bytes");

	finding.outcome = MEASURED;
	finding.value = bytes;
	findings_put_take(lab->findings, &finding);
}

/* Pages in which all of the nearest cache has room, and more jumps than are remembered. */
static void test_large_pages(void **state)
{
	static const struct row row = { __LINE__, "[pages]\nsize = 64 KiB\n" L1D L1I("4 KiB", "") LARGE BRANCHES("512"),
					64,       { 4, 0 },
					10,       STAT_NO };
	struct memory_lab bench;
	const struct code_sets *sets;
	char text[1024], why[256] = "";
	double line;

	(void)state;
	snprintf(text, sizeof(text), CODE_MEMORY "%s", row.text);
	code_open(&bench, text);
	code_know_pages(&bench);
	bench.lab.code_paging->page = bench.lab.code_paging->system = 65536;
	bench.timer.machine->memory = (uint64_t)(8 * 1024 * row.most);
	check(&row, &bench.lab);
	sets = engine_code_sets(&bench.lab);
	if (!sets->found || sets->ways != 4 || sets->way != 1024)
		fail_msg("%g ways of %g bytes: %s", sets->ways, sets->way, sets->why);
	line = engine_code_line(&bench.lab, why, sizeof(why));
	if (line != 64)
		fail_msg("a line of %g bytes: %s", line, why);
	code_close(&bench);
}

/* Lines that come by twos do not follow the law; the bend says what is held. */
static void test_bend(void **state)
{
	static const struct row row = {
		__LINE__, L1I("8 KiB", "line = 32\nways = 16\npolicy = srrip\n[code]\nnext-line = yes\n"),
		64,       { 8, 0 },
		0,        STAT_UNDECIDED
	};
	struct memory_lab bench;
	const struct coding *coding;
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text), CODE_MEMORY "%s", row.text);
	code_open(&bench, text);
	code_know_pages(&bench);
	bench.timer.machine->memory = (uint64_t)(8 * 1024 * row.most);
	coding = engine_coding(&bench.lab);
	if (coding->levels != 1 || coding->level[0].low > 8192 || coding->level[0].high < 8192 ||
	    fabs(coding->level[0].reach / 8192 - 1) > 0.15)
		fail_msg("%d levels: %g bytes [%g .. %g]", coding->levels, coding->level[0].reach, coding->level[0].low,
			 coding->level[0].high);
	code_close(&bench);
}

/* Walks on huge pages, and twins on small ones, of which the TLB lacks some. */
static void test_translated(void **state)
{
	static const struct row row = {
		__LINE__,
		"[memory]\nsize = 2 MiB\n" L1D L1I("16 KiB", "") LARGE "[tlb l1i]\nentries = 6\nways = full\npenalty = 10\n",
		128,
		{ 16, 0 },
		10,
		STAT_NO
	};
	struct memory_lab bench;

	(void)state;
	code_open(&bench, row.text);
	know(&bench.lab, "page.size", 4096);
	know(&bench.lab, "page.huge", 2 << 20);
	bench.timer.machine->memory = (uint64_t)(8 * 1024 * row.most);
	check(&row, &bench.lab);
	assert_int_equal(engine_code_paging(&bench.lab)->levels, 1);
	code_close(&bench);
}

static void test_no_code(void **state)
{
	struct memory_lab bench;

	(void)state;
	code_open(&bench, L1D);
	assert_int_equal(engine_coding(&bench.lab)->status, MACHINE_BLOCKED);
	assert_string_equal(engine_coding(&bench.lab)->why, "the file describes no code");
	assert_false(engine_code_sets(&bench.lab)->found);
	code_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_levels),      cmocka_unit_test(test_fooling),
					    cmocka_unit_test(test_large_pages), cmocka_unit_test(test_bend),
					    cmocka_unit_test(test_translated),  cmocka_unit_test(test_no_code) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_differences.c - what counts as a change between two documents
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/compare/compare.h"
#include "notebook.h"

static struct finding number(const char *unit, const double range[3])
{
	struct finding finding = finding_blank("cache.l2.size", unit);

	finding.outcome = MEASURED;
	finding.low = range[0];
	finding.value = range[1];
	finding.high = range[2];
	finding.confidence = 0.9;
	return finding;
}

static void numbers(void **state)
{
	static const struct {
		int line;
		const char *unit;
		double before[3], after[3];
		enum compare_verdict verdict;
		double ratio, least;
	} rows[] = {
		{ __LINE__, "bytes", { 32768, 32768, 32768 }, { 32768, 32768, 32768 }, SAME, 1, 1 },
		{ __LINE__, "bytes", { 32768, 32768, 32768 }, { 49152, 49152, 49152 }, CHANGED, 1.5, 1.5 },
		/* Intervals that meet, touch, and lie apart by a little and by much. */
		{ __LINE__, "cycles", { 9, 10, 11 }, { 10.5, 11.5, 12.5 }, SAME, 1.15, 1 },
		{ __LINE__, "cycles", { 9, 10, 11 }, { 11, 12, 13 }, SAME, 1.2, 1 },
		{ __LINE__, "cycles", { 9, 10, 11 }, { 11.4, 12.4, 13.4 }, SAME, 1.24, 11.4 / 11 },
		{ __LINE__, "cycles", { 9, 10, 11 }, { 13, 14, 15 }, CHANGED, 1.4, 13. / 11 },
		{ __LINE__, "cycles", { 13, 14, 15 }, { 9, 10, 11 }, CHANGED, 10. / 14, 11. / 13 },
		/* The side away from the other does not count. */
		{ __LINE__, "bytes", { 1, 100, 100 }, { 110, 110, 900 }, CHANGED, 1.1, 1.1 },
		/* Exact, but within what days differ by. */
		{ __LINE__, "cycles", { 100, 100, 100 }, { 101, 101, 101 }, SAME, 1.01, 1.01 },
		{ __LINE__, "cycles", { 100, 100, 100 }, { 103, 103, 103 }, CHANGED, 1.03, 1.03 },
		{ __LINE__, "Hz", { 3e9, 3e9, 3e9 }, { 3.1e9, 3.1e9, 3.1e9 }, SAME, 3.1 / 3, 3.1 / 3 },
		{ __LINE__, "Hz", { 3e9, 3e9, 3e9 }, { 3.3e9, 3.3e9, 3.3e9 }, CHANGED, 1.1, 1.1 },
		{ __LINE__, "count", { 512, 512, 512 }, { 513, 513, 513 }, CHANGED, 513. / 512, 513. / 512 },
		/* Ends that nobody knows are where the value is. */
		{ __LINE__, "count", { NAN, 4, NAN }, { NAN, 8, NAN }, CHANGED, 2, 2 },
		{ __LINE__, "cycles", { 0, 0, 0 }, { 4, 4, 4 }, CHANGED, NAN, NAN },
		{ __LINE__, "cycles", { 0, 0, 0 }, { 0, 0, 0 }, SAME, NAN, 1 },
		{ __LINE__, "bool", { 0, 0, 0 }, { 1, 1, 1 }, CHANGED, NAN, NAN },
		{ __LINE__, "bool", { 1, 1, 1 }, { 1, 1, 1 }, SAME, NAN, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct finding before = number(rows[i].unit, rows[i].before),
			       after = number(rows[i].unit, rows[i].after);
		struct difference difference = compare_findings(&before, &after);
		bool ratio =
			isnan(rows[i].ratio) ? isnan(difference.ratio) : fabs(difference.ratio - rows[i].ratio) < 1e-9;
		bool least =
			isnan(rows[i].least) ? isnan(difference.least) : fabs(difference.least - rows[i].least) < 1e-9;

		if (difference.verdict != rows[i].verdict || !ratio || !least)
			fail_msg("row at line %d: %s, x %g, least %g", rows[i].line, verdict_word(difference.verdict),
				 difference.ratio, difference.least);
		assert_float_equal(difference.confidence, 0.81, 1e-9);
	}
}

static void outcomes(void **state)
{
	static const struct {
		int line;
		enum outcome before, after;
		enum compare_verdict verdict;
	} rows[] = {
		{ __LINE__, MEASURED, ABSENT, CHANGED },  { __LINE__, ABSENT, MEASURED, CHANGED },
		{ __LINE__, ABSENT, ABSENT, SAME },       { __LINE__, MEASURED, UNCLEAR, UNSURE },
		{ __LINE__, MEASURED, BLOCKED, UNSURE },  { __LINE__, ABSENT, FAILED, UNSURE },
		{ __LINE__, UNCLEAR, MEASURED, CLEARER }, { __LINE__, BLOCKED, ABSENT, CLEARER },
		{ __LINE__, UNCLEAR, BLOCKED, UNKNOWN },  { __LINE__, FAILED, FAILED, UNKNOWN },
	};
	struct finding one = number("count", POINT(4)), other = one;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		one.outcome = rows[i].before;
		other.outcome = rows[i].after;
		if (compare_findings(&one, &other).verdict != rows[i].verdict)
			fail_msg("row at line %d", rows[i].line);
	}
	assert_int_equal(compare_findings(&one, NULL).verdict, ONLY_BEFORE);
	assert_int_equal(compare_findings(NULL, &one).verdict, ONLY_AFTER);
	one.outcome = other.outcome = MEASURED;
	other.unit = "bytes";
	assert_int_equal(compare_findings(&one, &other).verdict, CHANGED);
}

static void texts_and_trees(void **state)
{
	static const struct {
		int line;
		enum compare_verdict (*compare)(const char *, const char *, char *, size_t);
		const char *before, *after;
		enum compare_verdict verdict;
		const char *how;
	} rows[] = {
		{ __LINE__, compare_texts, "0,1 2,3", "0,1 2,3", SAME, "" },
		{ __LINE__, compare_texts, "0,1 2,3", "0,2 1,3", CHANGED, "0,1 → 0,2" },
		{ __LINE__, compare_texts, "0,1 2,3 4", "0,1 2,4 3", CHANGED, "first 2,3 → 2,4" },
		{ __LINE__, compare_texts, "0,1", "0,1 2,3", CHANGED, "nothing → 2,3" },
		{ __LINE__, compare_texts, "0,1 2,3", "0,1", CHANGED, "2,3 → nothing" },
		{ __LINE__, compare_texts, "lru", "fifo", CHANGED, "lru → fifo" },
		/* Lists: order is nothing, and one item in ten neither. */
		{ __LINE__, compare_texts, "a; b", "b; a", SAME, "" },
		{ __LINE__, compare_texts, "a; b", "a; c", CHANGED, "2 of 4 items; b → c" },
		{ __LINE__, compare_texts, "a; b; c; d; e; f", "a; b; c; d; e; x", SAME, "" },
		{ __LINE__, compare_texts, "a; b", "a", CHANGED, "1 of 3 items; b → nothing" },
		{ __LINE__, compare_texts, "ab; a", "abc; a", CHANGED, "2 of 4 items; ab → abc" },
		{ __LINE__, compare_trees, "[[0,1],[2,3]]", "[[0,1],[2,3]]", SAME, "" },
		{ __LINE__, compare_trees, "[[0,1],[2,3]]", "[[3,2],[1,0]]", SAME, "" },
		{ __LINE__, compare_trees, "[[0,1],[2,3]]", "[[0,2],[1,3]]", CHANGED, "other groups" },
		{ __LINE__, compare_trees, "[0,1,2,3]", "[[0,1],[2,3]]", CHANGED, "other groups" },
	};
	char how[160];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum compare_verdict verdict = rows[i].compare(rows[i].before, rows[i].after, how, sizeof(how));

		if (verdict != rows[i].verdict || strcmp(how, rows[i].how) != 0)
			fail_msg("row at line %d: %s, '%s'", rows[i].line, verdict_word(verdict), how);
	}
}

/* Cells of 10 but for those of the rows and columns from `far` on, which are `far_ns`. */
static struct matrix *distances(int size, int far, double far_ns)
{
	struct matrix *matrix = matrix_new("ns", size);

	for (int i = 0; i < size; i++)
		for (int j = 0; j < size; j++)
			if (i != j)
				matrix->cells[i * size + j] = (i >= far) == (j >= far) ? 10 : far_ns;
	return matrix;
}

static void matrices(void **state)
{
	struct matrix *base = distances(4, 4, 10), *far = distances(4, 2, 20), *slow = distances(4, 2, 13);
	struct matrix *part = distances(2, 2, 10), *others = distances(2, 2, 30);
	char how[160];

	(void)state;
	assert_int_equal(compare_matrices(base, base, how, sizeof(how)), SAME);
	assert_int_equal(compare_matrices(base, far, how, sizeof(how)), CHANGED);
	assert_string_equal(how, "8 of 12 cells; most from 0 to 2: 10.00 ns → 20.00 ns");
	/* Less than a half each, but many. */
	assert_int_equal(compare_matrices(base, slow, how, sizeof(how)), CHANGED);
	/* Only what both have counts, and cells that nobody measured do not. */
	assert_int_equal(compare_matrices(base, part, how, sizeof(how)), SAME);
	others->labels[0] = 7;
	others->labels[1] = 8;
	assert_int_equal(compare_matrices(base, others, how, sizeof(how)), CHANGED);
	assert_string_equal(how, "4 x 4 and 2 x 2");
	part->cells[1] = NAN;
	assert_int_equal(compare_matrices(base, part, how, sizeof(how)), SAME);
	others->unit = "bytes/s";
	assert_int_equal(compare_matrices(base, others, how, sizeof(how)), CHANGED);
	matrix_free(base);
	matrix_free(far);
	matrix_free(slow);
	matrix_free(part);
	matrix_free(others);
}

/* What the second look makes of a first one that saw a change from 10 to 20. */
static void second_looks(void **state)
{
	static const struct {
		int line;
		enum outcome outcome;
		double value;
		enum compare_verdict verdict;
	} rows[] = {
		{ __LINE__, MEASURED, 20, CHANGED }, { __LINE__, MEASURED, 10, SAME },
		{ __LINE__, MEASURED, 40, UNSURE },  { __LINE__, UNCLEAR, NAN, UNSURE },
		{ __LINE__, ABSENT, NAN, UNSURE },
	};
	struct finding before = number("count", POINT(10)), first = number("count", POINT(20));

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct finding second = number("count", POINT(rows[i].value));
		struct difference difference = compare_findings(&before, &first);

		second.outcome = rows[i].outcome;
		compare_second_look(&difference, &second);
		if (difference.verdict != rows[i].verdict)
			fail_msg("row at line %d: %s", rows[i].line, verdict_word(difference.verdict));
	}
}

static void documents(void **state)
{
	struct findings *before = notebook(), *after = notebook(), *none = findings_new();
	struct report_context later = CONTEXT;
	struct context_row rows[CONTEXT_ROWS];
	struct comparison comparison;

	(void)state;
	measured(after, "cache.l1d.ways", "count", POINT(8));
	measured(after, "cache.l9.ways", "count", POINT(8));
	assert_true(compare_all(&comparison, before, after));
	assert_int_equal(comparison.counts[CHANGED], 1);
	assert_int_equal(comparison.counts[ONLY_AFTER], 1);
	assert_int_equal(comparison.counts[SAME] + comparison.counts[UNKNOWN] + 1, findings_count(before));
	assert_string_equal(comparison.list[comparison.count - 1].after->name, "cache.l9.ways");
	compare_free(&comparison);
	assert_true(compare_all(&comparison, none, none));
	assert_int_equal(comparison.count, 0);
	compare_free(&comparison);

	assert_int_equal(compare_contexts(&CONTEXT, &later, rows), 0);
	later.kernel = "Linux 6.2";
	later.cpus = 8;
	later.noise = "quiet (other numbers)";
	assert_int_equal(compare_contexts(&CONTEXT, &later, rows), 2);
	assert_string_equal(rows[0].word, "cpus");
	assert_string_equal(rows[1].after, "Linux 6.2");
	findings_free(before);
	findings_free(after);
	findings_free(none);
}

static void told(void **state)
{
	struct findings *before = findings_new(), *after = findings_new();
	struct comparison comparison;
	struct compared compared = { { "a.json", "b.json" }, { &CONTEXT, &CONTEXT }, &comparison, false };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	measured(before, "cache.l2.size", "bytes", POINT(262144));
	measured(after, "cache.l2.size", "bytes", POINT(524288));
	measured(before, "cache.l2.latency", "cycles", RANGE(11, 12, 13));
	other(after, "cache.l2.latency", UNCLEAR,
	      "others use this level, and what they take and leave varies too much");
	measured(before, "memory.latency", "ns", POINT(80));
	measured(after, "tlb.l1d.entries", "count", POINT(64));
	assert_true(compare_all(&comparison, before, after));
	compare_text(out, &compared, &(struct report_layout){ .width = 60 });
	fclose(out);
	assert_string_equal(
		text, "                    a.json → b.json\n"
		      "\n"
		      "changed\n"
		      "  cache.l2.size          256 KiB → 512 KiB  x 2.00\n"
		      "\n"
		      "no longer clear\n"
		      "  cache.l2.latency  12.00 cycles → unclear  others use this\n"
		      "                    level, and what they take and leave\n"
		      "                    varies too much\n"
		      "\n"
		      "only in a.json: memory.latency\n"
		      "\n"
		      "only in b.json: tlb.l1d.entries\n"
		      "\n"
		      "1 changed, 0 same, 1 no longer clear, 1 only before, 1 only after      most: cache.l2.size\n");
	free(text);
	compare_free(&comparison);
	findings_free(before);
	findings_free(after);
}

/* Of three nodes one has another cache; what all have differently has no majority. */
static void fleets(void **state)
{
	static const char *const files[] = { "n1.json", "n2.json", "n3.json" };
	struct findings *nodes[3];
	struct fleet fleet = { files, (const struct findings *const *)nodes, 3 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	for (int i = 0; i < 3; i++) {
		nodes[i] = findings_new();
		measured(nodes[i], "cache.l3.size", "bytes", POINT(i == 1 ? 0x1p24 : 0x1p25));
		measured(nodes[i], "cache.l1d.ways", "count", POINT(8));
		measured(nodes[i], "smp.cpus", "count", POINT(4 << i));
	}
	assert_int_equal(compare_fleet(out, &fleet, &(struct report_layout){ .width = 80 }), 1);
	fclose(out);
	assert_string_equal(text, "n2.json\n"
				  "  cache.l3.size                 16 MiB, others 32 MiB\n"
				  "\n"
				  "1 of 3 differ from most; 2 parameters compared, 1 without a majority\n");
	free(text);
	for (int i = 0; i < 3; i++)
		findings_free(nodes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),  cmocka_unit_test(outcomes),     cmocka_unit_test(texts_and_trees),
		cmocka_unit_test(matrices), cmocka_unit_test(second_looks), cmocka_unit_test(documents),
		cmocka_unit_test(told),     cmocka_unit_test(fleets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

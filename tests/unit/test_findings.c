/* SPDX-License-Identifier: MIT */
/*
 * test_findings.c - the notebook: order, replacement, ownership, agreement
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/findings/findings.h"

static struct finding measured(const char *name, const char *unit, double value)
{
	struct finding finding = finding_blank(name, unit);

	finding.outcome = MEASURED;
	finding.value = finding.low = finding.high = value;
	return finding;
}

static void words_are_the_contracts(void **state)
{
	(void)state;
	assert_string_equal(outcome_word(MEASURED), "measured");
	assert_string_equal(outcome_word(UNCLEAR), "unclear");
	assert_string_equal(outcome_word(ABSENT), "absent");
	assert_string_equal(outcome_word(BLOCKED), "blocked");
	assert_string_equal(outcome_word(FAILED), "failed");
}

static void blank_is_empty(void **state)
{
	struct finding blank = finding_blank("cpu.frequency", "Hz");

	(void)state;
	assert_string_equal(blank.name, "cpu.frequency");
	assert_string_equal(blank.unit, "Hz");
	assert_int_equal(blank.outcome, FAILED);
	assert_true(isnan(blank.value) && isnan(blank.low) && isnan(blank.high) && isnan(blank.confidence));
	assert_true(isnan(blank.relative) && isnan(blank.claimed));
	assert_string_equal(blank.reason, "");
	assert_null(blank.evidence);
	assert_int_equal(blank.evidence_count, 0);
}

static void a_long_name_is_cut(void **state)
{
	char name[200];
	struct finding blank;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	blank = finding_blank(name, "count");
	assert_int_equal(strlen(blank.name), sizeof(blank.name) - 1);
}

static void order_is_of_first_put(void **state)
{
	enum { MANY = 300 };
	struct findings *findings = findings_new();
	char name[32];

	(void)state;
	assert_int_equal(findings_count(findings), 0);
	assert_null(findings_get(findings, "p0"));
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		struct finding finding = measured(name, "count", i);

		findings_put_take(findings, &finding);
	}
	struct finding again = measured("p7", "count", 77);

	findings_put_take(findings, &again);
	assert_int_equal(findings_count(findings), MANY);
	assert_true(findings_at(findings, 7)->value == 77);
	assert_ptr_equal(findings_get(findings, "p7"), findings_at(findings, 7));
	assert_true(findings_get(findings, "p299")->value == 299);
	assert_null(findings_get(findings, "p300"));
	findings_free(findings);
}

static void evidence_is_owned(void **state)
{
	struct findings *findings = findings_new();
	struct finding finding = measured("page.size", "bytes", 4096);

	(void)state;
	finding.evidence = calloc(2, sizeof(*finding.evidence));
	finding.evidence_count = 2;
	findings_put_take(findings, &finding);
	finding.value = 8192;
	findings_put_take(findings, &finding); /* the same array again: neither freed nor leaked */
	assert_ptr_equal(findings_get(findings, "page.size")->evidence, finding.evidence);

	finding.evidence = calloc(1, sizeof(*finding.evidence));
	finding.evidence_count = 1;
	findings_put_take(findings, &finding);
	assert_int_equal(findings_get(findings, "page.size")->evidence_count, 1);
	assert_true(findings_get(findings, "page.size")->value == 8192);
	findings_free(findings);
	findings_free(NULL);
}

static void no_number_is_no_measurement(void **state)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct findings *findings = findings_new();
		struct finding finding = measured("cpu.frequency", "Hz", bad[i]);

		findings_put_take(findings, &finding);
		assert_int_equal(findings_at(findings, 0)->outcome, FAILED);
		assert_string_equal(findings_at(findings, 0)->reason, "the measured value is not a number");
		findings_free(findings);
	}
}

static void put_text(struct findings *findings, const char *unit, const char *text)
{
	struct finding finding = measured("x", unit, 2);

	finding.text = text ? strdup(text) : NULL;
	findings_put_take(findings, &finding);
}

static void texts_and_trees_are_checked(void **state)
{
	static const char deepest[] = "[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]",
			  deeper[] = "[[[[[[[[[[[[[[[[[7]]]]]]]]]]]]]]]]]";
	static const struct {
		int line;
		const char *unit, *text, *reason;
		int levels;
	} rows[] = {
		{ __LINE__, "text", "0-1 2-3", NULL, 0 },
		{ __LINE__, "text", "µ \xFF [", NULL, 0 },
		{ __LINE__, "text", "", "empty", 0 },
		{ __LINE__, "text", NULL, "empty", 0 },
		{ __LINE__, "tree", NULL, "empty", 0 },
		{ __LINE__, "tree", "", "empty", 0 },
		{ __LINE__, "tree", "[0]", NULL, 1 },
		{ __LINE__, "tree", "[0,1,2,3]", NULL, 1 },
		{ __LINE__, "tree", "[[0,1],2]", NULL, 2 },
		{ __LINE__, "tree", "[[[[0,1],[2,3]],[[4,5],[6,7]]],[[[8,9]]]]", NULL, 4 },
		{ __LINE__, "tree", "[2147483647,10]", NULL, 1 },
		{ __LINE__, "tree", deepest, NULL, TREE_DEEPEST },
		{ __LINE__, "tree", deeper, "too many levels", 0 },
		{ __LINE__, "tree", "[2147483648]", "nested lists", 0 },
		{ __LINE__, "tree", "[99999999999999999999999]", "nested lists", 0 },
		{ __LINE__, "tree", "0", "nested lists", 0 },
		{ __LINE__, "tree", "[]", "nested lists", 0 },
		{ __LINE__, "tree", "[[],0]", "nested lists", 0 },
		{ __LINE__, "tree", "[0", "nested lists", 0 },
		{ __LINE__, "tree", "[", "nested lists", 0 },
		{ __LINE__, "tree", "]", "nested lists", 0 },
		{ __LINE__, "tree", "[0,]", "nested lists", 0 },
		{ __LINE__, "tree", "[,0]", "nested lists", 0 },
		{ __LINE__, "tree", "[0 1]", "nested lists", 0 },
		{ __LINE__, "tree", "[0][1]", "follows", 0 },
		{ __LINE__, "tree", "[[0][1]]", "nested lists", 0 },
		{ __LINE__, "tree", "[0[1]]", "nested lists", 0 },
		{ __LINE__, "tree", "[01]", "nested lists", 0 },
		{ __LINE__, "tree", "[-1]", "nested lists", 0 },
		{ __LINE__, "tree", "[1.5]", "nested lists", 0 },
		{ __LINE__, "tree", "[0],\"y\":1", "follows", 0 },
		{ __LINE__, "tree", "[[0,1],[1,2]]", "twice", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct findings *findings = findings_new();
		const struct finding *found;
		int levels = 0;

		put_text(findings, rows[i].unit, rows[i].text);
		found = findings_at(findings, 0);
		if (found->outcome != (rows[i].reason ? FAILED : MEASURED) ||
		    (rows[i].reason && !strstr(found->reason, rows[i].reason)))
			fail_msg("row at line %d: '%s'", rows[i].line, found->reason);
		if (rows[i].levels && (tree_wrong(rows[i].text, &levels) || levels != rows[i].levels))
			fail_msg("row at line %d: %d levels", rows[i].line, levels);
		findings_free(findings);
	}
}

static void matrices_are_checked(void **state)
{
	struct findings *findings = findings_new();
	struct finding finding = measured("comm.latency", "matrix", 50);
	double low, high;

	(void)state;
	assert_null(matrix_new("ns", 0));
	assert_null(matrix_new("ns", -1));
	matrix_free(NULL);
	findings_put_take(findings, &finding);
	assert_int_equal(findings_at(findings, 0)->outcome, FAILED);

	finding.matrix = matrix_new("ns", 1);
	assert_int_equal(finding.matrix->labels[0], 0);
	assert_true(isnan(finding.matrix->cells[0]));
	findings_put_take(findings, &finding);
	assert_int_equal(findings_at(findings, 0)->outcome, FAILED);
	assert_non_null(strstr(findings_at(findings, 0)->reason, "no cell"));
	finding.matrix->cells[0] = INFINITY;
	findings_put_take(findings, &finding);
	assert_int_equal(findings_at(findings, 0)->outcome, FAILED);
	finding.matrix->cells[0] = 50;
	findings_put_take(findings, &finding);
	assert_int_equal(findings_at(findings, 0)->outcome, MEASURED);

	finding.matrix = matrix_new("ns", 3);
	finding.matrix->cells[1] = 4;
	finding.matrix->cells[5] = -2;
	findings_put_take(findings, &finding);
	assert_int_equal(findings_at(findings, 0)->outcome, MEASURED);
	assert_true(matrix_range(findings_at(findings, 0)->matrix, &low, &high) && low == -2 && high == 4);
	findings_free(findings);
}

static void a_copy_has_its_own(void **state)
{
	struct findings *findings = findings_new(), *others = findings_new();
	struct finding finding = measured("x", "matrix", 50), copy;

	(void)state;
	finding.text = strdup("said");
	finding.matrix = matrix_new("ns", 2);
	finding.matrix->labels[1] = 77;
	finding.matrix->cells[1] = 50;
	findings_put_take(findings, &finding);
	copy = finding_copy(findings_at(findings, 0));
	assert_ptr_not_equal(copy.text, finding.text);
	assert_ptr_not_equal(copy.matrix, finding.matrix);
	assert_ptr_not_equal(copy.matrix->cells, finding.matrix->cells);
	findings_put_take(others, &copy);
	findings_free(findings);
	assert_string_equal(findings_at(others, 0)->text, "said");
	assert_int_equal(findings_at(others, 0)->matrix->labels[1], 77);
	assert_true(findings_at(others, 0)->matrix->cells[1] == 50 && isnan(findings_at(others, 0)->matrix->cells[0]));

	finding = measured("x", "count", 1); /* takes the place of one that had more */
	findings_put_take(others, &finding);
	assert_null(findings_at(others, 0)->text);
	assert_null(findings_at(others, 0)->matrix);
	findings_free(others);
}

static void agreement(void **state)
{
	static const struct {
		int line;
		const char *unit;
		double value, claimed;
		enum outcome outcome;
		bool agrees;
	} rows[] = {
		{ __LINE__, "count", 8, 8, MEASURED, true },
		{ __LINE__, "count", 100, 101, MEASURED, false },
		{ __LINE__, "bytes", 32768, 32768, MEASURED, true },
		{ __LINE__, "bytes", 32768, 32767, MEASURED, false },
		{ __LINE__, "bool", 1, 1, MEASURED, true },
		{ __LINE__, "bool", 1, 0, MEASURED, false },
		{ __LINE__, "Hz", 3.15e9, 3.0e9, MEASURED, true },
		{ __LINE__, "Hz", 2.86e9, 3.0e9, MEASURED, true },
		{ __LINE__, "Hz", 3.16e9, 3.0e9, MEASURED, false },
		{ __LINE__, "cycles", 4.1, 4, MEASURED, true },
		{ __LINE__, "cycles", 5, 4, MEASURED, false },
		{ __LINE__, "cycles", 0, 0, MEASURED, true },
		{ __LINE__, "cycles", 4, NAN, MEASURED, false },
		{ __LINE__, "tree", 2, 2, UNCLEAR, false },
		{ __LINE__, "tree", 2, 2, MEASURED, true },
		{ __LINE__, "text", 100, 101, MEASURED, false },
		{ __LINE__, "matrix", 100, 101, MEASURED, true },
		{ __LINE__, "count", 4, 4, UNCLEAR, false },
		{ __LINE__, "count", NAN, 4, FAILED, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct finding finding = measured("x", rows[i].unit, rows[i].value);

		finding.outcome = rows[i].outcome;
		finding.claimed = rows[i].claimed;
		if (finding_agrees(&finding) != rows[i].agrees)
			fail_msg("row at line %d", rows[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_the_contracts),     cmocka_unit_test(blank_is_empty),
		cmocka_unit_test(a_long_name_is_cut),          cmocka_unit_test(order_is_of_first_put),
		cmocka_unit_test(evidence_is_owned),           cmocka_unit_test(no_number_is_no_measurement),
		cmocka_unit_test(texts_and_trees_are_checked), cmocka_unit_test(matrices_are_checked),
		cmocka_unit_test(a_copy_has_its_own),          cmocka_unit_test(agreement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

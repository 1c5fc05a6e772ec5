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
		cmocka_unit_test(words_are_the_contracts),
		cmocka_unit_test(blank_is_empty),
		cmocka_unit_test(a_long_name_is_cut),
		cmocka_unit_test(order_is_of_first_put),
		cmocka_unit_test(evidence_is_owned),
		cmocka_unit_test(no_number_is_no_measurement),
		cmocka_unit_test(agreement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

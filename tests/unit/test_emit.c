/* SPDX-License-Identifier: MIT */
/*
 * test_emit.c - the generated C: a statement per copy, the barrier's form, volatiles at both ends
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nano/nano.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int times(const char *text, const char *part)
{
	int count = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + strlen(part), part))
		count++;
	return count;
}

static struct nano *parsed(const char *text, enum nano_barrier barrier, int unroll)
{
	char error[1024] = "";
	struct nano *nano = nano_parse(text, barrier, unroll, error, sizeof(error));

	if (!nano)
		fail_msg("%s", error);
	return nano;
}

/* The function itself; the prelude before it is the same for all. */
static char *function_of(const struct nano *nano)
{
	const struct nano *const set[] = { nano };
	char *text = nano_emit(set, 1), *start, *function;

	assert_non_null(text);
	start = strstr(text, nano->text);
	assert_non_null(start);
	function = strdup(start + strlen(nano->text));
	free(text);
	return function;
}

static const struct {
	int line;
	const char *spec;
	int unroll, body;
	const char *statement; /* as C, once in each sequence */
	int sequence; /* statements in one */
} rows[] = {
	{ __LINE__, "p1 = p1 + p2 : i64", 8, 8, "p1 = (p1 + p2);", 1 },
	{ __LINE__, "p1 = p1 * p2 | p3 = p3 / p2 : f64", 5, 6, "p3 = (p3 / p2);", 2 },
	{ __LINE__, "for i=1..6 p{i} = p{i} ^ p0 : i32", 7, 12, "p4 = (p4 ^ p0);", 6 },
	{ __LINE__, "p1 = p1 + p2 * p3 : f32", 4, 4, "p1 = (p1 + (p2 * p3));", 1 },
	{ __LINE__, "p1 = sqrt(p1) | p1 = p1 + p2 : f64x2", 4, 4, "p1 = xray_sqrt_f64x2(p1);", 2 },
	{ __LINE__, "p1 = fma(p1, p0, p2) : f64", 3, 3, "p1 = xray_fma_f64(p1, p0, p2);", 1 },
	{ __LINE__, "p1 = *p1 : ptr", 8, 8, "p1 = *(volatile ptr *)p1;", 1 },
	{ __LINE__, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", 8, 8, "*(volatile f64 *)p0 = p1;", 2 },
	{ __LINE__, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", 8, 8, "p1 = *(volatile f64 *)p0;", 2 },
	{ __LINE__, "p1 = p1 << 3 : i64", 8, 8, "p1 = (p1 << (long long)3);", 1 },
	{ __LINE__, "p1 = p1 < p2 : i32x4", 2, 2, "p1 = (i32x4)(p1 < p2);", 1 },
};

static void check_statements(enum nano_barrier barrier)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *nano = parsed(rows[i].spec, barrier, rows[i].unroll);
		char *text = function_of(nano);
		int copies = rows[i].body / rows[i].sequence;

		if (nano_body(nano) != rows[i].body || times(text, rows[i].statement) != copies)
			fail_msg("row at line %d: %d of %d in\n%s", rows[i].line, times(text, rows[i].statement),
				 copies, text);
		free(text);
		nano_free(nano);
	}
}

static void test_statements(void **state)
{
	(void)state;
	check_statements(NANO_BARRIER_ASM);
	check_statements(NANO_BARRIER_SWITCH);
	check_statements(NANO_BARRIER_NONE);
}

static void test_switch(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *nano = parsed(rows[i].spec, NANO_BARRIER_SWITCH, rows[i].unroll);
		char *text = function_of(nano);

		for (int label = 0; label <= rows[i].body; label++) {
			char word[24];

			snprintf(word, sizeof(word), "case %d:", label);
			if (times(text, word) != 1)
				fail_msg("row at line %d: %s in\n%s", rows[i].line, word, text);
		}
		assert_int_equal(times(text, "case "), rows[i].body + 1);
		assert_int_equal(times(text, "switch (xray_entry)"), 1);
		assert_int_equal(times(text, "asm"), 0);
		free(text);
		nano_free(nano);
	}
}

/* Without labels; where the asm is the barrier, each statement has its own. */
static void check_no_switch(enum nano_barrier barrier, bool has_asm)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *nano = parsed(rows[i].spec, barrier, rows[i].unroll);
		char *text = function_of(nano);
		int due = has_asm ? rows[i].body : 0;

		if (times(text, "__asm__ volatile(\"\" :") != due || times(text, "asm") != due ||
		    times(text, "case ") || times(text, "switch"))
			fail_msg("row at line %d:\n%s", rows[i].line, text);
		free(text);
		nano_free(nano);
	}
}

static void test_no_switch(void **state)
{
	(void)state;
	check_no_switch(NANO_BARRIER_ASM, true);
	check_no_switch(NANO_BARRIER_NONE, false);
}

/* The asm claims to change every variable of its statement, in the register file it lives in; where the statement is
 * one operation, target and first operand will do. */
static void test_claims(void **state)
{
	static const struct {
		int line;
		const char *spec, *claim;
	} claims[] = {
		{ __LINE__, "p1 = p1 + p2 : i64", "\"\" : XRAY_GENERAL(p1));" },
		{ __LINE__, "p1 = p1 + p2 : f32", "\"\" : XRAY_FLOATING(p1));" },
		{ __LINE__, "p1 = fma(p1, p0, p2) : f32x4", "\"\" : XRAY_FLOATING(p1));" },
		{ __LINE__, "p1 = fma(p0, p2, p1) : f32x4", "\"\" : XRAY_FLOATING(p1), XRAY_FLOATING(p0));" },
		{ __LINE__, "p1 = 3 - p2 : i64", "\"\" : XRAY_GENERAL(p1), XRAY_GENERAL(p2));" },
		{ __LINE__, "p1 = p1 + p2 * p3 : f64", "XRAY_FLOATING(p1), XRAY_FLOATING(p2), XRAY_FLOATING(p3));" },
		{ __LINE__, "p1 = p2 + p1 : i32x4", "XRAY_FLOATING(p1), XRAY_FLOATING(p2));" },
		{ __LINE__, "p1 = *p1 : ptr", "\"\" : XRAY_GENERAL(p1));" },
		{ __LINE__, "p1 = *p0 : f64, p0 ptr", "XRAY_FLOATING(p1), XRAY_GENERAL(p0));" },
		{ __LINE__, "p3 = p1 + p1 : i64", "\"\" : XRAY_GENERAL(p3), XRAY_GENERAL(p1));" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(claims); i++) {
		struct nano *nano = parsed(claims[i].spec, NANO_BARRIER_ASM, 4);
		char *text = function_of(nano);

		if (times(text, claims[i].claim) != 4)
			fail_msg("row at line %d:\n%s", claims[i].line, text);
		free(text);
		nano_free(nano);
	}
}

/* Every variable starts from a volatile of its own and ends in one; a variable that is not there does not. */
static void test_volatiles(void **state)
{
	struct nano *nano = parsed("p1 = p1 * p4 | *p0 = p1 : f64, p0 ptr where p4=1.25", NANO_BARRIER_ASM, 8);
	char *text = function_of(nano);

	(void)state;
	for (int i = 0; i < 6; i++) {
		char line[96];
		int present = i == 0 || i == 1 || i == 4;

		snprintf(line, sizeof(line), "\t%s p%d = in_%" PRIx64 "_%d;\n", i ? "f64" : "ptr", i, nano_code(nano),
			 i);
		assert_int_equal(times(text, line), present);
		snprintf(line, sizeof(line), "\tout_%" PRIx64 "_%d = p%d;\n", nano_code(nano), i, i);
		assert_int_equal(times(text, line), present);
		snprintf(line, sizeof(line), "static volatile %s in_%" PRIx64 "_%d =", i ? "f64" : "ptr",
			 nano_code(nano), i);
		assert_int_equal(times(text, line), present);
	}
	assert_non_null(strstr(text, "_4 = (double)1.25,"));
	free(text);
	nano_free(nano);
}

/* Several in one translation unit: each under its own name, the prelude once. */
static void test_set(void **state)
{
	struct nano *one = parsed("p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 8);
	struct nano *two = parsed("p1 = p1 + p2 : i64", NANO_BARRIER_SWITCH, 8);
	const struct nano *const set[] = { one, two };
	char *text = nano_emit(set, 2), name[64];

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "double xray_nano_%" PRIx64 "(long laps, int skip)", nano_code(set[i]));
		assert_int_equal(times(text, name), 1);
	}
	assert_int_equal(times(text, "typedef int i32;"), 1);
	assert_int_equal(times(text, "double xray_nano_"), 2);
	free(text);
	nano_free(one);
	nano_free(two);
}

static struct nano *paired(const char *spec, enum nano_barrier barrier, int brief, int full, struct nano **other)
{
	struct nano *nano = parsed(spec, barrier, full);

	*other = parsed(spec, barrier, brief);
	nano_pair(*other, nano);
	return nano;
}

/* Both lengths are one function: all statements once, a part of them behind the test of each lap. */
static void test_pair(void **state)
{
	static const struct {
		int line;
		const char *spec;
		enum nano_barrier barrier;
		int brief, full, whole, optional;
		const char *test; /* what each lap asks */
	} pairs[] = {
		{ __LINE__, "p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 4, 12, 12, 8, "if (__builtin_expect(!(laps & 1)" },
		{ __LINE__, "p1 = p1 + p2 : i64", NANO_BARRIER_SWITCH, 4, 12, 12, 8, "if (laps & 1)" },
		{ __LINE__, "for i=1..5 p{i} = p{i} + p0 : f64", NANO_BARRIER_ASM, 6, 18, 20, 10, "laps & 1" },
		{ __LINE__, "for i=1..5 p{i} = p{i} + p0 : f64", NANO_BARRIER_SWITCH, 4, 5, 5, 0, "--laps" },
		{ __LINE__, "for i=1..5 p{i} = p{i} + p0 : f64", NANO_BARRIER_ASM, 5, 5, 5, 0, "--laps" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(pairs); i++) {
		struct nano *brief,
			*full = paired(pairs[i].spec, pairs[i].barrier, pairs[i].brief, pairs[i].full, &brief);
		char *one = function_of(brief), *two = function_of(full), label[40];
		int bit = times(one, "laps & 1");

		if (strcmp(one, two) != 0 || nano_code(brief) != nano_code(full) || times(one, pairs[i].test) != 1 ||
		    times(one, "p1 = (p1 + ") != pairs[i].whole / full->count || bit != (pairs[i].optional > 0) ||
		    full->whole != pairs[i].whole || brief->optional != pairs[i].optional)
			fail_msg("row at line %d:\n%s", pairs[i].line, one);
		snprintf(label, sizeof(label), "\tlater:\n\tcase %d:", pairs[i].optional + 1);
		assert_int_equal(times(one, label), pairs[i].barrier == NANO_BARRIER_SWITCH && pairs[i].optional);
		assert_int_equal(nano_count_op(brief, NANO_ADD), pairs[i].whole);
		assert_true((nano_hash(brief) == nano_hash(full)) == (pairs[i].brief == pairs[i].full));
		free(one);
		free(two);
		nano_free(brief);
		nano_free(full);
	}
}

/* A loop that may skip is not the plain one of that length, and without a barrier there are no pairs. */
static void test_alone(void **state)
{
	struct nano *plain = parsed("p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 12), *brief;
	struct nano *full = paired("p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 4, 12, &brief);

	(void)state;
	assert_true(nano_hash(plain) == nano_hash(full));
	assert_true(nano_code(plain) != nano_code(full));
	nano_free(plain);
	nano_free(brief);
	nano_free(full);
	full = paired("p1 = p1 + p2 : i64", NANO_BARRIER_NONE, 4, 12, &brief);
	assert_int_equal(brief->whole, 4);
	assert_int_equal(full->optional, 0);
	assert_true(nano_code(brief) != nano_code(full));
	nano_free(brief);
	nano_free(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements), cmocka_unit_test(test_switch),    cmocka_unit_test(test_no_switch),
		cmocka_unit_test(test_claims),     cmocka_unit_test(test_volatiles), cmocka_unit_test(test_set),
		cmocka_unit_test(test_pair),       cmocka_unit_test(test_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

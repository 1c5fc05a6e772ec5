/* SPDX-License-Identifier: MIT */
/*
 * test_spec.c - specs: what they mean, and what a text that is none is told
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nano/nano.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct nano *parsed(const char *text, int unroll, int line)
{
	char error[1024] = "";
	struct nano *nano = nano_parse(text, NANO_BARRIER_ASM, unroll, error, sizeof(error));

	if (!nano)
		fail_msg("row at line %d: %s", line, error);
	assert_string_equal(error, "");
	return nano;
}

static void write_node(FILE *out, const struct nano *nano, int index)
{
	const struct nano_node *node = &nano->nodes[index];

	if (node->kind == NANO_VARIABLE) {
		fprintf(out, "p%d", node->variable);
	} else if (node->kind == NANO_CONSTANT) {
		fprintf(out, "%g", node->constant);
	} else {
		fprintf(out, "%s(", nano_op_name(node->op));
		for (int i = 0; i < node->operands; i++) {
			assert_true(node->operand[i] < index);
			fputs(i ? "," : "", out);
			write_node(out, nano, node->operand[i]);
		}
		fputc(')', out);
	}
}

/* "p1=add(p1,p2); ..." of every statement. */
static char *structure(const struct nano *nano)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (int i = 0; i < nano->count; i++) {
		const struct nano_statement *statement = &nano->statements[i];

		fputs(i ? "; " : "", out);
		if (statement->target >= 0)
			fprintf(out, "p%d=", statement->target);
		write_node(out, nano, statement->root);
	}
	fclose(out);
	return text;
}

static const struct {
	int line;
	const char *text, *meaning;
} good[] = {
	{ __LINE__, "p1 = p1 + p2 : i64", "p1=add(p1,p2)" },
	{ __LINE__, "p1=p1+p2:i64", "p1=add(p1,p2)" },
	{ __LINE__, "  p1  =\tp1 +\n p2 :  i64 ", "p1=add(p1,p2)" },
	{ __LINE__, "p1 = p1 * p2 | p3 = p3 - p2 : f64", "p1=mul(p1,p2); p3=sub(p3,p2)" },
	{ __LINE__, "for i=1..3 p{i} = p{i} + p0 : f32", "p1=add(p1,p0); p2=add(p2,p0); p3=add(p3,p0)" },
	{ __LINE__, "for i=0..3 p{i%2+1} = p{i%2+1} * p{i/2*3} : f64",
	  "p1=mul(p1,p0); p2=mul(p2,p0); p1=mul(p1,p3); p2=mul(p2,p3)" },
	{ __LINE__, "for i=0..1 p{(i+1)*2} = p{9-i} + 1 : i32", "p2=add(p9,1); p4=add(p8,1)" },
	{ __LINE__, "for i=1..2 p{i} = p{i} + p0 | p5 = p5 * p{i} : i64",
	  "p1=add(p1,p0); p5=mul(p5,p1); p2=add(p2,p0); p5=mul(p5,p2)" },
	{ __LINE__, "p1 = p1 | p2 : i64", "p1=or(p1,p2)" },
	{ __LINE__, "p1 = p1 | p2 | p3 = p3 | p1 : i64", "p1=or(p1,p2); p3=or(p3,p1)" },
	{ __LINE__, "p1 = p1 | p2 | p3 : i64", "p1=or(or(p1,p2),p3)" },
	{ __LINE__, "for i=1..1 p1 = p1 | p2 | p{i+1} = p2 + p3 : i64", "p1=or(p1,p2); p2=add(p2,p3)" },
	{ __LINE__, "p1 = p1 + p2 * p3 : i64", "p1=add(p1,mul(p2,p3))" },
	{ __LINE__, "p1 = (p1 + p2) * p3 : i64", "p1=mul(add(p1,p2),p3)" },
	{ __LINE__, "p1 = p1 - p2 - p3 : i64", "p1=sub(sub(p1,p2),p3)" },
	{ __LINE__, "p1 = p1 / p2 * p3 : f64", "p1=mul(div(p1,p2),p3)" },
	{ __LINE__, "p1 = p1 << p2 + p3 : i64", "p1=shift(p1,add(p2,p3))" },
	{ __LINE__, "p1 = p1 < p2 << 3 : i64", "p1=cmp(p1,shift(p2,3))" },
	{ __LINE__, "p1 = p1 | p2 ^ p3 & p4 < p5 : i64", "p1=or(p1,xor(p2,and(p3,cmp(p4,p5))))" },
	{ __LINE__, "p1 = p1 & p2 ^ p3 | p4 : i64", "p1=or(xor(and(p1,p2),p3),p4)" },
	{ __LINE__, "p1 = sqrt(p1 + 2) : f64", "p1=sqrt(add(p1,2))" },
	{ __LINE__, "p1 = fma(p1, p0, p2) : f32x8", "p1=fma(p1,p0,p2)" },
	{ __LINE__, "p1 = p1 + -2.5 : f64", "p1=add(p1,-2.5)" },
	{ __LINE__, "p1 = *p1 : ptr", "p1=load(p1)" },
	{ __LINE__, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", "store(p0,p1); p1=load(p0)" },
	{ __LINE__, "p1 = p1 + *p0 : f64, p0 ptr", "p1=add(p1,load(p0))" },
	{ __LINE__, "p1 = p1 * *p0 : f64, p0 ptr", "p1=mul(p1,load(p0))" },
	{ __LINE__, "p1 = p1 | p2 | *p0 = p1 : i64, p0 ptr", "p1=or(p1,p2); store(p0,p1)" },
	{ __LINE__, "*p0 = p1 + p2 : i32x4, p0 ptr", "store(p0,add(p1,p2))" },
};

static void test_structure(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		struct nano *nano = parsed(good[i].text, 8, good[i].line);
		char *meaning = structure(nano);

		if (strcmp(meaning, good[i].meaning) != 0)
			fail_msg("row at line %d: %s", good[i].line, meaning);
		free(meaning);
		nano_free(nano);
	}
}

static void test_body(void **state)
{
	static const struct {
		int line;
		const char *text;
		int unroll, body;
		enum nano_op op;
		int ops;
	} rows[] = {
		{ __LINE__, "p1 = p1 + p2 : i64", 8, 8, NANO_ADD, 8 },
		{ __LINE__, "p1 = p1 + p2 : i64", 1, 1, NANO_ADD, 1 },
		{ __LINE__, "p1 = p1 + p2 : i64", 48, 48, NANO_MUL, 0 },
		{ __LINE__, "p1 = p1 + p2 | p1 = p1 * p2 : i64", 8, 8, NANO_MUL, 4 },
		{ __LINE__, "p1 = p1 + p2 | p1 = p1 * p2 : i64", 7, 8, NANO_ADD, 4 },
		{ __LINE__, "for i=0..11 p{i%6+1} = p{i%6+1} * p0 : f64", 48, 48, NANO_MUL, 48 },
		{ __LINE__, "for i=0..11 p{i%6+1} = p{i%6+1} * p0 : f64", 49, 60, NANO_MUL, 60 },
		{ __LINE__, "for i=0..11 p{i%6+1} = p{i%6+1} * p0 : f64", 2, 12, NANO_MUL, 12 },
		{ __LINE__, "p1 = p1 + p2 * p3 + p4 : f64", 5, 5, NANO_ADD, 10 },
		{ __LINE__, "p1 = p1 | p2 | p2 = p2 | p3 | p3 = p3 | p1 : i64", 4, 6, NANO_OR, 6 },
		{ __LINE__, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", 8, 8, NANO_LOAD, 4 },
		{ __LINE__, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", 8, 8, NANO_STORE, 4 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *nano = parsed(rows[i].text, rows[i].unroll, rows[i].line);

		if (nano_body(nano) != rows[i].body || nano_count_op(nano, rows[i].op) != rows[i].ops)
			fail_msg("row at line %d: body %d, ops %d", rows[i].line, nano_body(nano),
				 nano_count_op(nano, rows[i].op));
		nano_free(nano);
	}
}

static void test_types_and_values(void **state)
{
	static const struct {
		int line;
		const char *text;
		int variable;
		const char *type;
		double value;
	} rows[] = {
		{ __LINE__, "p1 = p1 + p2 : i32", 2, "i32", 1 },
		{ __LINE__, "p1 = p1 * p2 : f64 where p2=1.25, p1=-0.5", 2, "f64", 1.25 },
		{ __LINE__, "p1 = p1 * p2 : f64 where p2=1.25, p1=-0.5", 1, "f64", -0.5 },
		{ __LINE__, "p1 = p1 * p2 : f64 where p*=7", 1, "f64", 7 },
		{ __LINE__, "p1 = p1 / p0 : i64 where p*=9000000000000000000, p0=3", 0, "i64", 3 },
		{ __LINE__, "p1 = p1 / p0 : i64 where p*=9000000000000000000, p0=3", 1, "i64", 9e18 },
		{ __LINE__, "p1 = p1 + p3 : f32x16 where p3=1e3", 3, "f32x16", 1000 },
		{ __LINE__, "*p0 = p1 : f64, p0 ptr", 0, "ptr", 1 },
		{ __LINE__, "*p0 = p1 : f64, p0 ptr", 1, "f64", 1 },
		{ __LINE__, "p1 = p1 + p1 | p2 = p2 * p2 : f64, p2 i32 where p2=4", 2, "i32", 4 },
		{ __LINE__, "p1 = p1 + p1 | p2 = p2 * p2 | p3 = *p3 : f64, p2 i32, p3 ptr where p2=4", 3, "ptr", 1 },
		{ __LINE__, "p1 = p1 + 0 : i64 where p1=0", 1, "i64", 0 },
		{ __LINE__, "p1 = p1 / 0 : f64", 1, "f64", 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *nano = parsed(rows[i].text, 8, rows[i].line);
		const struct nano_variable *variable = &nano->variables[rows[i].variable];

		assert_true(rows[i].variable < nano->variable_count);
		if (strcmp(variable->type->name, rows[i].type) != 0 || variable->value != rows[i].value)
			fail_msg("row at line %d: %s %g", rows[i].line, variable->type->name, variable->value);
		nano_free(nano);
	}
}

static const struct {
	int line;
	const char *text, *message;
} bad[] = {
	{ __LINE__, "", "expected a statement" },
	{ __LINE__, "   ", "expected a statement" },
	{ __LINE__, "p1 = p2 + : i64", "expected a variable" },
	{ __LINE__, "p1 = p2 +", "expected a variable" },
	{ __LINE__, "p1 = p2 + p3", "expected an operator, or ':'" },
	{ __LINE__, "p1 + p2 : i64", "expected '='" },
	{ __LINE__, "p1 = p1 + p2 : i65", "expected a type" },
	{ __LINE__, "p1 = p1 + p2 : f32x3", "expected a type" },
	{ __LINE__, "p1 = p1 + p2 :", "expected a type" },
	{ __LINE__, "p1 = p1 + p2 : i64 p3", "expected the end" },
	{ __LINE__, "p1 = p1 + p2 : i64 wherever", "expected the end" },
	{ __LINE__, "p1 = p1 + p2 : i64, p2", "expected a variable and its type" },
	{ __LINE__, "p1 = p1 + p2 : i64 where p2", "expected a start value" },
	{ __LINE__, "p1 = p1 + p2 : i64 where p2=x", "expected a start value" },
	{ __LINE__, "p1 = p1 / 0 : i64", "divides by zero" },
	{ __LINE__, "p1 = p1 / p0 : i64 where p0=0", "divides by zero" },
	{ __LINE__, "p1 = p1 / p0 : i32 where p*=0, p1=5", "divides by zero" },
	{ __LINE__, "p1 = p2 : i64", "needs an operation" },
	{ __LINE__, "p1 = 3 : i64", "needs an operation" },
	{ __LINE__, "p288 = p288 + p0 : i64", "not a variable" },
	{ __LINE__, "p1 = p1 + p99999999999999999999 : i64", "not a variable" },
	{ __LINE__, "for i=280..300 p{i} = p{i} + p0 : i64", "not a variable" },
	{ __LINE__, "for i=0..3 p{i-1} = p1 + p0 : i64", "not a variable" },
	{ __LINE__, "for i=0..3 p{i/0} = p1 + p0 : i64", "not a variable" },
	{ __LINE__, "p{i} = p1 + p0 : i64", "not a variable" },
	{ __LINE__, "for i=3..1 p{i} = p{i} + p0 : i64", "empty or too long" },
	{ __LINE__, "for i=0..5000 p1 = p1 + p0 : i64", "empty or too long" },
	{ __LINE__, "for i=0 p1 = p1 + p0 : i64", "expected i=FIRST..LAST" },
	{ __LINE__, "for i=0..1023 p1 = p1 + p0 | p2 = p2 + p0 : i64", "too many statements" },
	{ __LINE__, "p1 = p1 + p2 : i64, p2 f64", "must have one type" },
	{ __LINE__, "p1 = p1 + p2 : i64, p2 i32", "must have one type" },
	{ __LINE__, "p1 = p1 + p2 : ptr", "does not exist for that type" },
	{ __LINE__, "p1 = p1 + 8 : ptr", "does not exist for that type" },
	{ __LINE__, "p1 = p1 << 3 : f64", "does not exist for that type" },
	{ __LINE__, "p1 = sqrt(p1) : i64", "does not exist for that type" },
	{ __LINE__, "p1 = *p2 : i64", "only a variable of type ptr" },
	{ __LINE__, "*p2 = p1 : i64", "only a variable of type ptr" },
	{ __LINE__, "*p0 = 3 : i64, p0 ptr", "cannot tell the type" },
	{ __LINE__, "p1 = fma(p1, p2) : f64", "expected ','" },
	{ __LINE__, "p1 = sqrt p1 : f64", "expected '('" },
	{ __LINE__, "p1 = (p1 + p2 : f64", "expected ')'" },
	{ __LINE__, "p1 = p1 + p2 | : i64", "expected a" },
};

static void test_errors(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		char error[1024] = "";
		struct nano *nano = nano_parse(bad[i].text, NANO_BARRIER_ASM, 8, error, sizeof(error));
		const char *last = strrchr(error, '\n');

		if (nano || !strstr(error, bad[i].message) || strncmp(error, "bad spec: ", 10) != 0)
			fail_msg("row at line %d: '%s'", bad[i].line, error);
		if (!last || strspn(last + 1, " ") + 1 != strlen(last + 1) || error[strlen(error) - 1] != '^')
			fail_msg("row at line %d: no caret line in '%s'", bad[i].line, error);
		nano_free(nano);
	}
}

static void test_hash(void **state)
{
	struct nano *same[2] = { parsed("p1 = p1 + p2 : i64", 8, __LINE__),
				 parsed(" p1 = p1  + p2 : i64\n", 8, __LINE__) };
	char error[64] = "";
	struct nano *others[] = { parsed("p1 = p1 + p3 : i64", 8, __LINE__), parsed("p1 = p1 + p2 : i64", 9, __LINE__),
				  nano_parse("p1 = p1 + p2 : i64", NANO_BARRIER_SWITCH, 8, error, sizeof(error)),
				  nano_parse("p1 = p1 + p2 : i64", NANO_BARRIER_NONE, 8, error, sizeof(error)) };

	(void)state;
	/* A cache of compiled code and recordings outlive the process. */
	assert_true(nano_hash(same[0]) == 0xc1435af286abfe82ULL);
	assert_true(nano_hash(same[0]) == nano_hash(same[1]));
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_non_null(others[i]);
		assert_true(nano_hash(same[0]) != nano_hash(others[i]));
		for (size_t j = 0; j < i; j++)
			assert_true(nano_hash(others[i]) != nano_hash(others[j]));
	}
	for (size_t i = 0; i < COUNT(others); i++)
		nano_free(others[i]);
	nano_free(same[0]);
	nano_free(same[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_structure), cmocka_unit_test(test_body), cmocka_unit_test(test_types_and_values),
		cmocka_unit_test(test_errors),    cmocka_unit_test(test_hash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * emit.c - from nano-benchmarks to the C of one translation unit
 *
 * The form is that of X-Ray's Figure 3(d): variables initialised from volatiles, the statements unrolled W times,
 * results used through volatiles. What keeps the compiler from merging the copies is either a case label on every
 * one of them under a switch on a volatile, or an empty asm statement that claims to change the statement's
 * variables. The second compiles faster and takes no register; the first needs nothing but standard C.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nano.h"
#include "prelude.h"

static void emit_constant(FILE *out, const struct nano_node *node)
{
	if (node->type->class == NANO_INT)
		fprintf(out, "(%s)%lld", node->type->element, (long long)node->constant);
	else
		fprintf(out, "(%s)%.17g", node->type->element, node->constant);
}

static void emit_node(FILE *out, const struct nano *nano, int index);

static void emit_binary(FILE *out, const struct nano *nano, const struct nano_node *node)
{
	static const char *const infix[NANO_OPS] = {
		[NANO_ADD] = "+", [NANO_SUB] = "-", [NANO_MUL] = "*",    [NANO_DIV] = "/", [NANO_AND] = "&",
		[NANO_OR] = "|",  [NANO_XOR] = "^", [NANO_SHIFT] = "<<", [NANO_CMP] = "<",
	};

	/* The result of a comparison is an int, or a vector of ints of the lanes' width. */
	if (node->op == NANO_CMP)
		fprintf(out, "(%s)", node->type->name);
	fputc('(', out);
	emit_node(out, nano, node->operand[0]);
	fprintf(out, " %s ", infix[node->op]);
	emit_node(out, nano, node->operand[1]);
	fputc(')', out);
}

static void emit_node(FILE *out, const struct nano *nano, int index)
{
	const struct nano_node *node = &nano->nodes[index];

	if (node->kind == NANO_VARIABLE) {
		fprintf(out, "p%d", node->variable);
	} else if (node->kind == NANO_CONSTANT) {
		emit_constant(out, node);
	} else if (node->op == NANO_LOAD) {
		fprintf(out, "*(volatile %s *)", node->type->name);
		emit_node(out, nano, node->operand[0]);
	} else if (node->op == NANO_SQRT) {
		fprintf(out, "xray_sqrt_%s(", node->type->name);
		emit_node(out, nano, node->operand[0]);
		fputc(')', out);
	} else if (node->op == NANO_FMA) {
		fprintf(out, "xray_fma_%s(", node->type->name);
		for (int i = 0; i < 3; i++) {
			fputs(i ? ", " : "", out);
			emit_node(out, nano, node->operand[i]);
		}
		fputc(')', out);
	} else {
		emit_binary(out, nano, node);
	}
}

static void emit_barrier(FILE *out, const struct nano *nano, const struct nano_statement *statement)
{
	const char *separator = "";
	int done[8], count = 0;

	fputs(" __asm__ volatile(\"\" : ", out);
	for (int i = statement->first_node - 1; i <= statement->root; i++) {
		int variable = i < statement->first_node ? statement->target : nano->nodes[i].variable;
		bool seen = variable < 0 || (i >= statement->first_node && nano->nodes[i].kind != NANO_VARIABLE);

		for (int j = 0; j < count; j++)
			seen = seen || done[j] == variable;
		if (seen || count == 8)
			continue;
		done[count++] = variable;

		const struct nano_type *type = nano->variables[variable].type;
		bool general = type->lanes == 1 && type->class != NANO_FLOAT;

		fprintf(out, "%s%s(p%d)", separator, general ? "XRAY_GENERAL" : "XRAY_FLOATING", variable);
		separator = ", ";
	}
	fputs(");", out);
}

static void emit_statement(FILE *out, const struct nano *nano, const struct nano_statement *statement)
{
	const struct nano_node *root = &nano->nodes[statement->root];

	if (statement->target >= 0) {
		fprintf(out, "p%d = ", statement->target);
		emit_node(out, nano, statement->root);
	} else {
		fprintf(out, "*(volatile %s *)", root->type->name);
		emit_node(out, nano, root->operand[0]);
		fputs(" = ", out);
		emit_node(out, nano, root->operand[1]);
	}
	fputc(';', out);
	if (nano->barrier == NANO_BARRIER_ASM)
		emit_barrier(out, nano, statement);
	fputc('\n', out);
}

static const struct nano_type *pointee(const struct nano *nano, int variable)
{
	for (int i = 0; i < nano->node_count; i++) {
		const struct nano_node *node = &nano->nodes[i];

		if (node->kind == NANO_OPERATION && (node->op == NANO_LOAD || node->op == NANO_STORE) &&
		    nano->nodes[node->operand[0]].variable == variable)
			return node->type;
	}
	return nano->variables[variable].type;
}

/* The volatile a variable starts from. A ptr points to a line of its own, which holds its own address or ones. */
static void emit_start(FILE *out, const struct nano *nano, uint64_t hash, int variable)
{
	const struct nano_variable *v = &nano->variables[variable];
	const struct nano_type *type = v->type;

	if (type->class == NANO_POINTER) {
		const struct nano_type *held = pointee(nano, variable);
		int elements = 64 / held->lane_bytes;

		fprintf(out, "static %s cell_%" PRIx64 "_%d[%d] __attribute__((aligned(64))) = {", held->element, hash,
			variable, elements);
		for (int i = 0; i < elements && held->class != NANO_POINTER; i++)
			fprintf(out, "%s1", i ? ", " : "");
		if (held->class == NANO_POINTER)
			fprintf(out, "cell_%" PRIx64 "_%d", hash, variable);
		fprintf(out, "};\nstatic volatile ptr in_%" PRIx64 "_%d = cell_%" PRIx64 "_%d, out_%" PRIx64 "_%d;\n",
			hash, variable, hash, variable, hash, variable);
		return;
	}
	fprintf(out, "static volatile %s in_%" PRIx64 "_%d = %s", type->name, hash, variable,
		type->lanes > 1 ? "{" : "");
	for (int i = 0; i < type->lanes; i++) {
		fputs(i ? ", " : "", out);
		emit_constant(out, &(struct nano_node){ .type = type, .constant = v->value });
	}
	fprintf(out, "%s, out_%" PRIx64 "_%d;\n", type->lanes > 1 ? "}" : "", hash, variable);
}

static bool live(const struct nano *nano, int variable)
{
	return nano->variables[variable].used || nano->variables[variable].assigned;
}

/* A vector type needs a target feature, and some operations need more than their type does. */
static void emit_target(FILE *out, const struct nano *nano)
{
	int bytes = 0;
	bool fma = false, long_multiply = false;

	for (int i = 0; i < nano->variable_count; i++) {
		const struct nano_type *type = nano->variables[i].type;

		if (live(nano, i) && type->lanes > 1 && type->lanes * type->lane_bytes > bytes)
			bytes = type->lanes * type->lane_bytes;
	}
	for (int i = 0; i < nano->node_count; i++) {
		const struct nano_node *node = &nano->nodes[i];
		bool operation = node->kind == NANO_OPERATION;

		fma = fma || (operation && node->op == NANO_FMA);
		long_multiply = long_multiply || (operation && node->op == NANO_MUL && node->type->class == NANO_INT &&
						  node->type->lanes > 1 && node->type->lane_bytes == 8);
	}
	fprintf(out, "%s",
		bytes == 64 || long_multiply ? "XRAY_TARGET_64 "
		: bytes == 32                ? "XRAY_TARGET_32 "
		: fma                        ? "XRAY_TARGET_FMA "
		: bytes == 16                ? "XRAY_TARGET_16 "
					     : "");
}

static void emit_loop(FILE *out, const struct nano *nano)
{
	int body = nano_body(nano);
	bool ladder = nano->barrier == NANO_BARRIER_SWITCH;

	fputs(ladder ? "\tswitch (xray_entry) {\n\tcase 0:\n\tloop:\n" : "\tdo {\n", out);
	for (int i = 0; i < body; i++) {
		if (ladder)
			fprintf(out, "\tcase %d: ", i + 1);
		else
			fputs("\t\t", out);
		emit_statement(out, nano, &nano->statements[i % nano->count]);
	}
	fputs(ladder ? "\t\tif (--laps)\n\t\t\tgoto loop;\n\t}\n" : "\t} while (--laps);\n", out);
}

static void emit_function(FILE *out, const struct nano *nano)
{
	uint64_t hash = nano_hash(nano);
	int shown = nano->variable_count > 1 && live(nano, 1) ? 1 : 0;

	fprintf(out, "\n/* %s\n   unrolled %d times */\n", nano->text, nano_body(nano));
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			emit_start(out, nano, hash, i);
	emit_target(out, nano);
	fprintf(out, "double xray_nano_%" PRIx64 "(long laps)\n{\n", hash);
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			fprintf(out, "\t%s p%d = in_%" PRIx64 "_%d;\n", nano->variables[i].type->name, i, hash, i);
	emit_loop(out, nano);
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			fprintf(out, "\tout_%" PRIx64 "_%d = p%d;\n", hash, i, i);
	if (!live(nano, shown) || nano->variables[shown].type->class == NANO_POINTER)
		fputs("\treturn 0;\n}\n", out);
	else
		fprintf(out, "\treturn (double)p%d%s;\n}\n", shown,
			nano->variables[shown].type->lanes > 1 ? "[0]" : "");
}

char *nano_emit(const struct nano *const *set, int count)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(nano_prelude, out);
	for (int i = 0; i < count; i++)
		emit_function(out, set[i]);
	fclose(out);
	return text;
}

/* SPDX-License-Identifier: MIT */
/*
 * statement.c - one statement as C, with the barrier before it
 */
#include "statement.h"

void statement_constant(FILE *out, const struct nano_node *node)
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
		statement_constant(out, node);
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

static void claim(FILE *out, const struct nano *nano, int variable)
{
	const struct nano_type *type = nano->variables[variable].type;
	bool general = type->lanes == 1 && type->class != NANO_FLOAT;

	fprintf(out, "%s(p%d)", general ? "XRAY_GENERAL" : "XRAY_FLOATING", variable);
}

/* One operation, the first operand a variable: what is computed from that and the target is new in every copy, whatever
 * the other operands are. */
static bool is_plain(const struct nano *nano, const struct nano_statement *statement)
{
	for (int i = statement->first_node; i < statement->root; i++)
		if (nano->nodes[i].kind == NANO_OPERATION)
			return false;
	return statement->target >= 0 && nano->nodes[statement->first_node].kind == NANO_VARIABLE;
}

/* Before the statement, not behind it: the claims then stand between the loop's test and what comes next on both sides
 * of it, so that nothing is computed once for both; and gcc -O1 copies what an asm statement at a loop's end changed.
 */
static void emit_barrier(FILE *out, const struct nano *nano, const struct nano_statement *statement)
{
	int done[8], count = 0, last = is_plain(nano, statement) ? statement->first_node : statement->root;

	fputs("__asm__ volatile(\"\" : ", out);
	for (int i = statement->first_node - 1; i <= last; i++) {
		int variable = i < statement->first_node ? statement->target : nano->nodes[i].variable;
		bool seen = variable < 0 || (i >= statement->first_node && nano->nodes[i].kind != NANO_VARIABLE);

		for (int j = 0; j < count; j++)
			seen = seen || done[j] == variable;
		if (seen || count == 8)
			continue;
		fputs(count ? ", " : "", out);
		done[count++] = variable;
		claim(out, nano, variable);
	}
	fputs("); ", out);
}

void statement_emit(FILE *out, const struct nano *nano, const struct nano_statement *statement)
{
	const struct nano_node *root = &nano->nodes[statement->root];

	if (nano->barrier == NANO_BARRIER_ASM)
		emit_barrier(out, nano, statement);
	if (statement->target >= 0) {
		fprintf(out, "p%d = ", statement->target);
		emit_node(out, nano, statement->root);
	} else {
		fprintf(out, "*(volatile %s *)", root->type->name);
		emit_node(out, nano, root->operand[0]);
		fputs(" = ", out);
		emit_node(out, nano, root->operand[1]);
	}
	fputs(";\n", out);
}

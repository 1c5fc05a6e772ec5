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
#include "statement.h"

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
		statement_constant(out, &(struct nano_node){ .type = type, .constant = v->value });
	}
	fprintf(out, "%s, out_%" PRIx64 "_%d;\n", type->lanes > 1 ? "}" : "", hash, variable);
}

static bool live(const struct nano *nano, int variable)
{
	return nano->variables[variable].used || nano->variables[variable].assigned;
}

static bool is_integer(const struct nano_node *node, enum nano_op op, bool vector)
{
	return node->kind == NANO_OPERATION && node->op == op && node->type->class == NANO_INT &&
	       (node->type->lanes > 1) == vector;
}

/* A vector type needs a target feature, be it of a variable that no statement uses, and some operations need more than
 * their type does. Null: none is needed. */
static const char *target(const struct nano *nano)
{
	int bytes = 0;
	bool fma = false, long_multiply = false, division = false, compare = false;

	for (int i = 0; i < nano->variable_count; i++) {
		const struct nano_type *type = nano->variables[i].type;

		if (type->lanes > 1 && type->lanes * type->lane_bytes > bytes)
			bytes = type->lanes * type->lane_bytes;
	}
	for (int i = 0; i < nano->node_count; i++) {
		const struct nano_node *node = &nano->nodes[i];

		fma = fma || (node->kind == NANO_OPERATION && node->op == NANO_FMA);
		long_multiply = long_multiply || (is_integer(node, NANO_MUL, true) && node->type->lane_bytes == 8);
		division = division || is_integer(node, NANO_DIV, false);
		compare = compare || is_integer(node, NANO_CMP, false);
	}
	return bytes == 64 || long_multiply ? "64"
	       : bytes == 32                ? "32"
	       : fma                        ? "FMA"
	       : bytes == 16                ? "16"
	       : division                   ? "DIV"
	       : compare                    ? "CMP"
					    : NULL;
}

static void emit_copies(FILE *out, const struct nano *nano, int first, int end)
{
	for (int i = first; i < end; i++) {
		if (nano->barrier == NANO_BARRIER_SWITCH)
			fprintf(out, "\tcase %d: ", i + 1);
		else
			fputs("\t\t", out);
		statement_emit(out, nano, &nano->statements[i % nano->count]);
	}
}

/* Laps count up to zero by twos, so that the lowest bit can tell whether to skip: a flag of its own would take a
 * register, and as many chains as the registers hold are wanted. */
static const char *next_lap(const struct nano *nano)
{
	return nano->optional ? "(laps += 2) < 0" : "--laps";
}

static void emit_ladder(FILE *out, const struct nano *nano)
{
	fputs("\tswitch (xray_entry) {\n\tcase 0:\n\tloop:\n", out);
	if (nano->optional) {
		fputs("\t\tif (laps & 1)\n\t\t\tgoto later;\n", out);
		emit_copies(out, nano, 0, nano->optional);
		fputs("\tlater:\n", out);
	}
	emit_copies(out, nano, nano->optional, nano->whole);
	fprintf(out, "\t\tif (%s)\n\t\t\tgoto loop;\n\t}\n", next_lap(nano));
}

/* A compiler that knew what never changes would make two loops of one. */
static void emit_loop(FILE *out, const struct nano *nano)
{
	fputs("\tdo {\n", out);
	if (nano->optional) {
		fputs("\t\t__asm__ volatile(\"\" : XRAY_GENERAL(laps));\n"
		      "\t\tif (__builtin_expect(!(laps & 1), 1)) {\n",
		      out);
		emit_copies(out, nano, 0, nano->optional);
		fputs("\t\t}\n", out);
	}
	emit_copies(out, nano, nano->optional, nano->whole);
	fprintf(out, "\t} while (%s);\n", next_lap(nano));
}

/* gcc -O1 leaves the upper halves of wide registers as they are, and while anything is in them every narrower
 * operation is slower on some cores: 22 cycles for a division of 14. What is shown is read back, since a variable that
 * lives on beyond the clearing may be kept in memory all along. */
static void emit_end(FILE *out, const struct nano *nano, const char *feature)
{
	int shown = nano->variable_count > 1 && live(nano, 1) ? 1 : 0;

	if (feature)
		fprintf(out, "\tXRAY_LEAVE_%s;\n", feature);
	if (!live(nano, shown) || nano->variables[shown].type->class == NANO_POINTER)
		fputs("\treturn 0;\n}\n", out);
	else
		fprintf(out, "\treturn (double)out_%" PRIx64 "_%d%s;\n}\n", nano_code(nano), shown,
			nano->variables[shown].type->lanes > 1 ? "[0]" : "");
}

static void emit_function(FILE *out, const struct nano *nano)
{
	uint64_t hash = nano_code(nano);
	const char *feature = target(nano);

	fprintf(out, "\n/* %s\n   unrolled %d times", nano->text, nano->whole);
	if (nano->optional)
		fprintf(out, ", %d of them with skip", nano->whole - nano->optional);
	fputs(" */\n", out);
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			emit_start(out, nano, hash, i);
	if (feature)
		fprintf(out, "XRAY_TARGET_%s ", feature);
	fprintf(out, "double xray_nano_%" PRIx64 "(long laps, int skip)\n{\n", hash);
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			fprintf(out, "\t%s p%d = in_%" PRIx64 "_%d;\n", nano->variables[i].type->name, i, hash, i);
	if (nano->optional)
		fputs("\tlaps = skip - 2 * laps;\n", out);
	if (nano->barrier == NANO_BARRIER_SWITCH)
		emit_ladder(out, nano);
	else
		emit_loop(out, nano);
	for (int i = 0; i < nano->variable_count; i++)
		if (live(nano, i))
			fprintf(out, "\tout_%" PRIx64 "_%d = p%d;\n", hash, i, i);
	emit_end(out, nano, feature);
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

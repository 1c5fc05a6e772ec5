/* SPDX-License-Identifier: MIT */
/*
 * value.c - what the statements compute, in the arithmetic of the described machine
 *
 * One pass from the start values. The rounding is the point: a machine that fuses a*b+c rounds once, one that does
 * not rounds twice, so this file must not be contracted by our own compiler.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

struct value {
	double real;
	int64_t whole;
};

struct pass {
	const struct description *description;
	const struct nano *nano;
	struct value *nodes, *variables, *cells; /* a cell is what lies behind a pointer variable */
};

int sim_fused(const struct description *description, const struct nano *nano, int node)
{
	const struct nano_node *sum = &nano->nodes[node];

	if (sum->kind != NANO_OPERATION || sum->op != NANO_ADD || sum->type->class != NANO_FLOAT ||
	    !description_find(description, nano_op_name(NANO_FMA), sum->type->name))
		return -1;
	for (int i = 0; i < 2; i++) {
		const struct nano_node *product = &nano->nodes[sum->operand[i]];

		if (product->kind == NANO_OPERATION && product->op == NANO_MUL && product->type == sum->type)
			return i;
	}
	return -1;
}

static struct value make(const struct nano_type *type, double constant)
{
	struct value value = { 0 };

	if (type->class == NANO_FLOAT)
		value.real = type->lane_bytes == 4 ? (float)constant : constant;
	else if (type->class == NANO_INT && fabs(constant) < 9e18)
		value.whole = type->lane_bytes == 4 ? (int32_t)(uint32_t)(int64_t)constant : (int64_t)constant;
	return value;
}

static double real_result(const struct nano_node *node, const struct value *a, const struct value *b,
			  const struct value *c)
{
	bool single = node->type->lane_bytes == 4;
	volatile double result;

	switch (node->op) {
	case NANO_ADD:
		result = a->real + b->real;
		break;
	case NANO_SUB:
		result = a->real - b->real;
		break;
	case NANO_MUL:
		result = a->real * b->real;
		break;
	case NANO_DIV:
		result = a->real / b->real;
		break;
	case NANO_SQRT:
		result = sqrt(a->real);
		break;
	case NANO_FMA:
		result = single ? fmaf((float)a->real, (float)b->real, (float)c->real) : fma(a->real, b->real, c->real);
		break;
	default:
		result = a->real < b->real;
		break;
	}
	/* In double and then in float gives the correctly rounded float for all of these: 53 >= 2 * 24 + 2. */
	return single ? (float)result : result;
}

/* False: a division by zero. */
static bool whole_result(const struct nano_node *node, int64_t a, int64_t b, int64_t *result)
{
	bool narrow = node->type->lane_bytes == 4;
	uint64_t wrapped = 0, left = (uint64_t)a, right = (uint64_t)b;

	switch (node->op) {
	case NANO_ADD:
		wrapped = left + right;
		break;
	case NANO_SUB:
		wrapped = left - right;
		break;
	case NANO_MUL:
		wrapped = left * right;
		break;
	case NANO_DIV:
		if (!b)
			return false;
		wrapped = b == -1 ? 0 - left : (uint64_t)(a / b);
		break;
	case NANO_AND:
		wrapped = left & right;
		break;
	case NANO_OR:
		wrapped = left | right;
		break;
	case NANO_XOR:
		wrapped = left ^ right;
		break;
	case NANO_SHIFT:
		wrapped = left << (right & (narrow ? 31 : 63));
		break;
	default:
		wrapped = a < b;
		break;
	}
	*result = narrow ? (int32_t)(uint32_t)wrapped : (int64_t)wrapped;
	return true;
}

static bool operate(struct pass *pass, int index)
{
	const struct nano_node *node = &pass->nano->nodes[index];
	struct value *out = &pass->nodes[index];
	const struct value *operand[3] = { out, out, out };
	int fused = sim_fused(pass->description, pass->nano, index);

	for (int i = 0; i < node->operands; i++)
		operand[i] = &pass->nodes[node->operand[i]];
	if (node->op == NANO_LOAD || node->op == NANO_STORE) {
		struct value *cell = &pass->cells[pass->nano->nodes[node->operand[0]].variable];

		if (node->op == NANO_LOAD)
			*out = *cell;
		else
			*cell = *operand[1];
	} else if (fused >= 0) {
		const int *factor = pass->nano->nodes[node->operand[fused]].operand;
		struct nano_node fma_node = { .op = NANO_FMA, .type = node->type };

		out->real = real_result(&fma_node, &pass->nodes[factor[0]], &pass->nodes[factor[1]], operand[!fused]);
	} else if (node->type->class == NANO_FLOAT) {
		out->real = real_result(node, operand[0], operand[1], operand[2]);
	} else if (node->type->class == NANO_INT) {
		return whole_result(node, operand[0]->whole, operand[1]->whole, &out->whole);
	}
	return true;
}

static bool run(struct pass *pass)
{
	const struct nano *nano = pass->nano;

	for (int i = 0; i < nano->variable_count; i++)
		if (nano->variables[i].used || nano->variables[i].assigned)
			pass->variables[i] = make(nano->variables[i].type, nano->variables[i].value);
	for (int s = 0; s < nano->count; s++) {
		const struct nano_statement *statement = &nano->statements[s];

		for (int i = statement->first_node; i <= statement->root; i++) {
			const struct nano_node *node = &nano->nodes[i];

			if (node->kind == NANO_CONSTANT)
				pass->nodes[i] = make(node->type, node->constant);
			else if (node->kind == NANO_VARIABLE)
				pass->nodes[i] = pass->variables[node->variable];
			else if (!operate(pass, i))
				return false;
		}
		if (statement->target >= 0)
			pass->variables[statement->target] = pass->nodes[statement->root];
	}
	return true;
}

bool sim_value(const struct description *description, const struct nano *nano, struct sim_lap *lap)
{
	size_t variables = (size_t)nano->variable_count;
	struct pass pass = { description, nano, NULL, NULL, NULL };
	bool done = false;

	pass.nodes = calloc((size_t)nano->node_count + 2 * variables + 1, sizeof *pass.nodes);
	if (!pass.nodes) {
		lap->status = MACHINE_BLOCKED;
		snprintf(lap->why, sizeof lap->why, "out of memory");
		return false;
	}
	pass.variables = pass.nodes + nano->node_count;
	pass.cells = pass.variables + variables;
	done = run(&pass);
	if (!done) {
		lap->status = MACHINE_FAULT;
		snprintf(lap->why, sizeof lap->why, "division by zero");
	} else if (variables) {
		int shown = variables > 1 && (nano->variables[1].used || nano->variables[1].assigned) ? 1 : 0;
		const struct nano_type *type = nano->variables[shown].type;

		if (type && type->class == NANO_FLOAT)
			lap->value = pass.variables[shown].real;
		else
			lap->value = (double)pass.variables[shown].whole;
	}
	free(pass.nodes);
	return done;
}

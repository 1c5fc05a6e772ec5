/* SPDX-License-Identifier: MIT */
/*
 * program.c - statements to micro-ops, as a compiler for the described machine would write them
 *
 * Contracts a*b+c where the machine can, keeps variables in registers while there are some, and adds the loop's own
 * counter and branch.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

enum { SMALL_DIVIDEND = 65536 };

struct builder {
	const struct description *description;
	const struct nano *nano;
	struct sim_program *program;
	struct sim_lap *lap;
	bool *spilled; /* by variable */
	bool *absorbed; /* by node: done by the addition above it */
	int *slot_of; /* by node */
};

static double registers_of(const struct description *description, const struct nano_type *type)
{
	const char *class = type->lanes > 1 ? "vector" : type->class == NANO_FLOAT ? "float" : "int";
	const char *keys[] = { type->class == NANO_POINTER ? "i64" : type->name, class,
			       type->lanes > 1 ? "float" : class };

	for (int k = 0; k < 3; k++)
		for (int i = 0; i < description->register_keys; i++)
			if (!strcmp(description->registers[i].key, keys[k]))
				return description->registers[i].count;
	return INFINITY;
}

static bool same_file(const struct nano_type *a, const struct nano_type *b)
{
	if (a->lanes > 1 || b->lanes > 1)
		return a == b;
	return (a->class == NANO_FLOAT) == (b->class == NANO_FLOAT);
}

/* From the highest index down, a variable is spilled while more of its file live than it has registers. */
static void spill(struct builder *builder)
{
	const struct nano *nano = builder->nano;

	for (int i = nano->variable_count - 1; i >= 0; i--) {
		const struct nano_variable *variable = &nano->variables[i];
		double registers = INFINITY;
		int alive = 0;

		if (!variable->used && !variable->assigned)
			continue;
		for (int j = 0; j <= i; j++) {
			const struct nano_variable *other = &nano->variables[j];

			if ((!other->used && !other->assigned) || !same_file(variable->type, other->type))
				continue;
			alive++;
			registers = fmin(registers, registers_of(builder->description, other->type));
		}
		if (alive <= registers)
			continue;
		builder->spilled[i] = true;
		builder->program->spills++;
		builder->program->registers = (int)registers;
	}
}

/* The program's resource of that name, with so many units. */
static int resource(struct builder *builder, const char *mark, const char *name, int units)
{
	struct sim_program *program = builder->program;
	struct sim_resource wanted = { .units = units };

	/* The mark keeps a pool called add.i64 apart from the operation, and a port from both. */
	snprintf(wanted.name, sizeof wanted.name, "%s%s", mark, name);
	for (int i = 0; i < program->resource_count; i++)
		if (!strcmp(program->resources[i].name, wanted.name))
			return i;
	program->resources[program->resource_count] = wanted;
	return program->resource_count++;
}

static struct sim_uop *add_uop(struct builder *builder, enum sim_kind kind)
{
	struct sim_program *program = builder->program;
	struct sim_uop *uop = &program->uops[program->pass + program->loop];

	*uop = (struct sim_uop){ .kind = kind, .in = { -1, -1, -1 }, .out = -1, .memory = -1 };
	program->pass++;
	return uop;
}

static void take_ports(struct builder *builder, struct sim_uop *uop, const struct description_op *op)
{
	uop->part_count = op->part_count;
	for (int i = 0; i < op->part_count; i++) {
		struct sim_part *part = &uop->parts[i];

		part->busy = op->parts[i].cycles;
		part->count = op->parts[i].count;
		for (int j = 0; j < part->count; j++)
			part->resources[j] =
				resource(builder, "+", builder->description->ports[op->parts[i].ports[j]], 1);
	}
}

static void take_units(struct builder *builder, struct sim_uop *uop, const struct description_op *op, const char *name,
		       bool small)
{
	double interval = small && op->interval_small > 0 ? op->interval_small : op->interval;
	int units = description_units(builder->description, op);

	uop->part_count = uop->parts[0].count = 1;
	uop->parts[0].busy = interval * units;
	uop->parts[0].resources[0] =
		*op->pool ? resource(builder, ".", op->pool, units) : resource(builder, "", name, units);
}

/* Gives the micro-op the costs of OP.TYPE; false when the machine has none. */
static bool cost(struct builder *builder, struct sim_uop *uop, enum nano_op op, const char *type, bool small)
{
	const struct description_op *found = description_find(builder->description, nano_op_name(op), type);
	char name[48];

	snprintf(name, sizeof name, "%s.%s", nano_op_name(op), type);
	if (!found) {
		builder->lap->status = MACHINE_ABSENT;
		snprintf(builder->lap->why, sizeof builder->lap->why, "this machine has no %s", name);
		return false;
	}
	uop->latency = small && found->latency_small > 0 ? found->latency_small : found->latency;
	if (found->part_count)
		take_ports(builder, uop, found);
	else
		take_units(builder, uop, found, name, small);
	return true;
}

/* A spill takes a slot and, where the machine describes one, a load or store unit; its latency is paid once, by the
 * store. */
static void add_spill(struct builder *builder, enum nano_op op, int variable, int slot)
{
	const struct description *description = builder->description;
	struct sim_uop *uop = add_uop(builder, SIM_EXECUTE);
	const char *type = builder->nano->variables[variable].type->name;

	if (description_find(description, nano_op_name(op), type))
		cost(builder, uop, op, type, false);
	uop->latency = op == NANO_STORE ? description->core.spill : 0;
	uop->in[0] = op == NANO_STORE ? slot : variable;
	uop->out = op == NANO_STORE ? variable : slot;
}

static bool small_dividend(const struct nano *nano, const struct nano_node *node)
{
	const struct nano_node *dividend = &nano->nodes[node->operand[0]];

	if (node->op != NANO_DIV || dividend->kind == NANO_OPERATION)
		return false;
	return fabs(dividend->kind == NANO_CONSTANT ? dividend->constant : nano->variables[dividend->variable].value) <
	       SMALL_DIVIDEND;
}

static int memory_slot(const struct nano *nano, const struct nano_node *access)
{
	const struct nano_node *address = &nano->nodes[access->operand[0]];

	return address->kind == NANO_VARIABLE ? nano->variable_count + address->variable : -1;
}

static bool add_operation(struct builder *builder, int index, int out)
{
	const struct nano *nano = builder->nano;
	const struct nano_node *node = &nano->nodes[index];
	int fused = sim_fused(builder->description, nano, index), inputs = 0;
	enum sim_kind kind = node->op == NANO_LOAD ? SIM_LOAD : node->op == NANO_STORE ? SIM_STORE : SIM_EXECUTE;
	struct sim_uop *uop = add_uop(builder, kind);

	for (int i = 0; i < node->operands; i++) {
		const struct nano_node *product = &nano->nodes[node->operand[i]];

		if (i != fused) {
			uop->in[inputs++] = builder->slot_of[node->operand[i]];
			continue;
		}
		uop->in[inputs++] = builder->slot_of[product->operand[0]];
		uop->in[inputs++] = builder->slot_of[product->operand[1]];
	}
	if (!cost(builder, uop, fused >= 0 ? NANO_FMA : node->op, node->type->name, small_dividend(nano, node)))
		return false;
	uop->out = out;
	if (kind != SIM_EXECUTE)
		uop->memory = memory_slot(nano, node);
	return true;
}

static bool add_statement(struct builder *builder, const struct nano_statement *statement)
{
	const struct nano *nano = builder->nano;
	int nodes = builder->program->watched, target = statement->target;
	bool spilled = target >= 0 && builder->spilled[target];

	for (int i = statement->first_node; i <= statement->root; i++) {
		const struct nano_node *node = &nano->nodes[i];
		bool last = i == statement->root;

		builder->slot_of[i] = nodes + i;
		if (node->kind == NANO_CONSTANT)
			builder->slot_of[i] = -1;
		else if (node->kind == NANO_VARIABLE && builder->spilled[node->variable])
			add_spill(builder, NANO_LOAD, node->variable, nodes + i);
		else if (node->kind == NANO_VARIABLE)
			builder->slot_of[i] = node->variable;
		else if (!builder->absorbed[i] && !add_operation(builder, i,
								 last && target < 0 ? -1
								 : last && !spilled ? target
										    : nodes + i))
			return false;
	}
	if (spilled)
		add_spill(builder, NANO_STORE, target, builder->slot_of[statement->root]);
	return true;
}

/* The counter and the branch, which is predicted and so waits for nothing; a machine without add.i64 counts for free.
 */
static void add_loop(struct builder *builder)
{
	struct sim_program *program = builder->program;
	int counter = 2 * builder->nano->variable_count, pass = program->pass;
	struct sim_uop *count = add_uop(builder, SIM_EXECUTE);

	if (description_find(builder->description, nano_op_name(NANO_ADD), "i64"))
		cost(builder, count, NANO_ADD, "i64", false);
	count->in[0] = count->out = counter;
	add_uop(builder, SIM_EXECUTE);
	program->loop = program->pass - pass;
	program->pass = pass;
}

static bool reserve(struct builder *builder)
{
	struct sim_program *program = builder->program;
	size_t nodes = (size_t)builder->nano->node_count, statements = (size_t)builder->nano->count;

	program->uops = calloc(nodes + statements + 2, sizeof *program->uops);
	program->resources = calloc(nodes + statements + 2 + DESCRIPTION_PORTS, sizeof *program->resources);
	builder->spilled = calloc((size_t)builder->nano->variable_count + 1, sizeof *builder->spilled);
	builder->absorbed = calloc(nodes + 1, sizeof *builder->absorbed);
	builder->slot_of = calloc(nodes + 1, sizeof *builder->slot_of);
	if (program->uops && program->resources && builder->spilled && builder->absorbed && builder->slot_of)
		return true;
	builder->lap->status = MACHINE_BLOCKED;
	snprintf(builder->lap->why, sizeof builder->lap->why, "out of memory");
	return false;
}

bool sim_program_build(const struct description *description, const struct nano *nano, struct sim_program *program,
		       struct sim_lap *lap)
{
	struct builder builder = { description, nano, program, lap, NULL, NULL, NULL };
	bool built;

	memset(program, 0, sizeof *program);
	program->repeats = nano_body(nano) / nano->count;
	program->fetch = 2 * nano->variable_count + 1;
	program->retire = program->fetch + 1;
	program->watched = program->retire + 1;
	program->slots = program->watched + nano->node_count;
	built = reserve(&builder);
	for (int i = 0; built && i < nano->node_count; i++) {
		int fused = sim_fused(description, nano, i);

		if (fused >= 0)
			builder.absorbed[nano->nodes[i].operand[fused]] = true;
	}
	if (built)
		spill(&builder);
	for (int i = 0; built && i < nano->count; i++)
		built = add_statement(&builder, &nano->statements[i]);
	if (built)
		add_loop(&builder);
	free(builder.spilled);
	free(builder.absorbed);
	free(builder.slot_of);
	return built;
}

void sim_program_free(struct sim_program *program)
{
	free(program->uops);
	free(program->resources);
}

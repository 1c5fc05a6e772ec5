/* SPDX-License-Identifier: MIT */
/*
 * kernel.c - writes mixes down: operations in turn, chains that each have time enough
 *
 * Each chain comes round once in so many operations of its kind, and has to have room to spare: a scheduler that takes
 * the oldest first now and then lets one wait.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel.h"

enum { MOST_REPEATS = 12, MOST_STATEMENTS = 64, NONE = -1, LENT = 0, REALIGNED = 3 };

/* Functions with wide vectors in them align their stack, which takes registers for integers (REALIGNED). */
static const double ROOMY[] = { 1.5, 1.25, 1.1 };

struct layout {
	int repeats;
	int chains[PORTS_OPS];
	int first[PORTS_OPS]; /* variable of an operation's first chain */
	int constant[PORTS_OPS], other[PORTS_OPS], address[PORTS_OPS]; /* C, B, A */
	int variables;
};

static bool is_integer(const struct ports_op *op)
{
	return op->type->class == NANO_INT && op->type->lanes == 1;
}

static const char *statement_of(const struct ports_op *op, const struct ports_room *room)
{
	return op->renewed && room->lent ? op->renewed : op->chained;
}

/* Is there an operation that takes the lent instructions? */
static bool lends(const struct ports_op *ops, const int *n, const struct ports_room *room)
{
	for (int op = 0; op < PORTS_OPS; op++)
		if (n[op] && ops[op].renewed && room->lent)
			return true;
	return false;
}

static bool waits(const struct ports_op *op, const struct ports_room *room)
{
	const char *statement = statement_of(op, room);

	return statement == op->chained && strchr(statement, 'D') != strrchr(statement, 'D');
}

/* Cycles that the mix takes at least: those of the kind that takes longest. */
static double least_cycles(const struct ports_op *ops, const int *n)
{
	double least = 0;

	for (int op = 0; op < PORTS_OPS; op++)
		if (n[op])
			least = fmax(least, n[op] * ops[op].interval);
	return least;
}

/* The fewest chains, no fewer than wanted, that the statements use equally often. */
static int even_chains(int statements, int wanted)
{
	while (statements % wanted)
		wanted++;
	return wanted;
}

/* Is it the first operation that uses this variable? */
static bool introduces(const int *held, int op)
{
	for (int i = 0; i < op; i++)
		if (held[i] == held[op])
			return false;
	return held[op] != NONE;
}

/* The variable that holds the constant of a type, the same for all operations on it. */
static int shared_variable(const struct ports_op *ops, const int *held, int op, int fresh)
{
	for (int i = 0; i < op; i++)
		if (held[i] != NONE && ops[i].type == ops[op].type)
			return held[i];
	return fresh;
}

static void name_variables(const struct ports_op *ops, const int *n, const struct ports_room *room,
			   struct layout *layout)
{
	layout->variables = LENT + 1;
	for (int op = 0; op < PORTS_OPS; op++) {
		const char *statement = n[op] ? statement_of(&ops[op], room) : "";
		int *held[] = { layout->constant, layout->other, layout->address };

		for (int i = 0; i < 3; i++) {
			held[i][op] = NONE;
			if (!strchr(statement, "CBA"[i]))
				continue;
			held[i][op] = i < 2 ? shared_variable(ops, held[i], op, layout->variables) : layout->variables;
			layout->variables += held[i][op] == layout->variables;
		}
		layout->first[op] = layout->variables;
		layout->variables += strchr(statement, 'D') ? layout->chains[op] : 0;
	}
}

static bool fits(const struct ports_op *ops, const int *n, const struct ports_room *room, const struct layout *layout)
{
	int integers = lends(ops, n, room) ? REALIGNED : 0, floats = 0;

	for (int op = 0; op < PORTS_OPS; op++) {
		const char *statement = n[op] ? statement_of(&ops[op], room) : "";
		int *file = n[op] && is_integer(&ops[op]) ? &integers : &floats;

		*file += introduces(layout->constant, op) + introduces(layout->other, op);
		integers += layout->address[op] != NONE;
		*file += strchr(statement, 'D') ? layout->chains[op] : 0;
	}
	return integers <= room->integers && floats <= room->floats;
}

static bool lay_out(const struct ports_op *ops, const int *n, const struct ports_room *room, struct layout *layout)
{
	double least = least_cycles(ops, n);
	int all = 0;

	for (int op = 0; op < PORTS_OPS; op++)
		all += n[op];
	for (size_t slack = 0; slack < sizeof ROOMY / sizeof *ROOMY; slack++)
		for (layout->repeats = 1; layout->repeats <= MOST_REPEATS &&
					  (layout->repeats == 1 || layout->repeats * all <= MOST_STATEMENTS);
		     layout->repeats++) {
			bool enough = true;

			for (int op = 0; op < PORTS_OPS; op++) {
				int statements = n[op] * layout->repeats;
				double wanted = n[op] && waits(&ops[op], room)
							? ceil(ROOMY[slack] * ops[op].latency * n[op] / least - 0.01)
							: 1;

				layout->chains[op] = 1;
				enough = enough && (!n[op] || wanted <= statements);
				if (n[op] && enough)
					layout->chains[op] = even_chains(statements, wanted > 1 ? (int)wanted : 1);
			}
			name_variables(ops, n, room, layout);
			if (enough && layout->variables <= NANO_MAX_VARIABLES && fits(ops, n, room, layout))
				return true;
		}
	return false;
}

static void write_statement(FILE *out, const char *statement, const struct layout *layout, int op, int turn)
{
	for (; *statement; statement++) {
		int variable = *statement == 'D'   ? layout->first[op] + turn % layout->chains[op]
			       : *statement == 'C' ? layout->constant[op]
			       : *statement == 'B' ? layout->other[op]
			       : *statement == 'A' ? layout->address[op]
						   : NONE;

		if (variable == NONE)
			fputc(*statement, out);
		else
			fprintf(out, "p%d", variable);
	}
}

/* Operations of each kind as evenly apart as can be. */
static void write_body(FILE *out, const struct ports_op *ops, const int *n, const struct ports_room *room,
		       const struct layout *layout)
{
	int done[PORTS_OPS] = { 0 }, all = 0;

	for (int op = 0; op < PORTS_OPS; op++)
		all += n[op] * layout->repeats;
	for (int i = 0; i < all; i++) {
		int next = 0;
		double soonest = INFINITY;

		for (int op = 0; op < PORTS_OPS; op++) {
			double due = n[op] ? (done[op] + 0.5) / n[op] : INFINITY;

			if (due < soonest && done[op] < n[op] * layout->repeats) {
				soonest = due;
				next = op;
			}
		}
		fputs(i ? " | " : "", out);
		write_statement(out, statement_of(&ops[next], room), layout, next, done[next]++);
	}
}

static void write_types(FILE *out, const struct ports_op *ops, const int *n, const struct ports_room *room,
			const struct layout *layout)
{
	const char *before = " where ";

	fputs(" : i64", out);
	if (lends(ops, n, room))
		fprintf(out, ", p%d %s", LENT, room->lent->name);
	for (int op = 0; op < PORTS_OPS; op++) {
		const char *statement = n[op] ? statement_of(&ops[op], room) : "";

		if (layout->address[op] != NONE)
			fprintf(out, ", p%d ptr", layout->address[op]);
		if (!n[op] || is_integer(&ops[op]))
			continue;
		if (introduces(layout->constant, op))
			fprintf(out, ", p%d %s", layout->constant[op], ops[op].type->name);
		if (introduces(layout->other, op))
			fprintf(out, ", p%d %s", layout->other[op], ops[op].type->name);
		for (int i = 0; strchr(statement, 'D') && i < layout->chains[op]; i++)
			fprintf(out, ", p%d %s", layout->first[op] + i, ops[op].type->name);
	}
	for (int op = 0; op < PORTS_OPS; op++) {
		if (!n[op] || ops[op].type->class != NANO_FLOAT || !introduces(layout->constant, op))
			continue;
		/* All of its bits are in use, and a product of a hundred thousand of them is none to speak of. */
		fprintf(out, "%sp%d=0.999999", before, layout->constant[op]);
		before = ", ";
	}
}

bool ports_kernel(const struct ports_op *ops, const struct ports_mix *mix, const struct ports_room *room,
		  char text[KERNEL_TEXT], double *waiting)
{
	struct layout layout;
	FILE *out;

	if (!lay_out(ops, mix->n, room, &layout))
		return false;
	out = fmemopen(text, KERNEL_TEXT, "w");
	if (!out)
		return false;
	write_body(out, ops, mix->n, room, &layout);
	write_types(out, ops, mix->n, room, &layout);
	*waiting = 0;
	for (int op = 0; op < PORTS_OPS; op++)
		if (mix->n[op] && waits(&ops[op], room))
			*waiting = fmax(*waiting, ops[op].latency * mix->n[op] / layout.chains[op]);

	bool whole = ftell(out) < KERNEL_TEXT - 1;

	return fclose(out) == 0 && whole;
}

void ports_words(const struct ports_op *ops, int count, const int *n, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int op = 0; op < count && used < size; op++)
		if (n[op])
			used += (size_t)snprintf(text + used, size - used, "%s%d %s", used ? " + " : "", n[op],
						 ops[op].name);
}

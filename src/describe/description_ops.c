/* SPDX-License-Identifier: MIT */
/*
 * description_ops.c - which section of a machine file describes an operation
 */
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../nano/nano.h"
#include "description.h"
#include "description_keys.h"

static bool known_op(const char *pattern)
{
	for (int op = 0; op < NANO_OPS; op++)
		if (!fnmatch(pattern, nano_op_name(op), 0))
			return true;
	return false;
}

static bool known_type(const char *pattern)
{
	const struct nano_type *type;

	for (int i = 0; (type = nano_type_at(i)); i++)
		if (!fnmatch(pattern, type->name, 0))
			return true;
	return false;
}

static bool all_known(const char *list, bool (*known)(const char *))
{
	char copy[48], *rest = copy, *one;

	snprintf(copy, sizeof copy, "%s", list);
	while ((one = strsep(&rest, ",")))
		if (!known(one))
			return false;
	return true;
}

bool description_add_op(struct description *description, const char *name, int at, char *wrong, size_t size)
{
	struct description_op op = { .line = at, .present = 1 };
	struct description_op *grown;
	const char *why = NULL;
	int matched = 0;

	if (sscanf(name, "%47[^.].%47[^. ]%n", op.op, op.type, &matched) != 2 || name[matched])
		why = "not an operation; allowed: OP.TYPE such as add.i64, mul.* or add,sub.f32,f64";
	else if (!all_known(op.op, known_op))
		why = "unknown operation; allowed: add sub mul div sqrt fma and or xor shift cmp load store";
	else if (!all_known(op.type, known_type))
		why = "unknown type; allowed: i32 i64 f32 f64 ptr and vectors such as f32x4";
	grown = why ? NULL : realloc(description->ops, sizeof *grown * (size_t)(description->op_count + 1));
	if (!grown) {
		snprintf(wrong, size, "%s", why ? why : "out of memory");
		return false;
	}
	description->ops = grown;
	description->ops[description->op_count++] = op;
	return true;
}

/* Stars in the alternative that matches; -1: none does. */
static int match(const char *list, const char *name)
{
	char copy[48], *rest = copy, *one;
	int best = -1;

	snprintf(copy, sizeof copy, "%s", list);
	while ((one = strsep(&rest, ","))) {
		int stars = 0;

		for (const char *at = one; *at; at++)
			stars += *at == '*';
		if (!fnmatch(one, name, 0) && (best < 0 || stars < best))
			best = stars;
	}
	return best;
}

static const struct description_op *find(const struct description *description, const char *op, const char *type,
					 bool exact)
{
	const struct description_op *found = NULL;
	int fewest = 0;

	for (int i = 0; i < description->op_count; i++) {
		const struct description_op *candidate = &description->ops[i];
		int in_op = match(candidate->op, op), in_type = match(candidate->type, type);

		if (in_op < 0 || in_type < 0 || (exact && in_type > 0))
			continue;
		if (!found || in_op + in_type <= fewest) {
			found = candidate;
			fewest = in_op + in_type;
		}
	}
	return found;
}

static const struct description_op *search(const struct description *description, const char *op, const char *type)
{
	const struct description_op *found = NULL;

	if (!strcmp(type, "ptr")) {
		found = find(description, op, type, true);
		type = "i64";
	}
	if (!found)
		found = find(description, op, type, false);
	return found && found->present > 0 ? found : NULL;
}

/* Names come from nano's tables, so that their addresses stand for them. */
enum { MEMO = 1024 };

struct description_memo {
	struct {
		const char *op, *type;
		const struct description_op *found;
	} slots[MEMO];
};

struct description_memo *description_memo_new(void)
{
	return calloc(1, sizeof(struct description_memo));
}

const struct description_op *description_find(const struct description *description, const char *op, const char *type)
{
	size_t at = ((uintptr_t)op * 31 + (uintptr_t)type) % MEMO;
	struct description_memo *memo = description->memo;

	if (!memo)
		return search(description, op, type);
	if (memo->slots[at].op != op || memo->slots[at].type != type) {
		memo->slots[at].op = op;
		memo->slots[at].type = type;
		memo->slots[at].found = search(description, op, type);
	}
	return memo->slots[at].found;
}

static int own_units(const struct description_op *op)
{
	if (op->units > 0)
		return (int)op->units;
	/* A hundredth of slack, so that 0.333 means three. */
	return op->interval >= 1 ? 1 : (int)ceil(1 / op->interval - 0.01);
}

int description_units(const struct description *description, const struct description_op *op)
{
	int most = own_units(op);

	for (int i = 0; i < description->op_count && *op->pool; i++)
		if (!strcmp(description->ops[i].pool, op->pool) && own_units(&description->ops[i]) > most)
			most = own_units(&description->ops[i]);
	return most;
}

bool description_ops_check(struct description *description, int *at, char *wrong, size_t size)
{
	for (int i = 0; i < description->op_count; i++) {
		struct description_op *op = &description->ops[i];
		const char *allowed = *op->ports ? description_read_ports(description, op) : NULL;

		*at = op->line;
		if (op->present > 0 && op->latency <= 0)
			snprintf(wrong, size, "latency: missing in [op %s.%s]; allowed: cycles, or present = no",
				 op->op, op->type);
		else if (allowed)
			snprintf(wrong, size, "ports: '%.40s' in [op %s.%s] is not understood; allowed: %s", op->ports,
				 op->op, op->type, allowed);
		if ((op->present > 0 && op->latency <= 0) || allowed)
			return false;
		if (!*op->ports && !(op->interval > 0))
			op->interval = 1;
	}
	return true;
}

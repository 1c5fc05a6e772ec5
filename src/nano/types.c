/* SPDX-License-Identifier: MIT */
/*
 * types.c - the types and operations a spec may name
 *
 * A vector type is a GNU vector_size type; which target feature it takes on which ISA is the prelude's
 * business (prelude.c), whether the machine runs it is found out by running it.
 */
#include <string.h>

#include "nano.h"

#define SCALAR(name, element, class, bytes) \
	{ \
		name, element, class, bytes, 1 \
	}
#define VECTOR(name, element, class, bytes, lanes) \
	{ \
		name, element, class, bytes, lanes \
	}

static const struct nano_type types[] = {
	SCALAR("i32", "int", NANO_INT, 4),
	SCALAR("i64", "long long", NANO_INT, 8),
	SCALAR("f32", "float", NANO_FLOAT, 4),
	SCALAR("f64", "double", NANO_FLOAT, 8),
	VECTOR("i32x4", "int", NANO_INT, 4, 4),
	VECTOR("i64x2", "long long", NANO_INT, 8, 2),
	VECTOR("f32x4", "float", NANO_FLOAT, 4, 4),
	VECTOR("f64x2", "double", NANO_FLOAT, 8, 2),
	VECTOR("i32x8", "int", NANO_INT, 4, 8),
	VECTOR("i64x4", "long long", NANO_INT, 8, 4),
	VECTOR("f32x8", "float", NANO_FLOAT, 4, 8),
	VECTOR("f64x4", "double", NANO_FLOAT, 8, 4),
	VECTOR("i32x16", "int", NANO_INT, 4, 16),
	VECTOR("i64x8", "long long", NANO_INT, 8, 8),
	VECTOR("f32x16", "float", NANO_FLOAT, 4, 16),
	VECTOR("f64x8", "double", NANO_FLOAT, 8, 8),
	SCALAR("ptr", "void *", NANO_POINTER, 8),
};

static const char *const op_names[NANO_OPS] = {
	[NANO_ADD] = "add", [NANO_SUB] = "sub",   [NANO_MUL] = "mul",     [NANO_DIV] = "div", [NANO_SQRT] = "sqrt",
	[NANO_FMA] = "fma", [NANO_AND] = "and",   [NANO_OR] = "or",       [NANO_XOR] = "xor", [NANO_SHIFT] = "shift",
	[NANO_CMP] = "cmp", [NANO_LOAD] = "load", [NANO_STORE] = "store",
};

const struct nano_type *nano_type_at(int index)
{
	return index >= 0 && index < (int)(sizeof(types) / sizeof(types[0])) ? &types[index] : NULL;
}

const struct nano_type *nano_type_find(const char *name, size_t length)
{
	for (int i = 0; nano_type_at(i); i++)
		if (strlen(types[i].name) == length && strncmp(types[i].name, name, length) == 0)
			return &types[i];
	return NULL;
}

const char *nano_op_name(enum nano_op op)
{
	return op_names[op];
}

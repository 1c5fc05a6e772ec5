/* SPDX-License-Identifier: MIT */
/*
 * nano.h - a nano-benchmark: the question whose time is measured
 *
 * A spec is text: statements over p0, p1, ..., their types and start values.
 *
 *     p1 = p1 + p2 : i64
 *     p1 = p1 * p2 | p1 = p1 * p3 : f64 where p2=1.25, p3=0.8
 *     for i=1..8 p{i} = p{i} + p0 : f32x4
 *     *p0 = p1 | p1 = *p0 : f64, p0 ptr
 *
 * Everything here is pure: text in, structs and text out. How a spec becomes
 * running code is the business of a machine.
 */
#ifndef XRAY_NANO_H
#define XRAY_NANO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nano_class { NANO_INT, NANO_FLOAT, NANO_POINTER };

struct nano_type {
	const char *name; /* i64, f32x8, ptr */
	const char *element; /* the C type of one lane */
	enum nano_class class;
	int lane_bytes, lanes;
};

/* The catalogue's types in reading order, then NULL; ptr comes last. */
const struct nano_type *nano_type_at(int index);
const struct nano_type *nano_type_find(const char *name, size_t length);

enum nano_op {
	NANO_ADD,
	NANO_SUB,
	NANO_MUL,
	NANO_DIV,
	NANO_SQRT,
	NANO_FMA,
	NANO_AND,
	NANO_OR,
	NANO_XOR,
	NANO_SHIFT,
	NANO_CMP,
	NANO_LOAD,
	NANO_STORE,
	NANO_OPS
};

const char *nano_op_name(enum nano_op op);

enum nano_kind { NANO_VARIABLE, NANO_CONSTANT, NANO_OPERATION };

/* A node of a statement's expression; operands are indices into nano.nodes, which hold
 * children before parents, so a walk in index order is an evaluation order. */
struct nano_node {
	enum nano_kind kind;
	int variable;
	double constant;
	enum nano_op op;
	const struct nano_type *type; /* of the result; of the value stored for NANO_STORE */
	int operands, operand[3];
};

struct nano_statement {
	int first_node, root; /* nodes first_node..root belong to this statement */
	int target; /* variable assigned; for a store, -1: the root node is NANO_STORE */
};

struct nano_variable {
	const struct nano_type *type;
	double value; /* at the start of every run; a ptr's value is ignored: it points to a cell that holds its own
			 address */
	bool used, assigned;
};

/* How the compiler is kept from seeing through the statements. NONE leaves it free, for nano-benchmarks whose
 * dependences suffice and whose question is what the compiler does (registers). */
enum nano_barrier { NANO_BARRIER_ASM, NANO_BARRIER_SWITCH, NANO_BARRIER_NONE };

struct nano {
	char *text; /* the spec, in canonical form */
	enum nano_barrier barrier;
	int unroll; /* U; the body holds nano_body(nano) statements */
	int whole, optional; /* statements the loop is compiled with, and how many at its start a lap may leave out */
	struct nano_statement *statements;
	int count;
	struct nano_node *nodes;
	int node_count;
	struct nano_variable *variables;
	int variable_count; /* highest index + 1 */
};

/* Most variables a spec may name: enough for 128 registers and a few more. */
enum { NANO_MAX_VARIABLES = 288, NANO_MAX_STATEMENTS = 1024 };

/* NULL and a message (with a caret line under the spec) when the text is not a spec. */
struct nano *nano_parse(const char *text, enum nano_barrier barrier, int unroll, char *error, size_t size);
void nano_free(struct nano *nano);

/* W: the smallest multiple of the number of statements not below the unroll. */
int nano_body(const struct nano *nano);

/* Two lengths of one text become one loop, compiled once: the shorter one leaves out what the longer has more. Without
 * a barrier they stay two, since a jump into the loop would change what the compiler makes of it. */
void nano_pair(struct nano *brief, struct nano *full);

/* Operations of one kind in the loop as it is compiled, contraction of a*b+c not considered. */
int nano_count_op(const struct nano *nano, enum nano_op op);

/* Identity of question and form: the same for equal text, barrier and unroll, in every run. */
uint64_t nano_hash(const struct nano *nano);

/* Identity of the compiled function, which the two lengths of a pair share. */
uint64_t nano_code(const struct nano *nano);

/* FNV-1a; start with NANO_HASH_START. */
#define NANO_HASH_START 0xcbf29ce484222325ULL
uint64_t nano_hash_text(uint64_t hash, const char *text);

/* The C of a translation unit holding all of them, of a pair either one; function i is named xray_nano_<nano_code in
 * hex>. The caller frees. */
char *nano_emit(const struct nano *const *set, int count);

/* The C of a ladder: cases of so many additions in a row, which do not wait for each other. Its xray_ladder(laps,
 * cases) runs the last of them so many times over and returns what all additions came to, all of them having begun
 * with 1. Between the symbols xray_half and xray_end lies the code of half the cases. The caller frees. */
char *nano_ladder_emit(int cases, int additions);

/* What a compiler has to be told for that C to mean what the specs say; NULL past the end. */
extern const char *const nano_flags[];

#endif

/* SPDX-License-Identifier: MIT */
/*
 * operation.c - how each operation is written as a nano-benchmark
 *
 * Values are chosen so that nothing overflows, goes denormal or gets easy: products alternate between a factor and its
 * reciprocal, a divided integer keeps all its bits, square roots are taken of a number that stays irrational.
 */
#include "micro.h"

#define PLAIN(sign) \
	.chain = "for i=1..$K p{i} = p{i} " sign " p0 : $T", .renewed = "for i=1..$K p{i} = p0 " sign " p$L : $T"
#define RECIPROCAL(sign, factor, reciprocal) \
	.float_chain = "for i=0..$M p{i%$K+1} = p{i%$K+1} " sign " p{i/$K*$L} : $T where p0=" factor ", p$L=" reciprocal

#define LOADS "for i=1..$K p{i} = *p0 : $T, p0 ptr"

static const struct operation operations[] = {
	{ .name = "add", .latency_types = INTS | FLOATS, .interval_types = INTS | FLOATS, PLAIN("+") },
	{ .name = "sub", .latency_types = INTS | FLOATS, .interval_types = INTS | FLOATS, PLAIN("-") },
	{ .name = "mul",
	  .latency_types = INTS | FLOATS,
	  .interval_types = INTS | FLOATS,
	  PLAIN("*"),
	  RECIPROCAL("*", "1.25", "0.8") },
	{ .name = "div",
	  .latency_types = SCALAR_INT | FLOATS,
	  .interval_types = SCALAR_INT | FLOATS,
	  .chain = "for i=1..$K p{i} = p{i} / p0 : $T where p*=$B, p0=1",
	  RECIPROCAL("/", "1.1", "0.90909090909090906"),
	  .renewed = "for i=1..$K p{i} = p0 / p$L : $T where p*=$B, p$L=1" },
	{ .name = "div_small", .latency_types = SCALAR_INT, .interval_types = SCALAR_INT, PLAIN("/") },
	{ .name = "sqrt",
	  .latency_types = FLOATS,
	  .interval_types = FLOATS,
	  .latency = "p1 = sqrt(p1) | p1 = p1 + p2 : $T where p1=1.7, p2=0.7",
	  .parts = 2,
	  .again = "p1 = sqrt(p1) | p1 = sqrt(p1) | p1 = p1 + p2 : $T where p1=1.7, p2=0.7",
	  .also = "add",
	  .renewed = "for i=1..$K p{i} = sqrt(p0) : $T where p0=1.7" },
	{ .name = "fma",
	  .latency_types = FLOATS,
	  .interval_types = FLOATS,
	  .chain = "for i=1..$K p{i} = fma(p{i}, p0, p$L) : $T where p0=0.5, p$L=0.6",
	  .renewed = "for i=1..$K p{i} = fma(p0, p0, p$L) : $T where p0=0.5, p$L=0.6" },
	{ .name = "and", .latency_types = INTS, .interval_types = INTS, PLAIN("&") },
	{ .name = "or", .latency_types = INTS, .interval_types = INTS, PLAIN("|") },
	{ .name = "xor", .latency_types = INTS, .interval_types = INTS, PLAIN("^") },
	{ .name = "shift",
	  .latency_types = INTS,
	  .interval_types = INTS,
	  .chain = "for i=1..$K p{i} = p{i} << 3 : $T",
	  .renewed = "for i=1..$K p{i} = p0 << 3 : $T" },
	/* With a target of its own, compilers clear it before and set a byte of it (gcc from -O2 on): no extension
	   behind. */
	{ .name = "cmp",
	  .latency_types = INTS | VECTOR_FLOAT,
	  .interval_types = INTS | VECTOR_FLOAT,
	  PLAIN("<"),
	  .by_turns = "for i=0..$M p{i+1} = p{(i+$K)%(2*$K)+1} < p0 : $T" },
	{ .name = "load",
	  .latency_types = POINTER,
	  .interval_types = INTS | FLOATS,
	  .latency = "p1 = *p1 : $T",
	  .parts = 1,
	  .spread = 0.1,
	  .renewed = LOADS },
	{ .name = "store",
	  .latency_types = INTS | FLOATS,
	  .interval_types = INTS | FLOATS,
	  .latency = "*p0 = p1 | p1 = *p0 | p1 = p1 + p2 : $T, p0 ptr",
	  .parts = 3,
	  .again = "*p0 = p1 | p1 = *p0 | *p0 = p1 | p1 = *p0 | p1 = p1 + p2 : $T, p0 ptr",
	  .also = "add",
	  .bound = LOADS,
	  .spread = 0.25,
	  .renewed = "for i=1..$K *p0 = p{i} : $T, p0 ptr" },
};

const struct operation *operation_at(int index)
{
	return index >= 0 && index < (int)(sizeof(operations) / sizeof(operations[0])) ? &operations[index] : NULL;
}

bool operation_has(unsigned types, const struct nano_type *type)
{
	unsigned kind = type->class == NANO_POINTER ? POINTER
			: type->class == NANO_INT   ? (type->lanes > 1 ? VECTOR_INT : SCALAR_INT)
						    : (type->lanes > 1 ? VECTOR_FLOAT : SCALAR_FLOAT);

	return (types & kind) != 0;
}

const char *operation_chain(const struct operation *operation, const struct nano_type *type)
{
	return type->class == NANO_FLOAT && operation->float_chain ? operation->float_chain : operation->chain;
}

void operation_write(const char *pattern, const struct nano_type *type, int copies, char *text, size_t size)
{
	size_t used = 0;

	for (; *pattern && used + 1 < size; pattern++) {
		if (*pattern != '$') {
			text[used++] = *pattern;
			continue;
		}
		pattern++;
		if (*pattern == 'T')
			used += (size_t)snprintf(text + used, size - used, "%s", type->name);
		else if (*pattern == 'B')
			used += (size_t)snprintf(text + used, size - used, "%s",
						 type->lane_bytes == 8 ? "9000000000000000000" : "2000000000");
		else
			used += (size_t)snprintf(text + used, size - used, "%d",
						 *pattern == 'K'   ? copies
						 : *pattern == 'L' ? copies + 1
								   : 2 * copies - 1);
	}
	text[used < size ? used : size - 1] = '\0';
}

double operation_phases(const struct operation *operation, const struct nano_type *type, double interval)
{
	enum { WIDEST = 64 }; /* bytes */
	const double pipelined = 2, phases = 0.25, by_mask = 0.13;
	bool masked = type->lanes * type->lane_bytes == WIDEST && strcmp(operation->name, "cmp") == 0;

	return interval > pipelined ? phases : masked ? by_mask : 0;
}

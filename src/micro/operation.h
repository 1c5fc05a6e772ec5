/* SPDX-License-Identifier: MIT */
/*
 * operation.h - the operations of the catalogue, and how to write each of them down
 */
#ifndef XRAY_MICRO_OPERATION_H
#define XRAY_MICRO_OPERATION_H

#include <stdbool.h>
#include <stddef.h>

#include "../nano/nano.h"

/* In the texts $K is the number of copies, $L one more, $M twice as
 * many less one, $T the type, $B a big number of that type. */
enum operation_types {
	SCALAR_INT = 1,
	SCALAR_FLOAT = 2,
	VECTOR_INT = 4,
	VECTOR_FLOAT = 8,
	POINTER = 16,
	INTS = SCALAR_INT | VECTOR_INT,
	FLOATS = SCALAR_FLOAT | VECTOR_FLOAT
};
struct operation {
	const char *name;
	unsigned latency_types, interval_types;
	const char *chain, *float_chain; /* copies that each go on from their own result */
	const char *by_turns; /* copies that each go on from their other variable, for the latency of integers */
	const char *renewed; /* copies that do not */
	const char
		*latency; /* where it is not the chain with one copy: statements of which `parts` make one operation */
	int parts;
	const char *again; /* the same with the operation twice, and all else once */
	const char *also; /* operation whose latency is part of that, too */
	const char
		*bound; /* copies of what else takes a turn in it: where that is slow, the chain waits for it instead */
	double spread; /* relative, from run to run: where a load meets a store in the pipeline is a matter of luck */
};
const struct operation *operation_at(int index);
bool operation_has(unsigned types, const struct nano_type *type);
void operation_write(const char *pattern, const struct nano_type *type, int copies, char *text, size_t size);
const char *operation_chain(const struct operation *operation, const struct nano_type *type);
/* How far off, relatively, an interval of so many cycles may be at another time: a unit that is not pipelined has
 * phases (Zen 4 takes a division each 4 to 5 cycles, and a square root each 8.4 or 9.0). So have comparisons that go
 * through a mask and are two instructions: on Zen 5 0.63 cycles in one process and 0.70 in the next, all through each
 * of them. */
double operation_phases(const struct operation *operation, const struct nano_type *type, double interval);

#endif

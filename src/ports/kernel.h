/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - a mix of operations as the text of a spec
 */
#ifndef XRAY_PORTS_KERNEL_H
#define XRAY_PORTS_KERNEL_H

#include <stddef.h>

#include "../nano/nano.h"
#include "fit.h"

/* One of the operations that are mixed. In statements D is what is computed, A a pointer, B and C never change. */
struct ports_op {
	char name[32]; /* fma.f64 */
	const char *chained; /* D goes on from itself */
	const char *renewed; /* it does not, and a copy costs nothing; NULL: there is no such form */
	const struct nano_type *type;
	double latency, interval; /* cycles; a latency that nothing waits for is 0 */
};

struct ports_room {
	int integers, floats; /* registers */
	const struct nano_type *lent; /* its instruction set has operations with a target of their own; NULL: none */
};

enum { KERNEL_TEXT = 8192 };

/* The mix as a loop in which no operation waits for another, if the registers suffice. False when they do not.
 * *waiting is how many cycles the chains alone take for the mix. */
bool ports_kernel(const struct ports_op *ops, const struct ports_mix *mix, const struct ports_room *room,
		  char text[KERNEL_TEXT], double *waiting);

/* "2 fma.f64 + 1 add.f64" */
void ports_words(const struct ports_op *ops, int count, const int *n, char *text, size_t size);

#endif

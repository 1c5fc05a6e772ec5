/* SPDX-License-Identifier: MIT */
/*
 * period.h - the core's cycle from the times of chains of operations
 */
#ifndef XRAY_CURVE_PERIOD_H
#define XRAY_CURVE_PERIOD_H

#include <stdbool.h>

struct chain {
	double ticks; /* per operation; NaN: this machine has none */
	bool fixed; /* its latency does not depend on operands: it may speak for a finer cycle, not only against a
		       coarser */
	bool sure; /* it is what it seems, or the machine has none */
	bool akin; /* its unit has spoken already: it may only speak against adds that share a cycle */
	char unit; /* its name: operations of one unit often take equally long, and that is one thing, not two */
	double error; /* relative, of its ratio to another, where the clock's grain makes that more than usual */
};
struct period {
	double cycle; /* in the chains' unit */
	double adds; /* cycles an add takes */
	double confidence;
	const char *how;
};
/* chains[0] is the add. */
struct period period_find(const struct chain *chains, int count);

#endif

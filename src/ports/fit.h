/* SPDX-License-Identifier: MIT */
/*
 * fit.h - what operations compete for, from how long mixes of them take
 *
 * A mix of so many operations of each kind takes as long as its busiest resource: t(n) = max over resources of the sum
 * of n * weight. A resource is whatever some operations take turns in: a port, all ports that these operations can use
 * together, the width of the core.
 */
#ifndef XRAY_PORTS_FIT_H
#define XRAY_PORTS_FIT_H

#include <stdbool.h>

enum { PORTS_OPS = 16, PORTS_RESOURCES = 40 };

struct ports_mix {
	int n[PORTS_OPS]; /* of each kind */
	double cycles;
};

struct ports_model {
	int ops, resources;
	double weight[PORTS_RESOURCES][PORTS_OPS]; /* cycles of the resource that one operation takes */
};

/* The fewest resources found that explain the mixes, whose times may be off by so much, relatively. Mixes that
 * are not finite, not above 0 or empty count for nothing, and operations in none of the others weigh nothing. */
void ports_fit(struct ports_model *model, int ops, const struct ports_mix *mixes, int count, double error);

/* Cycles that so many of each take. */
double ports_predict(const struct ports_model *model, const int *n);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * ports.h - which operations can start together: mixes are timed, and resources fitted to them
 */
#ifndef XRAY_PORTS_PORTS_H
#define XRAY_PORTS_PORTS_H

#include "../engine/engine.h"
#include "kernel.h"
#include "mixes.h"

/* One that may be mixed, and the specs of it alone: a chain, and more copies than its units need. */
struct ports_candidate {
	struct ports_op op; /* without times */
	char chain[256], copies[256]; /* chain may be empty: nothing waits for it */
};

/* What was found; `error` is how far off mixes are that were not fitted, relatively. */
struct ports_survey {
	struct ports_op ops[PORTS_OPS];
	int count;
	struct ports_model model;
	struct ports_bundles bundles; /* that ran within a cycle */
	int fitted, unseen; /* mixes */
	double median, worst; /* errors */
};

/* Times all pairs of the candidates that this machine has, and mixes. False, and the finding settled, when that cannot
 * be told. */
bool ports_explore(struct lab *lab, const struct ports_candidate *candidates, int count, struct ports_survey *survey);

/* "2 fma.f64 + 2 add.f64; ...; mul.f64 as fma.f64": the caller frees. NULL without memory. */
char *ports_text(const struct ports_survey *survey);

#endif

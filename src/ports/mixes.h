/* SPDX-License-Identifier: MIT */
/*
 * mixes.h - which mixes to time, and what to say of them
 */
#ifndef XRAY_PORTS_MIXES_H
#define XRAY_PORTS_MIXES_H

#include "fit.h"

/* Two operations in such numbers that either alone would take as long, nearly, and not too many. */
void ports_pair(const double *interval, int a, int b, struct ports_mix *mix);

/* The index-th mix of three to five kinds, the same each time: now a few of each, now as many as take as long. */
void ports_random(const double *interval, int ops, int index, struct ports_mix *mix);

/* Is one so many times the other? */
bool ports_alike(const struct ports_mix *a, const struct ports_mix *b);

/* --- bundles.c: the sets of operations that can start each cycle, to which none can be added. Operations that take the
 * same of every resource are one; of the others those sets that say most of which goes with which. */
enum { PORTS_BUNDLES = 16 };
struct ports_bundles {
	int count, n[PORTS_BUNDLES][PORTS_OPS];
	int same[PORTS_OPS]; /* the first operation that is like this one, itself where none is */
};
void ports_bundles(const struct ports_model *model, struct ports_bundles *bundles);

#endif

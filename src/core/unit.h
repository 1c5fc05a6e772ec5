/* SPDX-License-Identifier: MIT */
/*
 * unit.h - an execution unit and the times at which it is free; private to core/
 */
#ifndef XRAY_SIM_UNIT_H
#define XRAY_SIM_UNIT_H

enum { UNIT_GAPS = 48 };

struct unit {
	int gaps;
	double from[UNIT_GAPS], to[UNIT_GAPS]; /* sorted; the last one never ends */
};

/* Where an operation may start. */
struct unit_offer {
	double start; /* INFINITY: nowhere yet */
	struct unit *unit;
	int gap;
};

/* Looks for a unit on which an operation of `busy` cycles could start from `ready` on, before the best offer so far.
 * Gaps before `fetch` are forgotten: nothing can start there any more. */
void unit_ask(struct unit *units, int count, double busy, double ready, double fetch, struct unit_offer *best);

/* Takes the offer; returns its start. */
double unit_take(const struct unit_offer *offer, double busy);

#endif

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

/* Takes the unit that lets an operation start first, for `busy` cycles from `ready` on; returns that start. Gaps before
 * `fetch` are forgotten: nothing can start there any more. */
double unit_take(struct unit *units, int count, double busy, double ready, double fetch);

#endif

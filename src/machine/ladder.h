/* SPDX-License-Identifier: MIT */
/*
 * ladder.h - straight code of any length, timed; private to the real machine
 */
#ifndef XRAY_MACHINE_LADDER_H
#define XRAY_MACHINE_LADDER_H

#include "../compile/workshop.h"
#include "machine.h"

enum { LADDER_SIZES = 3, LADDER_ADDITIONS = 8 };

struct ladder {
	unsigned long (*function)(long laps, long cases);
	long bytes; /* of one case */
	enum machine_status status;
	bool tried;
	char why[256];
};

struct ladders {
	struct ladder list[LADDER_SIZES][LADDER_ADDITIONS];
};

/* As machine_ops.walk, for WALK_LADDER. */
enum machine_status ladder_walk(struct ladders *ladders, struct workshop *workshop, const struct walk *walk, long steps,
				int count, struct reading *reading);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * traffic.h - how long it takes to move lines when none waits for another; private to sim/
 *
 * Everything that moves them works at once: the way up from each level, and as many misses as may be under way. What
 * has most to do is what the others wait for.
 */
#ifndef XRAY_SIM_TRAFFIC_H
#define XRAY_SIM_TRAFFIC_H

#include "hierarchy.h"

struct sim_traffic {
	const struct sim_hierarchy *hierarchy;
	/* What never changes: cycles for a byte from each level, 0: no limit; loads that it may serve at once. */
	double each[DESCRIPTION_CACHES + 1], under_way[DESCRIPTION_CACHES + 1];
	int depth; /* the memory's number on the way of data */
	int ahead; /* what a stream needs from further away than this level comes ahead of time; `depth`: nothing does
		    */
	double link; /* cycles for a byte on the way to where memory is */
	double sharers, speed; /* CPUs that use the memory at once; of this one's clock, relative */
	/* Cycles that each has been at work: waiting for loads, and the way up from each level. */
	double waits, way[DESCRIPTION_CACHES + 1];
};

void sim_traffic_start(struct sim_traffic *traffic, const struct sim_hierarchy *hierarchy,
		       const struct description *description);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * neighbour.h - other CPUs that bring lines into the caches they share with us; private to memory/
 */
#ifndef XRAY_SIM_NEIGHBOUR_H
#define XRAY_SIM_NEIGHBOUR_H

#include "hierarchy.h"

/* They work at twice their mean rate or rest, in turn. */
struct sim_neighbour {
	const struct description *description;
	struct sim_hierarchy *hierarchy;
	bool present;
	struct sim_random random;
	bool working;
	double left; /* ns until that changes */
	double seen; /* ns on the clock up to which they have worked */
	double owed; /* lines that they have not brought in yet */
	double most; /* lines that they bring in at once: more would leave nothing of ours */
};

void sim_neighbour_start(struct sim_neighbour *neighbour, const struct description *description,
			 struct sim_hierarchy *hierarchy, uint64_t seed);

/* It was that late, ns, and time goes on: lets them work for as long. Of members of a team each says so; what one of
 * them has said counts. */
void sim_neighbour_work(struct sim_neighbour *neighbour, double from, double ns);

#endif

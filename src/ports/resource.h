/* SPDX-License-Identifier: MIT */
/*
 * resource.h - what is at work while resources are fitted
 *
 * Private to ports/.
 */
#ifndef XRAY_PORTS_RESOURCE_H
#define XRAY_PORTS_RESOURCE_H

#include "fit.h"

struct fit {
	struct ports_model *model;
	const struct ports_mix *mixes;
	double *share; /* count x PORTS_OPS: n / cycles */
	double *busy; /* of the resource at work, for each mix */
	int *owner; /* of each mix: its resource; -1: none yet */
	double alone[PORTS_OPS]; /* shortest time an operation can be seen to take; INFINITY: none */
	int count;
	double tolerance; /* of a mix's time: as good as the time */
};

/* Which share of a mix's time a resource is busy with it. */
double resource_busy(const struct fit *fit, const double *weight, int mix);

/* The busiest resource of a mix, -1 when none is, and how busy it is. */
int resource_busiest(const struct fit *fit, int mix, double *busy);

/* Weights such that what belongs to the resource fills it and nothing else overfills it. Begins with those given. */
void resource_solve(struct fit *fit, double *weight, int resource);

/* How far the resource is from what belongs to it, or above what does not, at the worst. After resource_solve. */
double resource_worst(const struct fit *fit, int resource);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * resource.c - one resource: the weights that suit its mixes best and are not too much for any other
 */
#include <math.h>

#include "resource.h"

enum { SWEEPS = 60 };

static const double STILL = 1e-5; /* of a mix's time: a sweep that moves less is the last */
static const double SPARSE = 4e-3; /* a weight that nothing asks for goes */

double resource_busy(const struct fit *fit, const double *weight, int mix)
{
	const double *share = fit->share + (long)mix * PORTS_OPS;
	double sum = 0;

	for (int op = 0; op < fit->model->ops; op++)
		sum += share[op] * weight[op];
	return sum;
}

int resource_busiest(const struct fit *fit, int mix, double *busy)
{
	int best = -1;

	*busy = 0;
	for (int r = 0; r < fit->model->resources; r++) {
		double here = resource_busy(fit, fit->model->weight[r], mix);

		if (here > *busy) {
			*busy = here;
			best = r;
		}
	}
	return best;
}

/* One operation's weight, everything else as it is: how much it moved, in the time of a mix that it fills. */
static double improve(struct fit *fit, double *weight, int resource, int op)
{
	double slope = 0, curve = 0, before = weight[op], most = 0;

	for (int k = 0; k < fit->count; k++) {
		double share = fit->share[(long)k * PORTS_OPS + op], over = fit->busy[k] - 1;

		if (share == 0 || (fit->owner[k] != resource && over < 0))
			continue;
		slope += share * over;
		curve += share * share;
		most = fmax(most, share);
	}
	if (curve == 0 && before == 0)
		return 0;
	if (curve == 0)
		weight[op] *= 1 - SPARSE;
	else
		weight[op] = fmax(0, before - (slope + SPARSE * most) / curve);
	for (int k = 0; k < fit->count; k++)
		fit->busy[k] += fit->share[(long)k * PORTS_OPS + op] * (weight[op] - before);
	return fabs(weight[op] - before) * most;
}

void resource_solve(struct fit *fit, double *weight, int resource)
{
	double moved = 1;

	for (int k = 0; k < fit->count; k++)
		fit->busy[k] = resource_busy(fit, weight, k);
	for (int sweep = 0; sweep < SWEEPS && moved > STILL; sweep++) {
		moved = 0;
		for (int op = 0; op < fit->model->ops; op++)
			moved = fmax(moved, improve(fit, weight, resource, op));
	}
}

double resource_worst(const struct fit *fit, int resource)
{
	double worst = 0;

	for (int k = 0; k < fit->count; k++) {
		double over = fit->busy[k] - 1;

		worst = fmax(worst, fit->owner[k] == resource ? fabs(over) : over);
	}
	return worst;
}

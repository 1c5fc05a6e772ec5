/* SPDX-License-Identifier: MIT */
/*
 * fit.c - resources, one after the other, each explaining what those before do not
 *
 * Everything is counted in the time of a mix: a resource is busy for a share of it, 1 for the one that the mix waits
 * for, less for all others. A mix belongs to the resource that it waits for; given who belongs where, each resource is
 * a problem of least squares in which the other mixes only must not exceed 1.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "resource.h"

enum { ROUNDS = 6, WITNESSES = 3 };

static const double LEAST_ERROR = 0.015; /* of a time: what no scheduler gets exactly */
static const double TRIFLE = 0.02; /* of what the operation takes alone: no weight */

/* Gives the mix to the resource that can take it on with the least harm. False when none can without any. */
static bool extend(struct fit *fit, int mix)
{
	double best[PORTS_OPS], least = fit->tolerance;
	int before = fit->owner[mix], chosen = -1;

	for (int r = 0; r < fit->model->resources; r++) {
		double weight[PORTS_OPS];

		memcpy(weight, fit->model->weight[r], sizeof weight);
		fit->owner[mix] = r;
		resource_solve(fit, weight, r);

		double worst = resource_worst(fit, r);

		if (worst >= least)
			continue;
		least = worst;
		chosen = r;
		memcpy(best, weight, sizeof best);
	}
	fit->owner[mix] = chosen >= 0 ? chosen : before;
	if (chosen >= 0)
		memcpy(fit->model->weight[chosen], best, sizeof best);
	return chosen >= 0;
}

/* What operations on ports take of the ports that they share is the same for all: one turn. */
static void begin(struct fit *fit, int mix)
{
	struct ports_model *model = fit->model;
	const struct ports_mix *given = &fit->mixes[mix];
	double *weight = model->weight[model->resources];
	int all = 0;

	if (model->resources == PORTS_RESOURCES)
		return;
	for (int op = 0; op < model->ops; op++)
		all += given->n[op];
	for (int op = 0; op < model->ops; op++)
		weight[op] = given->n[op] ? fmin(given->cycles / all, fit->alone[op]) : 0;
	fit->owner[mix] = model->resources;
	resource_solve(fit, weight, model->resources);
	model->resources++;
}

/* All operations alike: the width, as far as some mixes show it. One may have seemed quicker than it was. */
static void add_width(struct fit *fit)
{
	double quickest[WITNESSES] = { 0 }, most;

	for (int k = 0; k < fit->count; k++) {
		double sum = 0;

		for (int op = 0; op < fit->model->ops; op++)
			sum += fit->share[(long)k * PORTS_OPS + op];
		for (int i = 0; i < WITNESSES; i++)
			if (sum > quickest[i]) {
				double slower = quickest[i];

				quickest[i] = sum;
				sum = slower;
			}
	}
	most = quickest[WITNESSES - 1];
	if (!(most > 0) || fit->model->resources == PORTS_RESOURCES)
		return;
	for (int op = 0; op < fit->model->ops; op++)
		fit->model->weight[fit->model->resources][op] = isfinite(fit->alone[op]) ? 1 / most : 0;
	fit->model->resources++;
}

/* Everybody goes where he waits, and each resource is fitted to those anew. */
static void settle(struct fit *fit)
{
	for (int round = 0; round < ROUNDS; round++) {
		double busy;

		for (int k = 0; k < fit->count; k++)
			fit->owner[k] = resource_busiest(fit, k, &busy);
		for (int r = 0; r < fit->model->resources; r++)
			resource_solve(fit, fit->model->weight[r], r);
	}
}

static int kinds_of(const struct fit *fit, int mix)
{
	int kinds = 0;

	for (int op = 0; op < fit->model->ops; op++)
		kinds += fit->mixes[mix].n[op] > 0;
	return kinds;
}

/* The least explained of the mixes with so few kinds of operations; -1: all are. */
static int least_explained(const struct fit *fit, int kinds, const bool *given_up)
{
	double least = 1 - fit->tolerance;
	int found = -1;

	for (int k = 0; k < fit->count; k++) {
		double busy;

		if (given_up[k] || kinds_of(fit, k) > kinds)
			continue;
		resource_busiest(fit, k, &busy);
		if (busy < least) {
			least = busy;
			found = k;
		}
	}
	return found;
}

/* Mean over the mixes. */
static double error_of(const struct fit *fit)
{
	double sum = 0;

	for (int k = 0; k < fit->count; k++) {
		double busy;

		resource_busiest(fit, k, &busy);
		sum += fmin(fabs(busy - 1), 1);
	}
	return sum / fit->count;
}

/* What a mix of several kinds seems to wait for has to help another mix, too: some only ran badly. */
static void explain_alone(struct fit *fit, int mix, int kinds)
{
	struct ports_model before = *fit->model;
	double error = error_of(fit), own;
	int owner = fit->owner[mix];

	resource_busiest(fit, mix, &own);
	begin(fit, mix);
	if (kinds <= 2 || error_of(fit) < error - (1 - own + fit->tolerance) / fit->count)
		return;
	*fit->model = before;
	fit->owner[mix] = owner;
}

static void explain(struct fit *fit, bool *given_up)
{
	for (int kinds = 1; kinds <= fit->model->ops; kinds++)
		for (int mix; (mix = least_explained(fit, kinds, given_up)) >= 0; given_up[mix] = true)
			if (!extend(fit, mix))
				explain_alone(fit, mix, kinds);
}

/* Takes away resources that nobody misses. */
static void prune(struct fit *fit)
{
	struct ports_model *model = fit->model;
	double error = error_of(fit);

	for (int r = model->resources - 1; r >= 0; r--) {
		struct ports_model before = *model;

		model->resources--;
		memmove(model->weight[r], model->weight[r + 1],
			sizeof model->weight[0] * (size_t)(model->resources - r));
		if (error_of(fit) > error + fit->tolerance / fit->count)
			*model = before;
	}
	for (int r = 0; r < model->resources; r++)
		for (int op = 0; op < model->ops; op++)
			if (model->weight[r][op] < TRIFLE * fit->alone[op])
				model->weight[r][op] = 0;
}

static int take(struct fit *fit, struct ports_mix *kept, const struct ports_mix *mixes, int count)
{
	int taken = 0;

	for (int k = 0; k < count; k++) {
		int all = 0;

		for (int op = 0; op < fit->model->ops; op++)
			all += mixes[k].n[op];
		if (!all || !(mixes[k].cycles > 0) || !isfinite(mixes[k].cycles))
			continue;
		for (int op = 0; op < PORTS_OPS; op++) {
			fit->share[(long)taken * PORTS_OPS + op] =
				op < fit->model->ops ? mixes[k].n[op] / mixes[k].cycles : 0;
			if (op < fit->model->ops && mixes[k].n[op])
				fit->alone[op] = fmin(fit->alone[op], mixes[k].cycles / mixes[k].n[op]);
		}
		kept[taken] = mixes[k];
		fit->owner[taken++] = -1;
	}
	return taken;
}

void ports_fit(struct ports_model *model, int ops, const struct ports_mix *mixes, int count, double error)
{
	struct ports_mix *kept = calloc((size_t)count + 1, sizeof *kept);
	struct fit fit = { .model = model, .mixes = kept, .tolerance = fmax(LEAST_ERROR, error) };
	bool *given_up = calloc((size_t)count + 1, sizeof *given_up);

	memset(model, 0, sizeof *model);
	model->ops = ops;
	fit.share = calloc((size_t)count * PORTS_OPS + 1, sizeof *fit.share);
	fit.busy = calloc((size_t)count + 1, sizeof *fit.busy);
	fit.owner = calloc((size_t)count + 1, sizeof *fit.owner);
	for (int op = 0; op < PORTS_OPS; op++)
		fit.alone[op] = INFINITY;
	if (kept && given_up && fit.share && fit.busy && fit.owner) {
		fit.count = take(&fit, kept, mixes, count);
		if (fit.count) {
			add_width(&fit);
			explain(&fit, given_up);
			settle(&fit);
			memset(given_up, 0, sizeof *given_up * (size_t)count);
			explain(&fit, given_up);
			settle(&fit);
			prune(&fit);
			/* More at a time than was ever seen is not promised. */
			add_width(&fit);
		}
	}
	free(kept);
	free(given_up);
	free(fit.share);
	free(fit.busy);
	free(fit.owner);
}

double ports_predict(const struct ports_model *model, const int *n)
{
	double most = 0;

	for (int r = 0; r < model->resources; r++) {
		double sum = 0;

		for (int op = 0; op < model->ops; op++)
			sum += n[op] * model->weight[r][op];
		most = fmax(most, sum);
	}
	return most;
}

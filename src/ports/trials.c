/* SPDX-License-Identifier: MIT */
/*
 * trials.c - which mixes are tried, and how long they take
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trials.h"

enum {
	INTEGERS = 14, /* registers, where they were not counted: what most machines have */
	FLOATS = 16,
	ROOMY = 32, /* more make no difference */
	SPARED = 1, /* of the integers', for the loop */
	WIDE = 32 /* bytes of a vector whose instruction set has targets of their own */
};

static const double PRECISION = 0.004; /* half-width an estimate tries to reach */
static const double CREDIT = 4e6; /* ns for each mix */
static const double WAITS = 1.03; /* times what its chains take: it may have waited for those */

static int registers_of(const struct lab *lab, const char *type, int otherwise)
{
	char name[64];
	double found;

	snprintf(name, sizeof name, "cpu.registers.%s", type);
	found = lab_fact(lab, name);
	return isnan(found) ? otherwise : (int)fmin(found, ROOMY);
}

/* Cycles of an operation alone; NAN when this machine has none, or it cannot be timed. */
static double cycles_of(struct lab *lab, const char *text)
{
	struct estimate estimate = lab_try(lab, text, NANO_BARRIER_ASM, NAN);

	return estimate.status == MACHINE_RAN ? estimate.ticks / lab->cycle : NAN;
}

/* What mixes are planned with: hardware likes whole numbers, and plans that do not change with every breath are
 * compiled once. */
static double planned(double interval)
{
	return interval < 1 ? 1 / round(1 / interval) : round(4 * interval) / 4;
}

void trials_alone(struct work *work, const struct ports_candidate *candidates, int count)
{
	struct ports_survey *survey = work->survey;

	work->room = (struct ports_room){ .integers = registers_of(work->lab, "i64", INTEGERS) - SPARED,
					  .floats = registers_of(work->lab, "f64", FLOATS) };
	for (int i = 0; i < count && survey->count < PORTS_OPS; i++) {
		struct ports_op op = candidates[i].op;

		op.interval = cycles_of(work->lab, candidates[i].copies);
		op.latency = candidates[i].chain[0] ? cycles_of(work->lab, candidates[i].chain) : 0;
		if (!(op.interval > 0) || isnan(op.latency))
			continue;
		if (op.type->lanes * op.type->lane_bytes >= WIDE && op.type->class == NANO_FLOAT)
			work->room.lent = op.type;
		work->alone[survey->count] = op.interval;
		work->interval[survey->count] = op.interval = planned(op.interval);
		op.latency = round(op.latency);
		survey->ops[survey->count++] = op;
	}
}

struct trial *trials_add(struct work *work, const struct ports_mix *mix, enum purpose purpose)
{
	struct trial *trial = &work->trials[work->count];
	char text[KERNEL_TEXT];

	for (int i = 0; i < work->count; i++)
		if (ports_alike(mix, &work->trials[i].mix))
			return &work->trials[i];
	*trial = (struct trial){ .mix = *mix, .purpose = purpose };
	if (work->count == TRIALS || !ports_kernel(work->survey->ops, mix, &work->room, text, &trial->waiting))
		return NULL;
	trial->text = strdup(text);
	if (!trial->text)
		return NULL;
	lab_want(work->lab, trial->text, NANO_BARRIER_ASM);
	work->count++;
	return trial;
}

/* As even as the registers allow. */
static void add_pair(struct work *work, int a, int b)
{
	static const int fewer[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 4, 1 }, { 1, 4 } };
	struct ports_mix mix;
	bool added;

	ports_pair(work->interval, a, b, &mix);
	added = trials_add(work, &mix, PAIR);
	for (size_t i = 0; !added && i < sizeof fewer / sizeof *fewer; i++) {
		mix = (struct ports_mix){ .n = { 0 } };
		mix.n[a] = fewer[i][0];
		mix.n[b] = fewer[i][1];
		added = trials_add(work, &mix, PAIR);
	}
}

void trials_plan(struct work *work)
{
	int ops = work->survey->count, index = 0, before;
	struct ports_mix mix;

	for (int a = 0; a < ops; a++) {
		mix = (struct ports_mix){ .n = { 0 } };
		mix.n[a] = 1;
		trials_add(work, &mix, ALONE);
		for (int b = a + 1; b < ops; b++)
			add_pair(work, a, b);
	}
	before = work->count;
	for (; work->count < before + TRIALS_FITTED + TRIALS_UNSEEN && index < 4 * TRIALS; index++) {
		ports_random(work->interval, ops, index, &mix);
		trials_add(work, &mix, (work->count - before) % 3 == 2 ? CONTROL : TRAINING);
	}
	lab_prepare(work->lab);
}

void trials_time(struct work *work, struct trial *trial)
{
	struct lab *lab = work->lab;
	struct probe *probe = lab_probe(lab, trial->text, NANO_BARRIER_ASM);
	struct estimate estimate;
	double error;
	int all = 0;

	if (!probe)
		return;
	lab->timer->credit += CREDIT;
	estimate = timing_of(lab->timer, probe, PRECISION);
	lab->finding.samples += estimate.rounds;
	if (estimate.status != MACHINE_RAN)
		return;
	for (int op = 0; op < PORTS_OPS; op++)
		all += trial->mix.n[op];
	error = (estimate.high - estimate.low) / 2 / estimate.ticks - timing_margin(lab->timer);
	/* A second look may be the one that nobody disturbs. */
	if (!trial->ran || trial->alone < !estimate.shared ||
	    (trial->alone == !estimate.shared && error < trial->error)) {
		trial->mix.cycles = estimate.ticks * all / lab->cycle;
		trial->error = error;
		trial->alone = !estimate.shared;
	}
	trial->ran = true;
	lab->share = fmax(lab->share, estimate.share);
}

bool trials_good(const struct trial *trial)
{
	return trial->ran && trial->alone && trial->error < TRIALS_UNSTEADY &&
	       trial->mix.cycles > trial->waiting * WAITS;
}

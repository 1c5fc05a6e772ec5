/* SPDX-License-Identifier: MIT */
/*
 * far.c - a load from memory, by walks so large that caches hold next to nothing of them
 *
 * What the levels' terms add up to is as sure as all of them are, and where others use the last level its term is off
 * by tens of percent. A walk far beyond it goes to memory nearly each time, whatever the levels are. A time is a
 * constant less what is held over what is covered, so twice this walk's less that of one half as large leaves the
 * constant.
 */
#include <math.h>

#include "survey.h"

enum { ROUNDS = 5, QUIET_ROUNDS = 2, NEAR = 0, HALF, WHOLE, SIZES };

static const double FAR = 1 << 28; /* bytes */
static const double MOSTLY_HELD = 0.8; /* of the larger walk's time: then the smaller one is not far enough out */
static const double BESIDES = 16; /* times what is held, at least, if each line held is one of these places' */
static const double TRANSLATED = 0.25; /* of what translation costs: the two kinds of walk may pay for it otherwise */

static struct far_load decide(const struct hierarchy *hierarchy, const double *time, const double *error)
{
	double held = fmax(0, time[WHOLE] - time[HALF]);

	/* A step is more than a load: its place is drawn, too. */
	return (struct far_load){
		.seen = time[HALF] > MOSTLY_HELD * time[WHOLE],
		.latency = hierarchy->chase + time[WHOLE] - time[NEAR] + held,
		.error = error[NEAR] + error[WHOLE] + fmin(error[HALF] + error[WHOLE], held),
	};
}

/* The point behind those that the terms are of: taken, and forgotten. False when a walk did not come to its end. */
static bool take_looks(struct lab *lab, const double *bytes, int rounds, struct look looks[][SURVEY_ROUNDS])
{
	struct hierarchy *hierarchy = lab->hierarchy;

	for (int i = 0; i < rounds * SIZES; i++) {
		hierarchy->points[hierarchy->count] = (struct curve_point){ .bytes = bytes[i % SIZES] };
		if (!survey_look(lab, hierarchy, hierarchy->count, i / SIZES, &looks[i % SIZES][i / SIZES]))
			return false;
	}
	return true;
}

static struct far_load conclude(struct lab *lab, const double *bytes, int rounds, struct look looks[][SURVEY_ROUNDS])
{
	struct hierarchy *hierarchy = lab->hierarchy;
	int repeated = hierarchy->repeated, wavering = hierarchy->wavering;
	double time[SIZES], error[SIZES];

	for (int i = 0; i < SIZES; i++) {
		struct curve_point *point = &hierarchy->points[hierarchy->count];

		point->bytes = bytes[i];
		survey_conclude(lab, hierarchy, hierarchy->count, looks[i], rounds);
		time[i] = point->time;
		error[i] = point->error + TRANSLATED * hierarchy->translation[hierarchy->count];
		lab_note(lab, "cycles of a step, by bytes far out", bytes[i], time[i], "");
	}
	hierarchy->repeated = repeated;
	hierarchy->wavering = wavering;
	return decide(hierarchy, time, error);
}

struct far_load engine_far_load(struct lab *lab)
{
	struct hierarchy *hierarchy = lab->hierarchy;
	double whole = fmin(FAR, (double)lab->timer->machine->memory), apart = hierarchy->far_apart;
	double last = hierarchy->levels ? hierarchy->level[hierarchy->levels - 1].reach : 0;
	double bytes[SIZES] = { hierarchy->points[0].bytes, whole / 2, whole };
	struct far_load load = { .seen = false };
	struct look looks[SIZES][SURVEY_ROUNDS];
	int rounds = lab->timer->noise == NOISE_QUIET ? QUIET_ROUNDS : ROUNDS;

	if (lab->brief || hierarchy->count == HIERARCHY_POINTS || bytes[HALF] < hierarchy->most)
		return load;
	/* Nearer places would fill no more of what is far too small for them, and take longer to begin. */
	hierarchy->far_apart = fmax(apart, PLACE);
	while (hierarchy->far_apart < LONG_LINE && last * BESIDES * 2 * hierarchy->far_apart / PLACE <= whole)
		hierarchy->far_apart *= 2;
	if (take_looks(lab, bytes, rounds, looks))
		load = conclude(lab, bytes, rounds, looks);
	else
		hierarchy->status = MACHINE_RAN; /* the levels are as well known as before */
	hierarchy->far_apart = apart;
	return load;
}

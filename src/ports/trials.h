/* SPDX-License-Identifier: MIT */
/*
 * trials.h - mixes that are timed
 *
 * Private to ports/.
 */
#ifndef XRAY_PORTS_TRIALS_H
#define XRAY_PORTS_TRIALS_H

#include "ports.h"

enum {
	TRIALS_PAIRS = PORTS_OPS * (PORTS_OPS - 1) / 2,
	TRIALS_FITTED = 80, /* mixes, beside what is alone and in pairs */
	TRIALS_UNSEEN = 40,
	TRIALS_CHECKS = 3, /* times that bundles are tried */
	TRIALS = PORTS_OPS + TRIALS_PAIRS + TRIALS_FITTED + TRIALS_UNSEEN + TRIALS_CHECKS * PORTS_BUNDLES
};

/* Of a time: beyond, its loop has several rhythms, and the two lengths differ in them. */
#define TRIALS_UNSTEADY 0.05

/* What a mix is for. */
enum purpose { ALONE, PAIR, TRAINING, CONTROL, BUNDLE };

struct trial {
	struct ports_mix mix;
	enum purpose purpose;
	double waiting; /* cycles that its chains take */
	double error; /* relative, beyond what all times may be off by */
	bool ran, alone; /* alone: with nobody beside us */
	char *text;
};

struct work {
	struct lab *lab;
	struct ports_survey *survey;
	struct ports_room room;
	struct trial trials[TRIALS];
	int count;
	double interval[PORTS_OPS], alone[PORTS_OPS]; /* cycles: to plan with; as timed */
};

/* Operations that run here, with their times. */
void trials_alone(struct work *work, const struct ports_candidate *candidates, int count);

/* One more, unless there is such a one. NULL when the registers do not hold it. */
struct trial *trials_add(struct work *work, const struct ports_mix *mix, enum purpose purpose);

/* Each alone, all pairs, and mixes; compiled in one go. */
void trials_plan(struct work *work);

void trials_time(struct work *work, struct trial *trial);

/* Does its time tell of resources? */
bool trials_good(const struct trial *trial);

#endif

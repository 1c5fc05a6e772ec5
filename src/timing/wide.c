/* SPDX-License-Identifier: MIT */
/*
 * wide.c - a crowd of floating additions, to see what happens to the units of vectors
 *
 * A core that has not used its wide units for a while runs them at a quarter of their speed at first (Intel's AVX
 * licences): for half a millisecond most of the time, for ten when the package is busy. And a neighbour on the core may
 * use these units and leave the integers' alone. The tick and the crowd of integers run on unharmed, and the slow time
 * is as steady as the quick one, so nothing but another loop on the same units tells.
 */
#include <math.h>
#include <stdio.h>

#include "sample.h"

enum { CHAINS = 8, LENGTH = 12, NARROW = 16 /* bytes */, MOST_LOOKS = 256 };

static const double LEARNING = 1.5e7; /* ns: no throttling has been seen to last as long */
static const double QUICKEST = 0.1; /* quantile of the looks; the very least may owe itself to a tick held up */
/* A neighbour on the core takes half of a unit at the most; throttling leaves a quarter. */
static const double THROTTLED = 2.5;

static const char *const types[WIDTHS] = { "f64", "f64x4", "f64x8" };

struct nano *wide_crowd(int width)
{
	char text[64], error[256] = "";

	snprintf(text, sizeof(text), "for i=1..%d p{i} = p{i} + p0 : %s", CHAINS, types[width]);
	return nano_parse(text, NANO_BARRIER_ASM, CHAINS * LENGTH, error, sizeof(error));
}

/* -1: all of the variables are plain integers. */
static int width_of(const struct nano *nano)
{
	int width = -1;

	for (int i = 0; i < nano->variable_count; i++) {
		const struct nano_type *type = nano->variables[i].type;
		int bytes = type->lanes * type->lane_bytes;
		int its = bytes > 2 * NARROW                             ? 2
			  : bytes > NARROW                               ? 1
			  : type->lanes > 1 || type->class == NANO_FLOAT ? 0
									 : -1;

		width = its > width ? its : width;
	}
	return width;
}

static double in_ticks(const struct timer *timer, const struct wide *wide, struct low crowd, struct low tick)
{
	return crowd.second / (double)wide->laps / (tick.second / (double)timer->tick_laps);
}

static void learn(struct timer *timer, struct wide *wide, int width)
{
	struct machine *machine = timer->machine;
	double looks[MOST_LOOKS], start = machine->ops->clock(machine);
	enum machine_status status;
	struct reading reading;
	int n = 0;

	wide->asked = true;
	wide->crowd = wide_crowd(width);
	wide->laps = wide->crowd ? sample_size(timer, wide->crowd, &status, &reading) : 0;
	while (wide->laps && n < MOST_LOOKS && (n == 0 || machine->ops->clock(machine) - start < LEARNING)) {
		struct low crowd = LOW_NONE, tick = LOW_NONE;

		sample_burst(timer, timer->tick, timer->tick_laps, &tick, NULL);
		sample_burst(timer, wide->crowd, wide->laps, &crowd, NULL);
		looks[n++] = crowd.second < LOW_NONE.second && tick.second < LOW_NONE.second
				     ? in_ticks(timer, wide, crowd, tick)
				     : INFINITY;
	}
	wide->least = n ? stat_quantile(looks, n, QUICKEST) : INFINITY;
}

struct wide *wide_of(struct timer *timer, const struct nano *nano)
{
	int width = width_of(nano);
	struct wide *wide = width < 0 ? NULL : &timer->wide[width];

	if (wide && !wide->asked)
		learn(timer, wide, width);
	return wide && wide->laps ? wide : NULL;
}

double wide_held(const struct timer *timer, const struct wide *wide, struct low crowd, struct low tick)
{
	if (crowd.second >= LOW_NONE.second || tick.second >= LOW_NONE.second)
		return 1;
	return in_ticks(timer, wide, crowd, tick) / wide->least;
}

void wide_settle(struct wide *wide, double held)
{
	if (wide && held * SHARE_SLACK < 1)
		wide->least *= held;
}

bool wide_throttled(double held)
{
	return held > THROTTLED;
}

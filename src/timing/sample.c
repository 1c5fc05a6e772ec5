/* SPDX-License-Identifier: MIT */
/*
 * sample.c - one timing: as many laps as the clock's grain asks for, no more
 *
 * X-Ray's Figure 2 doubles the repetitions until the time exceeds a bound; half a second there, microseconds here,
 * since many short timings find quiet moments that no long one has.
 */
#include <math.h>

#include "sample.h"

static const long MOST_LAPS = 1L << 40;

/* Doubles until a timing lasts half the wanted time, then scales. The faster of two, lest a preempted one decides. */
static long size_laps(struct timer *timer, const struct nano *nano, enum machine_status *status, struct reading *reading)
{
	struct machine *machine = timer->machine;

	for (long laps = 1; laps < MOST_LAPS; laps *= 2) {
		double ns = INFINITY;

		for (int i = 0; i < 2; i++) {
			*status = machine->ops->run(machine, nano, laps, reading);
			timer->samples++;
			if (*status != MACHINE_RAN)
				return 0;
			ns = fmin(ns, reading->ns);
		}
		if (ns >= timer->sample / 2)
			return (long)fmax(1, round((double)laps * timer->sample / ns));
	}
	return 0;
}

double sample_lap(struct timer *timer, const struct nano *nano, long *laps, struct reading *reading)
{
	struct reading unwanted;
	enum machine_status status = MACHINE_RAN;

	if (!reading)
		reading = &unwanted;
	if (*laps == 0)
		*laps = size_laps(timer, nano, &status, reading);
	if (*laps == 0)
		return NAN;
	status = timer->machine->ops->run(timer->machine, nano, *laps, reading);
	timer->samples++;
	return status == MACHINE_RAN ? reading->ns / (double)*laps : NAN;
}

double timing_tick(struct timer *timer)
{
	struct reading reading;
	double ns = sample_lap(timer, timer->tick, &timer->tick_laps, &reading);

	return reading.disturbed ? NAN : ns;
}

/* SPDX-License-Identifier: MIT */
/*
 * sample.c - many timings, each just long enough for the clock's grain
 *
 * X-Ray's Figure 2 doubles the repetitions until the time exceeds a bound: half a second there, a microsecond or two
 * here. A core shared with a neighbour has quiet moments of about that length and hardly any longer ones, and an
 * interruption spoils only the timing it falls into. What is added to a timing is never negative, so of many the lowest
 * tell what the code takes; the second lowest is used, lest a glitch of the clock decides.
 */
#include <math.h>

#include "sample.h"

static const long MOST_LAPS = 1L << 40;

long sample_size(struct timer *timer, const struct nano *nano, enum machine_status *status, struct reading *reading)
{
	struct machine *machine = timer->machine;

	for (long laps = 1; laps < MOST_LAPS; laps *= 2) {
		*status = machine->ops->run(machine, nano, laps, 3, reading);
		if (*status != MACHINE_RAN)
			return 0;

		double ns = stat_median(reading->ns, 3);

		if (ns >= timer->sample / 2)
			return (long)fmax(1, round((double)laps * timer->sample / ns));
	}
	*status = MACHINE_FAULT;
	return 0;
}

void low_take(struct low *low, const double *ns)
{
	for (int i = 0; i < MACHINE_BURST; i++) {
		if (ns[i] < low->least) {
			low->second = low->least;
			low->least = ns[i];
		} else if (ns[i] < low->second) {
			low->second = ns[i];
		}
	}
}

bool sample_burst(struct timer *timer, const struct nano *nano, long laps, struct low *low, int *disturbed)
{
	struct reading reading;

	if (timer->machine->ops->run(timer->machine, nano, laps, MACHINE_BURST, &reading) != MACHINE_RAN)
		return false;
	timer->samples += MACHINE_BURST;
	if (reading.disturbed) {
		if (disturbed)
			(*disturbed)++;
		return true;
	}
	low_take(low, reading.ns);
	return true;
}

double timing_tick(struct timer *timer)
{
	struct reading reading;

	if (timer->machine->ops->run(timer->machine, timer->tick, timer->tick_laps, MACHINE_BURST, &reading) !=
		    MACHINE_RAN ||
	    reading.disturbed)
		return NAN;
	timer->samples += MACHINE_BURST;
	return stat_median(reading.ns, MACHINE_BURST) / (double)timer->tick_laps;
}

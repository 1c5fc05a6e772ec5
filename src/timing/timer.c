/* SPDX-License-Identifier: MIT */
/*
 * timer.c - knows the clock, the warmth of the core and the noise before anything is measured
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sample.h"

enum { LOOKS = 400, AUDIT_PAIRS = 120, SLICES = 8, MOST_SLICES = 2000 };

static const double SHORTEST_SAMPLE = 15e3; /* ns: long against a call, short against a time slice */
static const double GRAINS = 1000; /* a sample lasts this many grains of the clock: 0.1 % */

static void calibrate_clock(struct timer *timer)
{
	struct machine *machine = timer->machine;
	double steps[LOOKS], smallest = INFINITY, first = machine->ops->clock(machine), last = first;

	for (int i = 0; i < LOOKS; i++) {
		double now = machine->ops->clock(machine);

		steps[i] = now - last;
		if (steps[i] > 0)
			smallest = fmin(smallest, steps[i]);
		last = now;
	}
	/* A clock finer than its own cost shows the cost as its smallest step; the average is then the same. */
	timer->cost = (last - first) / LOOKS;
	timer->granularity = isfinite(smallest) ? smallest : 1e6;
	timer->sample = fmax(SHORTEST_SAMPLE, GRAINS * timer->granularity);
	/* A grain much coarser than the cost is a real one; else the clock is finer than it can be read. */
	if (timer->granularity < 2 * timer->cost)
		timer->sample = SHORTEST_SAMPLE;
}

/* Until the last few slices agree: an idle core may take milliseconds to reach its clock. */
static void warm_up(struct timer *timer)
{
	const double agreement = 0.005, longest = 0.3e9;
	double slices[SLICES], start = timer->machine->ops->clock(timer->machine);

	for (int i = 0; i < MOST_SLICES; i++) {
		slices[i % SLICES] = sample_lap(timer, timer->tick, &timer->tick_laps, NULL);
		if (i < 2 * SLICES)
			continue;
		if (stat_quantile(slices, SLICES, 0.75) - stat_quantile(slices, SLICES, 0.25) <
		    agreement * stat_median(slices, SLICES))
			return;
		if (timer->machine->ops->clock(timer->machine) - start > longest)
			return;
	}
}

/* Short pairs of tick and crowd, spread over tens of milliseconds: how many are off, and is the core shared? */
static void audit(struct timer *timer)
{
	const double pause = 5e5; /* ns */
	double ticks[AUDIT_PAIRS], shares[AUDIT_PAIRS];
	int disturbed = 0, off = 0;

	for (int i = 0; i < AUDIT_PAIRS; i++) {
		struct reading tick, crowd;

		ticks[i] = sample_lap(timer, timer->tick, &timer->tick_laps, &tick);
		shares[i] = sample_lap(timer, timer->crowd, &timer->crowd_laps, &crowd) / ticks[i];
		disturbed += tick.disturbed || crowd.disturbed;
		if (i % 4 == 3)
			timer->machine->ops->wait(timer->machine, pause);
	}

	struct stat_speeds speeds = stat_two_speeds(shares, AUDIT_PAIRS);
	double usual = stat_median(ticks, AUDIT_PAIRS);

	for (int i = 0; i < AUDIT_PAIRS; i++)
		off += fabs(ticks[i] / usual - 1) > 0.02 || shares[i] > 1.1 * speeds.fast;
	off = off > disturbed ? off : disturbed;
	timer->tick_ns = usual;
	timer->share = speeds.fast;
	timer->noise = off * 20 <= AUDIT_PAIRS ? NOISE_QUIET : off * 2 <= AUDIT_PAIRS ? NOISE_NOISY : NOISE_HOSTILE;
	snprintf(timer->audit, sizeof(timer->audit), "%s (%d of %d samples off%s; clock steps %.3g ns, costs %.3g ns)",
		 noise_word(timer->noise), off, AUDIT_PAIRS, speeds.modes == 2 ? ", two speeds" : "", timer->granularity,
		 timer->cost);
}

enum machine_status timer_open(struct timer *timer, struct machine *machine, double wait_ns, char *why, size_t size)
{
	char error[256] = "";

	*timer = (struct timer){ .machine = machine, .wait_left = wait_ns };
	timer->tick = nano_parse("p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 64, error, sizeof(error));
	timer->crowd = nano_parse("for i=1..8 p{i} = p{i} + p0 : i64", NANO_BARRIER_ASM, 96, error, sizeof(error));
	calibrate_clock(timer);
	if (!timer->tick || !timer->crowd) {
		snprintf(why, size, "%s", error);
		return MACHINE_FAULT;
	}

	struct reading reading;
	enum machine_status status;

	machine->ops->prepare(machine, (const struct nano *const[]){ timer->tick, timer->crowd }, 2);
	status = machine->ops->run(machine, timer->tick, 1, &reading);
	/* A machine with few registers keeps fewer chains; the crowd then is what still fits. */
	for (int chains = 7; chains >= 2 && status == MACHINE_RAN; chains--) {
		char text[64];

		if (machine->ops->run(machine, timer->crowd, 1, &(struct reading){ 0 }) != MACHINE_REFUSED)
			break;
		nano_free(timer->crowd);
		snprintf(text, sizeof(text), "for i=1..%d p{i} = p{i} + p0 : i64", chains);
		timer->crowd = nano_parse(text, NANO_BARRIER_ASM, 96, error, sizeof(error));
	}
	if (status != MACHINE_RAN) {
		snprintf(why, size, "%s", reading.why);
		return status;
	}
	warm_up(timer);
	audit(timer);
	return MACHINE_RAN;
}

void timer_close(struct timer *timer)
{
	nano_free(timer->tick);
	nano_free(timer->crowd);
}

const char *noise_word(enum noise_level level)
{
	static const char *const words[] = { "quiet", "noisy", "hostile" };

	return words[level];
}

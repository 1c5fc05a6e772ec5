/* SPDX-License-Identifier: MIT */
/*
 * timer.c - knows the clock, the warmth of the core and the noise before anything is measured
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

enum { LOOKS = 400, MOST_LOOKS = 1 << 22, AUDIT_BURSTS = 48, SLICES = 8, MOST_SLICES = 4000 };

static const double SHORTEST_SAMPLE = 1500; /* ns: long against a call, as short as quiet moments on a shared core */
static const double GRAINS = 400; /* a sample lasts this many grains of the clock: 0.25 % */
static const double COARSEST = 1e6; /* ns: with a coarser grain a single burst takes minutes */

/* When the clock moves next; INFINITY when it does not for longer than anybody waits. */
static double next_step(struct machine *machine)
{
	double first = machine->ops->clock(machine), now = first;

	for (long i = 0; i < MOST_LOOKS && !(now > first); i++)
		now = machine->ops->clock(machine);
	return now > first ? now : INFINITY;
}

static void calibrate_clock(struct timer *timer)
{
	struct machine *machine = timer->machine;
	double steps[LOOKS], first = machine->ops->clock(machine), last = first;

	for (int i = 0; i < LOOKS; i++) {
		double now = machine->ops->clock(machine);

		steps[i] = now - last;
		last = now;
	}
	timer->cost = (last - first) / LOOKS;
	timer->granularity = stat_grain(steps, LOOKS);
	if (isnan(timer->granularity)) {
		double begin = next_step(machine);

		timer->granularity = isfinite(begin) ? next_step(machine) - begin : INFINITY;
	}
	timer->sample = fmax(SHORTEST_SAMPLE, GRAINS * timer->granularity);
}

/* Until the last few slices agree: an idle core may take milliseconds to reach its clock. */
static void warm_up(struct timer *timer)
{
	const double agreement = 0.003, longest = 0.3e9;
	double slices[SLICES], start = timer->machine->ops->clock(timer->machine);

	for (int i = 0; i < MOST_SLICES; i++) {
		slices[i % SLICES] = timing_tick(timer);
		if (i < 2 * SLICES)
			continue;
		if (stat_quantile(slices, SLICES, 0.9) - stat_quantile(slices, SLICES, 0.1) <
		    agreement * stat_median(slices, SLICES))
			return;
		if (timer->machine->ops->clock(timer->machine) - start > longest)
			return;
	}
}

/* Single timings of tick and crowd, spread over tens of milliseconds: how many are off, and is the core shared? */
static void audit(struct timer *timer)
{
	const double pause = 2e6; /* ns; a neighbour comes and goes in tens of milliseconds */
	double ticks[AUDIT_BURSTS * MACHINE_BURST], crowds[AUDIT_BURSTS * MACHINE_BURST], shares[AUDIT_BURSTS];
	struct reading reading;
	int n = 0, off = 0, disturbed = 0;

	for (int i = 0; i < AUDIT_BURSTS; i++) {
		struct machine *machine = timer->machine;
		double tick, crowd;

		machine->ops->run(machine, timer->tick, timer->tick_laps, MACHINE_BURST, &reading);
		disturbed += reading.disturbed;
		memcpy(ticks + n, reading.ns, sizeof(reading.ns));
		tick = stat_quantile(reading.ns, MACHINE_BURST, 0.05);
		machine->ops->run(machine, timer->crowd, timer->crowd_laps, MACHINE_BURST, &reading);
		disturbed += reading.disturbed;
		memcpy(crowds + n, reading.ns, sizeof(reading.ns));
		crowd = stat_quantile(reading.ns, MACHINE_BURST, 0.05);
		shares[i] = crowd / (double)timer->crowd_laps / (tick / (double)timer->tick_laps);
		timing_lags(timer, tick / (double)timer->tick_laps);
		n += MACHINE_BURST;
		machine->ops->wait(machine, pause);
	}
	timer->share = stat_quantile(shares, AUDIT_BURSTS, 0.1);

	double tick = stat_median(ticks, n), crowd = stat_quantile(crowds, n, 0.05);

	for (int i = 0; i < n; i++)
		off += fabs(ticks[i] / tick - 1) > 0.03 || crowds[i] > 1.1 * crowd;
	off += disturbed * MACHINE_BURST;
	timer->crowd_least = timer->share * tick / (double)timer->tick_laps;
	timer->tick_least = timer->tick_most = tick / (double)timer->tick_laps;
	timer->noise = off * 20 <= n ? NOISE_QUIET : off * 2 <= n ? NOISE_NOISY : NOISE_HOSTILE;
	snprintf(timer->audit, sizeof(timer->audit), "%s (%.0f %% of samples off; clock grain %.3g ns, cost %.3g ns)",
		 noise_word(timer->noise), fmin(100, 100.0 * off / n), timer->granularity, timer->cost);
}

/* Two of floating, two of integers: the tock is one of the other two. */
static const char *const tick_operations[] = { "* p0 : f64", "+ p0 : f64", "* p0 : i64", "+ p0 : i64" };

enum { TICKS = sizeof(tick_operations) / sizeof(tick_operations[0]), MOST_CHAINS = 3, TICK_LENGTH = 24, CROWD = 8 };

/* Chains side by side of one operation, each so long that a lap of one chain and of several are comparable. */
static struct nano *chains_of(const char *operation, int chains, int length)
{
	char text[64], error[256] = "";

	snprintf(text, sizeof(text), "for i=1..%d p{i} = p{i} %s", chains, operation);
	return nano_parse(text, NANO_BARRIER_ASM, length * chains, error, sizeof(error));
}

/* ns of a lap; NaN when it does not run. */
static double lap_of(struct timer *timer, const struct nano *nano)
{
	enum machine_status status = MACHINE_RAN;
	struct reading reading;
	struct low low = LOW_NONE;
	long laps = nano ? sample_size(timer, nano, &status, &reading) : 0;

	for (int i = 0; laps && i < 4; i++)
		sample_burst(timer, nano, laps, &low, NULL);
	return laps ? low.second / (double)laps : NAN;
}

/* The tick is a chain on a unit with room to spare: three of them side by side, or two at the least, take no longer
 * than one. A chain that fills its unit (a double-pumped adder, a divider) would slow down with a neighbour, and hide
 * him. */
static enum machine_status choose_tick(struct timer *timer, struct nano *const chains[TICKS][MOST_CHAINS],
				       struct reading *reading)
{
	enum machine_status status = MACHINE_FAULT;
	double laps[TICKS][MOST_CHAINS];
	int chosen = TICKS - 1;

	for (int i = 0; i < TICKS; i++)
		for (int k = 0; k < MOST_CHAINS; k++)
			laps[i][k] = lap_of(timer, chains[i][k]);
	for (int k = 1; k < MOST_CHAINS; k++) {
		int first = TICKS;

		for (int i = TICKS - 1; i >= 0; i--)
			if (laps[i][k] < 1.2 * laps[i][0])
				first = i;
		chosen = first < TICKS ? first : chosen;
	}
	timer->tick = chains_of(tick_operations[chosen], 1, TICK_LENGTH);
	for (int i = TICKS - 1; i >= 0 && !timer->tock; i--)
		if (i / 2 != chosen / 2 && isfinite(laps[i][0])) {
			timer->tock = chains_of(tick_operations[i], 1, TICK_LENGTH);
			timer->tock_laps = timer->tock ? sample_size(timer, timer->tock, &status, reading) : 0;
		}
	if (timer->tick)
		timer->tick_laps = sample_size(timer, timer->tick, &status, reading);
	return status;
}

/* A machine with few registers keeps fewer chains; the crowd is then what still fits. */
static enum machine_status fit_crowd(struct timer *timer, struct reading *reading)
{
	enum machine_status status = MACHINE_REFUSED;

	for (int chains = CROWD; chains >= 1 && status == MACHINE_REFUSED; chains--) {
		nano_free(timer->crowd);
		timer->crowd = chains_of("+ p0 : i64", chains, 12);
		timer->crowd_laps = timer->crowd ? sample_size(timer, timer->crowd, &status, reading) : 0;
	}
	return status;
}

static bool is_too_coarse(const struct timer *timer, struct reading *reading)
{
	if (timer->granularity <= COARSEST)
		return false;
	snprintf(reading->why, sizeof(reading->why),
		 "the clock moves in steps of %.3g ms: too coarse to time anything by", timer->granularity / 1e6);
	return true;
}

enum machine_status timer_open(struct timer *timer, struct machine *machine, double wait_ns, char *why, size_t size)
{
	struct nano *chains[TICKS][MOST_CHAINS], *crowd = chains_of("+ p0 : i64", CROWD, 12);
	struct nano *made[TICKS * MOST_CHAINS + 1 + WIDTHS];
	struct reading reading = { 0 };
	enum machine_status status;
	int count = 0;

	*timer = (struct timer){ .machine = machine, .wait_left = wait_ns, .credit = INFINITY, .deadline = INFINITY };
	calibrate_clock(timer);
	for (int i = 0; i < TICKS; i++)
		for (int k = 0; k < MOST_CHAINS; k++)
			made[count++] = chains[i][k] = chains_of(tick_operations[i], k + 1, TICK_LENGTH);
	made[count++] = crowd;
	for (int i = 0; i < WIDTHS; i++)
		made[count++] = wide_crowd(i);
	machine->ops->prepare(machine, (const struct nano *const *)made, count);
	status = is_too_coarse(timer, &reading) ? MACHINE_BLOCKED : choose_tick(timer, chains, &reading);
	if (status == MACHINE_RAN)
		status = fit_crowd(timer, &reading);
	for (int i = 0; i < count; i++)
		nano_free(made[i]);
	snprintf(why, size, "%s", reading.why);
	/* That there is nothing to count time in says nothing about what else there is. */
	if (status != MACHINE_RAN)
		return status == MACHINE_ABSENT ? MACHINE_BLOCKED : status;
	warm_up(timer);
	audit(timer);
	return MACHINE_RAN;
}

double timer_add(const struct timer *timer)
{
	return timer->share / nano_body(timer->crowd);
}

bool timer_over(const struct timer *timer)
{
	return (timer->stop && timer->stop(timer->stop_context)) ||
	       timer->machine->ops->clock(timer->machine) > timer->deadline;
}

void timer_close(struct timer *timer)
{
	nano_free(timer->tick);
	nano_free(timer->tock);
	nano_free(timer->crowd);
	probe_free(timer->load);
	for (int i = 0; i < WIDTHS; i++)
		nano_free(timer->wide[i].crowd);
}

bool timer_doubt(struct timer *timer)
{
	char audit[sizeof(timer->audit)];
	const char *seen = strchr(timer->audit, '(');

	if (timer->noise != NOISE_QUIET)
		return false;
	timer->noise = NOISE_NOISY;
	snprintf(audit, sizeof(audit), "%s (quiet at first: %s", noise_word(timer->noise), seen ? seen + 1 : ")");
	memcpy(timer->audit, audit, sizeof(audit));
	return true;
}

const char *noise_word(enum noise_level level)
{
	static const char *const words[] = { "quiet", "noisy", "hostile" };

	return words[level];
}

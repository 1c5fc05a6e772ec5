/* SPDX-License-Identifier: MIT */
/*
 * estimate.c - from rounds of samples to a number that is believed
 *
 * A round brackets the samples between two ticks and two crowds. It is thrown away for what happened beside the samples,
 * never for their value: ticks that differ (the clock stepped, or something interrupted), a preemption the machine saw, a
 * crowd slower than the core's best (a neighbour on the SMT sibling). The median of what is left is the estimate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

enum { FEWEST_ROUNDS = 5, MOST_ROUNDS = 40, BRIEF = 48, FULL = 144 };

static const double TICK_AGREEMENT = 0.01;
static const double SHARE_SLACK = 1.03; /* the crowd's own scatter on a core of its own is below 2 % */
static const double SYSTEMATIC = 0.002; /* of the value: code placement, the tick's own error */

struct probe *probe_new(const char *text, enum nano_barrier barrier, char *error, size_t size)
{
	struct probe *probe = calloc(1, sizeof(*probe));

	if (!probe)
		return NULL;
	probe->brief = nano_parse(text, barrier, BRIEF, error, size);
	if (probe->brief) {
		int thrice = 3 * nano_body(probe->brief);

		probe->full = nano_parse(text, barrier, thrice > FULL ? thrice : FULL, error, size);
	}
	if (probe->full)
		return probe;
	probe_free(probe);
	return NULL;
}

void probe_free(struct probe *probe)
{
	if (!probe)
		return;
	nano_free(probe->brief);
	nano_free(probe->full);
	free(probe);
}

struct round {
	double tick, share, brief, full; /* ns per lap; crowd laps per tick lap */
	bool valid, alone, ran;
	struct reading reading;
};

static double bracket(struct timer *timer, struct round *round, double *share)
{
	struct reading tick, crowd;
	double ns = sample_lap(timer, timer->tick, &timer->tick_laps, &tick);

	*share = sample_lap(timer, timer->crowd, &timer->crowd_laps, &crowd) / ns;
	round->valid = round->valid && !tick.disturbed && !crowd.disturbed;
	round->alone = round->alone && *share <= timer->share * SHARE_SLACK;
	return ns;
}

static double pair(struct timer *timer, struct round *round, const struct nano *nano, long *laps)
{
	double ns = sample_lap(timer, nano, laps, &round->reading);

	round->valid = round->valid && !round->reading.disturbed;
	round->ran = round->ran && isfinite(ns);
	return ns;
}

static struct round take_round(struct timer *timer, struct probe *probe, bool only_alone)
{
	struct round round = { .valid = true, .alone = true, .ran = true };
	double share_before, share_after = NAN;
	double before = bracket(timer, &round, &share_before);

	if (only_alone && !round.alone)
		return round;
	round.brief = pair(timer, &round, probe->brief, &probe->brief_laps);
	if (!round.ran)
		return round;
	round.full = pair(timer, &round, probe->full, &probe->full_laps);
	round.full = (round.full + pair(timer, &round, probe->full, &probe->full_laps)) / 2;
	round.brief = (round.brief + pair(timer, &round, probe->brief, &probe->brief_laps)) / 2;

	double after = bracket(timer, &round, &share_after);

	round.tick = (before + after) / 2;
	round.share = (share_before + share_after) / 2;
	round.valid = round.valid && fabs(before - after) < TICK_AGREEMENT * round.tick;
	return round;
}

/* Waits a little longer each time, while there is waiting left. False when it is used up. */
static bool wait_for_core(struct timer *timer, double *pause)
{
	const double longest = 3.2e7;

	if (timer->wait_left < *pause)
		return false;
	timer->machine->ops->wait(timer->machine, *pause);
	timer->wait_left -= *pause;
	*pause = fmin(2 * *pause, longest);
	return true;
}

static bool enough(const double *ticks, int n, double precision)
{
	if (n < FEWEST_ROUNDS)
		return false;

	struct stat_interval interval = stat_median_interval(ticks, n, 0.99);

	return interval.high - interval.low < 2 * precision * stat_median(ticks, n);
}

static void conclude(struct estimate *estimate, const double *ticks, const double *ns, int n)
{
	struct stat_interval interval = stat_median_interval(ticks, n, 0.999);
	double margin;

	estimate->ticks = stat_median(ticks, n);
	estimate->ns = stat_median(ns, n);
	margin = SYSTEMATIC * fabs(estimate->ticks);
	estimate->low = interval.low - margin;
	estimate->high = interval.high + margin;
	estimate->rounds = n;
}

struct estimate timing_of(struct timer *timer, struct probe *probe, double precision)
{
	struct estimate estimate = { .status = MACHINE_FAULT, .share = timer->share };
	double ticks[MOST_ROUNDS], ns[MOST_ROUNDS], shares[MOST_ROUNDS], pause = 1e6;
	int statements = nano_body(probe->full) - nano_body(probe->brief);
	int n = 0, tries = 0, patience = MOST_ROUNDS * (2 + 4 * (int)timer->noise);
	bool only_alone = true;

	while (n < MOST_ROUNDS && tries++ < patience && !enough(ticks, n, precision) && !(timer->stop && timer->stop())) {
		struct round round = take_round(timer, probe, only_alone);

		if (!round.ran) {
			estimate.status = timer->machine->ops->run(timer->machine, probe->brief, 1, &round.reading);
			snprintf(estimate.why, sizeof(estimate.why), "%s", round.reading.why);
			return estimate;
		}
		if (!round.alone && only_alone) {
			only_alone = wait_for_core(timer, &pause);
			estimate.discarded++;
			continue;
		}
		if (!round.valid) {
			estimate.discarded++;
			continue;
		}
		estimate.shared = estimate.shared || !round.alone;
		ns[n] = (round.full - round.brief) / statements;
		ticks[n] = ns[n] / round.tick;
		shares[n++] = round.share;
		estimate.value = round.reading.value;
	}
	if (n == 0) {
		snprintf(estimate.why, sizeof(estimate.why), "no undisturbed sample in %d tries", tries);
		return estimate;
	}
	estimate.status = MACHINE_RAN;
	conclude(&estimate, ticks, ns, n);
	/* A core that was never alone so far shows itself here as a crowd faster than any before. */
	if (n >= FEWEST_ROUNDS && stat_median(shares, n) * SHARE_SLACK < timer->share)
		timer->share = stat_median(shares, n);
	return estimate;
}

/* SPDX-License-Identifier: MIT */
/*
 * walks.c - what a step of an address walk takes
 *
 * A step is now a hit and now a miss, so the mean over many steps is wanted, and the lowest timing would be one that
 * was lucky. Of timings long enough that luck is small the middle one is believed, or a lower one where others disturb:
 * what they do adds.
 */
#include <math.h>
#include <stdio.h>

#include "sample.h"

enum { TRIES = 4 };

static const double TICK_AGREEMENT = 0.03;
static const double BELIEVED[] = { [NOISE_QUIET] = 0.5, [NOISE_NOISY] = 0.4, [NOISE_HOSTILE] = 0.25 };

struct surroundings {
	double tick; /* ns */
	bool alone; /* nobody else on the core */
	bool lags; /* the tick was held up: counted in it, the crowd or the tock is quicker than it can be */
};

static struct surroundings look_around(struct timer *timer)
{
	struct low tick = LOW_NONE, crowd = LOW_NONE;
	struct surroundings around;
	double share;

	sample_burst(timer, timer->tick, timer->tick_laps, &tick, NULL);
	sample_burst(timer, timer->crowd, timer->crowd_laps, &crowd, NULL);
	around.tick = tick.second < LOW_NONE.second ? tick.second / (double)timer->tick_laps : NAN;
	share = crowd.second / (double)timer->crowd_laps / around.tick;
	around.alone = share <= timer->share * SHARE_SLACK;
	around.lags =
		only_in_ticks(share, timer->share, crowd.second / (double)timer->crowd_laps, timer->crowd_least) ||
		timing_lags(timer, around.tick);
	around.tick = fmin(around.tick, pace_of_loads(timer));
	return around;
}

struct stroll timing_walk(struct timer *timer, const struct walk *walk, long steps)
{
	struct stroll best = { .ticks = NAN, .ns = NAN };
	struct surroundings before = look_around(timer), after;
	struct reading reading;

	for (int i = 0; i < TRIES && !timer_over(timer); i++, before = after) {
		double ns, ticks;

		best.status = timer->machine->ops->walk(timer->machine, walk, steps, MACHINE_BURST, &reading);
		if (best.status != MACHINE_RAN) {
			snprintf(best.why, sizeof(best.why), "%s", reading.why);
			return best;
		}
		best.value = reading.value;
		timer->samples += MACHINE_BURST;
		after = look_around(timer);
		ns = stat_quantile(reading.ns, MACHINE_BURST, BELIEVED[timer->noise]) - timer->cost;
		ns /= (double)steps;
		ticks = 2 * ns / (before.tick + after.tick);
		/* A neighbour takes room in the caches, and what was taken beside him is too slow, never too quick. A
		 * tick that was held up makes it too quick. */
		if (!(ticks > best.ticks) && (!(before.lags || after.lags) || (isnan(best.ticks) && i == TRIES - 1))) {
			best.ns = ns;
			best.ticks = ticks;
		}
		if (!reading.disturbed && before.alone && after.alone &&
		    fabs(after.tick / before.tick - 1) < TICK_AGREEMENT)
			return best;
	}
	best.shared = true;
	return best;
}

bool timing_walks_by_turns(struct timer *timer, const struct walk *walks, int count, int turns, long least, double *ns)
{
	for (int i = 0; i < count; i++)
		ns[i] = INFINITY;
	for (int i = 0; i < count * turns; i++) {
		const struct walk *walk = &walks[i % count];
		long steps = (least + walk->count - 1) / walk->count * walk->count; /* whole rounds */
		struct low low = LOW_NONE;
		struct reading reading;

		if (timer->machine->ops->walk(timer->machine, walk, steps, MACHINE_BURST, &reading) != MACHINE_RAN)
			return false;
		timer->samples += MACHINE_BURST;
		low_take(&low, reading.ns);
		ns[i % count] = fmin(ns[i % count], (low.second - timer->cost) / (double)steps);
	}
	return true;
}

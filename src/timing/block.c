/* SPDX-License-Identifier: MIT */
/*
 * block.c - one value: the tick, the crowd and the two lengths in turn
 *
 * Burst by burst, and the second lowest of each is kept. It goes on until the crowd shows that the core was once its
 * own.
 */
#include <math.h>

#include "sample.h"

enum { QUIET_BURSTS = 2, MOST_BURSTS = 24 };

static const double TICK_AGREEMENT = 0.02; /* before and after a block: a step of the clock is more, scatter less */

static double share_of(const struct timer *timer, double crowd, double tick)
{
	return crowd / (double)timer->crowd_laps / (tick / (double)timer->tick_laps);
}

/* Of a throttled core every burst must tell: one quick one among slow ones says nothing about the others' time. */
static bool burst_each(struct timer *timer, const struct probe *probe, struct wide *wide, struct block *block)
{
	struct low integers = LOW_NONE, crowd = LOW_NONE;

	if (!sample_burst(timer, timer->tick, timer->tick_laps, &block->tick, &block->disturbed) ||
	    !sample_burst(timer, timer->crowd, timer->crowd_laps, &integers, &block->disturbed) ||
	    !sample_burst(timer, probe->brief, probe->laps, &block->brief, &block->disturbed) ||
	    !sample_burst(timer, probe->full, probe->laps, &block->full, &block->disturbed))
		return false;
	block->crowd.second =
		fmin(fmax(block->crowd.least, integers.least), fmin(block->crowd.second, integers.second));
	block->crowd.least = fmin(block->crowd.least, integers.least);
	block->calm += share_of(timer, integers.least, block->tick.second) <= timer->share * SHARE_SLACK;
	if (!wide)
		return true;
	if (!sample_burst(timer, wide->crowd, wide->laps, &crowd, &block->disturbed))
		return false;
	block->throttled = block->throttled || wide_throttled(wide_held(timer, wide, crowd, block->tick));
	block->wide.second = fmin(block->wide.second, crowd.second);
	block->held = wide_held(timer, wide, block->wide, block->tick);
	return true;
}

/* The crowd tells of it, or the tock, when the crowd is held up as much. */
static bool tick_lags(struct timer *timer, const struct block *block)
{
	return only_in_ticks(block->share, timer->share, block->crowd.second / (double)timer->crowd_laps,
			     timer->crowd_least) ||
	       timing_lags(timer, block->tick.second / (double)timer->tick_laps);
}

struct block block_take(struct timer *timer, const struct probe *probe, double until)
{
	struct block block = { .tick = LOW_NONE,
			       .crowd = LOW_NONE,
			       .brief = LOW_NONE,
			       .full = LOW_NONE,
			       .wide = LOW_NONE,
			       .held = 1,
			       .ran = true };
	struct wide *wide = wide_of(timer, probe->full);
	struct low before = LOW_NONE, after = LOW_NONE;
	int wanted = QUIET_BURSTS;

	for (int i = 1; i <= wanted && block.ran; i++) {
		block.ran = burst_each(timer, probe, wide, &block);
		if (i == 1)
			before = block.tick;
		block.share = share_of(timer, block.crowd.second, block.tick.second);
		/* In one round alone he may have come right after the crowd, and stay. */
		block.alone = block.share <= timer->share * SHARE_SLACK && block.calm > 1;
		/* The crowd found a quiet moment after i bursts; the others are given as long again to find theirs. */
		if (i == wanted && !block.alone && wanted < MOST_BURSTS &&
		    timer->machine->ops->clock(timer->machine) < until)
			wanted = 2 * wanted < MOST_BURSTS ? 2 * wanted : MOST_BURSTS;
	}
	sample_burst(timer, timer->tick, timer->tick_laps, &after, &block.disturbed);
	block.steady = fabs(after.second / before.second - 1) < TICK_AGREEMENT && !block.throttled &&
		       !tick_lags(timer, &block);
	return block;
}

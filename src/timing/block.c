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

/* Of a throttled core every burst must tell: one quick one among slow ones says nothing about the others' time. */
static bool burst_each(struct timer *timer, const struct probe *probe, struct wide *wide, struct block *block)
{
	struct low crowd = LOW_NONE;

	if (!sample_burst(timer, timer->tick, timer->tick_laps, &block->tick, &block->disturbed) ||
	    !sample_burst(timer, timer->crowd, timer->crowd_laps, &block->crowd, &block->disturbed) ||
	    !sample_burst(timer, probe->brief, probe->laps, &block->brief, &block->disturbed) ||
	    !sample_burst(timer, probe->full, probe->laps, &block->full, &block->disturbed))
		return false;
	if (!wide)
		return true;
	if (!sample_burst(timer, wide->crowd, wide->laps, &crowd, &block->disturbed))
		return false;
	block->throttled = block->throttled || wide_throttled(wide_held(timer, wide, crowd, block->tick));
	block->wide.second = fmin(block->wide.second, crowd.second);
	block->held = wide_held(timer, wide, block->wide, block->tick);
	return true;
}

/* The crowd tells of it, or the tock, which runs on other units, when the crowd is held up as much. */
static bool tick_lags(struct timer *timer, struct block *block)
{
	struct low tock = LOW_NONE;
	double tick = block->tick.second / (double)timer->tick_laps, ns;

	if (only_in_ticks(block->share, timer->share, block->crowd.second / (double)timer->crowd_laps,
			  timer->crowd_least))
		return true;
	if (!timer->tock || !sample_burst(timer, timer->tock, timer->tock_laps, &tock, &block->disturbed))
		return false;
	ns = tock.second / (double)timer->tock_laps;
	if (only_in_ticks(ns / tick, timer->tock_ratio, ns, timer->tock_least))
		return true;
	/* A neighbour who was there all the time may have left. */
	if (ns / tick * SHARE_SLACK < timer->tock_ratio) {
		timer->tock_ratio = ns / tick;
		timer->tock_least = ns;
	}
	return false;
}

struct block block_take(struct timer *timer, const struct probe *probe)
{
	struct block block = { LOW_NONE, LOW_NONE, LOW_NONE, LOW_NONE, LOW_NONE, NAN, 1, true, false, false, false, 0 };
	struct wide *wide = wide_of(timer, probe->full);
	struct low before = LOW_NONE, after = LOW_NONE;
	int wanted = QUIET_BURSTS;

	for (int i = 1; i <= wanted && block.ran; i++) {
		block.ran = burst_each(timer, probe, wide, &block);
		if (i == 1)
			before = block.tick;
		block.share =
			block.crowd.second / (double)timer->crowd_laps / (block.tick.second / (double)timer->tick_laps);
		block.alone = block.share <= timer->share * SHARE_SLACK;
		/* The crowd found a quiet moment after i bursts; the others are given as long again to find theirs. */
		if (i == wanted && !block.alone && wanted < MOST_BURSTS)
			wanted = 2 * wanted < MOST_BURSTS ? 2 * wanted : MOST_BURSTS;
	}
	sample_burst(timer, timer->tick, timer->tick_laps, &after, &block.disturbed);
	block.steady = fabs(after.second / before.second - 1) < TICK_AGREEMENT && !block.throttled &&
		       !tick_lags(timer, &block);
	return block;
}

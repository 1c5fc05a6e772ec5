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

static bool burst_each(struct timer *timer, const struct probe *probe, struct block *block)
{
	return sample_burst(timer, timer->tick, timer->tick_laps, &block->tick, &block->disturbed) &&
	       sample_burst(timer, timer->crowd, timer->crowd_laps, &block->crowd, &block->disturbed) &&
	       sample_burst(timer, probe->brief, probe->laps, &block->brief, &block->disturbed) &&
	       sample_burst(timer, probe->full, probe->laps, &block->full, &block->disturbed);
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
	struct block block = { LOW_NONE, LOW_NONE, LOW_NONE, LOW_NONE, NAN, true, false, false, 0 };
	struct low before = LOW_NONE, after = LOW_NONE;
	int wanted = QUIET_BURSTS;

	for (int i = 1; i <= wanted && block.ran; i++) {
		block.ran = burst_each(timer, probe, &block);
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
	block.steady = fabs(after.second / before.second - 1) < TICK_AGREEMENT && !tick_lags(timer, &block);
	return block;
}

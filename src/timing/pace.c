/* SPDX-License-Identifier: MIT */
/*
 * pace.c - was the tick held up? The tock, a chain on other units, tells
 *
 * What the tock takes in ticks is the same at any clock, as long as nobody is in the way of either. Of many looks the
 * densest place is that: a chain that is held up takes now this long and now that. A tock quicker than there means a
 * slow tick, or that whoever was on the tock's units all the time has left; the looks that follow show which.
 */
#include "sample.h"

bool timing_lags(struct timer *timer, double tick)
{
	struct low tock = LOW_NONE;
	double ratio;
	bool lags;

	if (!timer->tock || !sample_burst(timer, timer->tock, timer->tock_laps, &tock, NULL) ||
	    tock.second >= LOW_NONE.second)
		return false;
	ratio = tock.second / (double)timer->tock_laps / tick;
	lags = ratio * SHARE_SLACK < timer->tock_ratio;
	timer->ratios[timer->ratio_count++ % RATIOS] = ratio;
	timer->tock_ratio =
		stat_half_sample_mode(timer->ratios, timer->ratio_count < RATIOS ? timer->ratio_count : RATIOS);
	return lags;
}

/* SPDX-License-Identifier: MIT */
/*
 * pace.c - was the tick held up? The tock, a chain on other units, tells
 *
 * What the tock takes in ticks is the same at any clock, as long as nobody is in the way of either. Of many looks the
 * densest place is that: a chain that is held up takes now this long and now that. A tock quicker than there means a
 * slow tick, or that whoever was on the tock's units all the time has left; the looks that follow show which.
 *
 * He may stay on both for seconds. A walk is nothing but loads, and what holds up those is rare: a chain of them,
 * learnt once, tells what a tick should take. What it takes itself is never too little either, so the lesser of the two
 * counts.
 */
#include <math.h>

#include "sample.h"

enum { LESSONS = 4 };

static const double PRECISION = 0.002, NEARLY_WHOLE = 0.025;

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

double pace_of_loads(struct timer *timer)
{
	struct low lap = LOW_NONE;

	if (!timer->load || isnan(timer->load_ticks) ||
	    !sample_burst(timer, timer->load->full, timer->load->laps, &lap, NULL) || lap.second >= LOW_NONE.second)
		return NAN;
	return lap.second / (double)timer->load->laps / timer->load_ticks;
}

/* It takes a whole number of cycles, and what does not was held up itself. */
void timing_learn_load(struct timer *timer, double cycle)
{
	char error[64];

	if (timer->load)
		return;
	timer->load_ticks = NAN;
	timer->load = probe_new("p1 = *p1 : ptr", NANO_BARRIER_ASM, error, sizeof(error));
	for (int i = 0; i < LESSONS && timer->load && isnan(timer->load_ticks); i++) {
		struct estimate estimate = timing_of(timer, timer->load, PRECISION);
		double cycles = round(estimate.ticks / cycle);

		if (estimate.status != MACHINE_RAN)
			return;
		if (fabs(estimate.ticks / (cycles * cycle) - 1) < NEARLY_WHOLE)
			timer->load_ticks = cycles * cycle * nano_body(timer->load->full);
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * sample.h - single timings and bursts of them; private to timing/
 */
#ifndef XRAY_TIMING_SAMPLE_H
#define XRAY_TIMING_SAMPLE_H

#include "timing.h"

/* Laps that make one timing of this nano-benchmark last about timer->sample; 0, and the status, when it does not run.
 */
long sample_size(struct timer *timer, const struct nano *nano, enum machine_status *status, struct reading *reading);

/* The least and second least of many timings. */
struct low {
	double least, second; /* ns */
};
static const struct low LOW_NONE = { 1e300, 1e300 };
/* A burst's times. */
void low_take(struct low *low, const double *ns);

static const double SHARE_SLACK = 1.03; /* the crowd's own scatter on a core of its own is below 2 % */

/* Quicker than ever when counted in ticks, and not when counted in ns: it is the tick that was held up. */
static inline bool only_in_ticks(double ratio, double least_ratio, double ns, double least_ns)
{
	return ratio * SHARE_SLACK < least_ratio && ns * SHARE_SLACK > least_ns;
}

/* A burst of timings, folded into `low`. False when it did not run. Disturbed bursts are not folded in; disturbed
 * counts them and may be NULL. */
bool sample_burst(struct timer *timer, const struct nano *nano, long laps, struct low *low, int *disturbed);

/* What began then, on the machine's clock, is done: its time is taken off the credit. */
static inline void timer_charge(struct timer *timer, double begin)
{
	double left = timer->credit - (timer->machine->ops->clock(timer->machine) - begin);

	timer->credit = left > 0 ? left : 0;
}

/* pace.c: ns of a tick as a chain of loads tells it; NaN when nothing is known about that */
double pace_of_loads(struct timer *timer);

/* wide.c: the crowd of a width, from nano_parse */
struct nano *wide_crowd(int width);
/* The crowd for what this nano-benchmark uses, learnt the first time; NULL when it uses nothing but integers. */
struct wide *wide_of(struct timer *timer, const struct nano *nano);
/* How many times as long as at its best the crowd took. */
double wide_held(const struct timer *timer, const struct wide *wide, struct low crowd, struct low tick);
/* What it took in an estimate, when that is less than ever: a neighbour who was there while it was learnt has left. */
void wide_settle(struct wide *wide, double held);
bool wide_throttled(double held);

/* block.c */
struct block {
	struct low tick, crowd, brief, full, wide;
	double share; /* crowd per tick, per lap */
	double held; /* times as long as at its best: the crowd of floating additions; 1 where there is none */
	bool ran, alone, throttled, steady; /* the clock did not step meanwhile, and nothing was throttled */
	int calm; /* rounds in which the crowd had the core for itself */
	int disturbed;
};
/* Looks for a quiet moment until that time on the machine's clock, and a little beyond. */
struct block block_take(struct timer *timer, const struct probe *probe, double until);

#endif

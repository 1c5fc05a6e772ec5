/* SPDX-License-Identifier: MIT */
/*
 * sample.h - single timings; private to timing/
 */
#ifndef XRAY_TIMING_SAMPLE_H
#define XRAY_TIMING_SAMPLE_H

#include "timing.h"

/* ns of one lap, from one timing of about timer->sample; sizes *laps when it is 0. NaN when it did not run. The reading
 * may be NULL. */
double sample_lap(struct timer *timer, const struct nano *nano, long *laps, struct reading *reading);

#endif

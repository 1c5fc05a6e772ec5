/* SPDX-License-Identifier: MIT */
/*
 * description_counters.h - the counters of a machine file: which events have one, and what is wrong with it
 */
#ifndef XRAY_DESCRIPTION_COUNTERS_H
#define XRAY_DESCRIPTION_COUNTERS_H

#include "../nano/walk.h"

/* What a counter counts. From COUNTER_OTHER on: another event, COUNTER_OTHER + walk_event. */
enum description_counter {
	COUNTER_NONE,
	COUNTER_EXACT,
	COUNTER_NOISY,
	COUNTER_DOUBLE,
	COUNTER_NOTHING,
	COUNTER_STUCK,
	COUNTER_WRAPS,
	COUNTER_OTHER
};

struct description_counters {
	double kind[WALK_EVENTS];
	double overhead; /* added to every reading */
	double noise; /* relative, of a noisy one */
	double spikes; /* of its readings, that hundreds were added to */
	double multiplexed; /* of its readings, that were taken for a part of the time only */
	double walks; /* TLBs: not what the nearest lacks, but what all of them do */
	double prefetches; /* count where they miss, too */
	double refused; /* the system does not let us */
};

#endif

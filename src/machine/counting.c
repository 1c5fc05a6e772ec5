/* SPDX-License-Identifier: MIT */
/*
 * counting.c - which of the system's counters is a walk's event
 */
#include <stdio.h>

#include "../host/host.h"
#include "counting.h"

bool counting_open(const struct walk *walk, int *counter, char *why, size_t size)
{
	static const struct {
		enum walk_event event;
		enum host_event host;
	} known[] = { { WALK_L1D_MISSES, HOST_L1D_MISSES },
		      { WALK_LAST_MISSES, HOST_LAST_MISSES },
		      { WALK_DTLB_MISSES, HOST_DTLB_MISSES },
		      { WALK_L1I_MISSES, HOST_L1I_MISSES },
		      { WALK_ITLB_MISSES, HOST_ITLB_MISSES } };

	*counter = -1;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].event == walk->event) {
			*counter = host_counter_open(known[i].host, why, size);
			return *counter >= 0;
		}
	if (walk->event != WALK_NO_EVENT)
		snprintf(why, size, "the system has no name for %s that fits all machines",
			 walk_event_name(walk->event));
	return walk->event == WALK_NO_EVENT;
}

void counting_close(int counter, struct reading *reading)
{
	if (counter >= 0 && !host_counter_read(counter, &reading->counted))
		reading->disturbed = true;
	host_counter_close(counter);
}

/* SPDX-License-Identifier: MIT */
/*
 * counting.c - counters as machines have them: exact ones, noisy ones, and broken ones
 */
#include <math.h>
#include <stdio.h>

#include "counting.h"

enum { WRAPS_AT = 256, SPIKE = 1000 };

static const double PART_OFF = 0.7; /* relative: how far off one is that was not on all the time */

void sim_counters_start(struct sim_counters *counters, const struct description_counters *described, uint64_t seed)
{
	*counters = (struct sim_counters){ .described = described };
	sim_random_seed(&counters->random, seed ^ 0x7c0a5f2e91d3b846u);
	for (int i = 0; i < WALK_EVENTS; i++)
		counters->first[i] = NAN;
}

bool sim_counters_has(const struct sim_counters *counters, enum walk_event event, struct reading *reading)
{
	if (event == WALK_NO_EVENT)
		return true;
	*reading = (struct reading){ .spills = -1 };
	if (counters->described->refused > 0)
		snprintf(reading->why, sizeof reading->why, "the system does not let us use the counter of %s",
			 walk_event_name(event));
	else if (counters->described->kind[event] <= COUNTER_NONE)
		snprintf(reading->why, sizeof reading->why, "there is no counter of %s", walk_event_name(event));
	else
		return true;
	return false;
}

void sim_counters_begin(struct sim_counters *counters, const struct sim_memory *memory)
{
	sim_memory_events(memory, counters->before);
}

static double normal(struct sim_random *random)
{
	double radius = sqrt(-2 * log(1 - sim_random_unit(random)));

	return radius * cos(2 * M_PI * sim_random_unit(random));
}

static double noisy(struct sim_counters *counters, double count, bool *disturbed)
{
	const struct description_counters *described = counters->described;

	count *= 1 + described->noise * normal(&counters->random);
	if (sim_random_unit(&counters->random) < described->spikes)
		count += SPIKE * sim_random_unit(&counters->random);
	if (sim_random_unit(&counters->random) < described->multiplexed) {
		count *= 1 + PART_OFF * (2 * sim_random_unit(&counters->random) - 1);
		*disturbed = true;
	}
	return fmax(0, floor(count));
}

void sim_counters_end(struct sim_counters *counters, const struct sim_memory *memory, enum walk_event event,
		      struct reading *reading)
{
	int kind = (int)counters->described->kind[event];
	enum walk_event counted = kind >= COUNTER_OTHER ? (enum walk_event)(kind - COUNTER_OTHER) : event;
	uint64_t events[WALK_EVENTS];
	double count;

	if (event == WALK_NO_EVENT)
		return;
	sim_memory_events(memory, events);
	count = (double)(events[counted] - counters->before[counted]) + counters->described->overhead;
	if (isnan(counters->first[event]))
		counters->first[event] = count;
	reading->counted = kind == COUNTER_NOISY     ? noisy(counters, count, &reading->disturbed)
			   : kind == COUNTER_DOUBLE  ? 2 * count
			   : kind == COUNTER_NOTHING ? 0
			   : kind == COUNTER_STUCK   ? counters->first[event]
			   : kind == COUNTER_WRAPS   ? fmod(count, WRAPS_AT)
						     : count;
}

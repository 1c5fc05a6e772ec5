/* SPDX-License-Identifier: MIT */
/*
 * rounds.c - walks round and round: after some laps all is as it was after an earlier one, and what follows is known
 */
#include "stroll.h"

enum { MOST_LAPS = 64 };

/* Compares with the state after 1, 2, 4, 8 ... laps (Brent): what repeats is found, whatever its period. */
void stroll_end_lap(struct stroll *stroll)
{
	struct stroll_laps *laps = &stroll->laps;
	const struct sim_memory *memory = stroll->walker->memory;
	uint64_t state, events[WALK_EVENTS];

	if (laps->period || laps->count == MOST_LAPS || !sim_memory_state(stroll->walker->memory, &state))
		return;
	laps->count++;
	sim_memory_events(memory, events);
	if (laps->marked && state == laps->state) {
		laps->period = (laps->count - laps->marked) * stroll->walk->count;
		for (int i = 0; i < WALK_EVENTS; i++)
			laps->events[i] = events[i] - laps->events[i];
	} else if (laps->count >= 2 * laps->marked) {
		laps->marked = laps->count;
		laps->state = state;
		laps->cycles = 0;
		for (int i = 0; i < WALK_EVENTS; i++)
			laps->events[i] = events[i];
	}
}

double stroll_repeat(struct stroll *stroll, long *steps)
{
	const struct stroll_laps *laps = &stroll->laps;
	long times = laps->period ? *steps / laps->period : 0;

	*steps -= times * laps->period;
	sim_memory_count(stroll->walker->memory, laps->events, (uint64_t)times);
	return laps->cycles * (double)times;
}

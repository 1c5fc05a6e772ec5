/* SPDX-License-Identifier: MIT */
/*
 * stroll.h - a walk under way: walking.c takes those of data, running.c those of code; private to sim/
 */
#ifndef XRAY_SIM_STROLL_H
#define XRAY_SIM_STROLL_H

#include "../nano/walk_draw.h"
#include "walking.h"

/* Round and round: after some laps everything may be as it was after an earlier one. Then all that follow are known. */
struct stroll_laps {
	long count, marked; /* so far; at the one that is compared with */
	uint64_t state; /* then */
	double cycles; /* since then */
	uint64_t events[WALK_EVENTS]; /* then; once it is known: those of a period */
	long period; /* steps after which all is as it was, and takes `cycles` again; 0: not known */
};

struct stroll {
	struct sim_walker *walker;
	const struct walk *walk;
	struct walk_grid grid, hot;
	long at; /* the next place, or how many were drawn */
	uint64_t next, group; /* WALK_RANDOM: drawn already */
	long clean; /* steps in a row that cost no more than `settled` */
	double settled; /* cycles; 0: a lap of hits says nothing of the next */
	bool beside; /* somebody else may take what lies in the first level: all laps have to be walked */
	struct stroll_laps laps;
	double clock; /* cycles, for what stores leave under way */
	double warming; /* cycles before the first timed step */
	struct sim_straight straight; /* code: what lies at a place, or the ladder */
	double issue; /* code, streams: cycles of a step that its instructions take, twice as many beside a busy sibling
		       */
};

/* Cycles that drawing a place adds to a step that waits for it; what it takes where nothing waits; and a quarter of a
 * draw with a load or store. */
#define STROLL_DRAWN 16.0
#define STROLL_RUSH 3.0
#define STROLL_LOOSE 1.5

static inline uint64_t stroll_draw(struct stroll *stroll, const struct walk_grid *grid)
{
	uint64_t random = sim_random_next(&stroll->walker->random);

	return grid->scattered ? walk_draw_scattered(grid, random) : walk_draw(grid, random);
}

/* Walk round and round: a lap is over; takes as many steps as whole periods have, cycles. */
void stroll_end_lap(struct stroll *stroll);
double stroll_repeat(struct stroll *stroll, long *steps);
/* Cycles of that many steps of a walk that stores, or is loose. */
double sim_storing_steps(struct stroll *stroll, long steps);

/* traffic.c: a stream that has what it needs of the core, or false and why; cycles of so many steps of it, and of
 * chases side by side. */
bool sim_stream_start(struct stroll *stroll, struct reading *reading);
double sim_stream_steps(struct stroll *stroll, long steps);
double sim_chase_steps(struct stroll *stroll, long steps);

/* Lays out the code of a walk; false and why when there is none, or no room for it. */
bool sim_code_start(struct stroll *stroll, struct reading *reading);

/* Runs all of it once. */
void sim_code_warm(struct stroll *stroll);

/* Cycles of that many steps. */
double sim_code_steps(struct stroll *stroll, long steps);

#endif

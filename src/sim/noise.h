/* SPDX-License-Identifier: MIT */
/*
 * noise.h - the virtual clock and everything that disturbs a run
 */
#ifndef XRAY_SIM_NOISE_H
#define XRAY_SIM_NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/core.h"
#include "../memory/random.h"

/* One stream of random numbers per cause, so that one cause does not shift another. */
enum sim_stream {
	STREAM_JITTER,
	STREAM_TICK,
	STREAM_PREEMPTION,
	STREAM_NOTICED,
	STREAM_STEAL,
	STREAM_SIBLING,
	STREAM_FREQUENCY,
	STREAMS
};

struct sim_noise {
	const struct description *description;
	struct sim_random streams[STREAMS];
	double now, ran; /* ns since the start; ns the machine has worked */
	double next_tick, next_preemption, next_steal; /* when; INFINITY: never */
	double next_step, step_end, speed; /* the clock: next change, its end, share of nominal meanwhile */
	double sibling_change;
	bool sibling;
	double busy; /* CPUs that are at work, which a quota is shared by */
};

void sim_noise_start(struct sim_noise *noise, const struct description *description, uint64_t seed);

/* Reads the timer, ns: quantised, and it costs. */
double sim_noise_clock(struct sim_noise *noise);

/* Works; returns true when the machine could notice that it was disturbed. */
bool sim_noise_run(struct sim_noise *noise, struct sim_work work);

/* Lets time pass idle. */
void sim_noise_wait(struct sim_noise *noise, double ns);

#endif

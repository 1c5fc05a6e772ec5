/* SPDX-License-Identifier: MIT */
/*
 * walks.c - what a step of an address walk takes, in cycles, from several looks
 */
#include <math.h>

#include "engine.h"

enum {
	STEPS = ENGINE_WALK_STEPS / MACHINE_BURST,
	ROUND_STEPS = 512,
	CHASES = 9,
	CHASED = 16,
	APART = 64,
	NOISY_LOOKS = 3,
	MOST_LOOKS = 15,
	TICKS = 5,
	TIMES = 7, /* that a large walk is looked at */
	LARGE = 3, /* large walks, the second twice as large as the first */
	FIRST_LARGE = 8 << 20 /* bytes: most of what cores share */
};

static const double SCATTER = 0.012; /* of a time: more is no chance */

static double walk_steps(struct lab *lab, const struct walk *walk, int looks, long steps)
{
	double times[MOST_LOOKS];
	int n = 0;

	if (lab->timer->noise == NOISE_QUIET)
		looks = (looks + 1) / 2;
	else if (walk->order == WALK_RANDOM && !lab->brief)
		looks *= NOISY_LOOKS;
	for (int i = 0; i < looks && i < MOST_LOOKS; i++) {
		struct stroll stroll = timing_walk(lab->timer, walk, steps);

		if (stroll.status != MACHINE_RAN)
			return NAN;
		if (isfinite(stroll.ticks))
			times[n++] = stroll.ticks / lab->cycle;
	}
	lab->finding.samples += n * MACHINE_BURST;
	return stat_quantile(times, n, lab->timer->noise == NOISE_QUIET || walk->order == WALK_CYCLE ? 0.5 : 0);
}

double engine_walk(struct lab *lab, const struct walk *walk, int looks)
{
	return walk_steps(lab, walk, looks, STEPS);
}

double engine_walk_round(struct lab *lab, const struct walk *walk, int looks)
{
	return walk_steps(lab, walk, looks, (ROUND_STEPS + walk->count - 1) / walk->count * walk->count);
}

/* A chain of pointers in the nearest level, in an order that nothing foresees. */
double engine_chase(struct lab *lab)
{
	uint64_t places[CHASED];
	long order[CHASED], count = CHASED;

	walk_shuffle(order, count);
	for (long i = 0; i < count; i++)
		places[i] = (uint64_t)order[i] * APART;

	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count };

	/* Many steps, since these take hardly longer than a look at the clock. */
	return walk_steps(lab, &walk, CHASES, 8 * STEPS);
}

double engine_cycle(struct lab *lab)
{
	double shortest = NAN;

	for (int i = 0; i < TICKS; i++)
		shortest = fmin(shortest, timing_tick(lab->timer) * lab->cycle);
	return shortest;
}

bool engine_others_in_caches(struct lab *lab)
{
	long long memory = (long long)lab->timer->machine->memory;
	int scattered = 0, tried = 0;

	for (long long bytes = FIRST_LARGE; tried < LARGE && 2 * bytes <= memory; bytes *= 2, tried++) {
		struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
		double times[TIMES], scatter;

		walk.grid.stride[0] = APART;
		walk.grid.count[0] = (long)(bytes / APART);
		for (int i = 0; i < TIMES; i++)
			times[i] = timing_walk(lab->timer, &walk, STEPS).ticks;
		scatter = stat_median(times, TIMES) / stat_quantile(times, TIMES, 0) - 1;
		lab_note(lab, "scatter of walks by bytes", (double)bytes, scatter, "");
		scattered += scatter > SCATTER;
	}
	return 2 * scattered > tried;
}

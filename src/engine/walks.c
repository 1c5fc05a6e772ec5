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
	TIMES = 10, /* that a large walk is looked at */
	LARGE = 3, /* large walks, the second twice as large as the first */
	FIRST_LARGE = 8 << 20, /* bytes: most of what cores share */
	FEW_RISES = 2
};

static const double SLOWER = 0.1; /* of a time: so much, again and again, bends the law */
static const double CIRCLING = 0.2; /* quantile, where a chain of loads corrects a tick that is held up */
static const double PAUSE = 5e6; /* ns: others come and go in tens of milliseconds */

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
	/* Round and round nothing is lucky: what makes it quick is a tick that was held up. */
	return stat_quantile(times, n,
			     lab->timer->noise == NOISE_QUIET ? 0.5
			     : walk->order == WALK_RANDOM     ? 0
			     : lab->timer->load_ticks > 0     ? CIRCLING
							      : 0.5);
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
	struct machine *machine = lab->timer->machine;
	long long bytes = FIRST_LARGE;
	int rises = 0;

	for (int i = 0; i < LARGE && 2 * bytes <= (long long)machine->memory; i++, bytes *= 2) {
		struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
		double time, least = NAN;

		walk.grid.stride[0] = APART;
		walk.grid.count[0] = (long)(bytes / APART);
		/* A walk that settles becomes quicker and quicker; it is only others who make it slower again. */
		for (int j = 0; j < TIMES; j++) {
			machine->ops->wait(machine, PAUSE);
			time = timing_walk(lab->timer, &walk, STEPS).ticks;
			rises += time > (1 + SLOWER) * least;
			least = fmin(least, time);
		}
	}
	lab_note(lab, "times that large walks were slower than before", NAN, rises, "");
	return rises >= FEW_RISES;
}

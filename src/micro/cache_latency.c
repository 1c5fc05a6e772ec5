/* SPDX-License-Identifier: MIT */
/*
 * cache_latency.c - cycles of a load that a level serves
 */
#include "micro.h"

static const double MIXTURE = 0.1; /* cycles from a whole number */
static const double HELD_UP[] = { [NOISE_QUIET] = 1, [NOISE_NOISY] = 1, [NOISE_HOSTILE] = 1.4 };

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_level(lab, subject);
	double margin, low, high;
	bool mixed;

	if (!level || (subject->depth && cache_is_bent(lab, subject->depth)))
		return;
	margin = level->latency * (subject->depth ? 0.03 + cache_margin(lab) : 0.02) + 3 * level->latency_error;
	margin += subject->depth ? hierarchy_leak(lab->hierarchy, subject->depth) : 0;
	low = fmax(level->latency - margin, subject->depth ? level[-1].latency : 0);
	high = level->latency + margin;
	/* A load from the nearest level takes a whole number of cycles; beside neighbours a tick that is held up makes
	 * it less than that, and much less if they never leave. */
	mixed = subject->depth == 0 && lab->timer->noise != NOISE_QUIET &&
		fabs(level->latency - round(level->latency)) > MIXTURE;
	lab_measured(lab, level->latency, mixed ? fmin(low, floor(level->latency) - MIXTURE) : low,
		     mixed ? fmax(high, ceil(level->latency * HELD_UP[lab->timer->noise])) : high,
		     subject->depth || mixed ? 0.85 : 0.99, subject->depth ? "resident-set law" : "chain of pointers");
}

const struct micro micro_cache_latency = {
	.name = "cache.LEVEL.latency",
	.what = "cycles of a load that the level serves",
	.unit = "cycles",
	.story =
		"Idea     A chain of pointers takes one load after the other. What a miss costs more is the height of the\n"
		"         level's term in the fit of all walks, translation taken off.\n"
		"Answer   The time of a chain in the nearest level, plus the heights of the levels passed.\n"
		"Assumes  What cache.levels assumes.\n"
		"Fails as absent when there are fewer levels.",
	.needs = { "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * memory_latency.c - ns of a load that no cache serves
 */
#include "micro.h"

static const double IN_DOUBT = 0.2, BY_LAW = 0.05, FAR_OUT = 0.03;

/* What all levels' terms add up to. Where some of them are in doubt, so is that. */
static void by_law(struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	double ns = hierarchy->memory * hierarchy->cycle;
	double margin = ns * (BY_LAW + cache_margin(lab) + (hierarchy->believed < hierarchy->levels ? IN_DOUBT : 0)) +
			3 * hierarchy->memory_error * hierarchy->cycle;

	lab_measured(lab, ns, ns - margin, ns + margin, 0.85, "resident-set law");
}

static void run(struct lab *lab, const struct subject *subject)
{
	struct far_load load;
	double ns, margin;

	(void)subject;
	if (!explored_memory(lab))
		return;
	load = engine_far_load(lab);
	if (!load.seen) {
		if (!cache_is_bent(lab, 0))
			by_law(lab);
		return;
	}
	ns = load.latency * lab->hierarchy->cycle;
	margin = (FAR_OUT + cache_foreseen(lab)) * ns + load.error * lab->hierarchy->cycle;
	lab_measured(lab, ns, ns - margin, ns + margin, 0.85, "walks far beyond all levels");
}

const struct micro micro_memory_latency = {
	.name = "memory.latency",
	.what = "time of a load that no cache serves",
	.unit = "ns",
	.story =
		"Idea     Random references far beyond all levels go to memory, but for the few that are held.\n"
		"Answer   Twice the time over 256 MiB less that over half of it, translation taken off, in ns. With less\n"
		"         memory, a chain of pointers in the nearest level plus the heights of all levels.\n"
		"Assumes  The last level holds less than half of the largest walk.\n"
		"Fails as blocked when memory is too small for the walks.",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * memory_latency.c - ns of a load that no cache serves
 */
#include "micro.h"

static const double IN_DOUBT = 0.2;

static void run(struct lab *lab, const struct subject *subject)
{
	const struct hierarchy *hierarchy = explored_memory(lab);
	double ns, margin;

	(void)subject;
	if (!hierarchy)
		return;
	if (cache_is_bent(lab, 0))
		return;
	ns = hierarchy->memory * hierarchy->cycle;
	/* Where some of the levels are in doubt, so is what they leave. */
	margin = ns * (0.05 + cache_margin(lab) + (hierarchy->believed < hierarchy->levels ? IN_DOUBT : 0)) +
		 3 * hierarchy->memory_error * hierarchy->cycle;
	lab_measured(lab, ns, ns - margin, ns + margin, 0.85, "resident-set law");
}

const struct micro micro_memory_latency = {
	.name = "memory.latency",
	.what = "time of a load that no cache serves",
	.unit = "ns",
	.story = "Idea     What the last level's term adds, translation taken off.\n"
		 "Answer   A chain of pointers in the nearest level, plus the heights of all levels, in ns.\n"
		 "Assumes  The largest walk is much larger than the last level's reach.\n"
		 "Fails as blocked when memory is too small for the walks.",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

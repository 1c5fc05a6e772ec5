/* SPDX-License-Identifier: MIT */
/*
 * cache_bandwidth_all.c - bytes that all CPUs read at once from a level in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	if (cache_level(lab, subject))
		traffic_crowd(lab, subject->depth);
}

const struct micro micro_cache_bandwidth_all = {
	.name = "cache.LEVEL.bandwidth.all",
	.what = "bytes/s that all CPUs together read from the level",
	.unit = "bytes/s",
	.story =
		"Idea     All CPUs stream at once, each through a stretch of its own.\n"
		"Answer   What they read together in the time in which all were at work; the note says what they write and copy.\n"
		"         Each stretch is half of what the level holds; of the last level, which all may share, of its part.\n"
		"Assumes  That the system gives us the CPUs at the same time.\n"
		"Fails as blocked where there is one CPU; unclear when each CPU's part is too small.\n",
	.needs = { "?cpu.frequency", "?cache.LEVEL.reach", "?smp.cpus" },
	.instance = cache_instance,
	.thorough = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * memory_bandwidth_all.c - bytes that all CPUs read at once from memory in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab))
		traffic_crowd(lab, lab->hierarchy->levels);
}

const struct micro micro_memory_bandwidth_all = {
	.name = "memory.bandwidth.all",
	.what = "bytes/s that all CPUs together read from memory",
	.unit = "bytes/s",
	.story =
		"Idea     All CPUs stream at once, each through a stretch of its own.\n"
		"Answer   What they read together in the time in which all were at work; the note says what they write and copy.\n"
		"         Their stretches together are four times what the caches hold, each beyond it if there is memory.\n"
		"Assumes  That the system gives us the CPUs at the same time.\n"
		"Fails as blocked where there is one CPU; unclear when each CPU's part is too small.\n",
	.needs = { "cache.levels", "?smp.cpus" },
	.thorough = true,
	.run = run,
};

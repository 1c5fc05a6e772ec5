/* SPDX-License-Identifier: MIT */
/*
 * memory_bandwidth_copy.c - bytes that one CPU copies within memory in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab))
		traffic_bandwidth(lab, lab->hierarchy->levels, WALK_COPY);
}

const struct micro micro_memory_bandwidth_copy = {
	.name = "memory.bandwidth.copy",
	.what = "bytes/s that one CPU copies within memory",
	.unit = "bytes/s",
	.story =
		"Idea     Nothing waits: one half is copied to the other, of a stretch, in order and round again, with the widest vectors.\n"
		"Answer   Bytes read and bytes written over time, in a stretch of four times what the caches hold, at most 256 MiB.\n"
		"         Vectors of 16, 32 and 64 bytes are tried, and the quickest ones count. What is written is not\n"
		"         counted twice, though most machines read a line before they write it.\n"
		"Assumes  The caches' reach is known.\n"
		"Fails as blocked when there is not memory enough.\n",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

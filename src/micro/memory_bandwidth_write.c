/* SPDX-License-Identifier: MIT */
/*
 * memory_bandwidth_write.c - bytes that one CPU writes to memory in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab))
		traffic_bandwidth(lab, lab->hierarchy->levels, WALK_WRITE);
}

const struct micro micro_memory_bandwidth_write = {
	.name = "memory.bandwidth.write",
	.what = "bytes/s that one CPU writes to memory",
	.unit = "bytes/s",
	.story =
		"Idea     Nothing waits: all bytes are written, of a stretch, in order and round again, with the widest vectors.\n"
		"Answer   Bytes over time, in a stretch of four times what the caches hold, at most 256 MiB.\n"
		"         Vectors of 16, 32 and 64 bytes are tried, and the quickest ones count. What is written is not\n"
		"         counted twice, though most machines read a line before they write it.\n"
		"Assumes  The caches' reach is known.\n"
		"Fails as blocked when there is not memory enough.\n",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * memory_bandwidth.c - bytes that one CPU reads from memory in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab))
		traffic_bandwidth(lab, lab->hierarchy->levels, WALK_READ);
}

const struct micro micro_memory_bandwidth = {
	.name = "memory.bandwidth",
	.what = "bytes/s that one CPU reads from memory",
	.unit = "bytes/s",
	.story =
		"Idea     Nothing waits: all bytes of a stretch, in order and round again, with the widest vectors.\n"
		"Answer   Bytes over time, in a stretch of four times what the caches hold, at most 256 MiB.\n"
		"         Vectors of 16, 32 and 64 bytes are tried, and the quickest ones count. What is written is not\n"
		"         Control: twice as long a stream takes twice as long.\n"
		"Assumes  The caches' reach is known.\n"
		"Fails as blocked when there is not memory enough.\n",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * cache_bandwidth.c - bytes that one CPU reads from a level in a second
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	if (cache_level(lab, subject))
		traffic_bandwidth(lab, subject->depth, WALK_READ);
}

const struct micro micro_cache_bandwidth = {
	.name = "cache.LEVEL.bandwidth",
	.what = "bytes/s that one CPU reads from the level",
	.unit = "bytes/s",
	.story =
		"Idea     Nothing waits: all bytes of a stretch, in order and round again, with the widest vectors.\n"
		"Answer   Bytes over time, in a stretch of half of what the level holds. Vectors of 16, 32 and\n"
		"         64 bytes are tried, and the quickest ones count; of them the quickest looks.\n"
		"         Control: twice as long a stream takes twice as long.\n"
		"Assumes  The level's reach is known. That nobody else uses it: what others do is never in our favour.\n"
		"Fails as absent when there are fewer levels; unclear when a level holds hardly more than the one above it.\n",
	.needs = { "?cpu.frequency", "?cache.LEVEL.reach" },
	.instance = cache_instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * memory_streaming.c - from which size on stores past the caches win
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (explored_memory(lab) && lab->hierarchy->levels)
		traffic_past(lab);
}

const struct micro micro_memory_streaming = {
	.name = "memory.streaming",
	.what = "bytes copied from which on stores past the caches are quicker",
	.unit = "bytes",
	.story =
		"Idea     A store that goes past the caches need not read the line first, and what it writes is not kept.\n"
		"Answer   The smallest copy that takes less than 0.93 of the time with such stores, and all larger ones, too: source and\n"
		"         destination are each that large. Copies are compared by turns; the note says the same of writes alone.\n"
		"Assumes  Nobody reads what was copied right after.\n"
		"Fails as absent when such stores never win; blocked where none are known for the kind of CPU.\n",
	.needs = { "cache.levels" },
	.thorough = true,
	.run = run,
};

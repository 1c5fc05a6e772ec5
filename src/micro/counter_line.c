/* SPDX-License-Identifier: MIT */
/*
 * counter_line.c - bytes that one counted miss brings
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_cache(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_line(lab, event), 1);
}

const struct micro micro_counter_line = {
	.name = "counter.cache.LEVEL.line",
	.what = "bytes that one counted miss brings",
	.unit = "bytes",
	.story =
		"Idea     Two loads, the second so many bytes behind the first, in block after block, of which none is there any more:\n"
		"         within one line only the first is missed (AMP reads a cold array from end to end; so near to each\n"
		"         other loads would also meet what runs ahead of them). Of straight code each line is missed once.\n"
		"Answer   The smallest distance at which both are missed; of code half of the length that misses twice. The most\n"
		"         common of eight votes.\n"
		"Assumes  A trusted counter. Lines are powers of two.\n"
		"Fails as unclear when a pair is missed neither once nor twice. Where a fetcher brings the next line of code, too,\n"
		"         two lines count as one, and the times, which tell lines otherwise, do not agree.",
	.needs = { "counter.events" },
	.instance = counter_cache_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

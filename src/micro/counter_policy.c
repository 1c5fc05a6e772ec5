/* SPDX-License-Identifier: MIT */
/*
 * counter_policy.c - which line goes: the same each time, or not
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_cache(lab, subject);
	const struct voted *same = event == WALK_NO_EVENT ? NULL : counters_same(lab, event);

	if (!same)
		return;
	if (isnan(same->value)) {
		lab_outcome(lab, UNCLEAR, same->why);
		return;
	}
	if (counters_ways(lab, event)->value == 1) {
		lab_outcome(lab, ABSENT, "a set of one line leaves no choice");
		return;
	}
	lab->finding.text = strdup(same->value > 0 ? "lru" : "other");
	lab_measured(lab, 1, 1, 1, fmin(0.99, same->agreed), "counted misses");
}

const struct micro micro_counter_policy = {
	.name = "counter.cache.LEVEL.policy",
	.what = "lru: the oldest line goes, or nearly; other: it does not, by counted misses",
	.unit = "text",
	.story =
		"Idea     Lines of a set, one more than it has ways, round and round: where the line goes that was used longest\n"
		"         ago, as with LRU, FIFO and trees that approximate it, each is gone when its turn comes. Where any goes,\n"
		"         some are still there.\n"
		"Answer   lru when all are missed, other when at least a tenth is not. AMP tells LRU from random in this way.\n"
		"Assumes  A trusted counter, and ways that were found.\n"
		"Fails as unclear in between. Which policy it is exactly is not told.",
	.needs = { "counter.events" },
	.instance = counter_data_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

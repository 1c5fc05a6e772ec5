/* SPDX-License-Identifier: MIT */
/*
 * counter_unified.c - does code take the place of data, by counted misses
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_cache(lab, subject);

	if (event != WALK_NO_EVENT)
		counter_told(lab, counters_unified(lab, event), 1);
}

const struct micro micro_counter_unified = {
	.name = "counter.cache.LEVEL.unified",
	.what = "code takes the place of data, by counted misses",
	.unit = "bool",
	.story =
		"Idea     AMP's: data that fit, then as much code. Jumps over three quarters of the size wait for loads from as much\n"
		"         data: together they have no room in a level that holds both.\n"
		"Answer   Yes when a third of the loads is missed, no when none is more than beside a little code, which is the control.\n"
		"Assumes  A trusted counter of the loads.\n"
		"Fails as unclear in between.",
	.needs = { "counter.events" },
	.instance = counter_data_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

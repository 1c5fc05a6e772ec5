/* SPDX-License-Identifier: MIT */
/*
 * counter_size.c - bytes of which none is missed
 */
#include "micro.h"

static const double MORE = 0.07; /* where no ways speak for it: uneven sets are full sooner */

static void run(struct lab *lab, const struct subject *subject)
{
	enum walk_event event = counter_of_cache(lab, subject);
	const struct voted *size = event == WALK_NO_EVENT ? NULL : counters_size(lab, event);

	if (!size)
		return;
	if (isnan(size->value) || !isnan(counters_ways(lab, event)->value)) {
		counter_told(lab, size, counters_line(lab, event)->value);
		return;
	}

	double bytes = size->value * counters_line(lab, event)->value;

	lab_measured(lab, bytes, bytes, (1 + MORE) * bytes, 0.7, "counted misses");
	counter_compare(lab);
}

const struct micro micro_counter_size = {
	.name = "counter.cache.LEVEL.size",
	.what = "bytes of which none is counted as missed",
	.unit = "bytes",
	.story =
		"Idea     Lines in a row, round and round, do not miss at all while there is room for them (AMP's size, of which it\n"
		"         takes the last that misses less than four fifths of its lines).\n"
		"Answer   The largest such number of lines, doubled until it misses, then bisected; up to 0.4 % less where that is a\n"
		"         rounder number. The most common of eight votes.\n"
		"Assumes  A trusted counter, and frames in a row.\n"
		"Fails as too small where frames lie in no order; then the ways are unclear, and it is a range. What levels hold together that\n"
		"         exclude each other is counted as the further one's.",
	.needs = { "counter.events" },
	.instance = counter_cache_instance,
	.thorough = true,
	.second = true,
	.run = run,
};

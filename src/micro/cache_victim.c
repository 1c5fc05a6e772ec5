/* SPDX-License-Identifier: MIT */
/*
 * cache_victim.c - a small buffer behind the nearest level, for lines that it lost a moment ago
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	return index == 0 && cache_instance(index, subject);
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_level(lab, subject);
	const struct conflicts *conflicts = level ? engine_conflicts(lab, subject->depth) : NULL;

	if (!level)
		return;
	if (lab->timer->noise != NOISE_QUIET)
		lab_outcome(lab, UNCLEAR, "others are at work: a line more or less does not show");
	else if (!conflicts->counted && !conflicts->found)
		lab_outcome(lab, UNCLEAR, conflicts->why);
	else if (!conflicts->counted)
		lab_outcome(lab, UNCLEAR, "the level is one set: a buffer behind it would look like more of it");
	else if (conflicts->buffer < 1)
		lab_outcome(lab, ABSENT, "strides of all sizes show the level's sets, and not a line more");
	else
		lab_measured(lab, conflicts->buffer, conflicts->buffer_low, conflicts->buffer_high,
			     conflicts->buffer_low == conflicts->buffer_high ? 0.95 : 0.8, "strides");
}

const struct micro micro_cache_victim = {
	.name = "cache.LEVEL.victim",
	.what = "lines of a buffer behind the level that keeps what it lost a moment ago (a victim cache)",
	.unit = "count",
	.story =
		"Idea     Of places a stride apart a level holds half as many each time the stride doubles, until they are one\n"
		"         set's. A small buffer that takes any line adds the same number to all of them.\n"
		"Answer   Twice what one set's places show, less what places half as far apart show.\n"
		"Assumes  Sets of the level are known. What is found in the buffer takes a little longer; how much is measured\n"
		"         with so few places that all are held.\n"
		"Fails as unclear where no stride leads to a set, beside others, and for a level of one set.",
	.needs = { "?cache.LEVEL.ways", "?cpu.frequency" },
	.instance = instance,
	.run = run,
};

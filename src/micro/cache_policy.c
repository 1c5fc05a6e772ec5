/* SPDX-License-Identifier: MIT */
/*
 * cache_policy.c - which line of a full set goes
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_level(lab, subject);
	const struct conflicts *conflicts;
	struct policy policy;

	if (!level)
		return;
	conflicts = engine_conflicts(lab, subject->depth);
	if (conflicts->found && conflicts->ways < 2) {
		lab_outcome(lab, ABSENT, "a set holds one line: there is nothing to choose");
		return;
	}
	policy = engine_policy(lab, subject->depth);
	policy_tell(lab, &policy);
}

const struct micro micro_cache_policy = {
	.name = "cache.LEVEL.policy",
	.what = "which line of a full set goes when another comes",
	.unit = "text",
	.story =
		"Idea     References to the lines of one set, in an order made up at random and walked over and over, miss so\n"
		"         many times in a lap. That number is what a policy does; for each policy that is known it is worked\n"
		"         out beforehand. Orders are chosen that tell those that are left apart. A word of a line each time,\n"
		"         so that no place comes twice; many sets at once; beside a control whose references all hit.\n"
		"Answer   The policy whose numbers are those counted, if no other's are: by the name that docs/machine-file.md\n"
		"         gives it, or lruN-plru4 for trees of four that take turns. Those that do the same in so many ways are\n"
		"         noted. If several are left, or none but some are near, what these have in common: lru-like (what\n"
		"         was used last stays), nru-like (what was used stays, in no order), scan-resistant (what was used\n"
		"         twice outlives what is used once), fifo-like, random-like.\n"
		"Assumes  Sets are known, and the level is not one that holds what the level above lost.\n"
		"Fails as unclear where no policy comes near, as where a cache changes its own.",
	.needs = { "?cpu.frequency", "?cache.LEVEL.ways" },
	.instance = cache_instance,
	.thorough = true,
	.run = run,
};

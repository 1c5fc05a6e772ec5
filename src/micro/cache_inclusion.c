/* SPDX-License-Identifier: MIT */
/*
 * cache_inclusion.c - does a level hold what the one above holds?
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	return cache_instance(index + 1, subject);
}

static void run(struct lab *lab, const struct subject *subject)
{
	static const char *const words[] = { [COPIES_INCLUSIVE] = "inclusive",
					     [COPIES_EXCLUSIVE] = "exclusive",
					     [COPIES_VICTIM] = "victim",
					     [COPIES_NEITHER] = "none" };
	enum copies_inclusion inclusion;
	char why[250] = "";

	if (!cache_level(lab, subject))
		return;
	if (lab->timer->noise == NOISE_HOSTILE) {
		lab_outcome(lab, UNCLEAR, "others take lines of the sets all the time");
		return;
	}
	inclusion = copies_inclusion(lab, subject->depth, why, sizeof(why));
	if (inclusion == COPIES_UNDECIDED)
		lab_outcome(lab, UNCLEAR, why);
	else
		lab_told(lab, words[inclusion], lab->timer->noise == NOISE_QUIET ? 0.95 : 0.8, "lines of one set");
}

const struct micro micro_cache_inclusion = {
	.name = "cache.LEVEL.inclusion",
	.what = "how the level stands to the one above: inclusive, exclusive, victim, or none of these",
	.unit = "text",
	.story =
		"Idea     Lines of one set, drawn at random. Where the level gets what the one above loses, both hold more of\n"
		"         them together, by what fits above. An inclusive level throws a line out above when it loses it, even\n"
		"         one that is touched every other time there.\n"
		"Answer   Exclusive: the sum of both, always. Victim: the sum only when most references miss, since lines that\n"
		"         are hit stay. Inclusive: the line that is touched all the time is missed as often as it would be.\n"
		"         None: neither; copies come and go without the other level's knowing.\n"
		"Assumes  Sets of both levels are known, and the one above keeps what is used all the time.\n"
		"Fails as unclear where no stride leads to a set, where others' work hides a line more or less, and where one way above, or a\n"
		"         policy of chance, loses the line that is touched all the time.",
	.needs = { "?cache.LEVEL.ways", "?cache.LEVEL.reach", "?cpu.frequency" },
	.instance = instance,
	.thorough = true,
	.run = run,
};

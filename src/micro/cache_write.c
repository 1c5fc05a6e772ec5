/* SPDX-License-Identifier: MIT */
/*
 * cache_write.c - what a level does with stores
 */
#include "micro.h"

static const double BOTH = 0.95, ONE = 0.8; /* confidence, by what was found */

static enum stat_verdict through(struct lab *lab, const struct subject *subject, char *why, size_t size)
{
	if (lab->timer->noise != NOISE_HOSTILE)
		return copies_through(lab, subject->depth, why, size);
	snprintf(why, size, "others are at work all the time, and writing costs little");
	return STAT_UNDECIDED;
}

static void run(struct lab *lab, const struct subject *subject)
{
	char why_not[160] = "", why[160] = "", text[64];
	enum stat_verdict passes, brings;
	bool both, any;

	if (!cache_level(lab, subject) || cache_is_bent(lab, subject->depth))
		return;
	passes = through(lab, subject, why_not, sizeof(why_not));
	brings = copies_allocated(lab, subject->depth, why, sizeof(why));
	both = passes != STAT_UNDECIDED && brings != STAT_UNDECIDED;
	any = passes != STAT_UNDECIDED || brings != STAT_UNDECIDED;
	snprintf(text, sizeof(text), "%s%s%s",
		 passes == STAT_YES  ? "through"
		 : passes == STAT_NO ? "back"
				     : "",
		 both ? ", " : "",
		 brings == STAT_YES  ? "allocate"
		 : brings == STAT_NO ? "no allocate"
				     : "");
	if (!both)
		snprintf(lab->finding.note, sizeof(lab->finding.note), "%s: %s",
			 brings == STAT_UNDECIDED ? "whether it allocates is not known"
						  : "back or through is not known",
			 brings == STAT_UNDECIDED ? why : why_not);
	if (any)
		lab_told(lab, text, both ? BOTH : ONE, "stores among loads");
	else
		lab_outcome(lab, UNCLEAR, why);
}

const struct micro micro_cache_write = {
	.name = "cache.LEVEL.write",
	.what = "stores stay in the level (back) or go on down (through), and bring lines in (allocate) or not",
	.unit = "text",
	.story =
		"Idea     Loads of lines that the level has room for, and between them stores to twice as many others: if\n"
		"         stores bring their lines in, loads begin to miss (AMP's question, by timing). And stores that wait\n"
		"         for nothing: written through, each takes a turn in the next level, but for those to a few lines,\n"
		"         which go together; written back, they cost nothing until lines no longer fit.\n"
		"Answer   Allocate: stores make loads miss a third as often as loads in their place, or more. Through: stores\n"
		"         to lines that fit cost more than to a few lines. Back: they do not, and where lines do not fit they\n"
		"         cost more than loads of the same lines do. Lines that come in because a nearer level fetches them\n"
		"         count as allocated.\n"
		"Assumes  Single words are stored, in no order: some processors bring no line in that is overwritten whole.\n"
		"         Writing further down takes longer than the core takes for a store, or it does not show.\n"
		"Fails as one half of the answer, with a note, where the other does not show: beyond the first level 'through'\n"
		"         never does, and where others never rest neither word. Else as unclear.",
	.needs = { "?cache.LEVEL.reach", "?cpu.frequency" },
	.instance = cache_instance,
	.thorough = true,
	.run = run,
};

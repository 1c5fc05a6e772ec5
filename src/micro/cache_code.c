/* SPDX-License-Identifier: MIT */
/*
 * cache_code.c - how much code a further level serves
 */
#include "micro.h"

static bool instance(int index, struct subject *subject)
{
	static const char *const names[] = { "l2", "l3" };

	if (index >= (int)(sizeof(names) / sizeof(names[0])))
		return false;
	*subject = (struct subject){ .level = names[index], .depth = index + 1, .code = true };
	return true;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct coding *coding = coded(lab);
	int level = coding ? code_level_of(lab, coding, subject) : -1;

	if (level >= 0)
		lab_measured(lab, coding->level[level].reach, coding->level[level].low, coding->level[level].high, 0.8,
			     "resident-set law");
}

const struct micro micro_cache_code = {
	.name = "cache.LEVEL.code",
	.what = "bytes of code that are served from this level or a nearer one",
	.unit = "bytes",
	.story = "Idea     What cache.l1i.size does, with more code.\n"
		 "Answer   The reach of the level's term.\n"
		 "Assumes  What cache.l1i.size assumes.\n"
		 "Fails as unclear where no walk of code goes beyond the level.",
	.needs = { "?cache.l1i.size", "?cache.LEVEL.reach" },
	.instance = instance,
	.thorough = true,
	.run = run,
};

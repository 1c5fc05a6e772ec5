/* SPDX-License-Identifier: MIT */
/*
 * cache_unified.c - does a level hold code and data?
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
		code_told(lab, engine_code_unified(lab, level));
}

const struct micro micro_cache_unified = {
	.name = "cache.LEVEL.unified",
	.what = "the level holds code and data",
	.unit = "bool",
	.story =
		"Idea     Jumps that wait for a load each, over as much code and as many data as would fill three quarters of\n"
		"         the level each (AMP's way, by timing). Where they share it one of them is missed when both are\n"
		"         large, whichever the policy prefers.\n"
		"Answer   Yes when large data cost more beside much code than beside little. The control's data lie in as many\n"
		"         pages and in few lines.\n"
		"Assumes  The reach that walks of code show is the level's.\n"
		"Fails as unclear where no walk of code leaves the level, or noise is as large as what would show.",
	.needs = { "?cache.l1i.size", "?cache.LEVEL.reach" },
	.instance = instance,
	.thorough = true,
	.run = run,
};

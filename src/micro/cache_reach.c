/* SPDX-License-Identifier: MIT */
/*
 * cache_reach.c - the largest working set that a level serves
 */
#include "micro.h"

static const char *const reach_above[] = { "", "cache.l1d.reach", "cache.l2.reach", "cache.l3.reach",
					   "cache.l4.reach" };

static const double ADDED = 0.008; /* of the size */

/* What the sets of the level above come to. */
static double known_above(const struct level *level)
{
	return level[-1].conflicts.found ? level[-1].conflicts.ways * level[-1].conflicts.way : 0;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_room(lab, subject);
	double size, above, off, low, high;

	if (!level)
		return;
	cache_range(lab, subject->depth, &low, &high);
	size = level->conflicts.ways * level->conflicts.way;
	off = cache_miscount(lab, subject->depth) * level->conflicts.way;
	above = level->conflicts.exclusive ? lab_fact(lab, reach_above[subject->depth]) : 0;
	/* More than its size and yet not that of both: what the level above adds is not known. */
	if (level->conflicts.found && isfinite(above) && subject->depth && !level->conflicts.exclusive &&
	    lab->timer->noise == NOISE_QUIET && (level->conflicts.open || level->reach > (1 + ADDED) * size)) {
		bool by_law = level->reach > (1 + ADDED) * size;

		lab_measured(lab, by_law ? level->reach : size, fmin(size, low), fmax(high, size + level[-1].reach),
			     0.85, by_law ? "resident-set law" : "ways times stride");
	} else if (level->conflicts.found && level->conflicts.compact && subject->depth)
		/* Beside others it is not certain whether the level above adds its own. */
		lab_measured(lab, size, size - off, size + fmax(level[-1].reach, known_above(level)) + off, 0.8,
			     "ways times stride");
	else if (level->conflicts.found && isfinite(above))
		lab_measured(lab, size + above, size + above - off, size + above + off, off > 0 ? 0.8 : 0.99,
			     "ways times stride");
	else if (!cache_is_bent(lab, subject->depth))
		/* What the level above keeps when this one has let go of it serves random references, not a walk round.
		 */
		lab_measured(lab, level->reach, subject->depth ? fmax(low - level[-1].reach, level[-1].low) : low, high,
			     0.85, "resident-set law");
}

const struct micro micro_cache_reach = {
	.name = "cache.LEVEL.reach",
	.what = "largest working set served at the level's speed",
	.unit = "bytes",
	.story =
		"Idea     Beyond the reach R, random references over N bytes hit with R/N.\n"
		"Answer   R of the level's term in the fit of all walks; exact, from ways and stride, where sets are known.\n"
		"Assumes  What cache.levels assumes.\n"
		"Fails as absent when there are fewer levels.",
	.needs = { "?cache.LEVEL.ways", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

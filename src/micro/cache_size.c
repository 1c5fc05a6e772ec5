/* SPDX-License-Identifier: MIT */
/*
 * cache_size.c - the capacity of a level itself
 */
#include "micro.h"

static const double MOVES = 0.2; /* relative width of the reach: beyond, somebody else takes his part */
static const double FEW = 4; /* ways */
static const double SMALL = 0.065; /* of the reach: a level above that makes no difference */

static const char *const ways_of[] = { "cache.l1d.ways", "cache.l2.ways", "cache.l3.ways", "cache.l4.ways",
				       "cache.l5.ways" };

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_room(lab, subject);
	const struct conflicts *conflicts;
	double above, low, high;

	if (!level)
		return;
	cache_range(lab, subject->depth, &low, &high);
	conflicts = engine_conflicts(lab, subject->depth);
	above = subject->depth ? level[-1].reach : 0;
	if (conflicts->found) {
		double size = conflicts->ways * conflicts->way,
		       off = cache_miscount(lab, subject->depth) * conflicts->way;
		double hidden = cache_hidden(lab, subject->depth) * conflicts->way;
		double ways = lab_fact(lab, ways_of[subject->depth]);

		/* Which of them are the level's own was decided with the ways. */
		if (isfinite(ways))
			size = ways * conflicts->way;
		lab_measured(lab, size, size - off - hidden,
			     (hidden > 0 ? fmax(size, (conflicts->held + 1) * conflicts->way) : size) + off,
			     hidden > 0 ? 0.7
			     : off > 0  ? 0.8
					: 0.99,
			     "ways times stride");
	} else if (conflicts->buffer > 0) {
		lab_outcome(lab, UNCLEAR, "its reach is known, and part of that is a buffer's behind the level");
	} else if (cache_is_bent(lab, subject->depth)) {
		return;
	} else if (level->scattered.ways > 0 && level->scattered.low == level->scattered.high &&
		   lab->timer->noise == NOISE_QUIET) {
		const struct scattered *scattered = &level->scattered;

		/* Where a set holds so few lines that the bend is soft, ways and size make up for one another. */
		bool soft = cache_is_soft(level) || scattered->ways < FEW;

		lab_measured(lab, scattered->size, soft ? fmin(low, scattered->size_low) : scattered->size_low,
			     soft ? fmax(high, scattered->size_high) : scattered->size_high,
			     soft || scattered->size_low < scattered->size_high ? 0.8 : 0.95, "scattered blocks");
	} else if (lab->timer->noise != NOISE_QUIET && !level->told_apart &&
		   (level->high - level->low > MOVES * level->reach ||
		    (subject->depth > 0 && subject->depth + 1 == lab->hierarchy->levels))) {
		lab_outcome(lab, UNCLEAR, "its reach is known, not its size: others may use the level, too");
	} else {
		/* A level above that holds other lines makes up its part of the reach. */
		if (above > SMALL * level->reach)
			snprintf(lab->finding.note, sizeof(lab->finding.note),
				 "%.0f KiB if the level above holds other lines", (level->reach - above) / 1024);
		lab_measured(lab, level->reach, fmax(low - above, lab->hierarchy->line), high,
			     above > SMALL * level->reach ? 0.7 : 0.85, "resident-set law");
	}
}

const struct micro micro_cache_size = {
	.name = "cache.LEVEL.size",
	.what = "capacity of the level itself",
	.unit = "bytes",
	.story =
		"Idea     Ways times the stride at which places fall into one set; where no set can be found, the reach.\n"
		"Answer   Their product: exact; or the reach, with what the level above may add to it as uncertainty.\n"
		"Assumes  What cache.LEVEL.ways and cache.levels assume.\n"
		"Fails as unclear when others use the level.",
	.needs = { "?cache.LEVEL.ways", "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * apart.c - the second level told from the next one, beside others
 */
#include <math.h>

#include "survey.h"

static const double QUICK = 0.35; /* of what memory costs more: else what goes there cannot be told */

/* Beside others the second level's end, and what the next one takes, are told by what does not go to memory. What the
 * levels behind the nearest cost and hold, in sum, stays as the law has it. */
void apart_tell_second(struct lab *lab, struct hierarchy *hierarchy)
{
	struct level *level = &hierarchy->level[1], *next = level + 1;
	double height = 0, rest, held = 0;
	struct served served;
	int last;

	if (hierarchy->levels < 2 || lab->timer->noise == NOISE_QUIET ||
	    (hierarchy->levels > 2 && hierarchy_step(hierarchy, 1) > QUICK * (hierarchy->memory - level->latency)))
		return;
	served = engine_served(lab, &(struct serving){ level->reach, hierarchy->line, level->latency,
						       hierarchy_step(hierarchy, 0), level[-1].reach,
						       (hierarchy->memory - level->latency) * hierarchy->cycle,
						       hierarchy->cycle });
	if (!served.found)
		return;
	/* Of more levels than there are plateaus some are one, whose end moves with the neighbours. */
	last = hierarchy->levels > 3 && engine_segments(lab)->plateaus > hierarchy->levels ? 3 : hierarchy->levels;
	for (int i = 1; i < last; i++) {
		held += hierarchy_step(hierarchy, i) * hierarchy->level[i].reach;
		height += hierarchy_step(hierarchy, i);
	}
	rest = (held - served.step * served.reach) / (height - served.step);
	if (height <= served.step || rest <= served.reach)
		return;
	if (hierarchy->levels == 2)
		*next = *level;
	if (last == hierarchy->levels)
		hierarchy->levels = 3;
	next->low = fmin(next->low, rest);
	next->high = fmax(hierarchy->level[last - 1].high, rest);
	next->reach = rest;
	next->latency = level->latency + served.step;
	level->reach = served.reach;
	level->low = served.low;
	level->high = served.high;
	level->shape = served.shape;
	level->told_apart = true;
}

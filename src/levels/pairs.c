/* SPDX-License-Identifier: MIT */
/*
 * pairs.c - how many bytes come together
 *
 * BlackjackBench's pairs: touch a place, then one a little away: it is there already when it came along, by a line or
 * by a prefetcher. No set has to be known for that.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hierarchy.h"

enum { LOOKS = 5, SHORTEST = 8, LONGEST = 1024, MOST_BLOCKS = 1 << 18 };

static const double HIT = 0.3, MISS = 0.7; /* of what a miss costs: between them it is neither */

struct pairs {
	struct lab *lab;
	long blocks;
	double apart; /* bytes from block to block */
};

/* Cycles of two touches of a block, at these offsets. Blocks come in an order that nothing foresees. */
static double both_touches(const struct pairs *pairs, double first, double second)
{
	long blocks = pairs->blocks, *order = malloc(sizeof(*order) * (size_t)blocks);
	uint64_t *places = malloc(sizeof(*places) * 2 * (size_t)blocks);
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = 2 * blocks };
	double time = NAN;

	if (order && places) {
		walk_shuffle(order, blocks);
		for (long i = 0; i < blocks; i++) {
			double block = (double)order[i] * pairs->apart;

			places[2 * i] = (uint64_t)(block + first);
			places[2 * i + 1] = (uint64_t)(block + second);
		}
		time = 2 * engine_walk(pairs->lab, &walk, LOOKS);
	}
	free(order);
	free(places);
	return time;
}

double engine_fetch_line(struct lab *lab, int depth, char *why, size_t size)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	double memory = (double)lab->timer->machine->memory, quick, slow, least;
	struct pairs pairs = { .lab = lab, .apart = 2 * LONGEST };
	int line = 0;

	pairs.blocks = (long)fmin(fmin(8 * level->reach / PLACE / 4, MOST_BLOCKS), memory / pairs.apart);
	/* The first touch costs the same whatever the gap: what it costs drops out. */
	least = both_touches(&pairs, SHORTEST, 0);
	slow = both_touches(&pairs, LONGEST, 0) - least;
	quick = level->latency - hierarchy->level[0].latency;
	if (slow - quick < 0.4 * hierarchy_step(hierarchy, depth)) {
		snprintf(why, size, "the second touch of two is always quick");
		return NAN;
	}
	for (int gap = 2 * SHORTEST; gap <= LONGEST / 2; gap *= 2) {
		/* Downwards, so that what fetches the next line helps nobody. A line of a further level may be longer:
		 * what it brings along is a miss here all the same. */
		double share = (both_touches(&pairs, gap, 0) - least - quick) /
			       fmin(slow - quick, hierarchy_step(hierarchy, depth));

		lab_note(lab, "share of misses of a second touch, by gap", gap, share, "");
		/* Once beyond the line, always beyond it; and nothing is quicker than a hit. */
		if ((depth == 0 && share < -HIT) || (share > HIT && share <= MISS) || (share <= HIT && line)) {
			line = 0;
			break;
		}
		line = line || share <= MISS ? line : gap;
	}
	if (line)
		return line;
	snprintf(why, size, "the second touch of two is neither a hit nor a miss: something fetches ahead");
	return NAN;
}

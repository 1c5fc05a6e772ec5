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

enum { LOOKS = 5, SHORTEST = 8, LONGEST = 1024, MANY_BLOCKS = 1 << 18, FIRST_BLOCK = 512, LAST_BLOCK = 1024 };

static const double HIT = 0.3, HIT_EXACTLY = 0.05, MISS = 0.7; /* of what a miss costs: between them it is neither */
static const double MANY_TIMES = 3;
static const double LEAST_BYTES = 1 << 26, MOST_BYTES = 1 << 30, MORE = 4;
static const double FORGOTTEN = 0.6; /* of what memory costs: blocks that are still held make every gap quicker alike */

struct pairs {
	struct lab *lab;
	long blocks;
	double apart; /* bytes from block to block */
	/* Another block is touched between the two touches of one: what was asked for ahead of time has time to come.
	 */
	bool between;
};

/* Cycles of two touches of a block, at these offsets. Blocks come in an order that nothing foresees. */
static double both_touches(const struct pairs *pairs, double first, double second)
{
	long blocks = pairs->blocks, *order = malloc(sizeof(*order) * (size_t)blocks);
	uint64_t *places = malloc(sizeof(*places) * 2 * (size_t)blocks);
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = 2 * blocks };
	double time = NAN;

	if (order && places && blocks > 0) {
		walk_shuffle(order, blocks);
		for (long i = 0; i < blocks; i++) {
			double ahead = (double)order[(i + pairs->between) % blocks];

			places[2 * i] = (uint64_t)(ahead * pairs->apart + first);
			places[2 * i + 1] = (uint64_t)((double)order[i] * pairs->apart + second);
		}
		time = 2 * engine_walk(pairs->lab, &walk, LOOKS);
	}
	free(order);
	free(places);
	return time;
}

/* How much of what a miss of the level costs a second touch so far below the first costs: downwards, so that what
 * fetches the next line helps nobody. A line of a further level may be longer: what it brings along is a miss here all
 * the same. */
static double share_missed(const struct pairs *pairs, double gap, double hit, double miss)
{
	double share = (both_touches(pairs, gap, 0) - hit) / miss;

	lab_note(pairs->lab, "share of misses of a second touch, by gap", gap, share, "");
	return share;
}

double engine_fetch_line(struct lab *lab, int depth, char *why, size_t size)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	double memory = (double)lab->timer->machine->memory, quick, slow, least, miss;
	/* In the nearest level a hit is no estimate: a little slower, and it is a level that nobody saw. */
	double hit = depth == 0 && lab->timer->noise == NOISE_QUIET ? HIT_EXACTLY : HIT;
	struct pairs pairs = { .lab = lab, .apart = 2 * LONGEST };
	int line = 0;

	/* Two lines of each: many times what the level holds, or twice that where it holds much. */
	pairs.blocks = (long)fmin(fmax(level->reach / PLACE, fmin(2 * level->reach / PLACE, MANY_BLOCKS)),
				  memory / pairs.apart);
	/* The first touch costs the same whatever the gap: what it costs drops out. */
	least = both_touches(&pairs, SHORTEST, 0);
	slow = both_touches(&pairs, LONGEST, 0) - least;
	quick = level->latency - hierarchy->level[0].latency;
	if (slow - quick < 0.4 * hierarchy_step(hierarchy, depth)) {
		snprintf(why, size, "the second touch of two is always quick");
		return NAN;
	}
	miss = fmin(slow - quick, hierarchy_step(hierarchy, depth));
	for (int gap = 2 * SHORTEST; gap <= LONGEST / 2; gap *= 2) {
		double share = share_missed(&pairs, gap, least + quick, miss);

		/* Once beyond the line, always beyond it; and nothing is quicker than a hit. */
		if ((depth == 0 && share < -HIT) || (share > hit && share <= MISS) || (share <= hit && line)) {
			line = 0;
			break;
		}
		line = line || share <= MISS ? line : gap;
	}
	/* Where memory takes many times as long as the next level, a walk is slow or quick by what a miss costs now and
	 * then, the one that all were compared with too. */
	if (line && slow - quick > MANY_TIMES * miss)
		line = share_missed(&pairs, line, both_touches(&pairs, SHORTEST, 0) + quick, miss) > MISS ? line : 0;
	if (line)
		return line;
	snprintf(why, size, "the second touch of two is neither a hit nor a miss: something fetches ahead");
	return NAN;
}

/* What a second touch is compared with, in cycles more than a hit in the nearest level. */
struct scale {
	struct pairs pairs;
	int block; /* bytes: what comes together is less */
	double least; /* of both touches */
	double quick, slow; /* the last level's, and memory's */
};

/* Takes blocks of so many bytes; whether a second touch far away in the same page costs what memory does. */
static bool is_forgotten(struct lab *lab, double bytes, struct scale *scale)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = hierarchy->level, *last = level + hierarchy->levels - 1;
	double memory = hierarchy->memory - level->latency;
	struct pairs wide = { lab, (long)(bytes / 2 / scale->block), 2.0 * scale->block, true };

	scale->pairs = (struct pairs){ lab, 2 * wide.blocks, scale->block, true };
	scale->least = both_touches(&scale->pairs, SHORTEST, 0);
	scale->slow = both_touches(&wide, scale->block, 0) - scale->least;
	scale->quick = last->latency - level->latency;
	lab_note(lab, "cost of a second touch far away, by bytes", bytes, scale->slow / memory, "");
	return scale->slow - scale->quick >= FORGOTTEN * (memory - scale->quick);
}

/* Blocks that no level holds any more. It takes as many as the levels hold lines where the index is hashed, fewer
 * elsewhere, and more where something learns which touch follows which. */
static bool find_forgotten(struct lab *lab, struct scale *scale, char *why, size_t size)
{
	double reach = lab->hierarchy->level[lab->hierarchy->levels - 1].reach;
	double most = fmin(MOST_BYTES, (double)lab->timer->machine->memory);
	double bytes = fmin(most, fmax(LEAST_BYTES, 2 * reach / PLACE * scale->block));
	bool forgotten = is_forgotten(lab, bytes, scale);

	while (!forgotten && bytes < most && isfinite(scale->slow)) {
		bytes = fmin(most, MORE * bytes);
		forgotten = is_forgotten(lab, bytes, scale);
	}
	if (isnan(scale->slow))
		snprintf(why, size, "the walks did not come to their end");
	else if (!forgotten)
		snprintf(
			why, size,
			"in %.0f MiB a second touch far away is hardly slower than one nearby: caches hold both, or neither, or "
			"something learns the order",
			bytes / 0x1p20);
	return forgotten;
}

/* How much of what memory costs a second touch costs: 0 is a hit in the last level, 1 a miss. */
static double missed(const struct scale *scale, double first, double second, const char *what)
{
	double share = (both_touches(&scale->pairs, first, second) - scale->least - scale->quick) /
		       (scale->slow - scale->quick);

	lab_note(scale->pairs.lab, what, fabs(second - first), share, "");
	return share;
}

/* The smallest gap at which a second touch misses, or the whole block; 0, and why, when it is not certain. */
static int first_miss(const struct scale *scale, char *why, size_t size)
{
	int block = 0;

	for (int gap = 2 * SHORTEST; gap < scale->block; gap *= 2) {
		double share = missed(scale, gap, 0, "share of misses of a second touch, by gap downwards");

		/* What comes along in one direction only is not the block's. */
		if (share <= HIT && !block)
			share = missed(scale, 0, gap, "share of misses of a second touch, by gap upwards");
		if (isnan(share))
			snprintf(why, size, "the walks did not come to their end");
		else if (share > HIT && share <= MISS)
			snprintf(why, size,
				 "%d bytes away a second touch is neither a hit nor a miss: half comes along", gap);
		else if (share <= HIT && block)
			snprintf(why, size, "what is %d bytes away comes along, and what is %d does not", gap, block);
		if (!(share > MISS || (share <= HIT && !block)))
			return 0;
		block = block || share <= HIT ? block : gap;
	}
	return block ? block : scale->block;
}

struct fetched engine_fetch_block(struct lab *lab, char *why, size_t size)
{
	struct fetched fetched = { .bytes = NAN };
	struct scale scale = { .block = FIRST_BLOCK };
	int block = find_forgotten(lab, &scale, why, size) ? first_miss(&scale, why, size) : 0;

	/* All of it comes along, and so may what lies beyond. */
	while (block == scale.block && scale.block < LAST_BLOCK) {
		scale.block *= 2;
		block = find_forgotten(lab, &scale, why, size) ? first_miss(&scale, why, size) : 0;
	}
	if (block == scale.block) {
		snprintf(why, size, "all of %d bytes come along", block);
		return fetched;
	}
	if (!block)
		return fetched;
	fetched.bytes = block;
	fetched.behind = missed(&scale, block - SHORTEST, block, "share of misses just behind the block") <= HIT;
	fetched.before = missed(&scale, block, block - SHORTEST, "share of misses just before the block") <= HIT;
	return fetched;
}

/* SPDX-License-Identifier: MIT */
/*
 * lines.c - how many bytes share a fate in a cache
 *
 * Two ways. X-Ray's Figure 10: two groups of places fill one set twice over; move one group by the size of a line, and
 * it falls into the next set. That finds what one tag stands for, and no prefetcher can fake it. BlackjackBench's
 * pairs: touch a place, then one a little further: it is there already when it came along. That finds what is fetched
 * together, by a line or by a prefetcher, and needs no set to be known.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sets.h"

enum { LOOKS = 5, SHORTEST = 8, LONGEST = 1024, MOST_BLOCKS = 1 << 18, MOST_HALF = 34, FEW = 4 };

static const double LONGEST_USUAL = 256; /* bytes */
static const double HIDDEN = 1.3, TOO_MANY = 1.6;
static const double HIT = 0.3, MISS = 0.7; /* of what a miss costs: between them it is neither */

/* Places of a column that the level above holds. */
static double held_above(const struct lab *lab, int depth)
{
	const struct level *level = &lab->hierarchy->level[depth], *above = level - 1;

	if (depth == 0)
		return 0;
	if (!above->conflicts.found)
		return above->reach / fmin(level->conflicts.way, lab->hierarchy->page);
	return above->conflicts.held / level->conflicts.columns;
}

/* Half as many places as overfill a set. In two sets they leave room: lines that a prefetcher brings along then settle
 * in it, instead of looking like the other half of a longer line. But the level above must not hold them. */
static double group_of(const struct lab *lab, int depth)
{
	double held = lab->hierarchy->level[depth].conflicts.held;
	double group = fmax(ceil(0.75 * held), floor(held / 2) + 1);

	return fmax(group, ceil(HIDDEN * held_above(lab, depth)) + 1);
}

/* Two groups of places of one set, one of them moved by `shift`. */
static double crowded(struct lab *lab, const struct conflicts *conflicts, double group, double shift)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };

	walk.grid.stride[0] = (uint64_t)conflicts->way;
	walk.grid.count[0] = (long)group;
	walk.grid.stride[1] = (uint64_t)(group * conflicts->way + shift);
	walk.grid.count[1] = 2;
	walk.grid.stride[2] = (uint64_t)conflicts->apart;
	walk.grid.count[2] = (long)conflicts->columns;
	return engine_walk(lab, &walk, LOOKS);
}

/* For machines that others use, too: one quick look tells that the groups do not compete. */
static double tag_beside_others(struct lab *lab, int depth, char *why, size_t size)
{
	const struct conflicts *conflicts = &lab->hierarchy->level[depth].conflicts;
	struct search search = { lab, lab->hierarchy, depth, 0, conflicts->way };
	double far = fmin(0.5 * LONGEST, (conflicts->columns > 1 ? conflicts->apart : conflicts->way) / 2);
	/* One more than it takes: beside others a way may have been missed. */
	long half = (long)floor(conflicts->held / 2) + (conflicts->held < FEW ? 1 : 2);
	uint64_t groups[2 * MOST_HALF];

	for (int shift = SHORTEST; shift <= far && half <= MOST_HALF; shift *= 2) {
		bool apart = true;

		for (long i = 0; i < 2 * half; i++)
			groups[i] = (uint64_t)i * (uint64_t)conflicts->way + (uint64_t)(i < half ? 0 : shift);
		for (int look = 0; look < 2 && apart; look++)
			apart = sets_compact(&search, groups, 2 * half);
		lab_note(lab, apart ? "compact, by shift" : "not compact, by shift", shift, 2 * (double)half, "");
		if (apart)
			return shift;
	}
	snprintf(why, size, "no shift up to %.0f bytes ends the conflict", far);
	return NAN;
}

double engine_tag_line(struct lab *lab, int depth, char *why, size_t size)
{
	const struct conflicts *conflicts = &lab->hierarchy->level[depth].conflicts;
	/* Between the columns, where there are any. */
	double far = (conflicts->columns > 1 ? conflicts->apart : conflicts->way) / 2, apart, together, group;
	int line = 0;

	if (!conflicts->found || conflicts->way < 2 * SHORTEST) {
		snprintf(why, size, "no set of the level is known");
		return NAN;
	}
	if (lab->timer->noise != NOISE_QUIET)
		return tag_beside_others(lab, depth, why, size);
	group = group_of(lab, depth);
	if (group > fmax(TOO_MANY * conflicts->held, 3) || (conflicts->columns > 1 && far < LONGEST_USUAL)) {
		snprintf(why, size, "the level above hides the set");
		return NAN;
	}
	together = crowded(lab, conflicts, group, 0);
	apart = crowded(lab, conflicts, group, far);
	/* A level of one set, as its lines take turns in it: a way is a line. */
	if (together - apart < 0.12 * hierarchy_step(lab->hierarchy, depth) && 2 * conflicts->way <= LONGEST)
		return conflicts->way;
	if (together - apart < 0.12 * hierarchy_step(lab->hierarchy, depth)) {
		snprintf(why, size, "places in two sets are no quicker than in one");
		return NAN;
	}
	for (int shift = SHORTEST; shift <= fmin(LONGEST, far); shift *= 2) {
		double missed = (crowded(lab, conflicts, group, shift) - apart) / (together - apart);

		lab_note(lab, "share of conflicts left, by shift", shift, missed, "");
		if (missed < HIT && line == 0)
			line = shift;
		if ((missed >= HIT && missed <= MISS) || (missed > MISS && line)) {
			snprintf(why, size, "half of a conflict is left at a shift of %d bytes", shift);
			return NAN;
		}
	}
	if (line)
		return line;
	snprintf(why, size, "no shift up to %d bytes ends the conflict", LONGEST);
	return NAN;
}

/* Cycles of the second touch: `gap` bytes below the first, in blocks that the level has long forgotten. */
static double second_touch(struct lab *lab, const long *order, long blocks, double gap, double first)
{
	uint64_t *places = malloc(sizeof(*places) * 2 * (size_t)blocks);
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = 2 * blocks };
	double time;

	if (!places)
		return NAN;
	for (long i = 0; i < blocks; i++) {
		uint64_t block = (uint64_t)order[i] * 2 * LONGEST;

		/* Downwards, so that what fetches the next line helps nobody. */
		places[2 * i] = block + (uint64_t)gap;
		places[2 * i + 1] = block;
	}
	time = 2 * engine_walk(lab, &walk, LOOKS) - first;
	free(places);
	return time;
}

double engine_fetch_line(struct lab *lab, int depth, char *why, size_t size)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	double memory = (double)lab->timer->machine->memory, quick, slow, least;
	long blocks = (long)fmin(fmin(8 * level->reach / PLACE / 4, MOST_BLOCKS), memory / (2 * LONGEST));
	long *order = malloc(sizeof(*order) * (size_t)blocks);
	int line = 0;

	if (!order)
		return NAN;
	walk_shuffle(order, blocks);
	/* The first touch costs the same whatever the gap: what it costs drops out. */
	least = second_touch(lab, order, blocks, SHORTEST, 0);
	slow = second_touch(lab, order, blocks, LONGEST, 0) - least;
	quick = level->latency - hierarchy->level[0].latency;
	if (slow - quick < 0.4 * hierarchy_step(hierarchy, depth)) {
		snprintf(why, size, "the second touch of two is always quick");
		free(order);
		return NAN;
	}
	for (int gap = 2 * SHORTEST; gap <= LONGEST / 2; gap *= 2) {
		/* A line of a further level may be longer: what it brings along is a miss here all the same. */
		double share = (second_touch(lab, order, blocks, gap, 0) - least - quick) /
			       fmin(slow - quick, hierarchy_step(hierarchy, depth));

		lab_note(lab, "share of misses of a second touch, by gap", gap, share, "");
		/* Once beyond the line, always beyond it; and nothing is quicker than a hit. */
		if ((depth == 0 && share < -HIT) || (share > HIT && share <= MISS) || (share <= HIT && line)) {
			line = 0;
			break;
		}
		line = line || share <= MISS ? line : gap;
	}
	free(order);
	if (line)
		return line;
	snprintf(why, size, "the second touch of two is neither a hit nor a miss: something fetches ahead");
	return NAN;
}

/* SPDX-License-Identifier: MIT */
/*
 * reduction.c - how many lines a set holds, where nothing is known of the index
 *
 * Places at one offset of many pages fill the sets as chance will, until one of them is one too many for its set: walks
 * round them begin to miss. That set is then asked for exactly one line more than it has ways, and each of those lines
 * is critical: without it nothing misses. Group testing finds them.
 */
#include <math.h>
#include <stdlib.h>

#include "pool.h"

enum { PARTS = 4, TRIALS = 4, AGREEING = 2, AGREEING_DOUBTS = 3, MOST_WAYS = 128, GROWTHS = 3 };

static const double NOTICED = 0.7; /* lines missed in a lap; a set with one line too many misses one at the least */
static const double NOTICED_TIME = 0.003; /* of a step's: less is not believed to be a miss */
static const double MOST_TRANSLATION = 12; /* cycles: more than a second TLB takes */
static const double FEW_WAYS = 2; /* of a level whose ways are not known */
static const double FOREIGN = 0.4; /* lines */
static const double ALL_MISS = 0.85, HIDDEN = 1.4; /* of the lines of a set */
static const double DEARER = 1.5; /* than a miss of this level */

/* Cycles that are more than a line that misses, or that the level above holds, makes by itself. */
static double noticed(const struct pool *pool)
{
	const struct hierarchy *hierarchy = pool->lab->hierarchy;
	double above = hierarchy->level[pool->depth].latency - hierarchy->level[0].latency;

	return NOTICED * fmax(hierarchy_step(hierarchy, pool->depth), above);
}

/* Is one of the first `count` candidates one too many for its set? */
static bool is_over(struct pool *pool, long count)
{
	double none, time, missed;

	pool_set_count(pool, count);
	none = pool_walk_without(pool, 0, count);
	time = pool_walk_without(pool, 0, 0);
	missed = (time - none) / hierarchy_step(pool->lab->hierarchy, pool->depth);
	lab_note(pool->lab, "lines missed by places put in", (double)count, missed, "");
	return time - none > fmax(NOTICED_TIME * time, noticed(pool));
}

/* Leaves as many candidates as it takes for one set to be too full. */
static bool fill(struct pool *pool)
{
	long fits = 0, over = (long)fmin(POOL_MOST, fmax(POOL_FEWEST, pool->capacity));

	for (int i = 0; !is_over(pool, over); i++) {
		if (over == POOL_MOST || i == GROWTHS)
			return false;
		fits = over;
		over = over > POOL_MOST / 2 ? POOL_MOST : 2 * over;
	}
	while (over - fits > 1 && !timer_over(pool->lab->timer)) {
		long middle = (fits + over) / 2;

		if (is_over(pool, middle))
			over = middle;
		else
			fits = middle;
	}
	pool_set_count(pool, over);
	return over - fits == 1;
}

/* Marks the critical ones of the candidates from first to end, and counts them: moving any of them ends the misses. */
static void find_critical(struct pool *pool, long first, long end, bool known, double threshold, int *found)
{
	long middle = (first + end) / 2;
	int before = *found;

	if (first == end || *found > MOST_WAYS || timer_over(pool->lab->timer) ||
	    (!known && !(pool_walk_without(pool, first, end) < threshold)))
		return;
	if (end - first == 1) {
		pool->critical[first] = true;
		++*found;
		return;
	}
	find_critical(pool, first, middle, false, threshold, found);
	find_critical(pool, middle, end, *found == before, threshold, found);
}

/* Puts the critical ones in a row, in the place of those that were there. */
static void gather(struct pool *pool)
{
	long row = 0;

	for (long i = 0; i < pool->count; i++) {
		long *there = pool->order, kept = pool->order[i];

		if (!pool->critical[i])
			continue;
		while (*there != row)
			there++;
		pool->order[i] = row++;
		*there = kept;
	}
}

/*
 * An exclusive level above holds the places of the set that were touched last, as if the set had more ways, and others
 * seem critical that only make it forget them. In a row they were all touched long ago when their turn comes: those
 * that can go, one after the other, while the rest still misses are not needed.
 */
static int reduce_row(struct pool *pool, int found)
{
	double step = hierarchy_step(pool->lab->hierarchy, pool->depth), full, fitting, threshold;

	gather(pool);
	full = pool_walk_without(pool, 0, 0);
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = pool->critical[i];
	fitting = pool_walk(pool);
	threshold = (full + fitting) / 2;
	pool->thrashes = pool->thrashes && full - fitting > ALL_MISS * found * step;
	/* More than all of them can miss: it is the next level that they are too many for. */
	if (full - fitting < noticed(pool) || full - fitting > DEARER * found * step)
		return 0;
	if (pool->lab->timer->noise == NOISE_QUIET)
		threshold = fmin(threshold, fitting + noticed(pool) / 2);
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = false;
	for (long i = 0; i < pool->count; i++) {
		if (!pool->critical[i])
			continue;
		pool->aside[i] = true;
		if (pool_walk(pool) > threshold)
			found--;
		else
			pool->aside[i] = false;
	}
	return found;
}

/* Reading page tables, a walk would bring lines into the set that nobody put there. */
static bool reads_tables(struct pool *pool)
{
	pool_set_count(pool, (long)fmin(POOL_MOST, fmax(POOL_FEWEST, pool->capacity)));
	return hierarchy_translation(pool->lab->hierarchy, (double)(pool->count + pool->crowd) *
								   pool->lab->hierarchy->page) > MOST_TRANSLATION;
}

/* Ways by one set, or 0. */
static int reduce_once(struct pool *pool)
{
	double none, full, fitting, threshold;
	int found = 0, criticals;

	if (reads_tables(pool) || !pool_deal(pool) || !fill(pool))
		return 0;
	none = pool_walk_without(pool, 0, pool->count);
	full = pool_walk_without(pool, 0, 0);
	fitting = pool_walk_without(pool, pool->count - 1, pool->count);
	threshold = (full + fitting) / 2;
	/* Aside nothing misses either, or it would be taken for a set. */
	if (full - fitting < noticed(pool) || none > threshold)
		return 0;
	for (long i = 0; i < pool->count; i++)
		pool->critical[i] = false;
	for (int i = 0; i < PARTS; i++)
		find_critical(pool, i * pool->count / PARTS, (i + 1) * pool->count / PARTS, false, threshold, &found);
	lab_note(pool->lab, "critical places among those put in", (double)pool->count, found, "");
	if (found < 2 || found > MOST_WAYS)
		return 0;
	criticals = found;
	found = reduce_row(pool, found);
	pool->plain = found == criticals;
	lab_note(pool->lab, "of these needed in a row", (double)pool->count, found, "");
	return found > 1 ? found - 1 : 0;
}

/* Places of a set that may stay in the level above, so that an exclusive level need not hold them: it has room for so
 * many of each set where its index is finer, and chance may put too few others into its sets to throw them out. */
static double spared(const struct pool *pool, int ways)
{
	const struct level *level = &pool->lab->hierarchy->level[pool->depth], *above = level - 1;
	double held = above->conflicts.found      ? above->conflicts.ways
		      : above->scattered.ways > 0 ? above->scattered.ways
						  : FEW_WAYS;
	double sets = pool->depth ? above->reach / held / pool->spacing : 0, chance, sum = 0;

	if (sets < 1.5)
		return 0;
	chance = exp(-(double)pool->count / sets);
	for (int i = 0; i <= held; i++) {
		sum += chance;
		chance *= (double)pool->count / sets / (i + 1);
	}
	return (sum + above->reach / level->reach) * ways;
}

static int agree(struct pool *pool)
{
	int found[TRIALS], same;
	bool plain = true;

	for (int i = 0; i < TRIALS && !timer_over(pool->lab->timer); i++) {
		found[i] = reduce_once(pool);
		plain = plain && pool->plain;
		same = 0;
		for (int j = 0; j <= i; j++)
			same += found[j] == found[i];
		if (found[i] > 0 && same == (plain ? AGREEING : AGREEING_DOUBTS))
			return found[i];
	}
	return 0;
}

struct reduction engine_reduction(struct lab *lab, int depth)
{
	struct pool *pool = pool_new(lab, depth);
	struct reduction found = { .ways = 0 };

	if (!pool)
		return found;
	pool->thrashes = true;
	found.ways = found.low = found.high = agree(pool);
	if (spared(pool, found.ways) > FOREIGN)
		found.low = fmax(1, found.ways - ceil(spared(pool, found.ways)));
	/* A policy that keeps some lines whatever comes may keep one that is none of ours. */
	if (!pool->thrashes)
		found.high = ceil(HIDDEN * found.ways);
	free(pool);
	return found;
}

/* SPDX-License-Identifier: MIT */
/*
 * reduction.c - how many lines a set holds, where nothing is known of the index
 *
 * Places at one offset of many pages fill the sets as chance will, until one of them is one too many for its set: walks
 * round them begin to miss. That set is then asked for exactly one line more than it has ways, and each of those lines
 * is critical: without it nothing misses. Group testing finds them. A place is taken out by moving it within its page,
 * so that all walks have the same pages and places, and neither a TLB nor the level above is taken for this one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hierarchy.h"

enum {
	LOOKS = 2,
	FEWEST = 64,
	MOST = 1024,
	PARTS = 4,
	OFFSETS = 8,
	TRIALS = 3,
	AGREEING = 2,
	MOST_WAYS = 128,
	GROWTHS = 3
};

static const double SHORTEST_SPACING = 1024, LONGEST_LINE = 256; /* bytes */
static const double NOTICED = 0.7; /* lines missed in a lap; a set with one line too many misses one at the least */
static const double NOTICED_TIME = 0.003; /* of a step's: less is not believed to be a miss */
static const double MOST_TRANSLATION = 12; /* cycles: more than a second TLB takes */
static const double CROWDED = 1.3; /* of what a level holds at one offset */

struct pool {
	struct lab *lab;
	int depth;
	double spacing; /* bytes between slots: pages, or parts of them */
	double capacity, above; /* places at one offset that the level and the one above hold */
	uint64_t slots[2 * MOST]; /* of the candidates, in the order in which they are put in, and of the crowd */
	bool aside[MOST]; /* candidates that are moved within their slot */
	bool critical[MOST];
	long count, crowd, offsets; /* candidates; others, so that the level above holds none aside; where aside is */
	long order[2 * MOST];
	uint64_t places[2 * MOST];
	uint64_t random;
};

static uint64_t draw(struct pool *pool, uint64_t below)
{
	pool->random = pool->random * 6364136223846793005u + 1442695040888963407u;
	return (uint64_t)((unsigned __int128)(pool->random & ~0xffffull) * below >> 64);
}

/* Any of the slots of the arena, each as likely, in an order that nothing foresees. */
static bool deal(struct pool *pool)
{
	uint64_t all = (uint64_t)((double)pool->lab->timer->machine->memory / pool->spacing);
	uint64_t among = (uint64_t)fmin((double)all, 16 * pool->capacity + 4 * MOST);
	uint64_t *slots = malloc(sizeof(*slots) * among), dealt = among < 2 * MOST ? among : 2 * MOST;

	if (!slots)
		return false;
	for (uint64_t i = 0; i < among; i++)
		slots[i] = i;
	for (uint64_t i = 0; i < dealt; i++) {
		uint64_t other = i + draw(pool, among - i), kept = slots[i];

		slots[i] = slots[other];
		slots[other] = kept;
		pool->slots[i] = slots[i];
	}
	free(slots);
	return among >= 2 * MOST;
}

/* Aside, places compete with few others for the level, but with so many that the level above holds none of them. */
static void set_count(struct pool *pool, long count)
{
	double each = ceil(CROWDED * pool->above) + 2;

	pool->count = count;
	pool->offsets = (long)fmax(1, fmin(fmin(OFFSETS, pool->spacing / LONGEST_LINE - 1), floor(MOST / each)));
	pool->crowd = (long)fmin(MOST, each * (double)pool->offsets);
	walk_shuffle(pool->order, pool->count + pool->crowd);
}

/* Cycles a lap round all places, some of them aside. */
static double walk_round(struct pool *pool)
{
	long all = pool->count + pool->crowd;
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = pool->places, .count = all };

	for (long i = 0; i < all; i++) {
		bool crowd = i >= pool->count, aside = crowd || pool->aside[i];
		uint64_t slot = pool->slots[crowd ? MOST + i - pool->count : i];
		double offset = aside ? (double)(i % pool->offsets + 1) * LONGEST_LINE : 0;

		pool->places[pool->order[i]] = slot * (uint64_t)pool->spacing + (uint64_t)offset;
	}
	return engine_walk_round(pool->lab, &walk, LOOKS) * (double)all;
}

static double walk_without(struct pool *pool, long first, long end)
{
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = i >= first && i < end;
	return walk_round(pool);
}

/* Is one of the first `count` candidates one too many for its set? */
static bool is_over(struct pool *pool, long count)
{
	double none, time, missed;

	set_count(pool, count);
	none = walk_without(pool, 0, count);
	time = walk_without(pool, 0, 0);
	missed = (time - none) / hierarchy_step(pool->lab->hierarchy, pool->depth);
	lab_note(pool->lab, "lines missed by places put in", (double)count, missed, "");
	return time - none > NOTICED_TIME * time && missed > NOTICED;
}

/* Leaves as many candidates as it takes for one set to be too full. */
static bool fill(struct pool *pool)
{
	long fits = 0, over = (long)fmin(MOST, fmax(FEWEST, pool->capacity));

	for (int i = 0; !is_over(pool, over); i++) {
		if (over == MOST || i == GROWTHS)
			return false;
		fits = over;
		over = over > MOST / 2 ? MOST : 2 * over;
	}
	while (over - fits > 1 && !timer_over(pool->lab->timer)) {
		long middle = (fits + over) / 2;

		if (is_over(pool, middle))
			over = middle;
		else
			fits = middle;
	}
	set_count(pool, over);
	return over - fits == 1;
}

/* Marks the critical ones of the candidates from first to end, and counts them: moving any of them ends the misses. */
static void find_critical(struct pool *pool, long first, long end, bool known, double threshold, int *found)
{
	long middle = (first + end) / 2;
	int before = *found;

	if (first == end || *found > MOST_WAYS || timer_over(pool->lab->timer) ||
	    (!known && !(walk_without(pool, first, end) < threshold)))
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
	full = walk_without(pool, 0, 0);
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = pool->critical[i];
	fitting = walk_round(pool);
	threshold = (full + fitting) / 2;
	if (full - fitting < NOTICED * step)
		return 0;
	if (pool->lab->timer->noise == NOISE_QUIET)
		threshold = fmin(threshold, fitting + NOTICED * step / 2);
	for (long i = 0; i < pool->count; i++)
		pool->aside[i] = false;
	for (long i = 0; i < pool->count; i++) {
		if (!pool->critical[i])
			continue;
		pool->aside[i] = true;
		if (walk_round(pool) > threshold)
			found--;
		else
			pool->aside[i] = false;
	}
	return found;
}

/* Reading page tables, a walk would bring lines into the set that nobody put there. */
static bool reads_tables(struct pool *pool)
{
	set_count(pool, (long)fmin(MOST, fmax(FEWEST, pool->capacity)));
	return hierarchy_translation(pool->lab->hierarchy, (double)(pool->count + pool->crowd) *
								   pool->lab->hierarchy->page) > MOST_TRANSLATION;
}

/* Ways by one set, or 0. */
static int reduce_once(struct pool *pool)
{
	double none, full, fitting, threshold;
	int found = 0;

	if (reads_tables(pool) || !deal(pool) || !fill(pool))
		return 0;
	none = walk_without(pool, 0, pool->count);
	full = walk_without(pool, 0, 0);
	fitting = walk_without(pool, pool->count - 1, pool->count);
	threshold = (full + fitting) / 2;
	/* Aside nothing misses either, or it would be taken for a set. */
	if (full - fitting < NOTICED * hierarchy_step(pool->lab->hierarchy, pool->depth) || none > threshold)
		return 0;
	for (long i = 0; i < pool->count; i++)
		pool->critical[i] = false;
	for (int i = 0; i < PARTS; i++)
		find_critical(pool, i * pool->count / PARTS, (i + 1) * pool->count / PARTS, false, threshold, &found);
	lab_note(pool->lab, "critical places among those put in", (double)pool->count, found, "");
	if (found < 2 || found > MOST_WAYS)
		return 0;
	found = reduce_row(pool, found);
	lab_note(pool->lab, "of these needed in a row", (double)pool->count, found, "");
	return found > 1 ? found - 1 : 0;
}

int engine_reduction(struct lab *lab, int depth)
{
	const struct level *level = &lab->hierarchy->level[depth];
	struct pool *pool = calloc(1, sizeof(*pool));
	int found[TRIALS], agreed = 0;

	if (!pool)
		return 0;
	pool->lab = lab;
	pool->depth = depth;
	pool->random = 88172645463325252u;
	pool->spacing = lab->hierarchy->page;
	while (pool->spacing / 2 >= SHORTEST_SPACING && level->reach / pool->spacing < FEWEST)
		pool->spacing /= 2;
	pool->capacity = level->reach / pool->spacing;
	pool->above =
		depth ? fmax(level[-1].conflicts.found ? level[-1].conflicts.held : 1, level[-1].reach / pool->spacing)
		      : 0;
	for (int i = 0; i < TRIALS && !agreed && !timer_over(lab->timer); i++) {
		int same = 1;

		found[i] = reduce_once(pool);
		for (int j = 0; j < i; j++)
			same += found[j] == found[i];
		if (found[i] > 0 && same == AGREEING)
			agreed = found[i];
	}
	free(pool);
	return agreed;
}

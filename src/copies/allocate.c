/* SPDX-License-Identifier: MIT */
/*
 * allocate.c - do stores bring lines into a level?
 *
 * AMP asks whether a line that was stored to is there afterwards. Random references ask it without an order that
 * anything could learn: every other step loads from lines that the level has room for, and between them lines of
 * another stretch, of twice what the level holds, are stored to. If stores bring lines in, they take the place of those
 * that are loaded, and loads begin to miss. How much they would is measured with loads in place of the stores: the
 * control that must come out positive. Stretches of a few lines say what either costs alone.
 *
 * Stores that take longer than the loads between them would hide what those miss. So before it is believed that none
 * did, loads of so many lines that they miss as often anyway must show beside the stores as they do without them.
 */
#include <math.h>
#include <stdio.h>

#include "copies.h"

enum { LOOKS = 1, FEW = 4, LAPS = 4, QUIET_ROUNDS = 3 };

static const double OF_LEVEL = 0.75, BEYOND = 2; /* of what it holds: loaded from, and stored to */
static const double CLEARED = 2; /* the same, so that chance leaves nothing of others */
static const double BROUGHT = 0.35, NOT_BROUGHT = 0.12; /* of what loads in place of the stores do */
static const double SHOWS = 0.04; /* of a step to the next level: less is not seen */
static const double VISIBLE = 0.7; /* of misses */
static const double LARGEST = 0x1p26; /* bytes */

struct stretches {
	struct lab *lab;
	double line, room; /* bytes */
};

/* Nothing of what will be stored to is left in the level: what it has already it need not bring in. */
static void clear(const struct stretches *of)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .laps = 1 };

	walk.grid.stride[0] = (uint64_t)of->line;
	walk.grid.count[0] = (long)floor(CLEARED * of->room / of->line);
	engine_walk(of->lab, &walk, 1);
}

/* Cycles a step, half of them loads of one stretch, half of them loads of another or stores to it. */
static double beside(const struct stretches *of, double loaded, double other, bool stores)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .has_hot = true, .stores = stores };

	walk.grid.stride[0] = walk.hot.stride[0] = (uint64_t)of->line;
	walk.grid.count[0] = (long)loaded;
	walk.hot.base = (uint64_t)(CLEARED * of->room);
	walk.hot.count[0] = (long)other;
	/* Until stores were to most of theirs, too. */
	walk.laps = (long)ceil(fmax(LAPS, 2 * other / loaded));
	if (stores)
		clear(of);
	return engine_walk(of->lab, &walk, LOOKS);
}

/* Cycles by which much of both costs more than much of the one and much of the other. */
static double in_the_way(const struct stretches *of, bool stores)
{
	double loaded = floor(OF_LEVEL * of->room / of->line), other = floor(BEYOND * of->room / of->line);

	return beside(of, loaded, other, stores) - beside(of, FEW, other, stores) - beside(of, loaded, FEW, stores) +
	       beside(of, FEW, FEW, stores);
}

/* Of what so many misses cost, what shows beside stores to many lines: loads of a stretch that is too large for the
 * level by as much miss as often as those beside loads did. More of them would show where these do not. */
static double shows_beside_stores(const struct stretches *of, double cost, double step)
{
	double lines = of->room / of->line, loaded = floor(OF_LEVEL * lines), other = floor(BEYOND * lines);
	double missed = fmin(cost / (step / 2), 1 - 1 / BEYOND), many = floor(lines / (1 - missed));
	double beside_many = beside(of, many, other, true) - beside(of, loaded, other, true);
	double share = beside_many / (beside(of, many, FEW, false) - beside(of, loaded, FEW, false));

	lab_note(of->lab, "of the misses of loads, what shows beside stores", many, share, "");
	return share;
}

int copies_rounds(const struct lab *lab)
{
	return lab->timer->noise == NOISE_QUIET ? QUIET_ROUNDS : COPIES_ROUNDS;
}

struct copies_range copies_range(const double *values, int count)
{
	struct copies_range range = { NAN, NAN };

	for (int i = 0; i < count; i++) {
		if (isnan(values[i]))
			return (struct copies_range){ NAN, NAN };
		range.low = fmin(range.low, values[i]);
		range.high = fmax(range.high, values[i]);
	}
	return range;
}

static enum stat_verdict ask_level(struct lab *lab, int depth, char *why, size_t size)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	struct stretches of = { lab, hierarchy->line, hierarchy->level[depth].reach };
	double share[COPIES_ROUNDS], memory = (double)lab->timer->machine->memory, cost = INFINITY;
	double step = hierarchy_step(hierarchy, depth);
	struct copies_range range;
	int rounds = copies_rounds(lab);

	if ((CLEARED + BEYOND) * of.room > fmin(memory, LARGEST)) {
		snprintf(why, size, "more than the level holds is too much to be stored to in the time");
		return STAT_UNDECIDED;
	}
	for (int i = 0; i < rounds; i++) {
		double loads = in_the_way(&of, false);

		if (!(loads > SHOWS * step)) {
			snprintf(why, size, "not even loads in place of the stores made others miss");
			return STAT_UNDECIDED;
		}
		cost = fmin(cost, loads);
		share[i] = in_the_way(&of, true) / loads;
		lab_note(lab, "misses that stores make, of those that loads do", NAN, share[i], "");
	}
	range = copies_range(share, rounds);
	if (range.low > BROUGHT)
		return STAT_YES;
	if (range.high < NOT_BROUGHT && shows_beside_stores(&of, cost, step) > VISIBLE)
		return STAT_NO;
	if (range.high < NOT_BROUGHT) {
		snprintf(why, size, "stores take so long that it does not show whether loads beside them miss");
		return STAT_UNDECIDED;
	}
	snprintf(why, size, "stores made %.2f to %.2f times the misses that loads in their place make", range.low,
		 range.high);
	return STAT_UNDECIDED;
}

enum stat_verdict copies_allocated(struct lab *lab, int depth, char *why, size_t size)
{
	/* What a nearer level brings in comes here as well, on its way there or when that one loses it. */
	if (depth && copies_allocated(lab, depth - 1, why, size) == STAT_YES)
		return STAT_YES;
	return ask_level(lab, depth, why, size);
}

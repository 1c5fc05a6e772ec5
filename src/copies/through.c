/* SPDX-License-Identifier: MIT */
/*
 * through.c - does a level pass on what is stored to its lines?
 *
 * Stores that wait for nothing, to random lines. To lines that the level holds they cost no more than to a few lines if
 * it writes back; if it writes through, each waits for its turn to be written further down, but for those to one of a
 * few lines, which go together.
 *
 * That nothing shows may also be because writing costs nothing. So what loads of the same lines cost is taken off, and
 * what is left must rise where lines no longer fit: then they are written when they go, and were not before. That is
 * all that can be asked of levels beyond the first, where a few lines are never stored to. Of many lines fewer stores
 * end in the level above, by the law, and that much more is no rise.
 */
#include <math.h>
#include <stdio.h>

#include "copies.h"

enum {
	LOOKS = 1,
	FEW = 4,
	MANY = 16 /* lines, more than wait to be written: of fewer, most stores may be to one that does */
};

static const double COSTS = 0.12, NOTHING = 0.04, RISES = 0.12; /* of a store to a few lines */
static const double MOST_OF = 0.4; /* of what a store costs more where lines do not fit */
static const double BEYOND = 8, CLEARLY_BEYOND = 1.5, LARGEST = 0x1p26;

static double loosely(struct lab *lab, double lines, bool stores)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .loose = true, .stores = stores };

	walk.grid.stride[0] = (uint64_t)lab->hierarchy->line;
	walk.grid.count[0] = (long)(WALK_LOOSE * ceil(lines / WALK_LOOSE));
	return engine_walk(lab, &walk, LOOKS);
}

struct round {
	double fits; /* what a store costs more where the level holds all lines than to a few lines */
	double beyond; /* the same where it does not */
	double rises; /* from there to here, more than as many more stores get here, and than loads of the same lines;
		       * in what these stores take, since that is how far they are off */
};

/* Of stores to so many lines the fewest that may get past the level above. It may keep none of other walks' lines,
 * where stores bring none in. */
static double get_past(const struct hierarchy *hierarchy, int depth, double lines)
{
	return depth ? 1 - fmin(1, hierarchy->level[depth - 1].high / (lines * hierarchy->line)) : 1;
}

static struct round ask(struct lab *lab, int depth, double fitting, double beyond)
{
	double few = loosely(lab, FEW, true), fits = loosely(lab, fitting, true), not = loosely(lab, beyond, true);
	double loads = loosely(lab, beyond, false) - loosely(lab, fitting, false);
	double all = fits / get_past(lab->hierarchy, depth, fitting);
	struct round round = { fits / few - 1, not / few - 1, (not -all - loads) / fmax(few, all) };

	lab_note(lab, "what stores to lines that fit cost more than to a few", fitting, round.fits, "");
	lab_note(lab, "what lines that do not fit add, beside what loads add", beyond, round.rises, "");
	return round;
}

/* Lines in a walk that the level serves, and in one that the next does. False when there is no room between them. */
static bool choose(const struct lab *lab, int depth, double *fitting, double *beyond)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	double most = fmin(LARGEST, (double)lab->timer->machine->memory), fits = level->reach / 2;

	if (depth)
		fits = fmin(fits, sqrt(level[-1].reach * level->reach));
	if (depth + 1 < hierarchy->levels)
		most = fmin(most, level[1].reach / 2);
	*fitting = floor(fits / hierarchy->line);
	*beyond = floor(fmin(BEYOND * level->reach, most) / hierarchy->line);
	return *beyond * hierarchy->line > CLEARLY_BEYOND * level->reach &&
	       (!depth || fits > CLEARLY_BEYOND * level[-1].reach);
}

enum stat_verdict copies_through(struct lab *lab, int depth, char *why, size_t size)
{
	double fitting, beyond, fits[COPIES_ROUNDS], rises[COPIES_ROUNDS], most = 0;
	struct copies_range fit, rise;
	int rounds = copies_rounds(lab);

	if (!choose(lab, depth, &fitting, &beyond)) {
		snprintf(why, size, "no walk is larger than this level and smaller than the next, or than memory");
		return STAT_UNDECIDED;
	}
	for (int i = 0; i < rounds; i++) {
		struct round round = ask(lab, depth, fitting, beyond);

		fits[i] = round.fits;
		rises[i] = round.rises;
		most = fmax(most, round.beyond);
	}
	fit = copies_range(fits, rounds);
	rise = copies_range(rises, rounds);
	if (depth == 0 && fit.low > COSTS && fit.low > MOST_OF * most)
		return STAT_YES;
	if (rise.low > RISES && (depth > 0 || (fit.high < NOTHING && fitting >= MANY)))
		return STAT_NO;
	snprintf(
		why, size, "%s",
		fitting < MANY
			? "the level holds so few lines that stores to them may go together"
			: "stores cost as much where lines fit as where they do not: writing further down does not show");
	return STAT_UNDECIDED;
}

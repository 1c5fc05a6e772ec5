/* SPDX-License-Identifier: MIT */
/*
 * lines.c - how many bytes one tag of a cache stands for
 *
 * X-Ray's Figure 10: two groups of places fill one set twice over; move one group by the size of a line, and it falls
 * into the next set. No prefetcher can fake that.
 */
#include <math.h>
#include <stdio.h>

#include "sets.h"

enum { LOOKS = 5, SHORTEST = 8, LONGEST = 1024, MOST_HALF = 34, FEW = 4 };

static const double HIDDEN = 1.3, TOO_MANY = 1.6;
static const double HIT = 0.3, MISS = 0.7; /* share of the conflicts: between them it is neither */

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
	struct search search = { lab, lab->hierarchy, depth, 0, conflicts->way, 0 };
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
	if (group > fmax(TOO_MANY * conflicts->held, 3) || (conflicts->columns > 1 && far < LONG_LINE)) {
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
	if (line > SHORTEST && (crowded(lab, conflicts, group, line / 2.0) - apart) / (together - apart) < MISS) {
		snprintf(why, size, "half of %d bytes ended the conflict when looked at again", line);
		return NAN;
	}
	if (line)
		return line;
	snprintf(why, size, "no shift up to %d bytes ends the conflict", LONGEST);
	return NAN;
}

/* What a place takes in the nearest cache: needed to say how much of it a sparse walk covers. What comes together may
 * be more than that, or less. */
double lines_nearest(struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	char why[160];
	double line = NAN;

	if (hierarchy->levels == 0)
		return PLACE;
	engine_conflicts(lab, 0);
	line = engine_tag_line(lab, 0, why, sizeof(why));
	if (isfinite(line))
		return line;
	line = engine_fetch_line(lab, 0, why, sizeof(why));
	return isnan(line) ? PLACE : fmin(line, PLACE);
}

/* A cache of one set, or of an odd number of them, holds a line for each place, however far apart they are. All places
 * of a walk that just fits are then too many when they lie nearer. */
bool lines_want_nearer(struct lab *lab, double apart)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	double covered = 0.9 * hierarchy->level[0].reach;

	if (hierarchy->levels == 0 || hierarchy->level[0].reach > hierarchy->small)
		return false;
	walk.grid.stride[0] = (uint64_t)apart;
	walk.grid.count[0] = (long)(covered / apart);
	return engine_walk(lab, &walk, 3) - hierarchy->terms.base > 0.08 * hierarchy_step(hierarchy, 0);
}

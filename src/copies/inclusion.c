/* SPDX-License-Identifier: MIT */
/*
 * inclusion.c - how a level stands to the one above it
 *
 * Random references to many lines of one set. Once with the sets above to themselves, once with so many other lines in
 * these that none is left for the ones in question: a level that gets what the one above loses then holds fewer of
 * them, by what that one has room for; one that keeps copies holds as many as before. In a victim cache, lines that
 * were hit stay, so the sum is only reached when most references miss.
 *
 * Of those that keep copies, an inclusive level takes a line out above when it loses it, however often it is used
 * there. One line more is touched every other time: it never leaves the level above, and so grows old in this one. It
 * is missed now and then if the level is inclusive. It is compared with one in a set that nobody else uses. The control
 * that must come out negative: lines that share its set above, and lie in many sets here. A level above that loses even
 * that line says nothing; but where lines are longer here, half of one shares its set here, and none above.
 */
#include <math.h>
#include <stdio.h>

#include "../sets/sets.h"
#include "copies.h"

enum { LOOKS = 3 };

static const struct columns ONE = { 1, 0, false };
static const double MANY = 4, ENOUGH = 1.2; /* times what both hold */
static const double NEXT = 0.7; /* of what the next level holds: more lines would be too many for that one, too */
static const double ADDS = 0.7, KEEPS = 0.5; /* of what the level above has room for */
/* Of that, where most references hit, a victim cache with as many ways lacks so much, and with more in proportion, up
 * to so many times as many, whatever the policies; an exclusive level lacks nothing. Half as many ways, and two, it
 * must have: else all lines but those above are soon lost, and its copies with them. */
static const double LACKS = 0.16, MOST_TIMES = 3, LEAST_TIMES = 0.5, LEAST_WAYS = 2;
static const double CLEARLY = 1.0 / 3; /* of the difference */
static const double TAKEN = 0.5, LEFT = 0.2; /* of the misses that an inclusive level makes */
static const double LOST = 0.3; /* the same of those above: that many do not look like an inclusive level's */

struct sides {
	struct search search;
	const struct conflicts *conflicts, *above;
	double of_above, share; /* lines of the set that the one above has room for; beside others' */
	double many; /* lines */
};

/* Whether a level further up holds more lines of the set than these two, and what it holds would be taken for theirs.
 */
static bool hidden_above(const struct sides *sides)
{
	const struct hierarchy *hierarchy = sides->search.hierarchy;
	double most = fmax(sides->of_above, sides->conflicts->held);

	for (int i = 0; i < sides->search.depth - 1; i++)
		if (hierarchy->level[i].conflicts.found &&
		    sets_held_by(&hierarchy->level[i].conflicts, sides->conflicts->way) > most)
			return true;
	return false;
}

/* What is not known of the sets; NULL: nothing. */
static const char *prepare(struct sides *sides, struct lab *lab, int depth)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	double most = (double)lab->timer->machine->memory / 2;

	sides->conflicts = engine_conflicts(lab, depth);
	sides->above = &level[-1].conflicts;
	if (!sides->conflicts->found || !sides->above->found)
		return sides->conflicts->found ? "no set of the level above is known" : "no set of the level is known";
	sides->search = (struct search){ lab, hierarchy, depth, 0, sides->conflicts->way, 0 };
	sides->of_above = sets_held_by(sides->above, sides->conflicts->way);
	sides->share = sides->of_above / sets_own_columns(&sides->search).count;
	if (depth + 1 < hierarchy->levels)
		most = fmin(most, NEXT * level[1].reach);
	sides->many =
		fmin(ceil(MANY * (sides->conflicts->held + sides->of_above)), floor(most / sides->conflicts->way));
	if (sides->many < ENOUGH * (sides->conflicts->held + sides->of_above) + 2)
		return "so many lines of one set as it takes are too many for the next level as well";
	if (sides->share > sides->of_above / 2 || sides->share > sides->conflicts->held / 2)
		return "the level above has no other set to be filled beside the same one here";
	if (hidden_above(sides))
		return "a level further up holds more lines of one set";
	return NULL;
}

/* Of the lines that the one of the two levels has room for that has less, how many are held in addition to the other's:
 * copies add nothing to the larger. */
static double added(struct sides *sides, double lines, double crowded)
{
	double open = sets_held_in(&sides->search, sides->conflicts->way, lines, ONE, false);

	if (sides->of_above > crowded)
		return (open - sides->of_above) / (crowded - sides->share);
	return (open - crowded) / (sides->of_above - sides->share);
}

/* Cycles of a reference to one of some places a stride apart and one to a hot one, so far behind the next of these. */
static double beside_hot(struct sides *sides, double stride, double places, double behind)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .has_hot = true };

	walk.grid.stride[0] = (uint64_t)stride;
	walk.grid.count[0] = (long)places;
	walk.hot.base = (uint64_t)(places * stride + behind);
	return 2 * engine_walk(sides->search.lab, &walk, LOOKS);
}

/* Bytes to a place that shares a set of neither level, and no line however long lines are. */
static double aside(const struct sides *sides)
{
	double half = floor(sides->conflicts->way / 2 / PLACE) * PLACE;

	return fmod(half, sides->above->way) > 0 ? half : half + floor(sides->above->way / 2 / PLACE) * PLACE;
}

/* By how much a hot line that shares a set with places a stride apart takes more than one that does not, in misses that
 * cost so much, of those that inclusion makes. It lies so far behind the beginning of its line here. */
static double missed(struct sides *sides, double stride, double places, double cost, double behind, const char *what)
{
	double ways = sides->conflicts->ways, expected = (1 - ways / sides->many) / ways;
	double more =
		beside_hot(sides, stride, places, behind) - beside_hot(sides, stride, places, behind + aside(sides));

	lab_note(sides->search.lab, what, stride, more / cost / expected, "");
	return more / cost / expected;
}

/* How often a hot line is missed here; or why that says nothing. */
static const char *ask_hot(struct sides *sides, double behind, struct copies_range *here)
{
	const struct hierarchy *hierarchy = sides->search.hierarchy;
	int depth = sides->search.depth, rounds = copies_rounds(sides->search.lab);
	double apart = sides->above->way, few = fmin(sides->many, floor(NEXT * hierarchy->level[depth].reach / apart));
	double at_all[COPIES_ROUNDS], above[COPIES_ROUNDS], room = 0;

	if (few < 2 * sides->above->held)
		return "no lines fill a set above and find room in this level";
	/* A set of the nearest level has room for one of the others less, where it holds the hot one. */
	if (depth == 1 && behind == 0)
		room = sides->conflicts->ways / few / (1 - sides->conflicts->ways / sides->many);
	for (int i = 0; i < rounds; i++) {
		at_all[i] = missed(sides, sides->conflicts->way, sides->many, hierarchy_step(hierarchy, depth), behind,
				   "misses of a line that is used all the time, of what inclusion makes");
		above[i] = missed(sides, apart, few, hierarchy_step(hierarchy, depth - 1), behind,
				  "misses above of a line that is used all the time, on the same scale");
	}
	*here = copies_range(at_all, rounds);
	return copies_range(above, rounds).high - room < LOST
		       ? NULL
		       : "the level above loses even a line that is used all the time";
}

/* Half of a line here, where that is a line above or more; else 0. */
static double half_a_line(struct sides *sides)
{
	struct lab *lab = sides->search.lab;
	int depth = sides->search.depth;
	char why[160];
	double half = engine_tag_line(lab, depth, why, sizeof(why)) / 2;

	return half >= engine_tag_line(lab, depth - 1, why, sizeof(why)) ? half : 0;
}

static enum copies_inclusion ask_copies(struct sides *sides, char *why, size_t size)
{
	struct copies_range range;
	const char *nothing = ask_hot(sides, 0, &range);
	double half = nothing ? half_a_line(sides) : 0;

	if (half > 0)
		nothing = ask_hot(sides, half, &range);
	if (nothing) {
		snprintf(why, size, "%s", nothing);
		return COPIES_UNDECIDED;
	}
	if (range.low > TAKEN)
		return COPIES_INCLUSIVE;
	if (range.high < LEFT)
		return COPIES_NEITHER;
	snprintf(why, size,
		 "a line that is used all the time is missed %.2f to %.2f times as often as inclusion makes it",
		 range.low, range.high);
	return COPIES_UNDECIDED;
}

enum copies_inclusion copies_inclusion(struct lab *lab, int depth, char *why, size_t size)
{
	struct sides sides;
	const char *missing = prepare(&sides, lab, depth);
	double large[COPIES_ROUNDS], small[COPIES_ROUNDS];
	int rounds = lab->timer->noise == NOISE_QUIET ? 1 : COPIES_ROUNDS;
	struct copies_range most, few;
	double times, lacks;

	if (missing) {
		snprintf(why, size, "%s%s%s", missing, sides.conflicts->found ? "" : ": ",
			 sides.conflicts->found ? "" : sides.conflicts->why);
		return COPIES_UNDECIDED;
	}
	for (int i = 0; i < rounds; i++) {
		double crowded = sets_held_in(&sides.search, sides.conflicts->way, sides.many,
					      sets_own_columns(&sides.search), false);

		large[i] = added(&sides, sides.many, crowded);
		small[i] = added(&sides, ceil(crowded + sides.of_above) + 1, crowded);
		lab_note(lab, "lines of the level above that come on top, where most are missed", sides.many, large[i],
			 "");
		lab_note(lab, "the same where most are held", crowded + sides.of_above, small[i], "");
	}
	most = copies_range(large, rounds);
	few = copies_range(small, rounds);
	if (most.high < KEEPS)
		return ask_copies(&sides, why, size);
	times = sides.conflicts->ways / sides.of_above;
	lacks = LACKS * fmin(times, MOST_TIMES);
	if (times < LEAST_TIMES || sides.conflicts->ways < LEAST_WAYS) {
		snprintf(why, size, "the level has too few ways to tell what it keeps from what the level above holds");
		return COPIES_UNDECIDED;
	}
	if (most.low > ADDS && few.low > 1 - CLEARLY * lacks)
		return COPIES_EXCLUSIVE;
	if (most.low > ADDS && few.high < 1 - (1 - CLEARLY) * lacks)
		return COPIES_VICTIM;
	snprintf(
		why, size,
		"of the lines that the level above has room for %.0f to %.0f %% come on top, and %.0f to %.0f %% where most are held",
		100 * most.low, 100 * most.high, 100 * few.low, 100 * few.high);
	return COPIES_UNDECIDED;
}

/* SPDX-License-Identifier: MIT */
/*
 * exclusion.c - is what places of one set show all the level's own, or in part the level above's?
 */
#include <math.h>

#include "sets.h"

static const struct columns ONE = { 1, 0, false };
static const double LESS_THERE = 0.25; /* of what the level above holds */
static const double MANY = 4, NEXT = 0.7; /* times what is held; of what the next level holds */
static const double MOST_LOST = 1.55; /* places, to a hot one */
static const double ADDS_UP = 0.06; /* relative: two levels of lines to the reach of both */

/* A victim cache has copies of what was hit: where most references hit, the level above adds less. */
static bool keeps_what_was_hit(struct search *search, const struct conflicts *conflicts, double above)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double few = conflicts->held + above + 1, many = ceil(MANY * few);

	if (search->depth + 1 < hierarchy->levels)
		many = fmin(many, floor(NEXT * hierarchy->level[search->depth + 1].reach / conflicts->way));
	return many > 2 * few && sets_held_in(search, conflicts->way, many, ONE, false) -
						 sets_held_in(search, conflicts->way, few, ONE, false) >
					 LESS_THERE * above;
}

/* A line that is touched all the time stays in the level above. An exclusive level has room for one line less beside
 * it; one that lets go of its own copy has not; and an inclusive one throws the hot line out again and again, which
 * costs more than a line. */
static bool gives_way_to_hot(struct search *search, struct conflicts *conflicts, double above)
{
	double n = ceil(fmax(2 * conflicts->held, conflicts->held + above + 2)), alone, lost;

	alone = sets_held_in(search, conflicts->way, n, ONE, false);
	/* An odd number of sets above spreads them over several. */
	for (int i = 0; i < 2 && alone > n - 1; i++) {
		n *= 2;
		alone = sets_held_in(search, conflicts->way, n, ONE, false);
	}
	/* Not crowded out, an exclusive level above adds all it holds. */
	if (sets_own_columns(search).count > 1 &&
	    alone - conflicts->held < 0.6 * above * (1 - 1 / sets_own_columns(search).count))
		return false;
	lost = alone - sets_held_in(search, conflicts->way, n, ONE, true);
	/* Or it is the level above that loses it, as one by chance does; more columns would have told before. */
	conflicts->open = lost >= MOST_LOST && sets_own_columns(search).count < 2;
	return lost > 0.5 && lost < MOST_LOST && !keeps_what_was_hit(search, conflicts, above);
}

void exclusion_tell(struct search *search, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth], *above = level - 1;
	double held, share, together, apart, own = conflicts->ways;

	if (search->depth == 0 || !above->conflicts.found)
		return;
	/* What the level above holds of one set, its own sets being full of others, too. */
	held = sets_held_by(&above->conflicts, conflicts->way);
	share = held / sets_own_columns(search).count;
	together = conflicts->held * conflicts->way;
	apart = (conflicts->held - (share < 0.5 ? 0 : share)) * conflicts->way + above->reach;
	/* What holds more than the level itself would hide what that does; and what holds one place only shows no hot
	 * one. */
	conflicts->open = held > conflicts->held || (above->conflicts.ways < 2 && share >= 0.5);
	if (search->depth == 1 && search->lab->timer->noise == NOISE_QUIET && !conflicts->open)
		conflicts->exclusive = gives_way_to_hot(search, conflicts, held);
	else
		conflicts->exclusive = conflicts->held > share && fabs(apart - together) > 0.04 * together &&
				       fabs(apart - level->reach) < fabs(together - level->reach);
	/* In one column all that the level above holds belongs to the one set, unless the level keeps copies; the reach
	 * may decide, whatever part of it is that level's. */
	if (conflicts->exclusive && share >= 0.5) {
		double all = level->reach / conflicts->way, less = all - above->reach / conflicts->way;

		if (round(all) == round(less))
			own = round(all);
		else
			own = round(sets_held_in(search, conflicts->way, conflicts->held + held + 1, ONE, false)) -
			      held;
		/* Or it keeps some copies, and not others. */
		if (fabs((own * conflicts->way + above->reach) / level->reach - 1) > ADDS_UP)
			own = conflicts->held;
	}
	conflicts->exclusive = conflicts->exclusive && own >= 1;
	if (conflicts->exclusive)
		conflicts->ways = own;
}

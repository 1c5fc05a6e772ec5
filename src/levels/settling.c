/* SPDX-License-Identifier: MIT */
/*
 * settling.c - levels that take many laps to hold what they will of a walk
 */
#include "survey.h"

enum {
	MANY_LAPS = 40, /* a policy that throws out as chance will takes so long to get rid of lines of before */
	SETTLING = 3 /* looks */
};

static const double NEARLY_FULL = 0.85, SETTLED = 0.015; /* of the reach; of what a miss costs */
static const double SLOW_FROM = 0.4, SLOW_TO = 3; /* times the reach */
static const long LONGEST_SETTLING = 4000000; /* steps */

void survey_settle(struct lab *lab, const struct hierarchy *hierarchy, const struct curve_point *point, int round)
{
	struct walk walk = survey_walk(hierarchy, point, round, false);

	walk.laps = MANY_LAPS;
	timing_walk(lab->timer, &walk, 1);
}

/* Cycles that a walk which nearly fills the level takes less after many laps; 0 where it has as many anyway, or they
 * would take too long. */
static double settling_of(struct lab *lab, const struct hierarchy *hierarchy, int depth, int round)
{
	struct curve_point point = { .bytes = NEARLY_FULL * hierarchy->level[depth].reach };
	struct walk walk = survey_walk(hierarchy, &point, round, false);
	double soon, late;

	if (walk_warming(&walk) >= MANY_LAPS * walk_length(&walk) || MANY_LAPS * walk_length(&walk) > LONGEST_SETTLING)
		return 0;
	soon = engine_walk(lab, &walk, SETTLING);
	survey_settle(lab, hierarchy, &point, round);
	late = engine_walk(lab, &walk, SETTLING);
	lab_note(lab, "cycles less after many laps", point.bytes, soon - late, "");
	return soon - late;
}

/* Of lines thrown out as chance will, those of the walk before stay for long, and the law is about what is held in the
 * end. Seen where the level is nearly full, and twice: a neighbour that went away looks like it once. */
bool survey_settles_slowly(struct lab *lab, struct hierarchy *hierarchy)
{
	if (lab->timer->noise != NOISE_QUIET || lab->brief || hierarchy->slow_to > 0)
		return false;
	for (int i = 0; i < hierarchy->levels; i++) {
		double reach = hierarchy->level[i].reach, least = SETTLED * hierarchy_step(hierarchy, i);

		if (settling_of(lab, hierarchy, i, 1) < least || settling_of(lab, hierarchy, i, 2) < least)
			continue;
		hierarchy->slow_from = hierarchy->slow_to > 0 ? hierarchy->slow_from : SLOW_FROM * reach;
		hierarchy->slow_to = SLOW_TO * reach;
	}
	return hierarchy->slow_to > 0;
}

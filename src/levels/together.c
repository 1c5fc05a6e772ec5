/* SPDX-License-Identifier: MIT */
/*
 * together.c - how many places of a page come together in a grouped walk
 *
 * Four, since each of them pays for a fourth of a translation. But what runs many lines ahead of a stream comes to one
 * of them before the walk does, most of all where pages are large, and that looks like translation saved. It seldom
 * comes to the other place of a pair, half a small page away. So both are compared over the most memory, and where
 * pairs show clearly less, places come in pairs.
 */
#include <math.h>

#include "survey.h"

enum { ROUNDS = 4 };

static const double FORESEEN = 0.01, CERTAIN = 3; /* of a time; errors */

static bool look_together(struct lab *lab, struct hierarchy *hierarchy, int group, struct look *looks)
{
	hierarchy->group = group;
	return survey_compare_drawing(lab, hierarchy) && survey_look_at(lab, hierarchy, hierarchy->most, looks, ROUNDS);
}

bool together_choose(struct lab *lab, struct hierarchy *hierarchy)
{
	struct look fours[ROUNDS], pairs[ROUNDS];
	double more[ROUNDS], mean = 0, time = 0, squares = 0;

	if (lab->timer->noise != NOISE_QUIET || lab->brief)
		return true;
	if (!look_together(lab, hierarchy, WALK_GROUP, fours))
		return false;
	for (int i = 0; i < ROUNDS; i++)
		more[i] = survey_translated(hierarchy, &fours[i]);
	if (!look_together(lab, hierarchy, WALK_PAIR, pairs))
		return false;
	for (int i = 0; i < ROUNDS; i++) {
		more[i] -= survey_translated(hierarchy, &pairs[i]);
		mean += more[i] / ROUNDS;
		time += pairs[i].dense / ROUNDS;
	}
	for (int i = 0; i < ROUNDS; i++)
		squares += (more[i] - mean) * (more[i] - mean);
	lab_note(lab, "cycles of translation that groups show more than pairs", hierarchy->most, mean, "");
	if (mean > FORESEEN * time && mean > CERTAIN * sqrt(squares / (ROUNDS - 1) / ROUNDS))
		hierarchy->foreseen = mean / time;
	else
		hierarchy->group = WALK_GROUP;
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * lead.c - levels that plateaus or sets show as well
 *
 * Frames, sectors, page tables and what is fetched ahead bend the law, and then it has a level too many, or too few.
 * Walks round all lines share nothing with it. Where both come to as many levels, which end in the same places and take
 * as long, they are believed. Where they do not, the plateaus say how many terms there are and about where, and the
 * times of random references say what these hold and cost; that must come to the plateaus again.
 */
#include <math.h>
#include <stdlib.h>

#include "survey.h"

static const double SAME_TIME = 0.1, CYCLES = 0.5; /* of a plateau's; more where few cycles are */
static const double SAME_END = 1.5; /* times the plateau's */
static const double SOFT = 8; /* lines of a set, to begin with: corners and softer bends are both near */
static const double FOLLOWED = 0.3, SOFTEST = 4; /* mean square of errors; lines of a set */
static const double SAME_SIZE = 0.05; /* of the reach */
static const double FARTHEST_OFF = 12; /* mean square of errors: beyond, it is another law */

static bool is_confirmed(struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;

	if (hierarchy->terms.misfit > FARTHEST_OFF || !engine_segments_end_as_levels(lab) ||
	    !engine_segments_see_memory(lab))
		return false;
	for (int i = 0; i < hierarchy->levels; i++) {
		const struct plateau *plateau = &hierarchy->segments.plateau[i];

		/* Between where a plateau ends and a bent law's end there may be one more level. */
		if (!(fabs(hierarchy->level[i].latency - plateau->latency) <
		      fmax(SAME_TIME * plateau->latency, CYCLES)) ||
		    hierarchy->level[i].reach > SAME_END * plateau->reach)
			return false;
	}
	return hierarchy->levels > 0;
}

/* Nothing is bent: only which levels there are was in doubt, and no end of them may be that of two. */
static bool is_followed(struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;

	for (int i = 0; i < hierarchy->levels; i++)
		if (hierarchy->level[i].shape <= SOFTEST)
			return false;
	return hierarchy->terms.misfit < FOLLOWED && engine_segments_agree(lab) == HIERARCHY_ALL &&
	       engine_segments_see_memory(lab);
}

/* Leaves the levels as they were when the plateaus' do not explain the times. */
static bool leads(struct lab *lab, const struct terms *kept)
{
	struct hierarchy *hierarchy = lab->hierarchy;
	const struct segments *segments = &hierarchy->segments;
	struct terms terms = { .base = 0 };

	for (int i = 0; i + 1 < segments->plateaus; i++)
		terms.term[terms.count++] =
			(struct term){ segments->plateau[i].reach, SOFT,
				       segments->plateau[i + 1].latency - segments->plateau[i].latency, 1 };
	if (terms.count == 0)
		return false;
	hierarchy->terms = terms_fit_from(hierarchy->points, hierarchy->count, &terms);
	survey_levels(lab, hierarchy);
	if (is_confirmed(lab))
		return true;
	hierarchy->terms = *kept;
	survey_levels(lab, hierarchy);
	return false;
}

bool plateaus_lead(struct lab *lab)
{
	struct hierarchy *hierarchy = lab->hierarchy, *kept;
	double aparts[] = { hierarchy->far_apart, hierarchy->line, LONG_LINE };
	bool confirmed = false;

	if (lab->timer->noise != NOISE_QUIET || lab->brief || hierarchy->status != MACHINE_RAN)
		return false;
	engine_segments(lab);
	kept = hierarchy->segments.tried ? malloc(sizeof(*kept)) : NULL;
	if (kept)
		*kept = *hierarchy;
	for (int i = 0; kept && i < 3 && !confirmed; i++) {
		if (i && aparts[i] <= aparts[i - 1])
			continue;
		if (i)
			segments_take(lab, aparts[i], &hierarchy->segments);
		confirmed = (i && is_followed(lab)) || is_confirmed(lab) || leads(lab, &kept->terms);
		if (confirmed)
			break;
		segments_decide_finely(&hierarchy->segments);
		confirmed = is_followed(lab) || is_confirmed(lab);
	}
	if (kept && !confirmed)
		*hierarchy = *kept;
	hierarchy->confirmed = confirmed;
	free(kept);
	return confirmed;
}

/* A plateau more may be a level more, which lies between two others or beyond all. */
bool sets_lead(struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;

	for (int i = 0; i < hierarchy->levels; i++) {
		const struct conflicts *conflicts = engine_conflicts(lab, i);
		double size = conflicts->ways * conflicts->way, above = i ? hierarchy->level[i - 1].reach : 0;

		if (!conflicts->found || size > (1 + SAME_SIZE) * hierarchy->level[i].reach ||
		    size + above < (1 - SAME_SIZE) * hierarchy->level[i].reach)
			return false;
	}
	return hierarchy->levels > 0 && hierarchy->segments.plateaus <= hierarchy->levels + 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.c - the levels that explain the times of all walks
 */
#include <math.h>
#include <stdlib.h>

#include "survey.h"

static const double LARGEST = 64 << 20; /* bytes, unless the last level is larger */
static const double BEND = 0.04;
static const double LEAST_TERM = 0.15; /* of a load that the levels before it serve */
static const double FAR = 3.5, SMALL_RISE = 0.25;
static const double SAME_LEVEL = 1.7; /* reaches nearer than this are one level seen twice */

/* A small rise not far beyond a large one is how that one ends. */
static bool is_same_level(const struct term *term, double first, double height)
{
	return term->reach < SAME_LEVEL * first || (term->reach < FAR * first && term->height < SMALL_RISE * height);
}

/* Terms of nearly the same reach are one level whose bend is no simple one; a level's reach is then where the lines far
 * from the bend cross, which is the mean weighted by height. */
static void gather_levels(struct hierarchy *hierarchy)
{
	const struct terms *terms = &hierarchy->terms;
	double latency = hierarchy->chase;

	for (int i = 0; i < terms->count && terms->term[i].kind == TERM_CACHE;) {
		double height = 0, weighted = 0, low = 0, high = 0, first = terms->term[i].reach;
		struct level *level = &hierarchy->level[hierarchy->levels];

		if (hierarchy->levels == HIERARCHY_LEVELS)
			break;
		for (; i < terms->count && terms->term[i].kind == TERM_CACHE &&
		       is_same_level(&terms->term[i], first, height);
		     i++) {
			double from, to;

			terms_range(hierarchy->points, hierarchy->count, terms, i, &from, &to);
			height += terms->term[i].height;
			weighted += terms->term[i].height * terms->term[i].reach;
			low += terms->term[i].height * from;
			high += terms->term[i].height * to;
		}
		*level = (struct level){
			.reach = weighted / height, .low = low / height, .high = high / height, .latency = latency
		};
		latency += height;
		hierarchy->levels++;
	}
	hierarchy->memory = latency;
}

double hierarchy_step(const struct hierarchy *hierarchy, int depth)
{
	double next = depth + 1 < hierarchy->levels ? hierarchy->level[depth + 1].latency : hierarchy->memory;

	return next - hierarchy->level[depth].latency;
}

/* Beside a bend the policy, the index and the frames have their say, far from it only the law. */
static void doubt_bends(struct hierarchy *hierarchy)
{
	for (int i = 0; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];

		for (int j = 0; j < hierarchy->levels; j++) {
			double load = point->bytes / hierarchy->level[j].reach;

			if (load > 0.8)
				point->error =
					hypot(point->error, BEND * hierarchy_step(hierarchy, j) * fmin(1, 2.5 / load));
		}
	}
}

static void fit(struct hierarchy *hierarchy)
{
	hierarchy->terms = terms_fit(hierarchy->points, hierarchy->count, hierarchy->points[0].time - hierarchy->chase,
				     LEAST_TERM);
	hierarchy->levels = 0;
	gather_levels(hierarchy);
}

/* What a place takes in the nearest cache: needed to say how much of it a sparse walk covers. */
static double nearest_line(struct lab *lab, const struct hierarchy *hierarchy)
{
	char why[160];
	double line = NAN;

	if (hierarchy->levels == 0)
		return PLACE;
	engine_conflicts(lab, 0);
	line = engine_tag_line(lab, 0, why, sizeof(why));
	if (isnan(line))
		line = engine_fetch_line(lab, 0, why, sizeof(why));
	return isnan(line) ? PLACE : line;
}

static void explore(struct lab *lab, struct hierarchy *hierarchy)
{
	hierarchy->page = (double)lab->timer->machine->identity.page_bytes;
	hierarchy->most = fmin(LARGEST, (double)lab->timer->machine->memory);
	hierarchy->chase = survey_chase(lab);
	hierarchy->cycle = timing_tick(lab->timer) * lab->cycle;
	if (!survey_dense(lab, hierarchy))
		return;
	fit(hierarchy);
	hierarchy->line = nearest_line(lab, hierarchy);
	if (!survey_sparse(lab, hierarchy))
		return;
	fit(hierarchy);
	if (!survey_further(lab, hierarchy) || !survey_closer(lab, hierarchy))
		return;
	doubt_bends(hierarchy);
	fit(hierarchy);
}

const struct hierarchy *engine_hierarchy(struct lab *lab)
{
	if (!lab->hierarchy) {
		lab->hierarchy = calloc(1, sizeof(*lab->hierarchy));
		if (!lab->hierarchy)
			abort();
		explore(lab, lab->hierarchy);
	}
	return lab->hierarchy;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
	free(hierarchy);
}

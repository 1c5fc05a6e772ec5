/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.c - what the levels of a hierarchy cost
 */
#include <math.h>

#include "hierarchy.h"

static const double LEAKS = 0.04, ROOM = 4.5; /* of a step; times the reach before */

double hierarchy_step(const struct hierarchy *hierarchy, int depth)
{
	double next = depth + 1 < hierarchy->levels ? hierarchy->level[depth + 1].latency : hierarchy->memory;

	return next - hierarchy->level[depth].latency;
}

/* What the next bend, not being as the law has it, may add to this level's time: the nearer it is, the more. */
double hierarchy_leak(const struct hierarchy *hierarchy, int depth)
{
	const struct level *level = &hierarchy->level[depth];
	double step = hierarchy_step(hierarchy, depth), crowding = depth ? ROOM * level[-1].reach / level->reach : 0;

	return LEAKS * step * fmin(1, crowding * crowding);
}

double hierarchy_translation(const struct hierarchy *hierarchy, double bytes)
{
	return curve_between(hierarchy->points, hierarchy->translation, hierarchy->count, bytes);
}

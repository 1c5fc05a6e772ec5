/* SPDX-License-Identifier: MIT */
/*
 * doubts.c - points that tell less than their own scatter says
 */
#include <math.h>

#include "survey.h"

static const double BEND = 0.04; /* of what a miss costs */

/* Beside a bend the policy, the index and the frames have their say, far from it only the law. */
void doubt_bends(struct hierarchy *hierarchy, double from)
{
	for (int i = 0; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];

		for (int j = 0; j < hierarchy->levels; j++) {
			double load = point->bytes / hierarchy->level[j].reach;

			if (load > 0.8 && hierarchy->level[j].reach >= from)
				point->error =
					hypot(point->error, BEND * hierarchy_step(hierarchy, j) * fmin(1, 2.5 / load));
		}
	}
}

/* The second quickest walk over more; infinite when there are no two. */
static double quickest_beyond(const struct hierarchy *hierarchy, double bytes)
{
	double least = INFINITY, second = INFINITY;

	for (int i = 0; i < hierarchy->count; i++) {
		double time = hierarchy->points[i].time;

		if (hierarchy->points[i].bytes <= bytes)
			continue;
		second = fmin(second, fmax(least, time));
		least = fmin(least, time);
	}
	return second;
}

/* Nobody but others makes a walk slower than those over more memory: BlackjackBench's monotonicity. */
void doubt_disturbed(struct hierarchy *hierarchy)
{
	for (int i = 0; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];

		point->error = fmax(point->error, point->time - quickest_beyond(hierarchy, point->bytes));
	}
}

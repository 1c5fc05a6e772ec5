/* SPDX-License-Identifier: MIT */
/*
 * cache_levels.c - how many levels of data caches there are
 */
#include "micro.h"

static void run(struct lab *lab, const struct subject *subject)
{
	const struct hierarchy *hierarchy = explored(lab);

	(void)subject;
	if (!hierarchy)
		return;
	for (int i = 0; i < hierarchy->count; i++) {
		const struct curve_point *point = &hierarchy->points[i];

		lab_note(lab, "cycles by bytes", point->bytes, point->time, "");
	}
	for (int i = 0; i < hierarchy->count; i++)
		lab_note(lab, "cycles of translation by bytes", hierarchy->points[i].bytes, hierarchy->translation[i],
			 "");
	for (int i = 0; i < hierarchy->terms.count; i++) {
		const struct term *term = &hierarchy->terms.term[i];
		char text[64];

		snprintf(text, sizeof(text), "cache of %.4g cycles, shape %.3g", term->height, term->shape);
		lab_note(lab, text, term->reach, term->height, "");
	}
	lab_note(lab, "mean square of what the terms do not explain, in errors", NAN, hierarchy->terms.misfit, "");
	if (hierarchy->levels == 0) {
		lab_outcome(lab, UNCLEAR, "no walk was slower than another");
		return;
	}
	/* Neighbours in the caches make one level look like two, or two like one. */
	if (hierarchy->believed < HIERARCHY_ALL || lab->timer->noise != NOISE_QUIET)
		lab_measured(lab, hierarchy->levels, hierarchy->levels - 1, hierarchy->levels + 1, 0.7,
			     "resident-set law");
	else
		lab_measured(lab, hierarchy->levels, hierarchy->levels, hierarchy->levels, 0.99, "resident-set law");
}

const struct micro micro_cache_levels = {
	.name = "cache.levels",
	.what = "levels of caches that hold data",
	.unit = "count",
	.story =
		"Idea     Uniform random references over N bytes hit a level that holds R of them with R/N, whatever its\n"
		"         policy, index or prefetcher. Each level adds a term to the time. Walks that stay\n"
		"         in a page for a few references tell what translation costs, and it is taken off.\n"
		"Answer   The number of cache terms that explain the times of walks from 1 KiB up.\n"
		"Assumes  Each level is at least 15 % slower than the one before.\n"
		"Fails as blocked when memory is too small for the walks.",
	.needs = { "?cpu.frequency" },
	.run = run,
};

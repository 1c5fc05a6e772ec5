/* SPDX-License-Identifier: MIT */
/*
 * cache_levels.c - how many levels of data caches there are
 */
#include "micro.h"

static const char method_law[] = "resident-set law";
static const char method_both[] = "resident-set law, and plateaus";
static const char method_differ[] = "resident-set law; plateaus differ";

static void note_walks(struct lab *lab, const struct hierarchy *hierarchy)
{
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

		snprintf(text, sizeof(text), "cache of %.4g cycles, shape %.3g%s", term->height, term->shape,
			 term->parts > 1 ? ", lines in parts" : "");
		lab_note(lab, text, term->reach, term->height, "");
	}
	lab_note(lab, "mean square of what the terms do not explain, in errors", NAN, hierarchy->terms.misfit, "");
}

static void note_segments(struct lab *lab, const struct segments *segments)
{
	for (int i = 0; i < segments->count; i++)
		lab_note(lab, "cycles by bytes, page by page", segments->points[i].bytes, segments->points[i].time, "");
	for (int i = 0; i < segments->plateaus; i++)
		lab_note(lab, "plateau of cycles, up to bytes", segments->plateau[i].reach,
			 segments->plateau[i].latency, "");
}

/* Neighbours in the caches make one level look like two, or two like one. */
static void settle(struct lab *lab, const struct hierarchy *hierarchy)
{
	bool sure = hierarchy->believed == HIERARCHY_ALL && lab->timer->noise == NOISE_QUIET;
	const struct segments *segments = engine_segments(lab);
	/* A single plateau is no opinion: the nearest level is there, or the law had found none. */
	int levels = hierarchy->levels, others = segments->plateaus > 1 ? segments->plateaus - 1 : levels;
	double off = sure ? 0 : 1;

	if (others != levels)
		lab_measured(lab, levels, fmin(levels - off, others), fmax(levels + off, others), 0.7, method_differ);
	else if (engine_segments_agree(lab) < HIERARCHY_ALL)
		lab_measured(lab, levels, levels - off, levels + off, sure ? 0.99 : 0.7, method_law);
	else if (sure)
		lab_measured(lab, levels, levels, levels, 0.99, method_both);
	else
		/* Neighbours may take a level away from both, or, once in thirty runs, show both a share of one as
		 * another. */
		lab_measured(lab, levels, levels - 1, levels + 1, 0.8, method_both);
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct hierarchy *hierarchy = explored(lab);

	(void)subject;
	if (!hierarchy)
		return;
	note_walks(lab, hierarchy);
	if (hierarchy->levels == 0) {
		lab_outcome(lab, UNCLEAR, "no walk was slower than another");
		return;
	}
	note_segments(lab, engine_segments(lab));
	settle(lab, hierarchy);
}

const struct micro micro_cache_levels = {
	.name = "cache.levels",
	.what = "levels of caches that hold data",
	.unit = "count",
	.story =
		"Idea     Uniform random references over N bytes hit a level that holds R of them with R/N, whatever its\n"
		"         policy, index or prefetcher. Each level adds a term to the time. Walks that stay\n"
		"         in a page for a few references tell what translation costs, and it is taken off.\n"
		"Answer   The number of cache terms that explain the times of walks from 1 KiB up. A second opinion are\n"
		"         walks round all lines, page by page, whose times cluster to a plateau for each level and one for\n"
		"         memory. Where it differs, the interval holds both.\n"
		"Assumes  Each level is at least 15 % slower than the one before.\n"
		"Fails as blocked when memory is too small for the walks.",
	.needs = { "?cpu.frequency" },
	.thorough = true,
	.run = run,
};

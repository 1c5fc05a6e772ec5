/* SPDX-License-Identifier: MIT */
/*
 * survey.c - random walks over more and more memory
 *
 * Two kinds of walks over the same memory: one draws every place afresh, the other draws four that lie in one page at a
 * time (BlackjackBench's segments by pages, made random). Caches see the same references either way; a TLB is asked for
 * a new page only once in four. The difference is what translation costs, whatever the pages and TLBs are, and
 * taking it off leaves the caches alone.
 */
#include <math.h>
#include <stdio.h>

#include "survey.h"

enum { SMALLEST_PLACES = 16, ROUNDS = 7, QUIET_ROUNDS = 4 };

static const double SMALLEST = SMALLEST_PLACES * PLACE;
static const double FARTHEST = 1 << 29; /* bytes */
/* Times the last reach: where frames are large, chance has its say until all sets are full. */
static const double FURTHER[] = { [NOISE_QUIET] = 9, [NOISE_NOISY] = 5, [NOISE_HOSTILE] = 5 };
static const double BEYOND = 1 << 28; /* bytes */
/* Of the time: beside others memory itself is slower at one time than at another. */
static const double RISES[] = { [NOISE_QUIET] = 0.15, [NOISE_NOISY] = 0.35, [NOISE_HOSTILE] = 0.35 };
static const double PER_OCTAVE = 4, FINE = SURVEY_FINE; /* points, half as many beyond so many bytes */
static const double SOON_SETTLED = 2 << 20; /* bytes */

static bool add_point(struct hierarchy *hierarchy, double bytes)
{
	double unit = bytes >= SURVEY_GROUPED ? WALK_GROUPED_FROM * 2 * LONG_LINE : LONG_LINE;

	/* Noise may make a fit say anything, even that a reach is no number. */
	if (hierarchy->count == HIERARCHY_POINTS || !(bytes >= SMALLEST))
		return false;
	hierarchy->points[hierarchy->count++] = (struct curve_point){ .bytes = floor(bytes / unit) * unit };
	return true;
}

static void plan(struct hierarchy *hierarchy)
{
	double bytes = SMALLEST;

	while (bytes <= hierarchy->most * 1.001 && add_point(hierarchy, bytes))
		bytes *= exp2(1 / (bytes < FINE ? PER_OCTAVE : PER_OCTAVE / 2));
}

static bool is_slow(const struct hierarchy *hierarchy, double bytes)
{
	return bytes > hierarchy->slow_from && bytes < hierarchy->slow_to;
}

bool survey_in_a_row(const struct hierarchy *hierarchy, int index)
{
	return hierarchy->points[index].bytes >= FINE || is_slow(hierarchy, hierarchy->points[index].bytes);
}

/* Takes the walks from `first` on. Of small ones the rounds lie outside, so that what changes slowly spreads over all
 * sizes; large ones take long to begin, and are taken several times in a row. What settles slowly does so at every
 * place anew, unless it is large. */
static bool take_walks(struct lab *lab, struct hierarchy *hierarchy, int first)
{
	struct look looks[HIERARCHY_POINTS][SURVEY_ROUNDS] = { { { 0, 0 } } };
	/* Until a line is known it is about where the nearest level lies, and what it holds is asked of sets. */
	bool quiet = lab->timer->noise == NOISE_QUIET, few = quiet || hierarchy->line == 0;
	int rounds = (few ? QUIET_ROUNDS : ROUNDS) / (lab->brief ? 2 : 1);

	for (int round = 0; round < rounds; round++)
		for (int i = first; i < hierarchy->count; i++)
			if (!survey_in_a_row(hierarchy, i) && !survey_look(lab, hierarchy, i, round, &looks[i][round]))
				return false;
	for (int i = first; i < hierarchy->count; i++) {
		double bytes = hierarchy->points[i].bytes;
		bool slow = is_slow(hierarchy, bytes), anew = slow && bytes < SOON_SETTLED;

		for (int round = 0; round < rounds && survey_in_a_row(hierarchy, i); round++) {
			if (anew || (slow && round == 0))
				survey_settle(lab, hierarchy, &hierarchy->points[i], round);
			if (!survey_look(lab, hierarchy, i, anew ? round : 0, &looks[i][round]))
				return false;
		}
	}
	if (quiet && !lab->brief)
		return luck_conclude(lab, hierarchy, first, looks, rounds);
	for (int i = first; i < hierarchy->count; i++)
		survey_conclude(lab, hierarchy, i, looks[i], rounds);
	return true;
}

bool survey_look_at(struct lab *lab, struct hierarchy *hierarchy, double bytes, struct look *looks, int count)
{
	int kept = hierarchy->count;
	bool ran = add_point(hierarchy, bytes);

	for (int i = 0; i < count && ran; i++)
		ran = survey_look(lab, hierarchy, kept, 0, &looks[i]);
	hierarchy->count = kept;
	return ran;
}

/* What a step takes more or less when places come in groups: seen where translation costs nothing yet. */
bool survey_compare_drawing(struct lab *lab, struct hierarchy *hierarchy)
{
	struct look looks[ROUNDS];
	double off[ROUNDS];

	if (!survey_look_at(lab, hierarchy, SURVEY_GROUPED, looks, ROUNDS))
		return false;
	for (int i = 0; i < ROUNDS; i++)
		off[i] = looks[i].dense - looks[i].grouped;
	hierarchy->drawing = stat_median(off, ROUNDS);
	return true;
}

bool survey_all(struct lab *lab, struct hierarchy *hierarchy)
{
	hierarchy->count = 0;
	if (!survey_compare_drawing(lab, hierarchy))
		return false;
	plan(hierarchy);
	return take_walks(lab, hierarchy, 0);
}

/* Whether a walk as large as any is clearly slower than the largest so far. */
static bool rises_beyond(struct lab *lab, struct hierarchy *hierarchy, double farthest, bool *rises)
{
	int last = hierarchy->count - 1;

	if (hierarchy->most * 2 > farthest || !add_point(hierarchy, farthest))
		return true;
	if (!take_walks(lab, hierarchy, last + 1))
		return false;
	*rises = hierarchy->points[last + 1].time > (1 + RISES[lab->timer->noise]) * hierarchy->points[last].time;
	/* A point so far out, alone, tells nothing about where it rises. */
	hierarchy->count = last + 1;
	return true;
}

/* A last level that is large needs walks much larger than it, and may be larger than all walks so far. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy)
{
	int far = hierarchy->levels - 1, depth = lab->brief && far > 1 ? 1 : far, first = hierarchy->count;
	double last = depth >= 0 ? hierarchy->level[depth].reach : 0;
	double memory = (double)lab->timer->machine->memory, farthest = fmin(FARTHEST, memory),
	       wanted = fmin(FURTHER[lab->timer->noise] * last, farthest);
	bool rises = false;

	if (wanted <= hierarchy->most && !lab->brief && !rises_beyond(lab, hierarchy, fmin(BEYOND, memory), &rises))
		return false;
	if (rises)
		wanted = farthest;
	while (hierarchy->most * M_SQRT2 <= wanted) {
		if (!add_point(hierarchy, hierarchy->most * M_SQRT2))
			break;
		hierarchy->most = hierarchy->points[hierarchy->count - 1].bytes;
	}
	return take_walks(lab, hierarchy, first);
}

bool survey_closer(struct lab *lab, struct hierarchy *hierarchy)
{
	static const double about[] = { 0.7, 0.8, 0.88, 0.95, 1.03, 1.12, 1.22, 1.34, 1.5, 1.7, 2 };
	int first = hierarchy->count;

	for (int i = 0; i < hierarchy->terms.count; i++) {
		const struct term *term = &hierarchy->terms.term[i];

		for (size_t j = 0; j < sizeof(about) / sizeof(about[0]); j++)
			if (term->reach * about[j] > hierarchy->most || !add_point(hierarchy, term->reach * about[j]))
				break;
	}
	return take_walks(lab, hierarchy, first);
}

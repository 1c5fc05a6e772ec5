/* SPDX-License-Identifier: MIT */
/*
 * explore.c - the levels that explain the times of all walks
 */
#include <math.h>
#include <stdlib.h>

#include "survey.h"

enum { SHORTEST_LINE = 16, MOST_PARTS = 4, SMALLEST = 3 /* walks */ };

/* Mean squares of what a fit leaves, in errors. Quiet machines show what the law itself does not explain. */
static const double BENT[] = { [NOISE_QUIET] = 0.45, [NOISE_NOISY] = 6, [NOISE_HOSTILE] = 6 }, BENT_BUT_SEEN = 0.8;
static const double LARGEST = 64 << 20, NEAR = 16 << 20; /* bytes, unless the last level, or the second, is larger */
static const double FIRST = 1 << 20,
		    SMALL = 128 << 10; /* bytes that show the nearest level; of a small walk until then */
static const double WAVERING = 0.15; /* of the walks that were repeated */
static const double BETTER = 0.7, SAME_REACH = 0.5; /* logarithm */
static const double BEYOND_FIRST = 1.5, NEARER = 0.7; /* times its reach; of the first walks' */
/* Of a load that the levels before it serve, by the noise: less may be the noise itself. */
static const double LEAST_TERM[] = { [NOISE_QUIET] = 0.15, [NOISE_NOISY] = 0.4, [NOISE_HOSTILE] = 0.5 };
static const double FAR = 3.5, SMALL_RISE = 0.25;
static const double FEW_WAYS = 8, SURE = 1.4; /* between the ends of a range */
static const double SOFTEST = 6, SOFTEST_SEEN = 4; /* lines of a set: fewer may be two levels; with one plateau seen */
static const double ONE_PLACE = 8 << 20; /* bytes: such walks are taken in one place alone, on few large frames */
static const double SOFT_HEIGHT = 0.06; /* of a step: where few ways end a level, its reach and its step look alike */
static const double STANDS_OUT = 2; /* times the latency */
static const double SAME_LEVEL = 1.9; /* reaches nearer than this are one level seen twice */
static const double APART = 1.3; /* and yet may be two, where the rises are alike */

/* A small rise not far beyond a large one is how that one ends. */
static bool is_same_level(const struct term *term, double first, double height)
{
	return term->reach < SAME_LEVEL * first || (term->reach < FAR * first && term->height < SMALL_RISE * height);
}

/* Terms of nearly the same reach are one level whose bend is no simple one; a level's reach is then where the lines far
 * from the bend cross, which is the mean weighted by height. */
void survey_levels(const struct lab *lab, struct hierarchy *hierarchy)
{
	const struct terms *terms = &hierarchy->terms;
	double latency = hierarchy->chase, error = 0, soft = 0;
	bool quiet = lab->timer->noise == NOISE_QUIET;

	hierarchy->levels = 0;
	for (int i = 0; i < terms->count;) {
		double height = 0, weighted = 0, low = 0, high = 0, first = terms->term[i].reach;
		struct level *level = &hierarchy->level[hierarchy->levels];
		double shape = INFINITY;
		bool merged = false;

		if (hierarchy->levels == HIERARCHY_LEVELS)
			break;
		for (; i < terms->count && is_same_level(&terms->term[i], first, height); i++) {
			double from, to;

			terms_range(hierarchy->points, hierarchy->count, terms, i, &from, &to);
			shape = fmin(shape, terms->term[i].shape);
			merged = merged ||
				 (terms->term[i].reach > APART * first && terms->term[i].height > SMALL_RISE * height);
			height += terms->term[i].height;
			weighted += terms->term[i].height * terms->term[i].reach;
			low += terms->term[i].height * from;
			high += terms->term[i].height * to;
		}
		*level = (struct level){ .reach = weighted / height,
					 .low = low / height,
					 .high = high / height,
					 .latency = latency,
					 .latency_error = error,
					 .shape = shape,
					 .merged = merged };
		latency += height;
		soft = hypot(soft, quiet && shape < SOFTEST_SEEN ? SOFT_HEIGHT * height : 0);
		error = hypot(soft, terms_height_error(hierarchy->points, hierarchy->count, terms, i - 1));
		hierarchy->levels++;
	}
	hierarchy->memory = latency;
	hierarchy->memory_error = error;
}

static void fit(const struct lab *lab, struct hierarchy *hierarchy)
{
	if (lab->timer->noise != NOISE_QUIET)
		doubt_disturbed(hierarchy);
	hierarchy->terms = terms_fit(hierarchy->points, hierarchy->count, hierarchy->chase,
				     LEAST_TERM[lab->timer->noise], lab->timer->noise == NOISE_QUIET ? MOST_PARTS : 1);
	survey_levels(lab, hierarchy);
}

static double smallest_time(const struct hierarchy *hierarchy)
{
	double times[SMALLEST];
	int n = 0;

	while (n < hierarchy->count && n < SMALLEST) {
		times[n] = hierarchy->points[n].time;
		n++;
	}
	return stat_median(times, n);
}

/* Enough memory to see the nearest level: its reach, and the line that a place takes. Small walks have their places a
 * long line apart: the index is plain there, and a line that is fetched in parts would bend the law. */
static bool survey_first(struct lab *lab, struct hierarchy *hierarchy, double most)
{
	hierarchy->most = fmin(most, FIRST);
	hierarchy->apart = LONG_LINE;
	hierarchy->far_apart = PLACE;
	hierarchy->small = SMALL;
	if (!survey_all(lab, hierarchy))
		return false;
	fit(lab, hierarchy);
	for (int apart = LONG_LINE / 4; apart >= SHORTEST_LINE; apart /= 4) {
		if (!lines_want_nearer(lab, apart))
			continue;
		hierarchy->apart = apart;
		if (!survey_all(lab, hierarchy))
			return false;
		fit(lab, hierarchy);
	}
	if (lab->timer->noise != NOISE_QUIET)
		hierarchy->floor = smallest_time(hierarchy);
	hierarchy->line = lines_nearest(lab);
	if (hierarchy->levels)
		hierarchy->small = fmin(SMALL, BEYOND_FIRST * hierarchy->level[0].reach);
	return true;
}

/* All levels, with places so far apart beyond the nearest. */
static bool survey(struct lab *lab, struct hierarchy *hierarchy, double most, double apart)
{
	hierarchy->most = most;
	hierarchy->far_apart = apart;
	if (hierarchy->group == WALK_GROUP && !together_choose(lab, hierarchy))
		return false;
	do {
		if (!survey_all(lab, hierarchy))
			return false;
		fit(lab, hierarchy);
	} while (survey_settles_slowly(lab, hierarchy));
	if (!survey_further(lab, hierarchy) || !survey_closer(lab, hierarchy) || !luck_elsewhere(lab, hierarchy))
		return false;
	fit(lab, hierarchy);
	doubt_bends(hierarchy, hierarchy->terms.misfit > BENT[NOISE_QUIET] ? 0 : ONE_PLACE);
	fit(lab, hierarchy);
	return true;
}

/* Places too far apart fill a level of hashed sets only in part, and it seems larger than it is. */
static bool is_same_hierarchy(const struct hierarchy *one, const struct hierarchy *other)
{
	for (int i = 0; i < one->levels && i < other->levels; i++)
		if (fabs(log(one->level[i].reach / other->level[i].reach)) > SAME_REACH)
			return false;
	return one->levels == other->levels;
}

/* Walks that neither follow the law nor take as long each time: not all neighbours were there during the audit. */
static bool wavers(const struct hierarchy *hierarchy)
{
	return hierarchy->believed == 0 && hierarchy->wavering > WAVERING * hierarchy->repeated;
}

/* A level nearer than all that the first walks showed, and its lines are shorter than places lie apart in them. Beside
 * others sets tell what the nearest level holds. */
static bool has_nearer(struct lab *lab, const struct hierarchy *hierarchy)
{
	return lab->timer->noise == NOISE_QUIET && hierarchy->levels &&
	       BEYOND_FIRST * hierarchy->level[0].reach < NEARER * hierarchy->small && hierarchy->apart > PLACE &&
	       lines_want_nearer(lab, PLACE);
}

/* Places as near as lines, or nearer, fill every level, whatever its index. But lines that are fetched in parts bend
 * the law then; places a long line apart set that right. False when neither follows the law, and no plateaus agree. */
static bool survey_lines(struct lab *lab, struct hierarchy *hierarchy, double most)
{
	double limit = BENT[lab->timer->noise];
	struct hierarchy *other;

	if (!survey(lab, hierarchy, most, fmin(hierarchy->line, hierarchy->apart)))
		return false;
	if (has_nearer(lab, hierarchy)) {
		hierarchy->apart = fmin(hierarchy->apart, PLACE);
		hierarchy->line = lines_nearest(lab);
		if (!survey(lab, hierarchy, most, fmin(hierarchy->line, hierarchy->apart)))
			return false;
	}
	/* Where it seemed quiet and is not, all of it begins anew. */
	if (hierarchy->terms.misfit > BENT_BUT_SEEN && wavers(hierarchy) && lab->timer->noise == NOISE_QUIET)
		return false;
	other = hierarchy->terms.misfit > limit && !(lab->brief && wavers(hierarchy)) ? malloc(sizeof(*other)) : NULL;
	if (other)
		*other = *hierarchy;
	if (other && survey(lab, other, most, LONG_LINE) && other->terms.misfit < BETTER * hierarchy->terms.misfit &&
	    is_same_hierarchy(hierarchy, other))
		*hierarchy = *other;
	free(other);
	return hierarchy->terms.misfit <= limit ||
	       (hierarchy->terms.misfit <= BENT_BUT_SEEN && engine_segments_agree(lab) == HIERARCHY_ALL &&
		engine_segments_see_memory(lab));
}

/* Loud neighbours leave no plateau of a last level that others use, too. One so far from the next and from memory is
 * none of theirs. */
static bool misses_only_last(const struct hierarchy *hierarchy, int agreed)
{
	int last = hierarchy->levels - 1;
	const struct level *level = &hierarchy->level[last];

	return last > 0 && agreed == last && hierarchy->segments.plateaus == hierarchy->levels &&
	       level->latency > STANDS_OUT * level[-1].latency && hierarchy->memory > STANDS_OUT * level->latency;
}

/* Few ways end as gradually as two levels that lie close together, but only they explain scattered blocks, too, and
 * show one plateau. Neighbours make every bend soft, which has its margin, and loud ones show levels of their own. */
static int levels_believed(struct lab *lab, const struct hierarchy *hierarchy)
{
	bool quiet = lab->timer->noise == NOISE_QUIET;
	bool seen = lab->timer->noise != NOISE_NOISY && engine_segments(lab)->plateaus > 1;
	int believed = seen ? engine_segments_agree(lab) : HIERARCHY_ALL;

	if (lab->timer->noise == NOISE_HOSTILE && misses_only_last(hierarchy, believed))
		believed = HIERARCHY_ALL;
	if (quiet && believed < HIERARCHY_ALL && sets_lead(lab))
		return HIERARCHY_ALL;
	for (int i = 0; i < hierarchy->levels && i < believed && quiet; i++) {
		const struct scattered *scattered;

		if (hierarchy->level[i].shape > (seen ? SOFTEST_SEEN : SOFTEST) || engine_conflicts(lab, i)->found)
			continue;
		scattered = engine_scatter(lab, i);
		if (scattered->ways <= 0 || scattered->high > fmin(FEW_WAYS, SURE * scattered->low))
			return i;
	}
	return believed;
}

static void explore(struct lab *lab, bool shallow)
{
	struct hierarchy *hierarchy = lab->hierarchy;
	double most = fmin(lab->brief ? NEAR : LARGEST, (double)lab->timer->machine->memory);

	if (lab->timer->noise != NOISE_QUIET)
		timing_learn_load(lab->timer, lab->cycle);
	*hierarchy = (struct hierarchy){ .shallow = shallow,
					 .group = WALK_GROUP,
					 .page = (double)lab->timer->machine->identity.page_bytes,
					 .chase = engine_chase(lab),
					 .cycle = engine_cycle(lab) };
	if (survey_first(lab, hierarchy, most) && shallow)
		hierarchy->believed = hierarchy->terms.misfit <= BENT[lab->timer->noise] ? HIERARCHY_ALL : 0;
	else if (hierarchy->status == MACHINE_RAN && survey_lines(lab, hierarchy, most)) {
		apart_tell_second(lab, hierarchy);
		hierarchy->believed = levels_believed(lab, hierarchy);
	}
	if (!shallow && hierarchy->believed < HIERARCHY_ALL && !wavers(hierarchy) && plateaus_lead(lab))
		hierarchy->believed = HIERARCHY_ALL;
	hierarchy->cycle = fmin(hierarchy->cycle, engine_cycle(lab));
}

static const struct hierarchy *explored_once(struct lab *lab, bool shallow)
{
	free(lab->hierarchy);
	lab->hierarchy = malloc(sizeof(*lab->hierarchy));
	if (!lab->hierarchy)
		abort();
	/* The audit does not see who shares a cache. */
	if (!shallow && lab->timer->noise == NOISE_QUIET && engine_others_in_caches(lab))
		timer_doubt(lab->timer);
	explore(lab, shallow);
	/* Without levels it was a moment in which everything was disturbed. */
	if (lab->hierarchy->status == MACHINE_RAN && !timer_over(lab->timer) &&
	    (lab->hierarchy->levels == 0 || (wavers(lab->hierarchy) && timer_doubt(lab->timer))))
		explore(lab, shallow);
	return lab->hierarchy;
}

const struct hierarchy *engine_hierarchy(struct lab *lab)
{
	return lab->hierarchy && !lab->hierarchy->shallow ? lab->hierarchy : explored_once(lab, false);
}

const struct hierarchy *engine_nearest(struct lab *lab)
{
	return lab->hierarchy ? lab->hierarchy : explored_once(lab, true);
}

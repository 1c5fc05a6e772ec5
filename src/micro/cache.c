/* SPDX-License-Identifier: MIT */
/*
 * cache.c - what the micro-benchmarks of caches share
 */
#include "micro.h"

static const double OWN = 0.7, UNFELT = 0.03; /* of the reach; of what a miss costs */
/* Relative, by the noise: what neighbours in the caches do to all walks alike. */
static const double TAKEN = 0.5; /* on a Zen 4 guest the third level's reach was 3.0 to 10.5 MB from run to run */
/* Of the walks that were repeated: 0.32 to 0.6 differed beside simulated neighbours, 0 to 0.21 without. */
static const double DIFFERS = 0.28;
/* Of a level told apart: what may come of other causes, and, by the noise, what a neighbour on the core may hold: as
 * much as we do, where he is there most of the time. */
static const double OTHERS_LEFT = 0.1, OTHERS_TOOK[] = { [NOISE_NOISY] = 0.2, [NOISE_HOSTILE] = 1.1 };
static const double LAW[] = { [NOISE_QUIET] = 0.04, [NOISE_NOISY] = 0.06, [NOISE_HOSTILE] = 0.25 };

/* Lines of a set, by the level's end, and times: where few ways end it, one way that holds more looks like two that
 * hold less, and parts of lines that come one by one like lines of half the room. */
static const double SOFT = 4, SOFT_LESS = 0.85, SOFT_MORE = 2;

/* What a quiet machine's walks leave unexplained, in errors, and what a reach may be off by for each one more. */
static const double EXPLAINED = 0.3, PER_UNEXPLAINED = 0.5;
/* Times what of groups was fetched ahead: as much of pairs where it runs on over half a small page (1.9 where it was 2
 * KiB, 0 where it was 0.75). */
static const double OF_PAIRS = 2;
static const double CONFIRMED = 0.35; /* relative: plateaus that end and take as the law says leave no more */

bool cache_instance(int index, struct subject *subject)
{
	static const char *const names[] = { "l1d", "l2", "l3", "l4", "l5" };

	if (index >= (int)(sizeof(names) / sizeof(names[0])))
		return false;
	subject->level = names[index];
	subject->depth = index;
	return true;
}

/* The nearest level is seen in a fraction of the time that all of them take. */
static const struct hierarchy *explored_to(struct lab *lab, int depth)
{
	const struct hierarchy *hierarchy;

	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return NULL;
	}
	hierarchy = depth == 0 ? engine_nearest(lab) : engine_hierarchy(lab);
	if (hierarchy->status == MACHINE_RAN)
		return hierarchy;
	lab_outcome(lab, hierarchy->status == MACHINE_FAULT ? FAILED : BLOCKED, hierarchy->why);
	return NULL;
}

const struct hierarchy *explored(struct lab *lab)
{
	return explored_to(lab, HIERARCHY_ALL);
}

const struct hierarchy *explored_memory(struct lab *lab)
{
	const struct hierarchy *hierarchy = explored(lab);

	if (!hierarchy || hierarchy->levels > 0)
		return hierarchy;
	lab_outcome(lab, UNCLEAR, "no walk was slower than another: memory may be beyond all of them");
	return NULL;
}

/* Levels that only times speak for which do not follow the law: what comes after them may be one level nearer. */
static bool is_counted_right(struct lab *lab, int depth)
{
	for (int i = lab->hierarchy->believed; i < depth; i++)
		if (!engine_conflicts(lab, i)->found)
			return false;
	return true;
}

const struct level *cache_level(struct lab *lab, const struct subject *subject)
{
	const struct hierarchy *hierarchy = explored_to(lab, subject->depth);

	if (!hierarchy)
		return NULL;
	if (subject->depth < hierarchy->levels && !is_counted_right(lab, subject->depth)) {
		lab_outcome(lab, UNCLEAR, "a level nearer than it may be none: the times there do not follow the law");
		return NULL;
	}
	if (subject->depth < hierarchy->levels)
		return &hierarchy->level[subject->depth];
	if (subject->depth == hierarchy->levels &&
	    (hierarchy->believed < HIERARCHY_ALL || lab->timer->noise != NOISE_QUIET))
		lab_outcome(lab, UNCLEAR, "no such level was seen, but the noise may hide one");
	lab_outcome(lab, ABSENT, "there is no such level");
	return NULL;
}

const struct level *cache_room(struct lab *lab, const struct subject *subject)
{
	/* Without sets the nearest level is what the walks say, and more of them may say something else. */
	if (subject->depth == 0 && explored_to(lab, 0) && lab->hierarchy->levels && !engine_conflicts(lab, 0)->found)
		explored(lab);
	return cache_level(lab, subject);
}

bool cache_is_bent(struct lab *lab, int depth)
{
	bool bent = depth >= lab->hierarchy->believed;

	if (bent)
		lab_outcome(
			lab, UNCLEAR,
			"the times do not follow the law: lines come in parts or ahead of time, or others use the cache");
	return bent;
}

/* Neighbours that share a further level are in its sets as long as they are there. */
double cache_miscount(const struct lab *lab, int depth)
{
	return lab->timer->noise == NOISE_HOSTILE ? 2 : depth && lab->timer->noise == NOISE_NOISY ? 1 : 0;
}

double cache_hidden(const struct lab *lab, int depth)
{
	const struct level *level = &lab->hierarchy->level[depth];

	/* A hot line tells in the second level, where it is quiet. Further out the reach alone does, and not for
	 * certain. */
	if (depth == 0 ||
	    (depth == 1 && level[-1].conflicts.found && !level->conflicts.compact && !level->conflicts.open))
		return 0;
	if (depth == 1 && level[-1].conflicts.found)
		return round(level[-1].conflicts.held / level->conflicts.columns);
	return fmin(ceil(level->conflicts.ways * level[-1].reach / level->reach), level->conflicts.ways - 1);
}

double cache_foreseen(const struct lab *lab)
{
	return OF_PAIRS * lab->hierarchy->foreseen;
}

double cache_margin(const struct lab *lab)
{
	double unexplained = sqrt(lab->hierarchy->terms.misfit) - EXPLAINED;
	double margin = lab->timer->noise == NOISE_QUIET && unexplained > 0 ? PER_UNEXPLAINED * unexplained : 0;

	return LAW[lab->timer->noise] + (lab->hierarchy->confirmed ? fmin(margin, CONFIRMED) : margin) +
	       cache_foreseen(lab);
}

/* The largest walk that hardly felt the end of the level. Two levels that noise makes one begin to end where the nearer
 * one does. */
static double unfelt(const struct hierarchy *hierarchy, int depth)
{
	const struct level *level = &hierarchy->level[depth];
	struct terms above = { .base = hierarchy->terms.base };
	double largest = 0;

	for (int i = 0; i < hierarchy->terms.count && hierarchy->terms.term[i].reach < OWN * level->reach; i++)
		above.term[above.count++] = hierarchy->terms.term[i];
	for (int i = 0; i < hierarchy->count; i++) {
		const struct curve_point *point = &hierarchy->points[i];

		if (point->time - terms_at(&above, point->bytes) < UNFELT * hierarchy_step(hierarchy, depth))
			largest = fmax(largest, point->bytes);
	}
	return largest;
}

/* A core that is quiet may have neighbours in its last level all the same: large walks then take now longer, now less.
 */
static bool is_shared(const struct lab *lab)
{
	const struct hierarchy *hierarchy = lab->hierarchy;

	return lab->timer->noise != NOISE_QUIET || hierarchy->wavering > DIFFERS * hierarchy->repeated;
}

bool cache_is_soft(const struct level *level)
{
	return level->shape < SOFT;
}

void cache_range(const struct lab *lab, int depth, double *low, double *high)
{
	const struct level *level = &lab->hierarchy->level[depth];

	if (level->told_apart) {
		*low = level->low * (1 - OTHERS_LEFT);
		*high = level->high * (1 + OTHERS_TOOK[lab->timer->noise]);
		return;
	}
	*low = level->low;
	if (lab->timer->noise != NOISE_QUIET && depth)
		*low = fmin(*low, unfelt(lab->hierarchy, depth));
	*low *= 1 - cache_margin(lab);
	*high = level->high * (1 + cache_margin(lab));
	if (lab->timer->noise == NOISE_QUIET && cache_is_soft(level)) {
		*low *= SOFT_LESS;
		*high *= SOFT_MORE;
	}
	/* Others share the last level, and take part of it: next time it may be less, or more. */
	if (is_shared(lab) && depth + 1 == lab->hierarchy->levels) {
		*low *= 1 - TAKEN;
		*high *= 1 + TAKEN;
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * scatter.c - ways of a level from blocks that lie scattered over much more memory than it holds
 *
 * How many of their lines fall into a set is then left to chance, whatever the index and the frames are, and some sets
 * get too many before the level is full: the fewer ways, the earlier. Random references tell how many lines are held,
 * for every policy. So the rise of the time about the reach has a shape that only the number of ways decides. The
 * number of sets must be one that caches have, which leaves few numbers of ways to choose from.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../curve/ways.h"
#include "hierarchy.h"

enum {
	BLOCK = 512, /* bytes: pairs of long lines, so that what fetches a line's neighbour fetches one of ours */
	LOOKS = 6,
	FEWEST_LOOKS = 3,
	MOST_LOOKS = 24, /* at a small level, where few blocks leave much to chance */
	FEW_LAPS = 3,
	MANY_LAPS = 40, /* a policy that throws out as chance will takes so long to get rid of lines of before */
	MOST_BURSTS = 24
};

static const double loads[] = { 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2.1 };
enum { SIGHTS = sizeof(loads) / sizeof(loads[0]) };

static const double SPREAD = 8, LEAST_SPREAD = 4; /* times the reach */
static const double ERROR_FLOOR = 0.001; /* of a time */
static const double TRANSLATION_OFF = 0.03, JAGGED = 0.5; /* of what is taken off for it; of how uneven that is */
static const double MANY = 1 << 20; /* bytes of a level that the usual number of looks is for */
static const double FULL = 0.95; /* of the reach: where what is not settled shows most */
static const double SETTLED = 0.015; /* of what a miss costs */
static const double LONGEST = 1e6; /* steps of one walk that are not timed */
static const double REACH_OFF = 0.012; /* relative */
static const double SHAPE_OFF = 0.1; /* of the ways */
static const double RANGE = 0.25; /* of a reach's interval that counts as an error */

struct scatter {
	struct lab *lab;
	const struct hierarchy *hierarchy;
	int depth, bits;
	long laps;
	double spread; /* bytes the blocks are scattered over */
	struct ways_sight sights[SIGHTS];
};

/* Bytes between the places of a block: no line of the level is shorter. */
static double apart_in(const struct scatter *scatter)
{
	return fmax(8, fmin(PLACE, scatter->hierarchy->line));
}

/* Places may be nearer than lines: then a lap is several of those. */
static long laps_of(const struct scatter *scatter, long laps)
{
	return (long)fmax(1, (double)laps * apart_in(scatter) / PLACE);
}

static struct walk walk_over(const struct scatter *scatter, long blocks, int bits, uint64_t chance)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .laps = scatter->laps };
	double apart = apart_in(scatter);

	walk.grid.stride[0] = BLOCK;
	walk.grid.count[0] = blocks;
	walk.grid.stride[1] = (uint64_t)apart;
	walk.grid.count[1] = (long)(BLOCK / apart);
	walk.grid.scattered = bits;
	walk.grid.chance = chance;
	return walk;
}

/* Of small pages some are touched, of large ones all. */
static void translate(const struct scatter *scatter, struct ways_sight *sight)
{
	double page = fmax(BLOCK, scatter->hierarchy->page),
	       untouched = pow(1 - sight->bytes / scatter->spread, page / BLOCK);

	sight->translation[0] = hierarchy_translation(scatter->hierarchy, scatter->spread * (1 - untouched));
	sight->translation[1] = hierarchy_translation(scatter->hierarchy, scatter->spread);
}

/* Chooses the laps after which sets hold what they will. False when that takes too long. */
static bool settle(struct scatter *scatter)
{
	const struct hierarchy *hierarchy = scatter->hierarchy;
	double reach = hierarchy->level[scatter->depth].reach, soon, late, longest;
	struct walk walk;
	long bursts;

	scatter->laps = laps_of(scatter, FEW_LAPS);
	walk = walk_over(scatter, (long)fmax(1, round(FULL * reach / BLOCK)), scatter->bits, 1);
	bursts = (laps_of(scatter, MANY_LAPS) - scatter->laps) * walk_length(&walk) / ENGINE_WALK_STEPS;
	soon = engine_walk(scatter->lab, &walk, 1);
	for (long i = 0; i < bursts && i < MOST_BURSTS; i++)
		engine_walk(scatter->lab, &walk, 1);
	late = engine_walk(scatter->lab, &walk, 1);
	lab_note(scatter->lab, "cycles less after many laps", FULL * reach, soon - late, "");
	if (soon - late < SETTLED * hierarchy_step(hierarchy, scatter->depth))
		return true;
	scatter->laps = laps_of(scatter, MANY_LAPS);
	longest = loads[SIGHTS - 1] / FULL * (double)walk_length(&walk) * (double)scatter->laps;
	return longest < LONGEST;
}

/* It was measured where caches were, too: where it goes up and down from sight to sight, that is noise. */
static double translation_error(const struct scatter *scatter, int index)
{
	const struct ways_sight *here = &scatter->sights[index];
	double between = index > 0 && index + 1 < SIGHTS ? (here[-1].translation[0] + here[1].translation[0]) / 2
							 : here->translation[0];

	return TRANSLATION_OFF * here->translation[0] + JAGGED * fabs(here->translation[0] - between);
}

/* Few looks say little of their scatter, so that of all sights counts as much as their own. */
static void conclude(struct scatter *scatter, const double *times, int looks, double base)
{
	double squares[SIGHTS] = { 0 }, all = 0;

	for (int i = 0; i < SIGHTS; i++) {
		double mean = 0;

		for (int look = 0; look < looks; look++)
			mean += times[i * MOST_LOOKS + look] / looks;
		for (int look = 0; look < looks; look++)
			squares[i] += pow(times[i * MOST_LOOKS + look] - mean, 2) / (looks - 1) / looks;
		all += squares[i] / SIGHTS;
		scatter->sights[i].time = mean - base;
	}
	for (int i = 0; i < SIGHTS; i++)
		translate(scatter, &scatter->sights[i]);
	for (int i = 0; i < SIGHTS; i++) {
		struct ways_sight *sight = &scatter->sights[i];

		sight->error = hypot(sqrt((squares[i] + all) / 2),
				     ERROR_FLOOR * (sight->time + base) + translation_error(scatter, i));
		lab_note(scatter->lab, "cycles of blocks scattered, by bytes", sight->bytes, sight->time, "");
	}
}

static bool look_at(struct scatter *scatter)
{
	struct lab *lab = scatter->lab;
	double reach = scatter->hierarchy->level[scatter->depth].reach, times[SIGHTS][MOST_LOOKS];
	int looks = (int)fmin(MOST_LOOKS, fmax(FEWEST_LOOKS, LOOKS * sqrt(MANY / reach)));
	struct walk few = walk_over(scatter, 2, 1, 0);
	double base = engine_walk(lab, &few, 2 * LOOKS);
	uint64_t chance = 0x2545f4914f6cdd1du;

	for (int look = 0; look < looks; look++)
		for (int i = 0; i < SIGHTS; i++) {
			long blocks = (long)fmax(1, round(loads[i] * reach / BLOCK));
			struct walk walk = walk_over(scatter, blocks, scatter->bits, chance);

			scatter->sights[i].bytes = (double)blocks * BLOCK;
			times[i][look] = engine_walk(lab, &walk, 1);
			if (isnan(times[i][look]) || timer_over(lab->timer))
				return false;
			chance = chance * 6364136223846793005u + 1442695040888963407u;
		}
	conclude(scatter, &times[0][0], looks, base);
	return true;
}

static struct ways_answer decide(const struct scatter *scatter)
{
	const struct hierarchy *hierarchy = scatter->hierarchy;
	const struct level *asked = &hierarchy->level[scatter->depth];
	double range = (asked->high - asked->low) / asked->reach;
	struct ways_question question = { .sights = scatter->sights,
					  .count = SIGHTS,
					  .spread = scatter->spread,
					  .depth = scatter->depth,
					  .latency = asked->latency,
					  .reach_off = hypot(REACH_OFF, RANGE * range) };

	for (int i = 0; i < hierarchy->levels && i <= scatter->depth + 1; i++) {
		const struct level *level = &hierarchy->level[i];

		question.levels[question.level_count++] =
			(struct ways_level){ .reach = level->reach,
					     .ways = level->conflicts.found ? level->conflicts.ways
									    : level->scattered.ways,
					     .step = hierarchy_step(hierarchy, i) };
	}
	return ways_decide(&question);
}

static struct ways_answer scatter_over(struct lab *lab, int depth)
{
	struct scatter *scatter = calloc(1, sizeof(*scatter));
	struct ways_answer answer = { .ways = 0 };
	double reach = lab->hierarchy->level[depth].reach;

	if (!scatter)
		return answer;
	*scatter = (struct scatter){ .lab = lab, .hierarchy = lab->hierarchy, .depth = depth, .bits = 1 };
	while (ldexp(BLOCK, scatter->bits) < SPREAD * reach &&
	       ldexp(BLOCK, scatter->bits + 1) <= (double)lab->timer->machine->memory)
		scatter->bits++;
	scatter->spread = ldexp(BLOCK, scatter->bits);
	if (scatter->spread >= LEAST_SPREAD * reach && settle(scatter) && look_at(scatter))
		answer = decide(scatter);
	free(scatter);
	return answer;
}

const struct scattered *engine_scatter(struct lab *lab, int depth)
{
	struct scattered *scattered = &lab->hierarchy->level[depth].scattered;
	struct ways_answer answer;

	if (scattered->tried)
		return scattered;
	scattered->tried = true;
	answer = scatter_over(lab, depth);
	for (int ways = 1; ways <= WAYS_MOST && answer.ways > 0; ways++)
		if (isfinite(answer.squares[ways]))
			lab_note(lab, "squares left with so many ways", ways, answer.squares[ways], "");
	*scattered = (struct scattered){ .tried = true,
					 .odd = answer.unexplained > WAYS_UNEXPLAINED,
					 .ways = answer.ways,
					 .low = answer.low,
					 .high = answer.high,
					 .size = answer.size,
					 .size_low = answer.size_low,
					 .size_high = answer.size_high };
	return scattered;
}

void engine_scatter_check(struct lab *lab, int depth, double *low, double *high)
{
	const struct scattered *scattered = engine_scatter(lab, depth);
	struct conflicts *conflicts = &lab->hierarchy->level[depth].conflicts;

	if (scattered->ways <= 0)
		return;
	if (scattered->low > *high || scattered->high < *low) {
		conflicts->found = false;
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "%.0f places compete for a set, and scattered ones as if there were %.0f to %.0f ways",
			 *high + 1, scattered->low, scattered->high);
		return;
	}
	/* Places of a set were seen; the shape of a bend is not as exact as that. */
	*low = fmax(*low, floor((1 - SHAPE_OFF) * scattered->low));
	*high = fmin(*high, ceil((1 + SHAPE_OFF) * scattered->high));
}

/* SPDX-License-Identifier: MIT */
/*
 * scatter.c - the nearest cache of code where frames lie as chance will: its walks, and its sets
 *
 * In pages side by side some sets are crowded long before the cache is full, and which ones is another matter in each
 * arena. Blocks that are scattered over many more pages leave to chance what goes into each set, and then so many are
 * held as the number of ways says, wherever the frames are.
 */
#include <math.h>

#include "../curve/ways.h"
#include "strides.h"

enum {
	BLOCK = 512, /* bytes, as data's: what fetches a line's neighbour fetches one of ours */
	BITS = 14, /* of the number of blocks that they are taken from: 8 MiB */
	LOOKS = 6
};

static const double loads[] = { 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.35, 1.5, 1.75, 2.1 };
enum { SIGHTS = sizeof(loads) / sizeof(loads[0]) };

static const double SPARSE = 8; /* times what a walk covers: from so much it is taken */
static const double FALLS = 0.1, ERRORS = 3; /* of a time; times one's error: less is noise */
static const double REACH_OFF = 0.015, RANGE = 0.25; /* relative; of a reach's interval that counts as an error */
static const double ERROR_FLOOR = 0.002; /* of a time */

/* More code takes no less time, on the average of all frames. On those that chance gave us it may. One
 * point may have been disturbed alone. */
bool code_falls(const struct curve_point *points, int count)
{
	double most = 0;

	for (int i = 0; i + 2 < count; i++) {
		double next = fmax(points[i + 1].time, points[i + 2].time);

		most = fmax(most, fmin(points[i].time, next));
		if (most - next > fmax(ERRORS * points[i].error, FALLS * most))
			return true;
	}
	return false;
}

/* Bytes of code. */
static double most_scattered(const struct lab *lab)
{
	return fmin(ldexp(BLOCK, BITS), (double)lab->timer->machine->memory / SPARSE) / SPARSE;
}

bool code_has_twins(struct lab *lab)
{
	return lab_fact(lab, "page.size") >= engine_code_paging(lab)->system;
}

static struct walk scattered(double places)
{
	struct walk walk = code_walk(WALK_BASE_PAGES, fmax(1, round(places * CODE_UNIT / BLOCK)), BLOCK, CODE_UNIT);

	walk.grid.stride[1] = CODE_UNIT;
	walk.grid.count[1] = BLOCK / CODE_UNIT;
	walk.grid.scattered = BITS;
	walk.grid.chance = 1;
	return walk;
}

struct walk code_place(const struct lab *lab, const struct coding *coding, double places)
{
	return coding->scattered && places * CODE_UNIT <= most_scattered(lab)
		       ? scattered(places)
		       : code_walk(code_pages(lab), places, CODE_UNIT, CODE_UNIT);
}

/* What was seen of all walks in one look, and what they took more than their twins. */
struct look {
	double times[SIGHTS];
	struct curve_point beyond[SIGHTS];
};

static void conclude(struct lab *lab, const struct walk *walks, const struct look *looks, struct ways_sight *sights)
{
	double squares[SIGHTS] = { 0 }, all = 0;

	for (int i = 0; i < SIGHTS; i++) {
		double mean = 0;

		for (int look = 0; look < LOOKS; look++)
			mean += looks[look].beyond[i].time / LOOKS;
		for (int look = 0; look < LOOKS; look++)
			squares[i] += pow(looks[look].beyond[i].time - mean, 2) / (LOOKS - 1) / LOOKS;
		all += squares[i] / SIGHTS;
		sights[i] = (struct ways_sight){ .bytes = (double)walk_length(&walks[i]) * CODE_UNIT, .time = mean };
	}
	for (int i = 0; i < SIGHTS; i++) {
		sights[i].error = hypot(sqrt((squares[i] + all) / 2), ERROR_FLOOR * looks[0].times[i]);
		lab_note(lab, "cycles of a jump to blocks scattered, by bytes", sights[i].bytes, sights[i].time, "");
	}
}

/* Other blocks each time, and a twin of their own: which pages they lie in is chance, too, and a TLB may lack some of
 * few. */
static bool look_at_all(struct lab *lab, double reach, struct ways_sight *sights)
{
	struct look looks[LOOKS];
	struct walk walks[SIGHTS];
	enum machine_status status;
	char why[64];

	for (int i = 0; i < SIGHTS; i++)
		walks[i] = scattered(loads[i] * reach / CODE_UNIT);
	for (int look = 0; look < LOOKS; look++) {
		if (!code_beyond_twins(lab, walks, SIGHTS, looks[look].times, looks[look].beyond, &status, why,
				       sizeof(why)))
			return false;
		for (int i = 0; i < SIGHTS; i++)
			walks[i].grid.chance = walks[i].grid.chance * 6364136223846793005u + 1442695040888963407u;
	}
	conclude(lab, walks, looks, sights);
	return true;
}

bool code_scattered_sets(struct lab *lab, const struct coding *coding, struct code_sets *sets)
{
	const struct code_level *nearest = &coding->level[0];
	struct ways_sight sights[SIGHTS];
	struct ways_question question = { .sights = sights,
					  .count = SIGHTS,
					  .spread = ldexp(BLOCK, BITS),
					  .reach_off = hypot(REACH_OFF, RANGE * (nearest->high / nearest->low - 1)) };
	struct ways_answer answer;

	if (loads[SIGHTS - 1] * nearest->reach > most_scattered(lab) || !look_at_all(lab, nearest->reach, sights))
		return false;
	for (int i = 0; i < coding->levels && i < 2; i++)
		question.levels[question.level_count++] =
			(struct ways_level){ .reach = coding->level[i].reach, .step = coding->level[i].height };
	answer = ways_decide(&question);
	for (int ways = 1; ways <= WAYS_MOST; ways++)
		if (isfinite(answer.squares[ways]))
			lab_note(lab, "squares left with so many ways", ways, answer.squares[ways], "");
	if (!(answer.ways > 0))
		return false;
	*sets = (struct code_sets){ .tried = true,
				    .found = true,
				    .by_chance = true,
				    .ways = answer.ways,
				    .low = answer.low,
				    .high = answer.high,
				    .way = answer.size / answer.ways,
				    .size_low = answer.size_low,
				    .size_high = answer.size_high };
	return true;
}

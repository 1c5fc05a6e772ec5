/* SPDX-License-Identifier: MIT */
/*
 * uops.c - micro-ops that are kept decoded
 *
 * Places full of instructions of one length that do nothing. What holds code by its instructions holds more places of
 * longer ones; caches, predictors and TLBs hold as many whatever their length. How many instructions that is depends on
 * how they fall into its entries: the most that any length shows is nearest to it.
 */
#include <math.h>

#include "code.h"

enum {
	LENGTHS = 8,
	PER_OCTAVE = 6,
	FEWEST = 16,
	POINTS = 64,
	FEW_LENGTHS = 3,
	BODY = 32
}; /* bytes: fewer than most windows have */

static const double MOST = 4096; /* places */
static const double LEAST[] = { [NOISE_QUIET] = 0.04, [NOISE_NOISY] = 0.08, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double NOT_FULL = 1.6; /* times: entries that none of the lengths fills */
static const double FLOOR = 0.004; /* of a time */
static const double FUSED = 2.1; /* times: two instructions may be one micro-op */
static const double NEARLY = 1.25; /* times */
static const double ABOUT = 1.6; /* times: how differently lengths may fill entries */

struct sight {
	double instructions; /* at a place */
	struct terms terms; /* reaches in bytes */
};

static bool look(struct lab *lab, long filler, struct sight *sight)
{
	struct walk walks[POINTS];
	struct curve_point points[POINTS];
	double places[POINTS], times[POINTS], errors[POINTS];
	int count = code_plan(FEWEST, MOST, PER_OCTAVE, places, POINTS);
	enum machine_status status;
	char why[64];

	for (int i = 0; i < count; i++) {
		walks[i] = code_walk(code_pages(lab), places[i], BODY, BODY);
		walks[i].filler = filler;
	}
	if (!code_times(lab, walks, count, times, errors, &status, why, sizeof(why)))
		return false;
	for (int i = 0; i < count; i++)
		points[i] = (struct curve_point){ places[i] * BODY, times[i], fmax(errors[i], FLOOR * times[i]) };
	sight->instructions = timing_walk(lab->timer, &walks[0], FEWEST).value;
	sight->terms = code_terms(points, count, times[0], LEAST[lab->timer->noise]);
	return true;
}

static bool has(const struct sight *sight, double reach)
{
	for (int i = 0; i < sight->terms.count; i++)
		if (code_same(sight->terms.term[i].reach, reach))
			return true;
	return false;
}

/* Is it the same for the shortest ones, and for these? Of all that fit into an entry as many places are held. */
static bool stays(const struct sight *sights, int count, int index, double reach)
{
	return index ? has(&sights[0], reach) : has(&sights[count - 1], reach) || has(&sights[count / 2], reach);
}

/* Instructions that the highest of the terms which moved stands for; 0: none moved. */
static double held_by(const struct coding *coding, const struct sight *sights, int count, int index)
{
	double cache = coding->levels && !coding->hidden ? coding->level[0].reach : 0;
	const struct terms *terms = &sights[index].terms;
	double height = 0, held = 0;

	for (int i = 0; i < terms->count; i++) {
		double reach = terms->term[i].reach;

		/* Among micro-ops the nearest cache may seem a little larger than it is. */
		if (terms->term[i].height > height && !stays(sights, count, index, reach) &&
		    !(reach < NEARLY * cache && cache < NEARLY * reach)) {
			height = terms->term[i].height;
			held = reach / BODY * sights[index].instructions;
		}
	}
	return held;
}

const struct code_uops *engine_code_uops(struct lab *lab)
{
	static const long lengths[LENGTHS] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct coding *coding = engine_coding(lab);
	struct code_uops *uops = &coding->uops;
	struct sight sights[LENGTHS];
	double held[LENGTHS];
	int count = 0, alike = 0;

	if (uops->tried)
		return uops;
	*uops = (struct code_uops){ .tried = true, .low = INFINITY };
	while (count < LENGTHS && look(lab, lengths[count], &sights[count]) &&
	       (count == 0 || sights[count].instructions < sights[count - 1].instructions))
		count++;
	for (int i = 0; i < count; i++) {
		held[i] = held_by(coding, sights, count, i);
		lab_note(lab, "instructions held, by bytes of each", (double)lengths[i], held[i], "");
		uops->count = fmax(uops->count, held[i]);
	}
	/* However long they are, about as many are held; what one length alone shows is nothing. */
	for (int i = 0; i < count; i++)
		if (held[i] * ABOUT > uops->count) {
			alike++;
			uops->low = fmin(uops->low, held[i] / FUSED);
		}
	uops->high = uops->count * NOT_FULL;
	uops->seen = alike >= FEW_LENGTHS;
	return uops;
}

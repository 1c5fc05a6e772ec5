/* SPDX-License-Identifier: MIT */
/*
 * ladder.c - the I-cache paper's control engine
 *
 * Straight code of N cases, over and over. N doubles until a case takes longer than short sequences do by T deviations
 * of theirs, and is bisected then. An isolated N may be slow for other reasons, so the least of I neighbours counts.
 */
#include <math.h>
#include <stdio.h>

#include "code.h"

enum { FIRST = 256, SHORTEST = 64, LONGEST = 16384, BRIEF_LONGEST = 4096, STEPS = 4096 };

static const double GRAIN = 0.002; /* of a time: deviations below it are the clock's */
static const double NEARLY_ALL = 0.9; /* of a TLB's pages: the rest may be somebody else's */

struct climb {
	struct lab *lab;
	const struct ladder_options *options;
	struct ladder *ladder;
	double bytes; /* of the last sequence */
};

/* Cycles of a case; NaN when it does not run. */
static double time_of(struct climb *climb, long cases)
{
	struct walk walk = { .order = WALK_LADDER, .code = true, .count = cases, .body = climb->options->B };
	long laps = (STEPS + cases - 1) / cases;
	struct stroll stroll = timing_walk(climb->lab->timer, &walk, laps * cases);
	double cycles = stroll.ticks / climb->lab->cycle;

	climb->ladder->status = stroll.status;
	if (stroll.status != MACHINE_RAN) {
		snprintf(climb->ladder->why, sizeof(climb->ladder->why), "%s", stroll.why);
		return NAN;
	}
	climb->bytes = stroll.value;
	climb->ladder->longest = fmax(climb->ladder->longest, stroll.value);
	lab_note(climb->lab, "cycles of a case, by bytes of code", stroll.value, cycles, "");
	return cycles;
}

/* Cycles that translation may add to a case of the last sequence: it goes from page to page, and where a TLB lacks some
 * of them it may lack all. */
static double translation(const struct climb *climb, long cases)
{
	const struct paging *paging = engine_code_paging(climb->lab);
	double cycles = 0;

	for (int i = 0; i < paging->levels; i++)
		if (climb->bytes > NEARLY_ALL * paging->tlb[i].entries * paging->page)
			cycles += paging->tlb[i].penalty * climb->bytes / paging->page / (double)cases;
	return cycles;
}

static bool is_below(struct climb *climb, long cases, double threshold)
{
	double time = time_of(climb, cases);

	return time < threshold || time < threshold + translation(climb, cases);
}

/* Does a case of so many take no longer than the threshold, in one of I neighbours? */
static bool is_quick(struct climb *climb, long cases, double threshold)
{
	int half = climb->options->I / 2;

	for (int i = 0; i <= half && climb->ladder->status == MACHINE_RAN; i++)
		if (is_below(climb, cases + i, threshold) || (i && is_below(climb, cases - i, threshold)))
			return true;
	return false;
}

/* Of sequences of `first` cases and a few more. */
static double threshold_of(struct climb *climb, long first)
{
	struct ladder *ladder = climb->ladder;
	double sum = 0, squares = 0;
	int S = climb->options->S;

	for (int i = 0; i < S; i++) {
		double time = time_of(climb, first + i);

		if (ladder->status != MACHINE_RAN)
			return NAN;
		sum += time;
		squares += time * time;
	}
	ladder->mean = sum / S;
	ladder->deviation = sqrt(fmax(0, (squares - ladder->mean * sum) / (S - 1)));
	return ladder->mean + climb->options->T * fmax(ladder->deviation, GRAIN * ladder->mean);
}

/* The paper's short sequences have 256 cases. In a small cache, or beside micro-ops, these are long, and shorter ones
 * are quicker. */
static double shortest(struct climb *climb, long *first)
{
	double threshold = threshold_of(climb, *first = FIRST);
	struct ladder best = *climb->ladder;

	for (long shorter = FIRST / 2; shorter >= SHORTEST && climb->ladder->status == MACHINE_RAN; shorter /= 2) {
		double quicker = threshold_of(climb, shorter);

		if (quicker < best.mean) {
			threshold = quicker;
			best = *climb->ladder;
			*first = shorter;
		}
	}
	climb->ladder->mean = best.mean;
	climb->ladder->deviation = best.deviation;
	return threshold;
}

struct ladder engine_ladder(struct lab *lab, const struct ladder_options *options)
{
	struct ladder ladder = { .status = MACHINE_RAN };
	struct climb climb = { .lab = lab, .options = options, .ladder = &ladder };
	/* Its neighbours have to run, too. */
	long first, right, left, most = (lab->brief ? BRIEF_LONGEST : LONGEST) - options->I / 2;
	double threshold = shortest(&climb, &first);
	struct walk walk = { .order = WALK_LADDER, .code = true, .body = options->B };

	right = first + options->S;
	left = right / 2;
	while (ladder.status == MACHINE_RAN && is_quick(&climb, right, threshold)) {
		if (right == most)
			return ladder;
		left = right;
		right = 2 * right < most ? 2 * right : most;
	}
	while (right - left > 1 && ladder.status == MACHINE_RAN) {
		long middle = (left + right) / 2;

		if (is_quick(&climb, middle, threshold))
			left = middle;
		else
			right = middle;
	}
	if (ladder.status != MACHINE_RAN)
		return ladder;
	walk.count = left;
	ladder.cases = (double)left;
	ladder.bytes = timing_walk(lab->timer, &walk, left).value;
	return ladder;
}

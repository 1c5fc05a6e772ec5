/* SPDX-License-Identifier: MIT */
/*
 * capacity.c - what one miss brings, and how many such lines there is room for
 *
 * Line: two places, again and again elsewhere, the second right after the first. Within one line only the first misses.
 * Of code it is a few instructions that lie on both sides of a boundary.
 * Size: so many lines, round and round, do not miss at all when there is room for them, whatever the policy.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

enum { SMALLEST = 8, LARGEST = 512, STEPS = 4096 };

static const double SMALLEST_PAGE = 512, LARGEST_PAGE = 1 << 20;
static const double ONE = 0.5, TWO = 1, OFF = 0.15; /* misses of two places on one line, and on two: of each */
static const double HALF_A_MISS = 0.5, SOME_MISSES = 1.5; /* in a round */
static const long FEW_LINES = 64;
static const double ROUNDED = 0.004; /* what chance may have let in: as much is taken off for a rounder number */

/* Places, two by two, so far apart; each pair in a block of its own. */
static double pairs_share(struct lab *lab, enum walk_event event, double blocks, double block, double apart)
{
	long count = (long)blocks;
	uint64_t *places = calloc((size_t)(2 * count), sizeof(*places));
	long *order = calloc((size_t)count, sizeof(*order));
	double share = NAN;

	if (places && order) {
		walk_shuffle(order, count);
		for (long i = 0; i < count; i++) {
			places[2 * i] = (uint64_t)((double)order[i] * block);
			places[2 * i + 1] = places[2 * i] + (uint64_t)apart;
		}
		share = counters_round_share(lab, event, places, 2 * count, STEPS);
	}
	free(places);
	free(order);
	return share;
}

/* A few instructions on either side of each boundary, where boundaries are an odd multiple of so many bytes. */
static double crossings_share(struct lab *lab, enum walk_event event, double blocks, double block, double bytes)
{
	struct walk walk = { .order = WALK_RANDOM, .event = event, .code = true, .body = 2 * WALK_JUMP };

	walk.pages = counters_is_tlb(event) ? WALK_BASE_PAGES : WALK_HUGE_PAGES;
	walk.grid.base = (uint64_t)bytes - WALK_JUMP;
	walk.grid.stride[0] = (uint64_t)block;
	walk.grid.count[0] = (long)blocks;
	return counters_share(lab, &walk, STEPS);
}

/* Misses of two places each: a step of data is one of them, a step of code is both. */
static double both_share(struct lab *lab, enum walk_event event, double blocks, double block, double apart)
{
	if (blocks * block > (double)lab->timer->machine->memory)
		return NAN;
	return counters_is_code(event) ? crossings_share(lab, event, blocks, block, apart) / 2
				       : pairs_share(lab, event, blocks, block, apart);
}

/* A block for both, so that neither is still there when its turn comes again: as many as the walk beyond everything had
 * places, and so large that they cover enough. NaN when there is no memory for them. */
static double block_for(struct lab *lab, enum walk_event event, double blocks, double nearest)
{
	double block = 2 * (counters_is_tlb(event) ? COUNTERS_PAGE : LARGEST), share;

	do {
		share = both_share(lab, event, blocks, block, nearest);
		block *= 2;
	} while (share < ONE - OFF);
	return isnan(share) ? NAN : block / 2;
}

static double ask_line(struct lab *lab, enum walk_event event)
{
	bool tlb = counters_is_tlb(event), code = counters_is_code(event);
	double each = tlb ? COUNTERS_PAGE : code ? COUNTERS_CODE : COUNTERS_LINE;
	double nearest = tlb ? SMALLEST_PAGE : code ? 2 * WALK_JUMP : SMALLEST, last = tlb ? LARGEST_PAGE : LARGEST;
	double blocks = counters_try(lab, event)->beyond / each;
	double block = block_for(lab, event, blocks, nearest);

	for (double apart = nearest; apart <= last; apart *= 2) {
		double share = both_share(lab, event, blocks, fmax(block, 2 * apart), apart);

		lab_note(lab, "misses of two places, by bytes between them", apart, 2 * share, "");
		if (fabs(share - TWO) < OFF)
			return apart;
		if (!(fabs(share - ONE) < OFF))
			break;
	}
	return NAN;
}

const struct voted *counters_line(struct lab *lab, enum walk_event event)
{
	struct voted *line = &counters_of(lab)->counted[event].line;

	if (!line->tried)
		*line = counters_vote(lab, event, ask_line);
	return line;
}

static bool fits(struct lab *lab, enum walk_event event, double lines)
{
	double line = counters_line(lab, event)->value;
	double share = counters_grid_share(lab, event, (struct counters_grid){ lines, line, 1, 0 });

	lab_note(lab, "misses a step, by lines that are walked over", lines, share, "");
	return share * lines < (lines <= FEW_LINES || counters_is_code(event) ? HALF_A_MISS : SOME_MISSES);
}

/* A number that a larger power of two divides, hardly less. */
static double rounded(double lines)
{
	double best = lines;

	for (double unit = 2; unit <= lines; unit *= 2) {
		double down = floor(lines / unit) * unit;

		if (down < (1 - ROUNDED) * lines)
			break;
		best = down;
	}
	return best;
}

static double ask_size(struct lab *lab, enum walk_event event)
{
	double line = counters_line(lab, event)->value, held = 1, over = 2;
	double most = (double)lab->timer->machine->memory / line;

	while (over <= most && fits(lab, event, over)) {
		held = over;
		over *= 2;
	}
	if (over > most)
		return NAN;
	while (over - held > fmax(1, floor(ROUNDED / 4 * held))) {
		double middle = floor((held + over) / 2);

		if (fits(lab, event, middle))
			held = middle;
		else
			over = middle;
	}
	return rounded(held);
}

const struct voted *counters_size(struct lab *lab, enum walk_event event)
{
	struct voted *size = &counters_of(lab)->counted[event].size;

	if (size->tried)
		return size;
	if (isnan(counters_line(lab, event)->value)) {
		*size = (struct voted){ .tried = true, .value = NAN, .why = "its line is not known" };
		return size;
	}
	*size = counters_vote(lab, event, ask_size);
	return size;
}

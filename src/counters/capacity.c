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
static const double SETTLING = 0.1; /* misses a step: it may go on */
static const long SETTLES = 32; /* rounds */
static const double HALF_OF_TWICE = 0.45;
static const long FEW_LINES = 64;
static const double ROUNDED = 0.004; /* what chance may have let in: as much is taken off for a rounder number */

/* Places, two by two, the further one first, since what runs ahead runs on, so far apart; each pair in a block of its
 * own. */
static double pairs_share(struct lab *lab, enum walk_event event, double blocks, double block, double apart)
{
	long count = (long)blocks;
	uint64_t *places = calloc((size_t)(2 * count), sizeof(*places));
	long *order = calloc((size_t)count, sizeof(*order));
	double share = NAN;

	if (places && order) {
		walk_shuffle(order, count);
		for (long i = 0; i < count; i++) {
			places[2 * i + 1] = (uint64_t)((double)order[i] * block);
			places[2 * i] = places[2 * i + 1] + (uint64_t)apart;
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

/* Blocks over so many bytes that neither of the two is still there when its turn comes again; 0 when there is no memory
 * for that. A block is a page where it can be: what runs ahead learns nothing from two in one. */
static double cover(struct lab *lab, enum walk_event event, double block, double nearest)
{
	double each = counters_is_tlb(event) ? block / 2 : counters_is_code(event) ? COUNTERS_CODE : COUNTERS_LINE;
	double bytes = counters_try(lab, event)->beyond / each * block;

	while (bytes <= (double)lab->timer->machine->memory) {
		if (both_share(lab, event, bytes / block, block, nearest) > ONE - OFF)
			return bytes;
		bytes *= 2;
	}
	return 0;
}

static double ask_line(struct lab *lab, enum walk_event event)
{
	bool tlb = counters_is_tlb(event);
	double nearest = tlb ? SMALLEST_PAGE : counters_is_code(event) ? 2 * WALK_JUMP : SMALLEST;
	double last = tlb ? LARGEST_PAGE : LARGEST, block = tlb ? 2 * COUNTERS_PAGE : COUNTERS_PAGE;
	double bytes = cover(lab, event, block, nearest), apart = nearest;

	if (bytes == 0 && !tlb) {
		block = 2 * LARGEST;
		bytes = cover(lab, event, block, nearest);
	}
	while (bytes > 0 && apart <= last) {
		double each = fmax(block, 2 * apart), share = both_share(lab, event, bytes / each, each, apart);

		lab_note(lab, "misses of two places, by bytes between them", apart, 2 * share, "");
		if (fabs(share - TWO) < OFF)
			return apart;
		if (!(fabs(share - ONE) < OFF))
			break;
		apart *= 2;
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

/* With replacement at random it takes many rounds until all that was there before is gone. */
static bool fits(struct lab *lab, enum walk_event event, double lines)
{
	struct counters_grid grid = { lines, counters_line(lab, event)->value, 1, 0, 0, false };
	double few = lines <= FEW_LINES || counters_is_code(event) ? HALF_A_MISS : SOME_MISSES;
	double share = counters_grid_share(lab, event, grid);

	if (share * lines >= few && share < SETTLING) {
		grid.rounds = SETTLES;
		share = counters_grid_share(lab, event, grid);
	}
	lab_note(lab, "misses a step, by lines that are walked over", lines, share, "");
	return share * lines < few;
}

/* A number that a larger power of two divides, hardly less. */
static double rounded(double lines)
{
	double best = lines, unit = 2;

	while (unit <= lines) {
		double down = floor(lines / unit) * unit;

		if (down < (1 - ROUNDED) * lines)
			break;
		best = down;
		unit *= 2;
	}
	return best;
}

/* Of twice as many at least as many are missed as any policy must, and as many places that are full of instructions fit
 * where jumps alone do. Else something in front of it holds some: a cache of victims, or of decoded code. */
static bool is_its_own(struct lab *lab, enum walk_event event, double lines)
{
	struct counters_grid grid = { lines, counters_line(lab, event)->value, 1, 0, 0, counters_is_code(event) };
	double full = grid.full ? counters_grid_share(lab, event, grid) : 0, twice;

	grid = (struct counters_grid){ 2 * lines, grid.apart, 1, 0, 0, false };
	twice = counters_grid_share(lab, event, grid);
	lab_note(lab, "misses a step of as many full lines", lines, full, "");
	lab_note(lab, "misses a step of twice as many lines", 2 * lines, twice, "");
	return full * lines < HALF_A_MISS && twice > HALF_OF_TWICE;
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
	held = rounded(held);
	return is_its_own(lab, event, held) ? held : NAN;
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

/* SPDX-License-Identifier: MIT */
/*
 * size.c - what one translation covers
 *
 * More blocks than a TLB knows, in an order that nothing foresees, and two touches in each: at x, and at x with one bit
 * of its address turned. The second finds the translation of the first if that bit lies within the page. Caches make no
 * difference: as many lines are touched whichever bit it is, no two with the same offset in their blocks. What the
 * lines of one block do to each other is seen with one block, beside the same pages and lines that differ, and taken
 * off; what its pages do to each other is not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"

enum {
	MOST_BLOCKS = 1024,
	MOST_BITS = 24,
	FEW_BLOCKS = 1,
	TURNS = 3,
	STEPS = 2048,
	LINE = 64,
	OFFSETS = 128,
	HIGH_HALF = 32,
	AGAIN = 4
};

static const uint64_t SPREAD = 0x9e3779b97f4a7c15u; /* odd, and far from any multiple of a power of two */

static const double SMALLEST = 256; /* bytes: no page is so small, and no line longer */
static const double STEP = 0.05; /* of the time: less may be chance */
static const double NOT_SMALL = 0.15; /* of the widest step; of the times below */
static const double CLEAR = 0.5; /* of what lies between both sides of the step, on the whole */

struct blocks {
	long count;
	double apart; /* bytes */
};

/* Twice as many as a usual TLB has entries, and as many as a large one; for large pages as many as a small TLB has, or
 * a usual one; and for larger pages. */
static const struct blocks trials[] = { { 128, 1 << 18 }, { MOST_BLOCKS, 1 << 18 }, { 16, 1 << 23 }, { 64, 1 << 23 },
					{ 128, 1 << 23 }, { 64, 1 << 24 },          { 16, 1 << 26 } };
enum { TRIALS = sizeof(trials) / sizeof(trials[0]), LARGE_TLB = 1 };

/* Offsets of an even number of bits: with one bit turned they are none of them. */
static uint64_t offset_of(long block)
{
	uint64_t line = (uint64_t)block % OFFSETS;

	return (line | (uint64_t)(__builtin_popcountll(line) & 1) * OFFSETS) * LINE;
}

/* Blocks begin anywhere in theirs, or all would fall into a few sets of a TLB, which a turned bit leaves for others
 * that are free. */
static uint64_t begin_of(long block, uint64_t apart)
{
	return ((uint64_t)block * SPREAD >> HIGH_HALF) * (2 * OFFSETS * LINE) % apart;
}

static void pair_up(uint64_t *places, long count, uint64_t block, uint64_t turned)
{
	long order[MOST_BLOCKS];

	walk_shuffle(order, count);
	for (long i = 0; i < count; i++) {
		places[2 * i] = (uint64_t)order[i] * block + begin_of(order[i], block) + offset_of(order[i]);
		places[2 * i + 1] = places[2 * i] ^ turned;
	}
}

/* ns a step for SMALLEST, twice as much, and so on, with the bits of `lines` turned, too; how many, or 0 when they do
 * not run. */
static int time_pairs(struct lab *lab, enum walk_pages pages, const struct blocks *blocks, uint64_t lines, double *ns)
{
	uint64_t(*places)[2 * MOST_BLOCKS] = malloc(MOST_BITS * sizeof(*places));
	struct walk walks[MOST_BITS];
	int bits = 0;

	if (!places)
		return 0;
	for (double apart = SMALLEST; apart < blocks->apart && bits < MOST_BITS; apart *= 2, bits++) {
		pair_up(places[bits], blocks->count, (uint64_t)blocks->apart, (uint64_t)apart | lines);
		walks[bits] = (struct walk){
			.order = WALK_CYCLE, .pages = pages, .places = places[bits], .count = 2 * blocks->count
		};
	}
	if (!timing_walks_by_turns(lab->timer, walks, bits, TURNS, STEPS, ns))
		bits = 0;
	free(places);
	return bits;
}

static double least(const double *values, int count)
{
	return stat_quantile(values, count, 0);
}

static double most(const double *values, int count)
{
	return stat_quantile(values, count, 1);
}

/* Between all that lie below and all from there on. */
static double gap_at(const double *ns, int bits, int i)
{
	return least(ns + i, bits - i) - most(ns, i);
}

/* Farther apart two touches may cost more still, where they fall into the sets of a TLB or a cache otherwise. The page
 * ends at the first step that is not small beside the widest, or beside what two touches cost below it. */
static int first_step(const double *ns, int bits, double widest)
{
	int at = 1;

	while (gap_at(ns, bits, at) < NOT_SMALL * fmin(widest, most(ns, at)))
		at++;
	return at;
}

/* The first distance at which nothing is shared; 0, and why, when there is no such step. */
static struct page_size find_step(struct lab *lab, const double *ns, int bits, double floor)
{
	struct page_size size = { 0, 0, "" };
	double widest = STEP * floor;
	int at = 0;

	for (int i = 0; i < bits; i++)
		lab_note(lab, "ns a touch takes more, by bytes between two", ldexp(SMALLEST, i), ns[i], "");
	/* Two at least must lie beyond it: what the farthest alone shows may be a cache's. */
	for (int i = 1; i + 1 < bits; i++) {
		double gap = gap_at(ns, bits, i);

		if (gap > widest) {
			widest = gap;
			at = i;
		}
	}
	if (at == 0)
		snprintf(size.why, sizeof(size.why), "two touches cost the same up to %.0f KiB apart",
			 ldexp(SMALLEST, bits - 1) / 1024);
	else if (widest < CLEAR * (stat_median(ns + at, bits - at) - stat_median(ns, at)))
		snprintf(size.why, sizeof(size.why),
			 "what two touches cost grows little by little with what is between");
	else
		size.bytes = ldexp(SMALLEST, first_step(ns, bits, widest));
	return size;
}

static bool is_room_for(const struct lab *lab, const struct blocks *blocks)
{
	return blocks->apart * (double)blocks->count <= (double)lab->timer->machine->memory;
}

struct page_size pages_size_by(struct lab *lab, enum walk_pages pages, int trial)
{
	const struct blocks *blocks = &trials[trial], one = { FEW_BLOCKS, blocks->apart };
	struct page_size size = { 0, trial, "memory does not suffice" };
	double ns[MOST_BITS], few[MOST_BITS], elsewhere[MOST_BITS];
	int bits;

	if (!is_room_for(lab, blocks))
		return size;
	bits = time_pairs(lab, pages, &one, 0, few);
	if (!bits || !time_pairs(lab, pages, &one, LINE, elsewhere) || !time_pairs(lab, pages, blocks, 0, ns))
		return size;
	for (int i = 0; i < bits; i++)
		ns[i] -= few[i] - elsewhere[i];
	size = find_step(lab, ns, bits, least(few, bits));
	size.trial = trial;
	return size;
}

/* Smaller pages than the system hands out are a hypervisor's; or few lines and what a walk fetches share sets of a
 * cache. Among more lines than that cache holds they show again. */
static bool is_likely(struct lab *lab, enum walk_pages pages, double bytes)
{
	return pages != WALK_BASE_PAGES || bytes >= (double)lab->timer->machine->identity.page_bytes ||
	       !is_room_for(lab, &trials[LARGE_TLB]) || pages_size_by(lab, pages, LARGE_TLB).bytes == bytes;
}

/* Few large pages may fit into a TLB whichever bit is turned, but for those that its sets do not take alike: among more
 * of them the page ends earlier. */
static struct page_size among_more(struct lab *lab, enum walk_pages pages, struct page_size size)
{
	int next = size.trial + 1;
	struct page_size more;

	if (size.trial <= LARGE_TLB || size.bytes == 0 || next == TRIALS ||
	    trials[next].apart > trials[size.trial].apart)
		return size;
	more = pages_size_by(lab, pages, next);
	return more.bytes > 0 && more.bytes < size.bytes ? more : size;
}

/* Beside others what comes out twice is believed. */
struct page_size pages_size(struct lab *lab, enum walk_pages pages)
{
	struct page_size size = { 0, 0, "" };

	for (int i = 0; i < TRIALS && size.bytes == 0; i++) {
		/* So many base pages fill a large TLB; of huge ones that many would lie in one. */
		if (i == LARGE_TLB && pages == WALK_HUGE_PAGES)
			continue;
		if (i && !is_room_for(lab, &trials[i])) {
			snprintf(size.why + strlen(size.why), sizeof(size.why) - strlen(size.why),
				 ", and there is no memory for more");
			break;
		}
		size = among_more(lab, pages, pages_size_by(lab, pages, i));
		if (i < LARGE_TLB && size.bytes > 0 && !is_likely(lab, pages, size.bytes))
			size.bytes = 0;
		for (int j = 0; j < AGAIN && size.bytes > 0 && lab->timer->noise != NOISE_QUIET; j++) {
			struct page_size again = pages_size_by(lab, pages, size.trial);

			if (again.bytes == size.bytes)
				return size;
			size = again;
		}
	}
	return size;
}

/* SPDX-License-Identifier: MIT */
/*
 * walk.h - an address walk: the other kind of nano-benchmark, one load after the other
 *
 * A walk touches places in an arena, a stretch of memory of its own. The address of each load depends on the value of
 * the one before, so that a step takes the time of one load and no two overlap. Two orders exist:
 *
 *     WALK_CYCLE    the places of a list, in its order, and round again: a pointer chase
 *     WALK_RANDOM   each place is drawn afresh and uniformly from a grid; drawing adds the same few cycles to every
 * step
 *
 * A grid of at most two axes may be scattered: as many places as its count, taken from many more. In WALK_RANDOM every
 * other reference may go to a hot place instead, also drawn afresh, from a grid of its own. Or the places come four at
 * a time: one is drawn, and then three more of its line on the second axis, of eight. Where that line lies within a
 * page, the page is translated once for all four.
 *
 * WALK_STREAM waits for nothing: it reads, writes or copies a stretch from its beginning to its end, and again. A cycle
 * may have several chases, each of which waits for its own loads alone: they begin evenly spread over the list.
 * A random walk may store. What it stores to has a word written that no load asks for, and no step waits for it. Where
 * there are hot places those are stored to and the others loaded from. In a loose walk no step waits for another, and
 * all store or all load. Its places come four at a time, one is drawn in each quarter of the grid's first axis.
 *
 * Walks of code run what lies at their places. In WALK_RANDOM a place holds instructions that do nothing and then a
 * jump, whose target is taken from a list of places that were drawn before the clock started: nothing foresees it, so
 * the instructions are fetched when it is known, not before. WALK_LADDER is the I-cache paper's experiment: straight
 * code, over and over, of which one compilation serves any length.
 */
#ifndef XRAY_WALK_H
#define XRAY_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "walk_pages.h"

enum walk_order { WALK_CYCLE, WALK_RANDOM, WALK_LADDER, WALK_STREAM };

/* A copy reads the first half and writes the second. */
enum walk_stream { WALK_READ, WALK_WRITE, WALK_COPY };

/* What is counted beside the time: what one walk asks for, if anything. */
enum walk_event {
	WALK_NO_EVENT,
	WALK_L1D_MISSES, /* loads that the nearest cache lacks */
	WALK_L2_MISSES, /* that the second one lacks, too */
	WALK_LAST_MISSES, /* that no cache has */
	WALK_DTLB_MISSES, /* translations of data */
	WALK_L1I_MISSES, /* lines of code that the nearest cache lacks */
	WALK_ITLB_MISSES, /* translations of code */
	WALK_EVENTS
};
/* l1d.misses and so on; all but WALK_NO_EVENT have one. */
const char *walk_event_name(enum walk_event event);

enum {
	WALK_AXES = 3,
	WALK_GROUP = 4,
	WALK_PAIR = 2,
	WALK_GROUPED_FROM = 8,
	WALK_LOOSE = 4, /* that are drawn at once */
	WALK_ARENAS = 8, /* of one generation: those of the next lie at other addresses */
	WALK_JUMP = 16, /* bytes: no place of code needs more; all of them are multiples of it */
	WALK_CHAINS = 96,
	WALK_PIECE = 64, /* bytes that a step of a stream reads, writes, or reads and writes */
	WALK_PIECES = 16 /* in a row: spans of streams are whole numbers of these */
};

/* base + i * stride[0] + j * stride[1] + k * stride[2], with 0 <= i < count[0] and so on. */
struct walk_grid {
	uint64_t base;
	uint64_t stride[WALK_AXES];
	long count[WALK_AXES]; /* 0 counts as 1 */
	int scattered; /* not 0: on the first axis places are taken from the first 2^scattered, as chance will */
	uint64_t chance; /* another arrangement for another number */
};

struct walk {
	const uint64_t *places; /* WALK_CYCLE: offsets in the arena, multiples of 8, none twice */
	long count;
	long chains; /* WALK_CYCLE: so many chases, in turn a step each, at most WALK_CHAINS and no more than places. Up
			to 8, or a multiple of 4. 0: one, which is timed as ever */
	struct walk_grid grid; /* WALK_RANDOM */
	struct walk_grid hot;
	long laps; /* at least so many before the first is timed; 0: a few thousand steps, or as many laps as are in
		      them */
	long rush; /* WALK_RANDOM: warming, and so many references right before the timings, do not wait for one
		      another: more lines at a time than others on the core bring in */
	enum walk_order order;
	enum walk_pages pages;
	enum walk_event event;
	int arena; /* walks of the same number and pages lie in the same memory; another number is other memory. From
		      WALK_ARENAS on: a later generation, for which an earlier one is given back */
	int grouped; /* places come so many at a time: WALK_GROUP, or WALK_PAIR, which lie half of the second axis
			apart; count[1] is WALK_GROUPED_FROM. 0: each by itself */
	bool has_hot; /* not with groups; a rush has neither, and no scattered grid */
	bool stores; /* WALK_RANDOM of data, loose or with hot places; not with groups, a rush or a scattered grid */
	bool loose; /* the same, without hot places; count[0] is a multiple of WALK_LOOSE */

	bool code; /* WALK_RANDOM, without groups and rush; always with WALK_LADDER. With hot places each jump waits for
		      a load from one of them: those are data, all zero, in the data's first arena */
	long body; /* bytes that run at each place, the jump included, full of the shortest instructions that do
		      nothing; 0: the jump alone. Of a ladder: independent additions in a case. Its length is `count`
		      cases, a step is one of them, and its pages and arena make no difference */
	enum walk_stream stream; /* WALK_STREAM, with `span` and `vector` */
	bool past; /* what it writes goes past the caches */
	uint64_t span; /* bytes; of a copy both halves */
	long vector; /* bytes of each load and store: 16, 32 or 64 */

	uint64_t reserve; /* code: bytes that its arena shall have at least, for walks to come */
	long filler; /* code: bytes of the instructions that do nothing, where there are such; 0: the shortest */
};

/* Distinct places of the walk, hot ones not counted. */
long walk_length(const struct walk *walk);

/* Bytes of its arena that it needs, at least one more than the last offset; UINT64_MAX when no arena is that large. */
uint64_t walk_extent(const struct walk *walk);

/* Calls visit with every place of the walk that is loaded from, hot ones first, in the order in which the arena is
 * warmed. */
void walk_visit(const struct walk *walk, void (*visit)(void *context, uint64_t place), void *context);

/* Steps after that until the caches hold what they will. */
long walk_warming(const struct walk *walk);

/* The numbers below count in an order that nothing foresees, the same one each time. */
void walk_shuffle(long *order, long count);

/* The same for equal questions, in every run. */
uint64_t walk_hash(const struct walk *walk);

/* The same for walks over the same places, in whatever order they are drawn. */
uint64_t walk_hash_places(const struct walk *walk);

#endif

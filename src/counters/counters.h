/* SPDX-License-Identifier: MIT */
/*
 * counters.h - caches and TLBs as counters of what they lack see them: AMP's algorithms, a second opinion beside times
 *
 * A question is a walk, as for times, but the answer is the share of its steps that missed, and no threshold on a time
 * is needed. Each reading has what reading takes itself taken off, the least of eight counts, since others only ever
 * add; and each answer is the most common one of eight. No counter is believed before it has counted walks right of
 * which it is known what they miss.
 */
#ifndef XRAY_COUNTERS_COUNTERS_H
#define XRAY_COUNTERS_COUNTERS_H

#include <math.h>

#include "../engine/engine.h"

/* Bytes between places of which each surely lies on a line, and on a page, of its own. */
enum { COUNTERS_LINE = 256, COUNTERS_CODE = 64, COUNTERS_PAGE = 4096 };

/* The counter of an event. */
struct counter {
	bool tried, exists, trusted;
	char why[200]; /* it does not exist, or is not trusted */
	double overhead; /* counts of a reading in which nothing is missed */
	double beyond; /* bytes of a walk of which it counts nearly every step */
};

/* An answer that most votes came to; NaN, and why, where most came to none, or to no common one. */
struct voted {
	bool tried;
	double value, agreed; /* share of the votes */
	char why[160];
};

/* What the counter says of the cache or TLB whose misses it counts. */
struct counted {
	struct voted line; /* bytes that one miss brings; of a TLB, that one entry covers */
	struct voted size; /* such lines */
	struct voted ways;
	struct voted same; /* 1: of lines that are one too many for a set each misses, as with LRU; 0: they do not */
	struct voted unified; /* 1: code takes its place */
};

struct counting {
	struct counter counter[WALK_EVENTS];
	struct counted counted[WALK_EVENTS];
};

/* What is known so far, which the owner of the lab frees; NULL without memory. */
struct counting *counters_of(struct lab *lab);

/* Tries it once. NULL without memory. */
const struct counter *counters_try(struct lab *lab, enum walk_event event);

/* Answers of a trusted counter; each is found once, with what it needs. */
const struct voted *counters_line(struct lab *lab, enum walk_event event);
const struct voted *counters_size(struct lab *lab, enum walk_event event);
const struct voted *counters_ways(struct lab *lab, enum walk_event event);
const struct voted *counters_same(struct lab *lab, enum walk_event event);
const struct voted *counters_unified(struct lab *lab, enum walk_event event);

static inline bool counters_is_code(enum walk_event event)
{
	return event == WALK_L1I_MISSES || event == WALK_ITLB_MISSES;
}

static inline bool counters_is_tlb(enum walk_event event)
{
	return event == WALK_DTLB_MISSES || event == WALK_ITLB_MISSES;
}

/* --- readings.c */
/* The least of eight counts of the walk's event; NaN, and why if it is not NULL, when it does not run. */
double counters_least(struct lab *lab, const struct walk *walk, long steps, char *why, size_t size);
/* Counts a step, in whole rounds and at least so many steps; without what a reading takes. */
double counters_share(struct lab *lab, const struct walk *walk, long steps);
/* The same of places that are rows of columns, so many bytes apart. Data are walked round in no order, code at random.
 */
struct counters_grid {
	double rows, apart, columns, columns_apart;
	long rounds; /* at least */
	bool full; /* code: all that lies between places is run, instructions as short as can be */
};
double counters_grid_share(struct lab *lab, enum walk_event event, struct counters_grid grid);
/* The same round some places of data, in the order given. */
double counters_round_share(struct lab *lab, enum walk_event event, const uint64_t *places, long count, long steps);

/* --- votes.c */
/* Asks until it is clear what most of eight say. An answer that is NaN counts as one. */
struct voted counters_vote(struct lab *lab, enum walk_event event,
			   double (*ask)(struct lab *lab, enum walk_event event));
/* The most common of some answers, and how many gave it. Pure. */
double counters_most_common(const double *answers, int count, int *times);

/* --- trust.c: does a counter count what it should that counts so much a step where nothing is missed, and so much
 * where every step misses? NULL, or what is wrong. Pure. */
const char *counters_wrong(double idle, double misses);

#endif

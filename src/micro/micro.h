/* SPDX-License-Identifier: MIT */
/*
 * micro.h - what a micro-benchmark is, and all that one may use
 */
#ifndef XRAY_MICRO_H
#define XRAY_MICRO_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../ports/ports.h"
#include "../policies/policies.h"
#include "../copies/copies.h"
#include "../traffic/traffic.h"
#include "operation.h"
#include "counter.h"

/* What one instance of a family is about. */
struct subject {
	const struct operation *operation;
	const struct nano_type *type;
	const char *level; /* l1d, l2, ... */
	int depth; /* 0 for l1d and l1i */
	bool code; /* the instruction side's */
	const char *kind; /* int, fp, mem: of work that threads do at once */
	enum teams_kind work; /* the same */
};

struct micro {
	const char *name; /* cpu.frequency, or a family's: op.OP.TYPE.latency */
	const char *what; /* one line */
	const char *unit;
	const char *story; /* Idea, Answer, Assumes, Fails as: for xray explain */
	/* Names that must be measured before; OP, TYPE, LEVEL and KIND stand for the subject's. With '?' in front only
	 * the order matters: the answer is poorer, not impossible, without. */
	const char *needs[4];
	/* The subject of the index-th instance; false past the end. NULL: not a family. */
	bool (*instance)(int index, struct subject *subject);
	void (*want)(struct lab *lab, const struct subject *subject); /* announces nano-benchmarks; may be NULL */
	bool builtin; /* it runs without a compiler: all that it will ever time is wanted, and built in for both
			 barriers */
	bool thorough; /* no part of a quick run: it takes walks through all of memory */
	bool second; /* a second opinion: shown in a run of everything only where what it takes is there */
	void (*run)(struct lab *lab, const struct subject *subject);
};

#include "catalogue.h"

/* --- cache.c: what the micro-benchmarks of caches share. The instances of a family over levels: l1d, l2, ... */
bool cache_instance(int index, struct subject *subject);
/* The hierarchy; NULL, and the finding settled, when it could not be walked. */
const struct hierarchy *explored(struct lab *lab);
/* The same; NULL also where no walk went beyond a cache. */
const struct hierarchy *explored_memory(struct lab *lab);
/* The subject's level; NULL, and the finding settled, when there is none. */
const struct level *cache_level(struct lab *lab, const struct subject *subject);
/* The same, for questions of how much it holds: all walks are taken where no sets are known. */
const struct level *cache_room(struct lab *lab, const struct subject *subject);
/* True, and the finding settled, when the law alone is not to be believed at this depth. */
bool cache_is_bent(struct lab *lab, int depth);
/* What the law alone says of the level's reach: its interval, widened by what else could explain it. */
void cache_range(const struct lab *lab, int depth, double *low, double *high);
/* Whether so few ways end the level that what it reaches and what a miss costs look alike. */
bool cache_is_soft(const struct level *level);
/* Ways by which a count may be off where others disturb all the time. */
double cache_miscount(const struct lab *lab, int depth);
/* Ways of a found set that may be the level above's. */
double cache_hidden(const struct lab *lab, int depth);
/* How far off, relatively, a time or a reach may be that neighbours had a part in. */
double cache_margin(const struct lab *lab);
/* Relative: what may be wrong with what a miss costs, where prefetchers foresee the walks that tell translation. */
double cache_foreseen(const struct lab *lab);

/* --- tlb.c: what the micro-benchmarks of translation share. The instances of a family over TLBs: l1d, l2d, l3d */
bool tlb_instance(int index, struct subject *subject);
bool tlb_data_instance(int index, struct subject *subject);
/* What walks over pages told; NULL, and the finding settled, when they could not be taken. */
const struct paging *paged(struct lab *lab);
/* The subject's TLB; NULL, and the finding settled, when there is none. */
const struct tlb *tlb_level(struct lab *lab, const struct subject *subject);
/* The sets of that TLB. */
const struct tlb_sets *tlb_sets(struct lab *lab, const struct subject *subject);
/* Ways that were counted, times so many sets. */
void tlb_counted(struct lab *lab, const struct tlb_sets *sets, double times);
/* Entries as random references alone tell them. */
void tlb_by_law(struct lab *lab, const struct tlb *tlb, int depth);

/* --- code.c: what walks of code told; NULL, and the finding settled, when they could not be taken. */
const struct coding *coded(struct lab *lab);
/* The same; NULL also where no cache of bytes shows. */
const struct coding *coded_nearest(struct lab *lab);
/* The level of code that is the subject's level of data, going by what both hold, or by its number where that is not
 * known of data; -1, and the finding settled. */
int code_level_of(struct lab *lab, const struct coding *coding, const struct subject *subject);
/* Whether code and data share something. */
void code_told(struct lab *lab, enum stat_verdict verdict);
/* Cycles from ticks; the ends of an interval are moved apart by the cycle's own error. */
static inline double cycles(const struct lab *lab, double ticks)
{
	return ticks / lab->cycle;
}

static inline double cycles_low(const struct lab *lab, double ticks)
{
	return ticks / lab->cycle * (1 - lab->cycle_error);
}

static inline double cycles_high(const struct lab *lab, double ticks)
{
	return ticks / lab->cycle * (1 + lab->cycle_error);
}

#endif

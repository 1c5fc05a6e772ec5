/* SPDX-License-Identifier: MIT */
/*
 * cache.h - one cache: which lines it holds, and which one goes; private to sim/
 *
 * It knows no bytes and no time. Lines are numbers; a TLB is a cache of page numbers.
 */
#ifndef XRAY_SIM_CACHE_H
#define XRAY_SIM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "../describe/description.h"
#include "random.h"

/* No line, no slot. */
#define SIM_NONE UINT32_MAX

struct sim_shape {
	uint32_t sets, ways;
	int slices; /* 0: line % sets; -1: all bits folded into the index; else that many slices */
	bool fixed; /* a line keeps its slot while it stays, so that the owner may keep something beside it */
	struct description_policy policy;
};

struct sim_index {
	uint32_t sets; /* of a slice */
	uint32_t mask; /* sets - 1 when that is a power of two, else 0 */
	uint64_t reciprocal;
	int slices, fold; /* fold: bits of the hash */
};

struct sim_cache {
	struct sim_index index;
	struct description_policy policy;
	uint32_t sets, ways;
	bool ordered; /* tags of a set lie in the policy's order, the next victim last; else in fixed slots */
	uint32_t *tags; /* sets x ways */
	uint32_t *filled; /* lines in each set */
	uint32_t *found,
		found_mask; /* where many ways would take long to look through: slots by line, open addressing */
	uint8_t *age; /* per slot: of nru 1 for used */
	uint64_t *tree; /* per set `tree_words` */
	uint32_t tree_span, tree_words;
	uint32_t *newer, *older, *first, *last; /* lists of lru and fifo, per slot and per set */
	struct sim_random random;
	bool changed; /* since `state` was worked out */
	uint64_t state;
};

/* False when memory ran out; free it either way. */
bool sim_cache_start(struct sim_cache *cache, const struct sim_shape *shape, uint64_t seed);
void sim_cache_free(struct sim_cache *cache);

uint32_t sim_cache_set(const struct sim_cache *cache, uint32_t line);

/* Refers to a line: its slot when it is there, else SIM_NONE. */
uint32_t sim_cache_touch(struct sim_cache *cache, uint32_t line);

/* The line will be asked for soon: gets the host to fetch what is known of its set. */
void sim_cache_expect(const struct sim_cache *cache, uint32_t line);

/* Is it there? Changes nothing. */
bool sim_cache_has(const struct sim_cache *cache, uint32_t line);

/* Brings in a line that is not there. Returns the one that had to go, or SIM_NONE. */
uint32_t sim_cache_insert(struct sim_cache *cache, uint32_t line, uint32_t *slot);

/* Takes a line out; false: it was not there. */
bool sim_cache_remove(struct sim_cache *cache, uint32_t line);

/* A number that is the same whenever what it holds, and what will go next, is the same. What has too many lines to look
 * at, or something beside them that is not looked at, has a new one after every change. */
uint64_t sim_cache_state(struct sim_cache *cache, bool alone);

/* What the policy does in fixed slots (policy.c). */
bool sim_policy_start(struct sim_cache *cache);
void sim_policy_hit(struct sim_cache *cache, uint32_t set, uint32_t way);
uint32_t sim_policy_choose(struct sim_cache *cache, uint32_t set); /* the way for a new line */
void sim_policy_enter(struct sim_cache *cache, uint32_t set, uint32_t way);
void sim_policy_leave(struct sim_cache *cache, uint32_t set, uint32_t way);

#endif

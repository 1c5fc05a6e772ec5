/* SPDX-License-Identifier: MIT */
/*
 * policy.c - which line of a set goes
 *
 * Empty ways are filled first, from the left (qlru with R2: from the right). The tree of tree-plru spans the next power
 * of two of the ways; where one side of a node has no ways at all, the search takes the other.
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

enum { OLDEST = 3, RARELY = 16 };

bool sim_policy_start(struct sim_cache *cache)
{
	size_t slots = (size_t)cache->sets * cache->ways;

	switch (cache->policy.kind) {
	case POLICY_LRU:
	case POLICY_FIFO:
		cache->newer = malloc(slots * sizeof *cache->newer);
		cache->older = malloc(slots * sizeof *cache->older);
		cache->first = malloc(cache->sets * sizeof *cache->first);
		cache->last = malloc(cache->sets * sizeof *cache->last);
		if (!cache->newer || !cache->older || !cache->first || !cache->last)
			return false;
		memset(cache->first, 0xff, cache->sets * sizeof *cache->first);
		memset(cache->last, 0xff, cache->sets * sizeof *cache->last);
		return true;
	case POLICY_TREE:
		cache->tree_span = 1;
		while (cache->tree_span < cache->ways)
			cache->tree_span *= 2;
		cache->tree_words = (cache->tree_span + 63) / 64;
		cache->tree = calloc((size_t)cache->sets * cache->tree_words, sizeof *cache->tree);
		return cache->tree;
	case POLICY_NRU:
	case POLICY_AGES:
		cache->age = malloc(slots);
		if (cache->age)
			memset(cache->age, cache->policy.kind == POLICY_AGES ? OLDEST : 0, slots);
		return cache->age;
	default:
		return true;
	}
}

static void list_out(struct sim_cache *cache, uint32_t set, uint32_t slot)
{
	uint32_t newer = cache->newer[slot], older = cache->older[slot];

	if (newer == SIM_NONE)
		cache->first[set] = older;
	else
		cache->older[newer] = older;
	if (older == SIM_NONE)
		cache->last[set] = newer;
	else
		cache->newer[older] = newer;
}

static void list_in(struct sim_cache *cache, uint32_t set, uint32_t slot)
{
	uint32_t first = cache->first[set];

	cache->newer[slot] = SIM_NONE;
	cache->older[slot] = first;
	cache->first[set] = slot;
	if (first == SIM_NONE)
		cache->last[set] = slot;
	else
		cache->newer[first] = slot;
}

/* Nodes are numbered from 1, the children of n are 2n and 2n + 1; a bit that is set points to the right. */
static void tree_touch(struct sim_cache *cache, uint32_t set, uint32_t way)
{
	uint64_t *tree = cache->tree + (size_t)set * cache->tree_words;
	uint32_t node = 1;

	for (uint32_t half = cache->tree_span / 2; half; half /= 2) {
		uint64_t bit = (uint64_t)1 << node % 64;

		if (way & half)
			tree[node / 64] &= ~bit;
		else
			tree[node / 64] |= bit;
		node = 2 * node + !!(way & half);
	}
}

static uint32_t tree_victim(const struct sim_cache *cache, uint32_t set)
{
	const uint64_t *tree = cache->tree + (size_t)set * cache->tree_words;
	uint32_t node = 1, way = 0;

	for (uint32_t half = cache->tree_span / 2; half; half /= 2) {
		bool right = tree[node / 64] >> node % 64 & 1 && way + half < cache->ways;

		way += right ? half : 0;
		node = 2 * node + right;
	}
	return way;
}

static uint8_t *ages_of(const struct sim_cache *cache, uint32_t set)
{
	return cache->age ? cache->age + (size_t)set * cache->ways : NULL;
}

/* The oldest but for the one at `but`. */
static int highest(const uint8_t *age, uint32_t ways, uint32_t but)
{
	int most = 0;

	for (uint32_t i = 0; i < ways; i++)
		if (i != but && age[i] > most)
			most = age[i];
	return most;
}

/* Ages the set when nobody is 3 old; `way` was referred to, SIM_NONE before a victim is sought. */
static void grow_old(const struct sim_cache *cache, uint8_t *age, uint32_t way)
{
	int update = cache->policy.update;
	uint32_t but = update & 1 ? way : SIM_NONE;
	const uint8_t *oldest = memchr(age, OLDEST, cache->ways);
	int by;

	if (oldest && (uint32_t)(oldest - age) != but)
		return;
	if (update <= 1)
		by = OLDEST - highest(age, cache->ways, but);
	else
		by = highest(age, cache->ways, SIM_NONE) < OLDEST;
	if (!by)
		return;
	for (uint32_t i = 0; i < cache->ways; i++)
		if (i != but)
			age[i] = (uint8_t)(age[i] + by);
}

void sim_policy_hit(struct sim_cache *cache, uint32_t set, uint32_t way)
{
	uint8_t *age = ages_of(cache, set);

	switch (cache->policy.kind) {
	case POLICY_LRU:
		if (cache->first[set] != set * cache->ways + way) {
			list_out(cache, set, set * cache->ways + way);
			list_in(cache, set, set * cache->ways + way);
		}
		break;
	case POLICY_TREE:
		tree_touch(cache, set, way);
		break;
	case POLICY_NRU:
		age[way] = 1;
		break;
	case POLICY_AGES:
		age[way] = (uint8_t)(age[way] == 3 ? cache->policy.hit3 : age[way] == 2 ? cache->policy.hit2 : 0);
		if (!cache->policy.miss_only)
			grow_old(cache, age, way);
		break;
	default:
		break;
	}
}

static uint32_t empty_way(const struct sim_cache *cache, uint32_t set)
{
	const uint32_t *tags = cache->tags + (size_t)set * cache->ways;
	bool right = cache->policy.kind == POLICY_AGES && cache->policy.replace == 2;
	uint32_t way = right ? cache->ways - 1 : 0;

	while (tags[way] != SIM_NONE)
		way += right ? UINT32_MAX : 1;
	return way;
}

/* The leftmost way of that age, or 0. */
static uint32_t leftmost(const uint8_t *age, uint32_t ways, int wanted)
{
	const uint8_t *found = memchr(age, wanted, ways);

	return found ? (uint32_t)(found - age) : 0;
}

uint32_t sim_policy_choose(struct sim_cache *cache, uint32_t set)
{
	uint8_t *age = ages_of(cache, set);

	/* Before the search: ways that are empty count as old. */
	if (cache->policy.kind == POLICY_AGES && cache->policy.miss_only)
		grow_old(cache, age, SIM_NONE);
	if (cache->filled[set] < cache->ways)
		return empty_way(cache, set);
	switch (cache->policy.kind) {
	case POLICY_LRU:
	case POLICY_FIFO:
		return cache->last[set] - set * cache->ways;
	case POLICY_RANDOM:
		return (uint32_t)((sim_random_next(&cache->random) >> 32) * cache->ways >> 32);
	case POLICY_TREE:
		return tree_victim(cache, set);
	case POLICY_NRU:
		if (!memchr(age, 0, cache->ways))
			memset(age, 0, cache->ways);
		return leftmost(age, cache->ways, 0);
	default:
		return leftmost(age, cache->ways, OLDEST);
	}
}

void sim_policy_enter(struct sim_cache *cache, uint32_t set, uint32_t way)
{
	const struct description_policy *policy = &cache->policy;
	uint8_t *age = ages_of(cache, set);

	switch (policy->kind) {
	case POLICY_LRU:
	case POLICY_FIFO:
		list_in(cache, set, set * cache->ways + way);
		break;
	case POLICY_TREE:
		tree_touch(cache, set, way);
		break;
	case POLICY_NRU:
		age[way] = 1;
		break;
	case POLICY_AGES:
		age[way] = (uint8_t)policy->insert;
		if (policy->rare >= 0 && sim_random_next(&cache->random) % RARELY == 0)
			age[way] = (uint8_t)policy->rare;
		if (!policy->miss_only)
			grow_old(cache, age, way);
		break;
	default:
		break;
	}
}

void sim_policy_leave(struct sim_cache *cache, uint32_t set, uint32_t way)
{
	if (cache->policy.kind == POLICY_LRU || cache->policy.kind == POLICY_FIFO)
		list_out(cache, set, set * cache->ways + way);
	else if (cache->age)
		cache->age[(size_t)set * cache->ways + way] = cache->policy.kind == POLICY_AGES ? OLDEST : 0;
}

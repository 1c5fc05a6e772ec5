/* SPDX-License-Identifier: MIT */
/*
 * state.c - is a cache as it was before?
 *
 * What is the same will do the same: a walk that comes round to a state that it had before goes on as it did then, and
 * need not be taken again.
 */
#include <string.h>

#include "cache.h"

enum { MOST_SLOTS = 1 << 15 }; /* more take longer to look at than the walk itself */

static uint64_t mix(uint64_t state, uint64_t value)
{
	state = (state ^ value) * 0x9e3779b97f4a7c15u;
	return state ^ state >> 29;
}

static uint64_t mix_bytes(uint64_t state, const void *bytes, size_t size)
{
	const char *from = bytes;
	uint64_t word = 0;

	for (; size >= sizeof word; size -= sizeof word, from += sizeof word) {
		memcpy(&word, from, sizeof word);
		state = mix(state, word);
	}
	word = 0;
	memcpy(&word, from, size);
	return mix(state, word);
}

/* The lines of each set in their order; which slots they lie in makes no difference. */
static uint64_t mix_lists(const struct sim_cache *cache)
{
	uint64_t state = 0;

	for (uint32_t set = 0; set < cache->sets; set++)
		for (uint32_t slot = cache->first[set]; slot != SIM_NONE; slot = cache->older[slot])
			state = mix(state, (uint64_t)set << 32 | cache->tags[slot]);
	return state;
}

static uint64_t mix_slots(const struct sim_cache *cache)
{
	size_t slots = (size_t)cache->sets * cache->ways;
	uint64_t state = mix_bytes(0, cache->tags, slots * sizeof *cache->tags);

	if (cache->tree)
		state = mix_bytes(state, cache->tree, cache->sets * cache->tree_words * sizeof *cache->tree);
	if (cache->age)
		state = mix_bytes(state, cache->age, slots);
	return mix_bytes(state, &cache->random, sizeof cache->random);
}

uint64_t sim_cache_state(struct sim_cache *cache, bool alone)
{
	if (!cache->changed)
		return cache->state;
	cache->changed = false;
	if (!alone || (size_t)cache->sets * cache->ways > MOST_SLOTS)
		cache->state++;
	else
		cache->state = cache->first ? mix_lists(cache) : mix_slots(cache);
	return cache->state;
}

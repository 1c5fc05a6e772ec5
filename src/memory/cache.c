/* SPDX-License-Identifier: MIT */
/*
 * cache.c - where a line lies
 *
 * Sets are short arrays of tags. LRU and FIFO sets of few ways keep them in order, so that the order is the state and a
 * hit in the newest place costs nothing. Everything else has fixed slots and a state beside them (policy.c).
 */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

enum { ORDERED_MOST = 32, SCANNED_MOST = 32, LANES = 4 };

typedef uint32_t four __attribute__((vector_size(LANES * sizeof(uint32_t))));
typedef uint64_t two __attribute__((vector_size(LANES * sizeof(uint32_t))));

static int bits_for(uint32_t count)
{
	int bits = 0;

	while (bits < 31 && 1u << bits < count)
		bits++;
	return bits;
}

static void start_index(struct sim_index *index, uint32_t sets, int slices)
{
	index->slices = slices;
	index->sets = slices > 0 ? sets / (uint32_t)slices : sets;
	index->mask = (index->sets & (index->sets - 1)) ? 0 : index->sets - 1;
	index->reciprocal = UINT64_MAX / index->sets + 1;
	index->fold = bits_for(index->sets);
	/* A remainder needs some bits more than the number of sets has, to be even. */
	if (index->fold && !index->mask)
		index->fold = index->fold < 24 ? index->fold + 8 : 31;
	if (!index->fold)
		index->fold = 32;
}

/* n % divisor by two multiplications; exact for 32 bits (Lemire, Kaser, Kurz 2019). */
static uint32_t remainder_of(uint32_t n, uint32_t divisor, uint64_t reciprocal)
{
	return (uint32_t)((unsigned __int128)(reciprocal * n) * divisor >> 64);
}

static uint32_t within(const struct sim_index *index, uint32_t line)
{
	if (index->mask || index->sets == 1)
		return line & index->mask;
	return remainder_of(line, index->sets, index->reciprocal);
}

/* Every bit of the slice is the parity of about half of the bits of the line, as in the processors that do this. */
static uint32_t slice_of(const struct sim_index *index, uint32_t line)
{
	static const uint32_t parities[] = { 0x35f575b5, 0x6eb5faa1, 0xb3cccc93, 0x1ddf5d45, 0x2a6c39f3,
					     0x5b9e0d17, 0xc4d7a26b, 0x79312ec9, 0x96e8f43d, 0xe24b5f71 };
	uint32_t slices = (uint32_t)index->slices, slice = 0, block;

	if (!(slices & (slices - 1))) {
		for (int bit = 0; 1u << bit < slices; bit++)
			slice |= (uint32_t)__builtin_parity(line & parities[bit]) << bit;
		return slice;
	}
	/* Neighbouring blocks of lines get neighbouring slices, shuffled by the bits above: even, whatever the number.
	 */
	block = line / index->sets;
	block ^= block >> 4 ^ block >> 9;
	return (block + within(index, line)) % slices;
}

uint32_t sim_cache_set(const struct sim_cache *cache, uint32_t line)
{
	const struct sim_index *index = &cache->index;
	uint32_t folded = line;

	if (index->slices == 0)
		return within(index, line);
	if (index->slices > 0)
		return slice_of(index, line) * index->sets + within(index, line);
	for (int shift = index->fold; shift < 32; shift += index->fold)
		folded ^= line >> shift;
	if (!index->mask && index->sets > 1)
		folded &= (1u << index->fold) - 1;
	return within(index, folded);
}

/* Where the search for a line begins in the table of slots. */
static uint32_t home(const struct sim_cache *cache, uint32_t line)
{
	return (line * 0x9e3779b1u ^ line >> 15) & cache->found_mask;
}

static uint32_t table_find(const struct sim_cache *cache, uint32_t line)
{
	for (uint32_t at = home(cache, line); cache->found[at] != SIM_NONE; at = (at + 1) & cache->found_mask)
		if (cache->tags[cache->found[at]] == line)
			return cache->found[at];
	return SIM_NONE;
}

static void table_add(struct sim_cache *cache, uint32_t line, uint32_t slot)
{
	uint32_t at = home(cache, line);

	while (cache->found[at] != SIM_NONE)
		at = (at + 1) & cache->found_mask;
	cache->found[at] = slot;
}

/* Closes the gap, so that no search ends too early. */
static void table_remove(struct sim_cache *cache, uint32_t slot)
{
	uint32_t mask = cache->found_mask, at = home(cache, cache->tags[slot]), next;

	while (cache->found[at] != slot)
		at = (at + 1) & mask;
	for (next = (at + 1) & mask; cache->found[next] != SIM_NONE; next = (next + 1) & mask) {
		uint32_t wanted = home(cache, cache->tags[cache->found[next]]);

		if (((next - wanted) & mask) < ((next - at) & mask))
			continue;
		cache->found[at] = cache->found[next];
		at = next;
	}
	cache->found[at] = SIM_NONE;
}

static uint32_t find(const struct sim_cache *cache, uint32_t set, uint32_t line)
{
	uint32_t base = set * cache->ways;
	const uint32_t *tags = cache->tags + base;

	if (cache->found)
		return table_find(cache, line);
	/* Eight at a time. Some of them may be of the next set, where this line never is. */
	for (uint32_t way = 0; way < cache->ways; way += 2 * LANES) {
		four low, high, both;

		memcpy(&low, tags + way, sizeof low);
		memcpy(&high, tags + way + LANES, sizeof high);
		both = (four)(low == line) | (four)(high == line);
		if (!(((two)both)[0] | ((two)both)[1]))
			continue;
		while (tags[way] != line)
			way++;
		return base + way;
	}
	return SIM_NONE;
}

void sim_cache_expect(const struct sim_cache *cache, uint32_t line)
{
	const uint32_t *tags = cache->tags + (size_t)sim_cache_set(cache, line) * cache->ways;

	if (cache->found)
		return;
	__builtin_prefetch(tags);
	__builtin_prefetch(tags + cache->ways - 1);
	if (cache->age)
		__builtin_prefetch(cache->age + (tags - cache->tags));
}

uint32_t sim_cache_touch(struct sim_cache *cache, uint32_t line)
{
	uint32_t set = sim_cache_set(cache, line), slot = find(cache, set, line), base = set * cache->ways;

	if (slot == SIM_NONE)
		return SIM_NONE;
	if (!cache->ordered) {
		cache->changed = true;
		sim_policy_hit(cache, set, slot - base);
	} else if (cache->policy.kind == POLICY_LRU) {
		cache->changed = cache->changed || slot > base;
		memmove(cache->tags + base + 1, cache->tags + base, (slot - base) * sizeof *cache->tags);
		cache->tags[base] = line;
	}
	return slot;
}

bool sim_cache_has(const struct sim_cache *cache, uint32_t line)
{
	return find(cache, sim_cache_set(cache, line), line) != SIM_NONE;
}

uint32_t sim_cache_insert(struct sim_cache *cache, uint32_t line, uint32_t *slot)
{
	uint32_t set = sim_cache_set(cache, line), base = set * cache->ways, victim;

	cache->changed = true;
	if (cache->ordered) {
		uint32_t *tags = cache->tags + base;

		victim = tags[cache->ways - 1];
		memmove(tags + 1, tags, (cache->ways - 1) * sizeof *tags);
		tags[0] = line;
		*slot = base;
		return victim;
	}
	*slot = base + sim_policy_choose(cache, set);
	victim = cache->tags[*slot];
	if (victim == SIM_NONE) {
		cache->filled[set]++;
	} else {
		if (cache->found)
			table_remove(cache, *slot);
		sim_policy_leave(cache, set, *slot - base);
	}
	cache->tags[*slot] = line;
	if (cache->found)
		table_add(cache, line, *slot);
	sim_policy_enter(cache, set, *slot - base);
	return victim;
}

bool sim_cache_remove(struct sim_cache *cache, uint32_t line)
{
	uint32_t set = sim_cache_set(cache, line), slot = find(cache, set, line), end = (set + 1) * cache->ways - 1;

	if (slot == SIM_NONE)
		return false;
	cache->changed = true;
	if (cache->ordered) {
		memmove(cache->tags + slot, cache->tags + slot + 1, (end - slot) * sizeof *cache->tags);
		cache->tags[end] = SIM_NONE;
		return true;
	}
	if (cache->found)
		table_remove(cache, slot);
	cache->tags[slot] = SIM_NONE;
	cache->filled[set]--;
	sim_policy_leave(cache, set, slot - set * cache->ways);
	return true;
}

bool sim_cache_start(struct sim_cache *cache, const struct sim_shape *shape, uint64_t seed)
{
	size_t slots = (size_t)shape->sets * shape->ways + 2 * LANES; /* the search looks a little further */
	enum policy_kind kind = shape->policy.kind;
	uint32_t sets = shape->sets;

	*cache = (struct sim_cache){ .policy = shape->policy, .sets = sets, .ways = shape->ways, .changed = true };
	if (!sets || !shape->ways)
		return false;
	/* Where there is no choice, no policy makes one. */
	if (shape->ways == 1)
		cache->policy.kind = kind = POLICY_LRU;
	start_index(&cache->index, sets, shape->slices);
	sim_random_seed(&cache->random, seed);
	cache->ordered = !shape->fixed && shape->ways <= ORDERED_MOST && (kind == POLICY_LRU || kind == POLICY_FIFO);
	cache->tags = malloc(slots * sizeof *cache->tags);
	if (!cache->tags)
		return false;
	memset(cache->tags, 0xff, slots * sizeof *cache->tags);
	if (cache->ordered)
		return true;
	cache->filled = calloc(sets, sizeof *cache->filled);
	if (shape->ways > SCANNED_MOST) {
		size_t room = (size_t)1 << bits_for(sets * shape->ways * 2);

		cache->found_mask = (uint32_t)room - 1;
		cache->found = malloc(room * sizeof *cache->found);
		if (!cache->found)
			return false;
		memset(cache->found, 0xff, room * sizeof *cache->found);
	}
	return cache->filled && sim_policy_start(cache);
}

void sim_cache_free(struct sim_cache *cache)
{
	free(cache->tags);
	free(cache->filled);
	free(cache->found);
	free(cache->age);
	free(cache->tree);
	free(cache->newer);
	free(cache->older);
	free(cache->first);
	free(cache->last);
}

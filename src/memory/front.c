/* SPDX-License-Identifier: MIT */
/*
 * front.c - code on its way into the core
 *
 * Straight code comes as micro-ops where it was decoded before, and in lines from the first level of code where it was
 * not. Micro-ops and jumps are known by their virtual addresses, lines by physical ones. An instruction is one
 * micro-op, and belongs to the window where it begins.
 */
#include <string.h>

#include "front.h"

enum { JUMP_UOPS = 3, USUAL_LINE = 6, HEAD = 4 }; /* the last two as shifts; traces and jumps begin 16 bytes apart */

struct course {
	struct sim_front *front;
	struct sim_hierarchy *hierarchy;
	const struct sim_region *region;
	struct sim_straight *straight;
};

static bool start_cache(struct sim_cache *cache, double entries, double ways, const struct description_policy *policy,
			uint64_t seed)
{
	struct sim_shape shape = { .policy = *policy };

	shape.ways = (uint32_t)(ways > 0 ? ways : entries);
	shape.sets = (uint32_t)entries / shape.ways;
	return sim_cache_start(cache, &shape, seed);
}

bool sim_front_start(struct sim_front *front, const struct description *description, uint64_t seed)
{
	const struct description_uops *uops = &description->uops;
	const struct description_code *code = &description->code;
	const struct description_policy lru = { .kind = POLICY_LRU };

	memset(front, 0, sizeof *front);
	front->description = description;
	while (uops->window > 0 && (double)((uint64_t)1 << front->window) < uops->window)
		front->window++;
	return (!uops->present || start_cache(&front->uops, uops->entries, uops->ways, &uops->policy, seed)) &&
	       (code->branches <= 0 ||
		start_cache(&front->branches, code->branches, code->branch_ways, &lru, seed + 1));
}

void sim_front_free(struct sim_front *front)
{
	sim_cache_free(&front->uops);
	sim_cache_free(&front->branches);
}

/* A name of 32 bits for what lies in set `number` modulo the sets, and differs from all else there by `part`. */
static uint32_t name_of(const struct sim_cache *cache, uint64_t number, uint64_t part)
{
	uint64_t rest = (number / cache->sets) * 0xd1342543de82ef95u + part, names = UINT32_MAX / cache->sets;

	return (uint32_t)((sim_random_mix(&rest) >> 32) * names >> 32) * cache->sets + (uint32_t)(number % cache->sets);
}

static bool recall(struct sim_cache *cache, uint32_t name)
{
	uint32_t slot;

	if (sim_cache_touch(cache, name) != SIM_NONE)
		return true;
	sim_cache_insert(cache, name, &slot);
	return false;
}

/* Instructions that begin in the first `bytes` of straight code. */
static uint64_t begun(const struct sim_straight *straight, uint64_t bytes)
{
	uint64_t jump = straight->plain * straight->size, last;

	if (bytes <= jump)
		return (bytes + straight->size - 1) / straight->size;
	last = ((bytes - jump) * JUMP_UOPS + straight->jump - 1) / straight->jump;
	return straight->plain + (last < JUMP_UOPS ? last : JUMP_UOPS);
}

/* Where instruction `number` begins, or the end of the last one. */
static uint64_t beginning(const struct sim_straight *straight, uint64_t number)
{
	uint64_t last;

	if (number <= straight->plain)
		return number * straight->size;
	last = number - straight->plain < JUMP_UOPS ? number - straight->plain : JUMP_UOPS;
	return straight->plain * straight->size + last * straight->jump / JUMP_UOPS;
}

static uint64_t length_of(const struct sim_straight *straight)
{
	return straight->plain * straight->size + straight->jump;
}

static void fetch_next(const struct course *course, uint64_t next)
{
	uint64_t address = sim_region_address(course->region, next);

	course->front->ahead += sim_hierarchy_load(course->hierarchy, SIM_CODE, address, 0) > 0;
}

static double fetch_line(const struct course *course, uint64_t line, int shift)
{
	const struct description_code *code = &course->front->description->code;
	const struct sim_straight *straight = course->straight;
	uint64_t offset = line << shift, next = offset + ((uint64_t)1 << shift);
	int page = course->region->shift;
	int from = sim_hierarchy_load(course->hierarchy, SIM_CODE, sim_region_address(course->region, offset), 0);
	bool ahead = code->straight > 0 && (straight->foreseen || line != straight->start >> shift);

	if (from == 0)
		return 0;
	course->front->misses++;
	if (code->next_line > 0 && next >> page == offset >> page)
		fetch_next(course, next);
	return ahead ? 0
		     : sim_hierarchy_latency(course->hierarchy, SIM_CODE, from) -
			       sim_hierarchy_latency(course->hierarchy, SIM_CODE, 0);
}

/* Fetches the lines of these bytes of straight code, but for those that were fetched on the way to them. */
static double fetch(const struct course *course, uint64_t from, uint64_t to)
{
	struct sim_straight *straight = course->straight;
	int shift = course->hierarchy->depth[SIM_CODE] ? sim_hierarchy_at(course->hierarchy, SIM_CODE, 0)->sector_shift
						       : USUAL_LINE;
	uint64_t line = (straight->start + from) >> shift, end = ((straight->start + to - 1) >> shift) + 1;
	double cycles = 0;

	if (line < straight->fetched)
		line = straight->fetched;
	for (; line < end; line++)
		cycles += fetch_line(course, line, shift);
	if (end > straight->fetched)
		straight->fetched = end;
	return cycles;
}

/* Is all of a window there, which has so many micro-ops? It will be the next time. */
static bool recall_window(const struct course *course, uint64_t window, uint64_t uops)
{
	struct sim_front *front = course->front;
	const struct description_uops *described = &front->description->uops;
	uint64_t each = (uint64_t)described->each, entries = (uops + each - 1) / each;
	uint64_t number = (course->region->origin >> front->window) + window;
	bool whole = true;

	if (described->most > 0 && (double)entries > described->most)
		return false;
	for (uint64_t i = 0; i < entries; i++)
		if (!recall(&front->uops, name_of(&front->uops, number, i)))
			whole = false;
	return whole;
}

static double run_windows(const struct course *course, uint64_t to, bool *decoded)
{
	struct sim_straight *straight = course->straight;
	int shift = course->front->window;
	struct sim_blocks windows = sim_blocks(straight, to, shift);
	double cycles = 0;

	for (uint64_t window = windows.first; window < windows.end; window++) {
		uint64_t from = window << shift, end = (window + 1) << shift, uops;

		from = from > straight->start ? from - straight->start : 0;
		end -= straight->start;
		if (end > length_of(straight))
			end = length_of(straight);
		uops = begun(straight, end) - begun(straight, from);
		/* The rest of an instruction comes as its beginning did. */
		if (uops)
			straight->decoding = !recall_window(course, window, uops);
		if (!straight->decoding)
			continue;
		cycles += fetch(course, from, end);
		*decoded = true;
	}
	return cycles;
}

/* A trace fills one entry after the other, in sets that follow each other, from where its head lies. */
static double run_trace(const struct course *course, uint64_t to, bool *decoded)
{
	struct sim_straight *straight = course->straight;
	struct sim_cache *uops = &course->front->uops;
	uint64_t each = (uint64_t)course->front->description->uops.each;
	uint64_t head = course->region->origin + straight->start;
	uint64_t entry = (begun(straight, straight->at) + each - 1) / each;
	uint64_t end = (begun(straight, to) + each - 1) / each;
	double cycles = 0;

	for (; entry < end; entry++) {
		if (recall(uops, name_of(uops, (head >> HEAD) + entry, head + entry)))
			continue;
		cycles += fetch(course, beginning(straight, entry * each), beginning(straight, (entry + 1) * each));
		*decoded = true;
	}
	return cycles;
}

double sim_front_run(struct sim_front *front, struct sim_hierarchy *hierarchy, const struct sim_region *region,
		     struct sim_straight *straight, uint64_t to)
{
	const struct course course = { front, hierarchy, region, straight };
	const struct description_uops *uops = &front->description->uops;
	bool decoded = false;
	double cycles;

	if (!uops->present)
		return fetch(&course, straight->at, to);
	cycles = uops->window > 0 ? run_windows(&course, to, &decoded) : run_trace(&course, to, &decoded);
	return decoded ? cycles + uops->penalty : cycles;
}

double sim_front_jump(struct sim_front *front, const struct sim_region *region, const struct sim_straight *straight)
{
	uint64_t jump = region->origin + straight->start + straight->plain * straight->size;

	if (front->description->code.branches <= 0 ||
	    recall(&front->branches, name_of(&front->branches, jump >> HEAD, 0)))
		return 0;
	return front->description->code.branch_penalty;
}

/* SPDX-License-Identifier: MIT */
/*
 * traffic.c - how long it takes to move lines when none waits for another
 */
#include <math.h>
#include <string.h>

#include "parts.h"

static const double USUAL_MISSES = 10;

void sim_traffic_start(struct sim_traffic *traffic, const struct sim_hierarchy *hierarchy,
		       const struct description *description)
{
	const struct description_memory *memory = &description->memory;
	double least = INFINITY;

	*traffic = (struct sim_traffic){ .hierarchy = hierarchy, .sharers = 1, .speed = 1 };
	for (int i = 0; i < description->cache_count; i++) {
		const struct description_cache *cache = &description->caches[i];
		int level = traffic->depth;

		if (!sim_side_of(SIM_DATA, cache->holds))
			continue;
		traffic->each[level] = cache->bandwidth > 0 ? 1 / cache->bandwidth : 0;
		traffic->under_way[level] = least;
		least = fmin(least, cache->misses > 0 ? cache->misses : level == 0 ? USUAL_MISSES : INFINITY);
		traffic->depth++;
	}
	traffic->each[traffic->depth] = memory->bandwidth > 0 ? description->frequency / memory->bandwidth : 0;
	traffic->under_way[traffic->depth] = fmin(least, memory->misses > 0 ? memory->misses : INFINITY);
	traffic->ahead = traffic->depth;
	if (memory->stream > 0 || memory->next_line > 0)
		traffic->ahead = sim_hierarchy_level(description, memory->into.name, 1);
}

static void use_way(struct sim_traffic *traffic, int from, double bytes)
{
	/* The memory has a clock of its own. */
	bool far = from == traffic->depth;
	double slower = far ? traffic->sharers * traffic->speed : 1, each = traffic->each[from];

	traffic->way[from] += bytes * (far ? fmax(each, traffic->link) : each) * slower;
}

/* A line from that level, which took so many cycles to find, beside as many loads as there are chases; 0: a stream,
 * with as many as there can be. Where it is written, as much goes back the same way. */
static void add_line(struct sim_traffic *traffic, int from, double translation, double chases, bool written)
{
	int waited = chases > 0 || from < traffic->ahead ? from : traffic->ahead;
	double beside = fmin(chases > 0 ? chases : INFINITY, traffic->under_way[waited]);

	traffic->waits += (translation + sim_hierarchy_latency(traffic->hierarchy, SIM_DATA, waited)) / beside;
	for (int i = 1; i <= from; i++) {
		/* As much as the level above takes in one piece. */
		double bytes = (double)(1u << sim_hierarchy_at(traffic->hierarchy, SIM_DATA, i - 1)->sector_shift);

		use_way(traffic, i, bytes * (written ? 2 : 1));
	}
}

void sim_memory_beside(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset, double chases)
{
	const struct sim_region *region = sim_translation_region(&memory->translation, SIM_DATA, pages, arena);
	double cycles = 0;

	if (region)
		add_line(&memory->traffic, sim_memory_find(memory, region, offset, &cycles), cycles, chases, false);
}

bool sim_memory_stream(struct sim_memory *memory, const struct walk *walk, uint64_t offset, bool written)
{
	const struct sim_region *region =
		sim_translation_region(&memory->translation, SIM_DATA, walk->pages, walk->arena);
	struct sim_hierarchy *hierarchy = &memory->hierarchy;
	uint64_t end = offset + WALK_PIECE, step = WALK_PIECE;
	bool moved = false;

	if (hierarchy->depth[SIM_DATA] && sim_hierarchy_at(hierarchy, SIM_DATA, 0)->sector_shift < 6)
		step = 1u << sim_hierarchy_at(hierarchy, SIM_DATA, 0)->sector_shift;
	for (; region && offset < end; offset += step) {
		double cycles = sim_memory_translate(memory, region, (uint32_t)(offset >> region->shift));
		uint64_t address = sim_region_address(region, offset);
		bool past = written && walk->past;
		int from = past ? 0 : sim_hierarchy_load(hierarchy, SIM_DATA, address, 0);

		if (past) {
			sim_hierarchy_drop(hierarchy, address);
			use_way(&memory->traffic, memory->traffic.depth, (double)step);
		} else if (from) {
			add_line(&memory->traffic, from, cycles, 0, written);
		}
		moved = moved || past || from;
	}
	sim_memory_core(memory, written && walk->past ? 0 : WALK_PIECE);
	return moved;
}

void sim_memory_core(struct sim_memory *memory, double bytes)
{
	use_way(&memory->traffic, 0, bytes);
}

double sim_memory_traffic(struct sim_memory *memory, double core)
{
	struct sim_traffic *traffic = &memory->traffic;
	double most = fmax(core, traffic->waits);

	for (int i = 0; i <= traffic->depth; i++) {
		most = fmax(most, traffic->way[i]);
		traffic->way[i] = 0;
	}
	traffic->waits = 0;
	return most;
}

void sim_memory_company(struct sim_memory *memory, int sharers, double speed)
{
	memory->traffic.sharers = sharers;
	memory->traffic.speed = speed;
}

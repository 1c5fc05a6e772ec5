/* SPDX-License-Identifier: MIT */
/*
 * memory.c - translation, caches, prefetchers and neighbours together
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

static const double USUAL_MISSES = 10;
static const uint64_t STATES = 0xd6e8feb86659fd93u; /* odd: no two orders of the same states are alike */

struct sim_memory *sim_memory_new(const struct description *description, const struct sim_sharing *sharing,
				  uint64_t seed)
{
	struct sim_memory *memory = calloc(1, sizeof *memory);
	const char *tables = description->memory.tables.name;
	struct sim_hierarchy *with[DESCRIPTION_CACHES] = { NULL };
	double line = 64;

	if (!memory)
		return NULL;
	for (int i = 0; sharing && i < description->cache_count; i++) {
		memory->with[i] = sharing->with[i];
		with[i] = sharing->with[i] ? &sharing->with[i]->hierarchy : NULL;
	}
	memory->description = description;
	for (int i = 0; i < description->cache_count; i++)
		line = fmin(line, description->caches[i].line);
	memory->tables = *tables ? sim_hierarchy_level(description, tables, -1) : -1;
	if (!sim_hierarchy_start(&memory->hierarchy, description, with, seed ^ 0x8ebc6af09c88c6e3u) ||
	    !sim_translation_start(&memory->translation, description, line,
				   sharing ? sharing->size : description->memory.size,
				   sharing ? sharing->given : &memory->given, seed ^ 0x589965cc75374cc3u) ||
	    !sim_prefetch_start(&memory->prefetch, description) ||
	    !sim_front_start(&memory->front, description, seed ^ 0x9fb21c651e98df25u)) {
		sim_memory_free(memory);
		return NULL;
	}
	sim_traffic_start(&memory->traffic, &memory->hierarchy, description);
	sim_neighbour_start(&memory->neighbour, description, &memory->hierarchy, seed ^ 0x1d8e4e27c47d124fu);
	return memory;
}

void sim_memory_free(struct sim_memory *memory)
{
	if (!memory)
		return;
	sim_hierarchy_free(&memory->hierarchy);
	sim_translation_free(&memory->translation);
	sim_prefetch_free(&memory->prefetch);
	sim_front_free(&memory->front);
	free(memory);
}

bool sim_memory_arena(struct sim_memory *memory, enum walk_pages pages, int arena)
{
	return sim_translation_region(&memory->translation, SIM_DATA, pages, arena);
}

bool sim_memory_code_arena(struct sim_memory *memory, enum walk_pages pages, int arena)
{
	return sim_translation_region(&memory->translation, SIM_CODE, pages, arena);
}

bool sim_memory_has_code(const struct sim_memory *memory)
{
	return memory->hierarchy.depth[SIM_CODE] || memory->description->uops.present;
}

uint64_t sim_memory_room(const struct sim_memory *memory, enum walk_pages pages)
{
	return sim_translation_room(&memory->translation, pages);
}

/* Reads the entry of a page: eight bytes, side by side with those of its neighbours. They are data, whoever asks. */
static double read_tables(struct sim_memory *memory, uint32_t page)
{
	uint64_t address = (uint64_t)page * sizeof(uint64_t) % (SIM_FOREIGN / 2);

	return sim_hierarchy_latency(&memory->hierarchy, SIM_DATA,
				     sim_hierarchy_load(&memory->hierarchy, SIM_DATA, address, memory->tables));
}

double sim_memory_translate(struct sim_memory *memory, const struct sim_region *region, uint32_t page)
{
	enum walk_event event = region->side == SIM_DATA ? WALK_DTLB_MISSES : WALK_ITLB_MISSES;
	bool walked, missed;
	double cycles = sim_translation_find(&memory->translation, region, page, &walked, &missed);

	memory->events[event] += memory->description->counters.walks > 0 ? walked : missed;
	if (walked && memory->tables >= 0)
		cycles += read_tables(memory, region->first + page);
	return cycles;
}

int sim_memory_find(struct sim_memory *memory, const struct sim_region *region, uint64_t offset, double *cycles)
{
	uint64_t address;
	int from;

	*cycles += sim_memory_translate(memory, region, (uint32_t)(offset >> region->shift));
	address = sim_region_address(region, offset);
	from = sim_hierarchy_load(&memory->hierarchy, SIM_DATA, address, 0);
	*cycles += memory->hierarchy.swapped;
	memory->missed = from > 0;
	memory->events[WALK_L1D_MISSES] += from > 0;
	memory->events[WALK_L2_MISSES] += from > 1;
	memory->events[WALK_LAST_MISSES] += from > 0 && from == memory->hierarchy.depth[SIM_DATA];
	memory->learnt += from > 0 && memory->prefetch.active;
	if (from > 0 && memory->prefetch.active)
		sim_prefetch_see(&memory->prefetch, &memory->hierarchy, address, from, region->shift);
	return from;
}

double sim_memory_load(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset)
{
	const struct sim_region *region = sim_translation_region(&memory->translation, SIM_DATA, pages, arena);
	double cycles = 0;
	int from = region ? sim_memory_find(memory, region, offset, &cycles) : memory->hierarchy.depth[SIM_DATA];

	return cycles + sim_hierarchy_latency(&memory->hierarchy, SIM_DATA, from);
}

double sim_memory_store(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset, double now)
{
	const struct sim_region *region = sim_translation_region(&memory->translation, SIM_DATA, pages, arena);
	struct sim_writes *writes = &memory->hierarchy.writes;

	if (!region)
		return 0;
	sim_writes_start(writes, now, sim_memory_misses(memory));
	/* A translation that is missing is looked for while others wait their turn. */
	memory->translation.storing = true;
	sim_writes_fetch(writes, sim_memory_translate(memory, region, (uint32_t)(offset >> region->shift)));
	memory->translation.storing = false;
	sim_hierarchy_store(&memory->hierarchy, sim_region_address(region, offset));
	memory->missed = true;
	return writes->waits;
}

double sim_memory_run(struct sim_memory *memory, struct sim_straight *straight, uint64_t to)
{
	const struct sim_region *region =
		sim_translation_region(&memory->translation, SIM_CODE, straight->pages, straight->arena);
	struct sim_blocks pages;
	double waited, cycles = 0;

	if (!region)
		return memory->hierarchy.latency;
	pages = sim_blocks(straight, to, region->shift);
	for (uint64_t page = pages.first; page < pages.end; page++)
		cycles += sim_memory_translate(memory, region, (uint32_t)page);
	waited = sim_front_run(&memory->front, &memory->hierarchy, region, straight, to);
	memory->missed = waited > 0;
	straight->at = to;
	return cycles + waited;
}

double sim_memory_jump(struct sim_memory *memory, const struct sim_straight *straight)
{
	const struct sim_region *region =
		sim_translation_region(&memory->translation, SIM_CODE, straight->pages, straight->arena);

	return region ? sim_front_jump(&memory->front, region, straight) : 0;
}

static void expect(struct sim_memory *memory, enum sim_side side, const struct sim_region *region, uint64_t offset)
{
	uint64_t address;

	if (!memory->missed || !region)
		return;
	address = sim_region_address(region, offset);
	for (int i = 1; i < memory->hierarchy.depth[side]; i++) {
		const struct sim_level *level = sim_hierarchy_at(&memory->hierarchy, side, i);

		sim_cache_expect(&level->cache, (uint32_t)(address >> level->shift));
	}
}

void sim_memory_expect(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset)
{
	expect(memory, SIM_DATA, sim_translation_region(&memory->translation, SIM_DATA, pages, arena), offset);
}

void sim_memory_expect_code(struct sim_memory *memory, enum walk_pages pages, int arena, uint64_t offset)
{
	expect(memory, SIM_CODE, sim_translation_region(&memory->translation, SIM_CODE, pages, arena), offset);
}

/* Do hits alone leave no trace after the first of each line? Ages that grow with every access do. */
static bool calm(const struct description_policy *policy)
{
	return policy->kind != POLICY_AGES || (policy->miss_only && !policy->hit3 && !policy->hit2);
}

double sim_memory_settled(const struct sim_memory *memory)
{
	const struct description *description = memory->description;
	const struct sim_hierarchy *hierarchy = &memory->hierarchy;
	double nearest = sim_hierarchy_latency(hierarchy, SIM_DATA, 0);

	if (!hierarchy->depth[SIM_DATA] || !calm(&sim_hierarchy_at(hierarchy, SIM_DATA, 0)->cache.policy))
		return 0;
	/* A miss must show in the cycles. */
	for (int i = 0; i < description->tlb_count; i++)
		if (description->tlbs[i].holds != HOLDS_CODE &&
		    (description->tlbs[i].penalty <= 0 || !calm(&description->tlbs[i].policy)))
			return 0;
	for (int i = 1; i <= hierarchy->depth[SIM_DATA]; i++)
		if (sim_hierarchy_latency(hierarchy, SIM_DATA, i) <= nearest)
			return 0;
	return nearest;
}

void sim_memory_remote(struct sim_memory *memory, double cycles, double bandwidth)
{
	memory->traffic.link = bandwidth > 0 ? memory->description->frequency / bandwidth : 0;
	memory->hierarchy.latency = memory->description->memory.latency + cycles;
}

bool sim_memory_state(struct sim_memory *memory, uint64_t *state)
{
	struct sim_hierarchy *hierarchy = &memory->hierarchy;
	struct sim_translation *translation = &memory->translation;

	/* Every time a prefetcher learns, it is another one. */
	*state = memory->learnt;
	if (sim_memory_disturbed(memory))
		return false;
	for (int i = 0; i < hierarchy->count; i++) {
		struct sim_level *level = hierarchy->levels[i];

		*state = *state * STATES + sim_cache_state(&level->cache, !level->valid);
		if (level->buffer)
			*state = *state * STATES + sim_cache_state(level->buffer, true);
		/* Lines that were stored to go down one by one. */
		*state = *state * STATES + level->dirty.count;
	}
	for (int i = 0; i < translation->tlb_count; i++)
		*state = *state * STATES + sim_cache_state(&translation->tlbs[i], true);
	return true;
}

void sim_memory_events(const struct sim_memory *memory, uint64_t events[WALK_EVENTS])
{
	const struct sim_prefetch *prefetch = &memory->prefetch;
	int depth = memory->hierarchy.depth[SIM_DATA];

	memcpy(events, memory->events, sizeof memory->events);
	events[WALK_L1I_MISSES] += memory->front.misses;
	if (memory->description->counters.prefetches <= 0)
		return;
	events[WALK_L1I_MISSES] += memory->front.ahead;
	for (int from = 1; from <= depth; from++) {
		events[WALK_L2_MISSES] += from > 1 ? prefetch->came[from] : 0;
		events[WALK_LAST_MISSES] += from == depth ? prefetch->came[from] : 0;
	}
}

void sim_memory_count(struct sim_memory *memory, const uint64_t events[WALK_EVENTS], uint64_t times)
{
	for (int i = 0; i < WALK_EVENTS; i++)
		memory->events[i] += events[i] * times;
}

void sim_memory_time(struct sim_memory *memory, double now)
{
	double promotion = memory->description->memory.promotion;

	memory->translation.promoted = promotion > 0 && now > promotion;
}

double sim_memory_misses(const struct sim_memory *memory)
{
	const struct sim_hierarchy *hierarchy = &memory->hierarchy;
	double misses = hierarchy->depth[SIM_DATA] ? sim_hierarchy_at(hierarchy, SIM_DATA, 0)->misses : 0;

	return misses > 0 ? misses : USUAL_MISSES;
}

bool sim_memory_disturbed(const struct sim_memory *memory)
{
	bool disturbed = memory->neighbour.present;

	for (int i = 0; i < DESCRIPTION_CACHES; i++)
		disturbed = disturbed || (memory->with[i] && sim_memory_disturbed(memory->with[i]));
	return disturbed;
}

void sim_memory_disturb(struct sim_memory *memory, double from, double ns)
{
	for (int i = 0; i < DESCRIPTION_CACHES; i++)
		if (memory->with[i])
			sim_memory_disturb(memory->with[i], from, ns);
	sim_neighbour_work(&memory->neighbour, from, ns);
}

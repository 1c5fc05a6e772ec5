/* SPDX-License-Identifier: MIT */
/*
 * translation.c - frames and TLBs
 *
 * Two steps as on a virtual machine: the guest gives a page one of its frames, by [pages] frames; the host, where there
 * is one, puts its own pages of that anywhere. A TLB sees the smaller of the two pages.
 */
#include <stdlib.h>
#include <string.h>

#include "translation.h"

static int shift_of(double bytes)
{
	int shift = 0;

	while ((double)((uint64_t)1 << shift) < bytes)
		shift++;
	return shift;
}

static bool start_tlb(struct sim_cache *cache, const struct description_tlb *tlb, uint64_t seed)
{
	struct sim_shape shape = { .slices = (int)tlb->index, .policy = tlb->policy };

	shape.ways = (uint32_t)(tlb->ways > 0 ? tlb->ways : tlb->entries);
	shape.sets = (uint32_t)tlb->entries / shape.ways;
	return sim_cache_start(cache, &shape, seed);
}

enum { FAR_GROUPS = 1 << 25, SHARING_PAGES = 1 << 20 }; /* of an arena whose pages share frames */

bool sim_translation_start(struct sim_translation *translation, const struct description *description, double line,
			   double size, uint64_t *given, uint64_t seed)
{
	const struct description_memory *memory = &description->memory;

	memset(translation, 0, sizeof *translation);
	translation->description = description;
	translation->seed = seed;
	translation->given = given;
	translation->size = size;
	translation->span = (uint64_t)1 << shift_of(size);
	if ((double)translation->span < memory->huge)
		translation->span = (uint64_t)memory->huge;
	if ((double)translation->span < memory->host)
		translation->span = (uint64_t)memory->host;
	/* Lines have numbers of 32 bits. */
	translation->limit = ((uint64_t)1 << 32) * (uint64_t)line - 1;
	for (int i = 0; i < description->tlb_count; i++, translation->tlb_count++)
		if (!start_tlb(&translation->tlbs[i], &description->tlbs[i], seed + (uint64_t)i * 0xa0761d6478bd642fu))
			return false;
	return true;
}

void sim_translation_free(struct sim_translation *translation)
{
	for (int i = 0; i < translation->tlb_count; i++)
		sim_cache_free(&translation->tlbs[i]);
	for (int i = 0; i < translation->region_count; i++)
		free(translation->regions[i].frames);
}

/* Random, but page and frame agree modulo `colours`. */
static uint32_t *shuffled(uint64_t count, uint64_t colours, struct sim_random *random)
{
	uint32_t *frames = malloc(count * sizeof *frames);

	if (!frames)
		return NULL;
	for (uint64_t i = 0; i < count; i++)
		frames[i] = (uint32_t)i;
	for (uint64_t i = count - 1; i >= colours && i < count; i--) {
		uint64_t other = (sim_random_next(random) >> 32) * (i / colours + 1) >> 32;
		uint32_t frame = frames[i];

		other = other * colours + i % colours;
		frames[i] = frames[other];
		frames[other] = frame;
	}
	return frames;
}

/* Puts the two steps together. False when memory ran out. */
static bool place_pages(struct sim_translation *translation, struct sim_region *region, int guest, int host)
{
	const struct description_memory *memory = &translation->description->memory;
	uint64_t count = translation->span >> region->shift;
	uint32_t *own = NULL, *below = NULL;
	uint64_t seed = translation->seed ^ ((uint64_t)region->arena * 2 + region->pages + 1) * 0xe7037ed1a0b428dbu;
	struct sim_random random;

	if (memory->frames == FRAMES_CONTIGUOUS && memory->host <= 0)
		return true;
	sim_random_seed(&random, region->side == SIM_CODE ? ~seed : seed);
	if (memory->frames != FRAMES_CONTIGUOUS)
		own = shuffled(translation->span >> guest,
			       memory->frames == FRAMES_COLOURED ? (uint64_t)memory->colours : 1, &random);
	if (memory->host > 0)
		below = shuffled(translation->span >> host, 1, &random);
	region->frames = malloc(count * sizeof *region->frames);
	if ((memory->frames != FRAMES_CONTIGUOUS && !own) || (memory->host > 0 && !below)) {
		free(region->frames);
		region->frames = NULL;
	}
	for (uint64_t i = 0; region->frames && i < count; i++) {
		uint64_t address = i << region->shift;

		if (own)
			address = (uint64_t)own[address >> guest] << guest | (address & (((uint64_t)1 << guest) - 1));
		if (below)
			address = (uint64_t)below[address >> host] << host | (address & (((uint64_t)1 << host) - 1));
		region->frames[i] = (uint32_t)(address >> region->shift);
	}
	free(own);
	free(below);
	return region->frames;
}

/* No page is smaller: numbers of pages are given out by it. */
static int smallest_page(const struct description_memory *memory)
{
	int page = shift_of(memory->page), host = memory->host > 0 ? shift_of(memory->host) : page;

	return page < host ? page : host;
}

uint64_t sim_translation_room(const struct sim_translation *translation, enum walk_pages pages)
{
	const struct description_memory *memory = &translation->description->memory;

	return walk_frames(pages) ? (uint64_t)SHARING_PAGES << smallest_page(memory) : (uint64_t)translation->size;
}

static const struct sim_region *new_region(struct sim_translation *translation, enum sim_side side,
					   enum walk_pages pages, int arena)
{
	const struct description_memory *memory = &translation->description->memory;
	uint64_t span = translation->span, front = span > SIM_FOREIGN ? span : SIM_FOREIGN;
	int count = translation->region_count;
	struct sim_region *region = &translation->regions[count];
	int guest = shift_of(pages == WALK_HUGE_PAGES && memory->huge > 0 ? memory->huge : memory->page);
	int host = memory->host > 0 ? shift_of(memory->host) : guest;

	if (count == SIM_REGIONS || front + *translation->given + span > translation->limit)
		return NULL;
	*region = (struct sim_region){ .side = side, .arena = arena, .pages = pages };
	region->shift = guest < host ? guest : host;
	region->base = front + *translation->given;
	region->sharing = walk_frames(pages);
	region->within = guest - region->shift;
	region->first = (uint32_t)translation->pages;
	region->origin = translation->pages << smallest_page(memory);
	if (!place_pages(translation, region, guest, host))
		return NULL;
	translation->pages += region->sharing ? SHARING_PAGES : span >> smallest_page(memory);
	translation->region_count++;
	*translation->given += span;
	return region;
}

const struct sim_region *sim_translation_region(struct sim_translation *translation, enum sim_side side,
						enum walk_pages pages, int arena)
{
	const struct sim_region *last = translation->last[side];

	if (pages == WALK_PLAIN_PAGES)
		pages = translation->promoted ? WALK_HUGE_PAGES : WALK_BASE_PAGES;
	if (last && last->arena == arena && last->pages == pages)
		return last;
	last = NULL;
	for (int i = 0; i < translation->region_count; i++) {
		const struct sim_region *region = &translation->regions[i];

		if (region->side == side && region->arena == arena && region->pages == pages)
			last = region;
	}
	translation->last[side] = last ? last : new_region(translation, side, pages, arena);
	return translation->last[side];
}

/* Neighbours in an aligned group share an entry when their frames lie as they do. The entry is known by the group and
 * by the first of them, and lies in the set of the group: whole rounds of the sets are added for the first. */
static uint32_t shared_entry(const struct sim_region *region, uint32_t page, uint32_t group, uint32_t sets)
{
	uint32_t leader = page, bits = (uint32_t)__builtin_ctz(group), rounds = FAR_GROUPS / sets * sets;

	while (leader % group && sim_region_frame(region, leader - 1) + 1 == sim_region_frame(region, leader))
		leader--;
	return ((region->first + page) >> bits) + leader % group * rounds;
}

/* What is known of a page's surroundings makes looking it up in the tables shorter. */
static double find_on_walk(struct sim_translation *translation, const struct sim_region *region, uint32_t page)
{
	double cycles = 0;
	uint32_t slot;

	for (int i = 0; i < translation->tlb_count; i++) {
		const struct description_tlb *tlb = &translation->description->tlbs[i];
		int bits = shift_of(tlb->covers) - region->shift;
		uint32_t entry = (region->first + page) >> (bits > 0 ? bits : 0);

		if (tlb->covers <= 0 || !sim_side_of(region->side, tlb->holds) ||
		    sim_cache_touch(&translation->tlbs[i], entry) != SIM_NONE)
			continue;
		cycles += tlb->penalty;
		sim_cache_insert(&translation->tlbs[i], entry, &slot);
	}
	return cycles;
}

double sim_translation_find(struct sim_translation *translation, const struct sim_region *region, uint32_t page,
			    bool *walked, bool *missed)
{
	const struct description *description = translation->description;
	uint64_t bytes = (uint64_t)1 << region->shift;
	double cycles = 0;

	*walked = *missed = false;
	for (int i = 0; i < translation->tlb_count; i++) {
		const struct description_tlb *tlb = &description->tlbs[i];
		uint32_t entry = region->first + page, slot;

		if (!sim_side_of(region->side, tlb->holds) || tlb->covers > 0 ||
		    tlb->use == (translation->storing ? USED_BY_LOADS : USED_BY_STORES) ||
		    (tlb->pages > 0 && !((uint64_t)tlb->pages & bytes)))
			continue;
		if (tlb->coalescing > 1)
			entry = shared_entry(region, page, (uint32_t)tlb->coalescing, translation->tlbs[i].sets);
		if (sim_cache_touch(&translation->tlbs[i], entry) != SIM_NONE) {
			*walked = false;
			break;
		}
		*walked = *missed = true;
		cycles += tlb->penalty;
		sim_cache_insert(&translation->tlbs[i], entry, &slot);
	}
	return *walked ? cycles + find_on_walk(translation, region, page) : cycles;
}

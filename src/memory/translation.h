/* SPDX-License-Identifier: MIT */
/*
 * translation.h - pages: which frames they get, and what it costs to find out; private to sim/
 */
#ifndef XRAY_SIM_TRANSLATION_H
#define XRAY_SIM_TRANSLATION_H

#include "hierarchy.h"
#include "../nano/walk.h"

enum { SIM_REGIONS = 64 };

/* The memory of one arena and one kind of pages, of data or of code. Its physical addresses are nobody else's. */
struct sim_region {
	enum sim_side side;
	int arena;
	enum walk_pages pages;
	int shift; /* of an offset to its page, as the TLBs see pages */
	uint32_t *frames; /* by page; NULL: frame and page are the same */
	uint64_t sharing; /* frames that its pages share; 0: each has its own */
	int within; /* of those the system's pages, which are so many bits larger than the TLBs' */
	uint64_t base; /* physical */
	uint64_t origin; /* virtual */
	uint32_t first; /* number of its first page among all pages */
};

struct sim_translation {
	const struct description *description;
	uint64_t seed;
	double size; /* bytes that an arena may have */
	uint64_t span; /* bytes of a region, a power of two */
	uint64_t limit; /* physical addresses end there */
	uint64_t *given; /* bytes of them that regions have, of all who share caches */
	struct sim_region regions[SIM_REGIONS];
	int region_count;
	uint64_t pages; /* numbers given out so far */
	bool promoted; /* plain pages are huge by now */
	bool storing; /* it is a store that asks */
	const struct sim_region *last[SIM_SIDES];
	struct sim_cache tlbs[DESCRIPTION_TLBS];
	int tlb_count;
};

/* Below this, physical addresses belong to page tables (the lower half) and to other CPUs. */
#define SIM_FOREIGN ((uint64_t)1 << 30)

/* False when memory ran out; free it either way. `line` is the smallest line, bytes: it decides how many addresses
 * there are. An arena may have `size` bytes. `given` outlives it. */
bool sim_translation_start(struct sim_translation *translation, const struct description *description, double line,
			   double size, uint64_t *given, uint64_t seed);
void sim_translation_free(struct sim_translation *translation);

/* Made on first use. NULL when there is no room for another arena. */
const struct sim_region *sim_translation_region(struct sim_translation *translation, enum sim_side side,
						enum walk_pages pages, int arena);

/* Looks a page up in the TLBs of the region's side; cycles. `walked`: no TLB had it; `missed`: the nearest one
 * had not. */
double sim_translation_find(struct sim_translation *translation, const struct sim_region *region, uint32_t page,
			    bool *walked, bool *missed);

static inline uint64_t sim_region_frame(const struct sim_region *region, uint64_t page)
{
	if (region->sharing)
		page = walk_frame(page >> region->within, region->sharing) << region->within |
		       (page & (((uint64_t)1 << region->within) - 1));
	return region->frames ? region->frames[page] : page;
}

static inline uint64_t sim_region_address(const struct sim_region *region, uint64_t offset)
{
	uint64_t within = offset & (((uint64_t)1 << region->shift) - 1);

	return region->base + (sim_region_frame(region, offset >> region->shift) << region->shift | within);
}

/* Bytes that an arena may have. */
uint64_t sim_translation_room(const struct sim_translation *translation, enum walk_pages pages);

#endif

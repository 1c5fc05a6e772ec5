/* SPDX-License-Identifier: MIT */
/*
 * prefetch.h - lines that nobody asked for yet; private to sim/
 */
#ifndef XRAY_SIM_PREFETCH_H
#define XRAY_SIM_PREFETCH_H

#include "hierarchy.h"

enum { SIM_STREAMS = 16 };

struct sim_stream_page {
	uint32_t page, line;
	int rising; /* misses in a row, each above the last */
};

struct sim_prefetch {
	bool active;
	bool next_line, adjacent, stride, temporal;
	int stream; /* lines ahead */
	int into; /* level that gets them */
	uint32_t last; /* line of the last miss; SIM_NONE: none yet */
	int64_t step; /* lines between the last two */
	struct sim_stream_page streams[SIM_STREAMS];
	int oldest; /* of the streams */
	uint64_t came[DESCRIPTION_CACHES + 1]; /* prefetches, by where the line was */
	uint32_t *followed; /* line and the one that followed it, in turn */
};

/* False when memory ran out; free it either way. */
bool sim_prefetch_start(struct sim_prefetch *prefetch, const struct description *description);
void sim_prefetch_free(struct sim_prefetch *prefetch);

/* After a load that missed the first level and was answered by level `from`. Nothing crosses a page of 1 << page_shift
 * bytes. */
void sim_prefetch_see(struct sim_prefetch *prefetch, struct sim_hierarchy *hierarchy, uint64_t address, int from,
		      int page_shift);

#endif

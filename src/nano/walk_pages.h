/* SPDX-License-Identifier: MIT */
/*
 * walk_pages.h - the kinds of pages that a walk may ask for
 */
#ifndef XRAY_NANO_WALK_PAGES_H
#define XRAY_NANO_WALK_PAGES_H

#include <stdint.h>

/* What is asked for; whether the hardware has such pages is for a micro-benchmark to find out. Plain pages are what
 * comes when nothing is asked for. Pages that share frames are base pages: page i lies on frame i modulo 1, 4 or 64,
 * in an order in which neighbours are none. So any number of pages takes no more of the caches than a few, and what
 * more of them cost is translation alone. */
enum walk_pages {
	WALK_BASE_PAGES,
	WALK_HUGE_PAGES,
	WALK_PLAIN_PAGES,
	WALK_ON_1_FRAME,
	WALK_ON_4_FRAMES,
	WALK_ON_64_FRAMES,
	WALK_PAGE_KINDS
};

/* That all pages of an arena share; 0: each has its own. */
static inline uint64_t walk_frames(enum walk_pages pages)
{
	return pages == WALK_ON_1_FRAME ? 1 : pages == WALK_ON_4_FRAMES ? 4 : pages == WALK_ON_64_FRAMES ? 64 : 0;
}

/* The frame of a page among them, a power of two. None has the frame behind that of the page before it. */
static inline uint64_t walk_frame(uint64_t page, uint64_t frames)
{
	return (7 * page + 1) & (frames - 1);
}

#endif

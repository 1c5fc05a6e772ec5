/* SPDX-License-Identifier: MIT */
/*
 * promotion.c - do plain pages become larger ones while they are used?
 *
 * AMP found an IRIX that made pages larger when a program missed its TLB too often; other systems hand out huge pages
 * from the first touch on, or collect small ones later. All of it shows in what a translation covers.
 */
#include "pages.h"

enum { LOOKS = 12 };

static const double USED = 512; /* pages: more than a TLB knows */
static const double PAUSE = 2e7; /* ns */

/* Is a translation of plain pages larger than one of base pages? */
static enum stat_verdict covers_more(struct lab *lab, const struct paging *base)
{
	struct page_size plain = pages_size_by(lab, WALK_PLAIN_PAGES, base->seen.trial);

	if (plain.bytes > 0)
		return plain.bytes > base->seen.bytes ? STAT_YES : STAT_NO;
	/* No step, where base pages show one: all of it lies within pages. */
	return pages_size_by(lab, WALK_BASE_PAGES, base->seen.trial).bytes == base->seen.bytes ? STAT_YES
											       : STAT_UNDECIDED;
}

struct promotion engine_promotion(struct lab *lab)
{
	const struct paging *base = engine_paging(lab);
	struct machine *machine = lab->timer->machine;
	struct promotion promotion = { .larger = covers_more(lab, base) };
	double begin = machine->ops->clock(machine);

	if (promotion.larger != STAT_NO)
		return promotion;
	for (int i = 0; i < LOOKS && !timer_over(lab->timer); i++) {
		pages_look(lab, base, WALK_PLAIN_PAGES, USED);
		machine->ops->wait(machine, PAUSE);
	}
	promotion.after = machine->ops->clock(machine) - begin;
	promotion.larger = covers_more(lab, base);
	return promotion;
}

/* SPDX-License-Identifier: MIT */
/*
 * stores.c - do stores find their translations where loads do?
 *
 * Loads from as many pages as fill three quarters of a TLB, and stores to as many others between them. Where stores use
 * the same entries, loads miss some of theirs. Nobody waits for a store; so what a TLB of their own lacks hardly shows.
 */
#include <math.h>

#include "pages.h"

enum { ROUNDS = 5, CASES = 4, TRIES = 4 };

static const double PART = 0.75; /* of the entries */
static const double CHANCE = 0.01; /* of a time */
/* Of a penalty, for each step: half of the steps are loads, a third of which misses where stores take entries. */
static const double EXPECTED = 1.0 / 6, HARDLY = 0.3, LIKELY = 0.6; /* of that: below and above it is clear */

static double whole(const struct paging *paging, double pages)
{
	double around = fmax(PAGES_FEWEST, (double)paging_frames(paging));

	return fmax(1, round(pages / around)) * around;
}

/* Cycles a step that many stored pages cost more beside many loaded ones than beside few. NAN where many loaded ones
 * alone cost more than the TLBs above explain: what is not held stores cannot take away. */
static double competition(struct lab *lab, const struct paging *paging, int depth, double many, double few)
{
	double least[CASES] = { INFINITY, INFINITY, INFINITY, INFINITY };
	double allowed = HARDLY * EXPECTED * paging->tlb[depth].penalty;

	for (int i = 0; i < ROUNDS * CASES; i++)
		least[i % CASES] = fmin(least[i % CASES],
					pages_look_beside_stores(lab, paging, i & 1 ? many : few, i & 2 ? many : few));
	/* Half of the steps are loads; but drawing their places may suffer as well. */
	for (int i = 0; i < depth; i++)
		allowed += paging->tlb[i].penalty;
	return least[1] - least[0] > fmax(allowed, CHANCE * least[0]) ? NAN
								      : least[3] - least[1] - (least[2] - least[0]);
}

static enum stat_verdict verdict(double part)
{
	if (!isfinite(part) || (part > HARDLY && part < LIKELY))
		return STAT_UNDECIDED;
	return part > HARDLY ? STAT_YES : STAT_NO;
}

/* Beside others all of several tries must come out alike: of single ones on Emerald Rapids two said this and two that.
 */
enum stat_verdict engine_tlb_stores(struct lab *lab, int depth)
{
	const struct paging *paging = engine_paging(lab);
	const struct tlb *tlb = &paging->tlb[depth];
	double few = whole(paging, 0), many = whole(paging, PART * tlb->entries);
	enum stat_verdict first = STAT_UNDECIDED;

	for (int i = 0; i < (lab->timer->noise == NOISE_QUIET ? 1 : TRIES); i++) {
		double part = competition(lab, paging, depth, many, few) / (EXPECTED * tlb->penalty);

		lab_note(lab, "of what sharing would cost", tlb->entries, part, "");
		if (i > 0 && verdict(part) != first)
			return STAT_UNDECIDED;
		first = verdict(part);
	}
	return first;
}

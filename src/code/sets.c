/* SPDX-License-Identifier: MIT */
/*
 * sets.c - the sets of the nearest cache of code, and of the TLB that translates it
 */
#include <math.h>
#include <stdio.h>

#include "strides.h"

static const double ADDS_UP = 0.07; /* how far sets and law may differ */

/* Of the numbers that the times leave, those that make up what the law says is held. */
static void add_up(struct found *found, const struct quest *quest)
{
	double whole = round(quest->reach / found->way);

	if (whole >= found->low && whole <= found->high && fabs(whole * found->way / quest->reach - 1) < ADDS_UP &&
	    quest->high < (1 + 2 * ADDS_UP) * quest->low)
		found->ways = whole;
	while (found->low < found->ways && found->low * found->way < (1 - ADDS_UP) * quest->low)
		found->low++;
	while (found->high > found->ways && found->high * found->way > (1 + ADDS_UP) * quest->high)
		found->high--;
}

/* May scattered blocks tell? Also where no frames crowd any set: those of pages in no order still put rows of three
 * times a power of two anywhere. What is in front bends these times as few ways would. */
static bool tells_by_chance(struct lab *lab, const struct coding *coding)
{
	return coding->in_front == 0 &&
	       (coding->scattered ||
		(lab->timer->noise == NOISE_QUIET && code_pages(lab) == WALK_BASE_PAGES && code_has_twins(lab)));
}

const struct code_sets *engine_code_sets(struct lab *lab)
{
	struct coding *coding = engine_coding(lab);
	struct code_sets *sets = &coding->sets;
	struct quest quest = { .lab = lab,
			       .reach = coding->level[0].reach,
			       .low = coding->soft ? coding->level[0].low : coding->level[0].reach,
			       .high = coding->soft ? coding->level[0].high : coding->level[0].reach,
			       .height = coding->level[0].height,
			       .in_front = coding->in_front,
			       .smallest = 2 * CODE_UNIT,
			       .why = sets->why,
			       .size = sizeof(sets->why) };
	struct found found;

	for (int i = 1; i < coding->levels; i++)
		quest.further += coding->level[i].height;
	if (sets->tried || coding->levels == 0 || coding->hidden)
		return sets;
	sets->tried = true;
	/* Of frames in a row it is something else that makes the bend soft, and sets are there to be found. */
	if (coding->soft && code_pages(lab) == WALK_BASE_PAGES)
		snprintf(sets->why, sizeof(sets->why), "places in different pages fall into sets as chance will");
	else if (strides_search(&quest, &found)) {
		add_up(&found, &quest);
		/* All lines are of one set: places were counted, and of short lines one has several. */
		if (fabs(found.ways * CODE_UNIT / quest.reach - 1) < ADDS_UP)
			found.high *= (double)CODE_UNIT / WALK_JUMP;
		*sets = (struct code_sets){ .tried = true,
					    .found = true,
					    .ways = found.ways,
					    .low = found.low,
					    .high = found.high,
					    .way = found.way,
					    .size_low = found.low * found.way,
					    .size_high = found.high * found.way };
	}
	if (!sets->found && tells_by_chance(lab, coding))
		code_scattered_sets(lab, coding, sets);
	return sets;
}

const struct tlb_sets *engine_code_tlb_sets(struct lab *lab, int depth)
{
	struct paging *paging = engine_code_paging(lab);
	struct tlb *tlb = &paging->tlb[depth];
	struct quest quest = { .lab = lab,
			       .reach = tlb->entries * paging->page,
			       .low = tlb->low * paging->page,
			       .high = tlb->high * paging->page,
			       .height = tlb->penalty,
			       .smallest = paging->page,
			       .pages = true,
			       .why = tlb->sets.why,
			       .size = sizeof(tlb->sets.why) };
	struct found found;

	for (int i = depth + 1; i < paging->levels; i++)
		quest.further += paging->tlb[i].penalty;
	if (tlb->sets.tried)
		return &tlb->sets;
	tlb->sets.tried = true;
	/* Beyond the nearest TLB every place would have to crowd that one out, too. */
	if (depth > 0)
		snprintf(tlb->sets.why, sizeof(tlb->sets.why), "sets of code are looked for in the nearest TLB alone");
	else if (strides_search(&quest, &found)) {
		add_up(&found, &quest);
		tlb->sets.found = true;
		tlb->sets.ways = found.ways;
		tlb->sets.low = found.low;
		tlb->sets.high = found.high;
		tlb->sets.sets = found.way / paging->page;
	}
	return &tlb->sets;
}

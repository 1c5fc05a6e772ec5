/* SPDX-License-Identifier: MIT */
/*
 * unified.c - do code and data compete for a level? (AMP's question, answered by timing)
 *
 * Jumps that wait for a load each, over code and data that would fill three quarters of the level by themselves. Where
 * they share it, one of them suffers when both are large, whichever the policy prefers. The control's data lie in as
 * many pages and few lines, so that a TLB that both share makes no difference.
 */
#include <math.h>
#include <stdio.h>

#include "code.h"

enum { WALKS = 4, FEW = 16, TRIES = 3, LOOKS = 4 };

static const double PART = 0.75; /* of the level */
static const double HALF_WAY = 0.16; /* of what a miss costs: if they share it, a third of what both want is missed */
static const double ERRORS = 3; /* how many of them it must stand out by */
static const uint64_t ELSEWHERE = 37; /* pages */
static const double MANY = 4, NEARER = 256; /* times a TLB's entries; pages, more than data's nearest TLB holds */

/* Data of so many places. */
static void add_data(struct walk *walk, double places, double stride)
{
	walk->has_hot = true;
	walk->hot.stride[0] = (uint64_t)stride;
	walk->hot.count[0] = (long)fmax(places, 1);
}

/* Do large data cost more beside large code than beside little? What a look does not tell, several together may: each
 * has frames of its own. */
static enum stat_verdict interact(struct lab *lab, const struct walk *walks, double height)
{
	double times[WALKS], errors[WALKS], sum = 0, squares = 0;
	enum machine_status status;
	char why[64];

	for (int look = 1; look <= LOOKS && code_times(lab, walks, WALKS, times, errors, &status, why, sizeof(why));
	     look++) {
		double more, error;

		sum += times[0] - times[1] - (times[2] - times[3]);
		for (int i = 0; i < WALKS; i++)
			squares += errors[i] * errors[i];
		more = sum / look;
		error = ERRORS * sqrt(squares) / look;
		lab_note(lab, "cycles more where code and data both are large, by what a miss costs", height, more, "");
		if (more > HALF_WAY * height + error)
			return STAT_YES;
		if (more < HALF_WAY * height - error)
			return STAT_NO;
	}
	return STAT_UNDECIDED;
}

/* Somewhere they may meet in a few sets of a level further out, which then throws them out of the nearer ones. Where
 * they share a level, they are in each other's way wherever they lie. */
static enum stat_verdict interact_everywhere(struct lab *lab, struct walk *walks, double height, double page)
{
	enum stat_verdict verdict = STAT_YES;

	for (int i = 0; i < TRIES && verdict == STAT_YES; i++) {
		for (int j = 0; j < WALKS; j++)
			walks[j].hot.base = (uint64_t)i * ELSEWHERE * (uint64_t)page;
		verdict = interact(lab, walks, height);
	}
	return verdict;
}

enum stat_verdict engine_code_unified(struct lab *lab, int index)
{
	struct coding *coding = engine_coding(lab);
	struct code_level *level = &coding->level[index];
	double page = engine_code_paging(lab)->page, places = round(PART * level->reach / CODE_UNIT);
	struct walk walks[WALKS];

	if (level->asked)
		return level->shared;
	for (int i = 0; i < WALKS; i++) {
		walks[i] = code_place(lab, coding, i < 2 ? places : FEW);
		if (i % 2)
			add_data(&walks[i], ceil(places * CODE_UNIT / page), page + CODE_UNIT);
		else
			add_data(&walks[i], places, CODE_UNIT);
	}
	level->asked = true;
	return level->shared = interact_everywhere(lab, walks, level->height, page);
}

/* With so many pages of data. */
static enum stat_verdict translations_interact(struct lab *lab, int depth, double data)
{
	const struct paging *paging = engine_code_paging(lab);
	double pages = round(PART * paging->tlb[depth].entries);
	struct walk walks[WALKS];

	for (int i = 0; i < WALKS; i++) {
		walks[i] = code_walk(paging->pages, pages, i < 2 ? paging->page + CODE_UNIT : CODE_UNIT, 0);
		add_data(&walks[i], data, i % 2 ? CODE_UNIT : paging->page + CODE_UNIT);
	}
	return interact_everywhere(lab, walks, paging->tlb[depth].penalty, paging->page);
}

enum stat_verdict engine_code_tlb_unified(struct lab *lab, int depth)
{
	double entries = engine_code_paging(lab)->tlb[depth].entries;
	enum stat_verdict verdict = translations_interact(lab, depth, round(PART * entries));

	/* Data may have a nearer TLB that keeps all of these to itself. */
	if (verdict == STAT_NO && depth > 0)
		verdict = translations_interact(lab, depth, MANY * entries + NEARER);
	return verdict;
}

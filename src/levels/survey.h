/* SPDX-License-Identifier: MIT */
/*
 * survey.h - the walks that a hierarchy is made of; private to levels/
 *
 * Each adds points to the hierarchy and takes their walks. False when one did not run; status and why then say it.
 */
#ifndef XRAY_LEVELS_SURVEY_H
#define XRAY_LEVELS_SURVEY_H

#include "levels.h"

bool survey_all(struct lab *lab, struct hierarchy *hierarchy);
/* Leaves in the hierarchy what a step takes more when places come one by one. */
bool survey_compare_drawing(struct lab *lab, struct hierarchy *hierarchy);
/* A last level that is large needs walks much larger than it. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy);
/* The levels that its terms are. */
void survey_levels(const struct lab *lab, struct hierarchy *hierarchy);
/* About each bend, where what is known is decided. */
bool survey_closer(struct lab *lab, struct hierarchy *hierarchy);
/* Whether its rounds are taken one after the other in one place, as it is large or settles slowly. */
bool survey_in_a_row(const struct hierarchy *hierarchy, int index);

enum {
	SURVEY_GROUPED = 32 << 10,
	SURVEY_FINE = 4 << 20
}; /* bytes; every TLB holds the pages of less; sparser from here */
enum { SURVEY_ROUNDS = 12 };

/* --- looks.c: both kinds of walk over the same memory, one after the other. */
struct look {
	double dense, grouped; /* cycles a step */
};
struct walk survey_walk(const struct hierarchy *hierarchy, const struct curve_point *point, int round, bool grouped);
bool survey_look(struct lab *lab, struct hierarchy *hierarchy, int index, int round, struct look *look);
/* Several of so many bytes in one place; no point of the hierarchy is left of them. */
bool survey_look_at(struct lab *lab, struct hierarchy *hierarchy, double bytes, struct look *looks, int count);
/* What translation seems to cost a step of the dense walk. */
double survey_translated(const struct hierarchy *hierarchy, const struct look *look);
/* What they tell of the point. */
void survey_conclude(struct lab *lab, struct hierarchy *hierarchy, int index, const struct look *looks, int rounds);

/* --- luck.c: for quiet machines. Concludes all points from `first` on, after more looks where places differ. */
bool luck_conclude(struct lab *lab, struct hierarchy *hierarchy, int first, struct look looks[][SURVEY_ROUNDS],
		   int rounds);
/* Large walks that the luck of one place is in are taken elsewhere, too. */
bool luck_elsewhere(struct lab *lab, struct hierarchy *hierarchy);

/* --- together.c: so many places come in a group. */
bool together_choose(struct lab *lab, struct hierarchy *hierarchy);

/* --- settling.c: takes many laps of the point's walk. */
void survey_settle(struct lab *lab, const struct hierarchy *hierarchy, const struct curve_point *point, int round);
/* Whether some level turns out to take many laps to hold what it will of a walk; from then on walks about its reach
 * get them. */
bool survey_settles_slowly(struct lab *lab, struct hierarchy *hierarchy);

/* --- doubts.c: points that tell less than their own scatter says get a larger error. */
/* Of levels that reach so far. */
void doubt_bends(struct hierarchy *hierarchy, double from);
/* Walks that took longer than larger ones. */
void doubt_disturbed(struct hierarchy *hierarchy);

/* --- apart.c: puts the second level, and the next one, where references that do not go to memory show them, if they
 * do. */
void apart_tell_second(struct lab *lab, struct hierarchy *hierarchy);

/* --- lead.c: whether plateaus show the same levels, as many, ending where they do and taking as long; or, with as many
 * terms as there are plateaus, the law shows theirs. */
bool plateaus_lead(struct lab *lab);
/* Policies, and levels that get what others lose, decide how plateaus end. Where the law is followed, and every level
 * has sets that come to what it holds, each is one whatever the plateaus show. */
bool sets_lead(struct lab *lab);

#endif

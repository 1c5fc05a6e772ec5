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
/* A last level that is large needs walks much larger than it. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy);
/* About each bend, where what is known is decided. */
bool survey_closer(struct lab *lab, struct hierarchy *hierarchy);
struct walk survey_walk(const struct hierarchy *hierarchy, const struct curve_point *point, int round, bool grouped);

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

#endif

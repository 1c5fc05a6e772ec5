/* SPDX-License-Identifier: MIT */
/*
 * survey.h - the walks that a hierarchy is made of; private to survey.c, lines.c and hierarchy.c
 *
 * Each adds points to the hierarchy and takes their walks. False when one did not run; status and why then say it.
 */
#ifndef XRAY_LEVELS_SURVEY_H
#define XRAY_LEVELS_SURVEY_H

#include "hierarchy.h"

bool survey_all(struct lab *lab, struct hierarchy *hierarchy);
/* A last level that is large needs walks much larger than it. */
bool survey_further(struct lab *lab, struct hierarchy *hierarchy);
/* Whether some level turns out to take many laps to hold what it will of a walk; from then on walks about its reach
 * get them. */
bool survey_settles_slowly(struct lab *lab, struct hierarchy *hierarchy);
/* About each bend, where what is known is decided. */
bool survey_closer(struct lab *lab, struct hierarchy *hierarchy);

/* --- lines.c: what a place takes in the nearest cache, needed to say how much of it a sparse walk covers. */
double lines_nearest(struct lab *lab);
/* Whether the nearest cache holds a line for each place, however far apart they are, and they should lie so near. */
bool lines_want_nearer(struct lab *lab, double apart);

#endif

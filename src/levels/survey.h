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
/* About each bend, where what is known is decided. */
bool survey_closer(struct lab *lab, struct hierarchy *hierarchy);

/* Cycles a step of a chain of pointers in the nearest level, in an order that nothing foresees. */
double survey_chase(struct lab *lab);
/* ns of a cycle now. What disturbs a tick makes it longer; NaN is one that was lost. */
double survey_cycle(struct lab *lab);

/* --- lines.c: what a place takes in the nearest cache, needed to say how much of it a sparse walk covers. */
double lines_nearest(struct lab *lab);
/* Whether the nearest cache holds a line for each place, however far apart they are, and they should lie so near. */
bool lines_want_nearer(struct lab *lab, double apart);

#endif

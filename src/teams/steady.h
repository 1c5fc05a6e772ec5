/* SPDX-License-Identifier: MIT */
/*
 * steady.h - are pairs of CPUs as far apart as they were; private to teams/
 */
#ifndef XRAY_STEADY_H
#define XRAY_STEADY_H

#include "teams.h"

/* Each CPU and its neighbour, and some other pairs: false when the host has moved CPUs, or may have. */
bool steady_holds(struct lab *lab);

/* Has the host moved CPUs, for sure? Says so in teamwork->why. */
bool steady_moved(struct lab *lab);

/* Is somebody else on the CPU's core right now, or its clock low? */
bool steady_crowded(struct lab *lab, int cpu);

/* Is a CPU far from all others? Somebody else on its core may be why. */
bool steady_lonely(const struct tree *tree);

/* Who is in most pairs that are not as far apart as the tree has it: none of his are sure any more. A pair that
 * somebody was beside for a moment puts others into wrong groups, not itself. */
void steady_doubt(struct teamwork *teamwork);

/* Forgets how far those are from each other that are not sure, or not so far any more, though nobody is beside them. */
void steady_forget(struct lab *lab);

/* Does a pair that is sure tell any two groups apart of which pairs that are not may be nearer? */
bool steady_witnessed(const struct teamwork *teamwork);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * steady.h - are pairs of CPUs as far apart as they were; private to teams/
 */
#ifndef XRAY_STEADY_H
#define XRAY_STEADY_H

#include "teams.h"

/* Each CPU and its neighbour, and some other pairs: false when the host has moved CPUs, or may have. */
bool steady_holds(struct lab *lab);

/* Is somebody else all the time on the core of a CPU that is far from all others by the tree? He may be why. Where
 * pairs are loose, that of any CPU. */
bool steady_haunted(struct lab *lab, bool loose);

#endif

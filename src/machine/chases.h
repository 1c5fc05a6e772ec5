/* SPDX-License-Identifier: MIT */
/*
 * chases.h - chains of pointers side by side; private to machine/
 */
#ifndef XRAY_MACHINE_CHASES_H
#define XRAY_MACHINE_CHASES_H

#include "arena.h"

/* Where the chases of a walk begin that lies in the arena: evenly spread, and all further on by what walks went before,
 * so that what those brought in lies behind them. */
void chases_spread(struct arena *arena, const struct walk *walk);

/* Takes so many steps, all chases together. */
void chases_go(struct arena *arena, const struct walk *walk, long steps);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * occupancy.h - what sets hold of lines that fell into them as chance would have it
 */
#ifndef XRAY_CURVE_OCCUPANCY_H
#define XRAY_CURVE_OCCUPANCY_H

/* Of lines that the level above holds, this one holds a copy, or never does, or did when it gave them away. */
enum occupancy_above { ABOVE_COPIED, ABOVE_EXCLUSIVE, ABOVE_VICTIM };

/* Share of the lines that a level, or the one above, holds. `mean` of them fall into a set of so many ways, each of
 * `among` with the same chance (INFINITY: of any number); a share of `elsewhere` of all is in the level above. */
double occupancy_held(double ways, double mean, double among, enum occupancy_above above, double elsewhere);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * strides.h - sets by places a stride apart; private to code/
 */
#ifndef XRAY_CODE_STRIDES_H
#define XRAY_CODE_STRIDES_H

#include "code.h"

/* What is looked for: lines of a cache, or pages of a TLB. */
struct quest {
	struct lab *lab;
	double reach, low, high; /* bytes that it holds, by the law */
	double height; /* cycles of a miss */
	double in_front; /* and of what is missed in front of it; 0: nothing is there */
	double further; /* and of what is missed behind it, too: places of one set may be of one set there */
	double smallest; /* stride, bytes */
	bool pages;
	char *why;
	size_t size;
};

enum { STRIDES_POINTS = 64 };

/* How far a count may be from what is expected, relatively. */
#define STRIDES_OFF 0.09

/* Jumps to places a stride apart: cycles more than the control's, by places. */
struct sight {
	struct curve_point points[STRIDES_POINTS];
	int count;
};

struct count {
	double best, low, high, left;
};

struct found {
	double ways, low, high, way; /* `way`: bytes */
};

/* False, and why, when no stride leads to sets. */
bool strides_search(const struct quest *quest, struct found *found);

/* --- held.c: the number between two that explains the times best; 0 when none does */
double held_best(const struct quest *quest, const struct sight *sight, double from, double to);
/* The whole number near the estimate that explains all of the looks best, and those that do so nearly as well. */
struct count held_exactly(const struct quest *quest, const struct sight *sights, int looks, double about);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * strides.h - sets by places a stride apart, and what else is private to code/
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

/* --- bends.c: finds the TLBs in a curve of what pages of so many bytes (any number will do) cost */
#define CODE_PAGING_BYTES 4096.0
void code_find_tlbs(struct lab *lab, struct paging *paging, const struct curve_point *points, double jump);

/* --- uops.c: the first of the terms that longer instructions leave where it is; how many there are: none */
int code_nearest(struct lab *lab, struct coding *coding);

/* --- scatter.c: is a frame that pages share one to the hardware, too? Not where a hypervisor's pages are smaller. */
bool code_has_twins(struct lab *lab);
/* Sets by walks over scattered blocks. False when no number of ways explains the times. */
bool code_scattered_sets(struct lab *lab, const struct coding *coding, struct code_sets *sets);

#endif

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
	double reach; /* bytes that it holds, by the law */
	double height; /* cycles of a miss */
	double in_front; /* and of what is missed in front of it; 0: nothing is there */
	double smallest; /* stride, bytes */
	bool pages;
	char *why;
	size_t size;
};

struct found {
	double ways, low, high, way; /* `way`: bytes */
};

/* False, and why, when no stride leads to sets. */
bool strides_search(const struct quest *quest, struct found *found);

#endif

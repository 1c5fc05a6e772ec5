/* SPDX-License-Identifier: MIT */
/*
 * siblings.h - who slows down whom; private to teams/
 */
#ifndef XRAY_SIBLINGS_H
#define XRAY_SIBLINGS_H

#include "teams.h"

enum { SIBLINGS_LOOKS = 9 };
#define SIBLINGS_PAUSE 1e7 /* ns between two looks at the same CPUs */

struct sibling_pair {
	int a, b;
	int yes, no; /* looks by which they are one core, and by which they are two */
	bool over;
};

/* CPUs that are slower when all work than alone, however often one looks; in suspects, which has room for all. Returns
 * how many; the finding is settled when they cannot work. */
int siblings_suspects(struct lab *lab, int *suspects);

/* Looks once at some pairs, all at the same time. False, and the finding settled, when they cannot work. */
bool siblings_look(struct lab *lab, struct sibling_pair *const *pairs, int count);

#endif

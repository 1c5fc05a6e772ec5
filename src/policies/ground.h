/* SPDX-License-Identifier: MIT */
/*
 * ground.h - sets of one level in which the same sequence is walked at once; private to the engines of policies
 */
#ifndef XRAY_POLICIES_GROUND_H
#define XRAY_POLICIES_GROUND_H

#include "../pages/pages.h"
#include "../sets/hierarchy.h"
#include "sequences.h"

enum {
	GROUND_SETS = 64,
	GROUND_AT_ONCE = 8, /* of the nearest level: so many do */
	GROUND_VISITS = 8, /* to one line in a lap */
	GROUND_LINES = 3, /* for each way */
	GROUND_WAYS = 32 /* sequences are made for */
};

struct ground {
	struct lab *lab;
	const struct paging *paging; /* lines are pages of the nearest TLB; NULL: they are those of a cache */
	struct material material;
	double apart; /* bytes between two lines of a set; units of pages */
	double step; /* cycles that a miss takes more than a hit */
	double hit; /* cycles of a hit */
	uint64_t set[GROUND_SETS]; /* the same from a line to the same line of another set */
	long sets;
	uint64_t first,
		elsewhere; /* of the control: the first set beside each, and how many its lines are spread over */
	uint64_t aside; /* bytes from one of these to the next */
	char why[160];
};

/* Sets of a level, and what sequences in them may be made of. False, and why, where there are none. */
bool ground_open(struct ground *ground, struct lab *lab, int depth);
/* The same of the nearest TLB's. */
bool ground_open_pages(struct ground *ground, struct lab *lab, struct paging *paging);

/* Misses of the sequence in a lap and a set, beside a control of the same references that all hit, and their error.
 * False when they do not run, or the control misses. */
bool ground_count(struct ground *ground, const struct sequence *sequence, double *missed, double *error);

/* --- pages.c: the same of pages. */
bool ground_count_pages(struct ground *ground, const struct sequence *sequence, double *missed, double *error);

#endif

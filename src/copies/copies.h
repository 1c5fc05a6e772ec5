/* SPDX-License-Identifier: MIT */
/*
 * copies.h - where stores go, and which levels hold copies of what others hold
 *
 * Each question compares walks that differ in one thing and are taken by turns, round after round. Where the rounds do
 * not agree, or the control shows what should not be there, the answer is undecided, and why.
 */
#ifndef XRAY_COPIES_H
#define XRAY_COPIES_H

#include "../sets/hierarchy.h"
#include "../statistics/statistics.h"

enum { COPIES_ROUNDS = 5 }; /* at most */
/* Rounds that must all come out alike: more of them where others are at work. */
int copies_rounds(const struct lab *lab);

/* What was seen in each round, and the smallest and largest of it. */
struct copies_range {
	double low, high;
};
struct copies_range copies_range(const double *values, int count);

/* --- allocate.c: do stores to lines that no level holds bring them into the level, or into a nearer one? */
enum stat_verdict copies_allocated(struct lab *lab, int depth, char *why, size_t size);

/* --- through.c: does the level pass on all that is stored to lines that it holds? */
enum stat_verdict copies_through(struct lab *lab, int depth, char *why, size_t size);

/* --- inclusion.c: how the level stands to the one above. */
enum copies_inclusion { COPIES_UNDECIDED, COPIES_INCLUSIVE, COPIES_EXCLUSIVE, COPIES_VICTIM, COPIES_NEITHER };
enum copies_inclusion copies_inclusion(struct lab *lab, int depth, char *why, size_t size);

#endif

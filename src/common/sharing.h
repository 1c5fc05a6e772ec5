/* SPDX-License-Identifier: MIT */
/*
 * sharing.h - which CPUs have something in common, from asking few of them at a time
 *
 * Pure but for the asking, which a function does.
 */
#ifndef XRAY_SHARING_H
#define XRAY_SHARING_H

#include "../nano/team.h"
#include "../statistics/statistics.h"

enum { SHARING_HINTS = 12, SHARING_OPEN = 64 };

struct sharing_pair {
	int a, b;
};

struct sharing_space {
	/* Does a have it in common with any of these? */
	enum stat_verdict (*shares)(void *context, int a, const int *set, int size);
	void *context;
	int count; /* of CPUs: 0, 1, ... */
	/* Groups within groups that it may go by, smallest first: on each level the lowest member of i's group. The
	 * last is everybody. */
	const int *hint[SHARING_HINTS];
	int hints;
	int together; /* as many may be asked about at once */
	int pivots; /* for so many at most the others are asked about: what is alike is then taken to be the same */
};

struct sharing {
	int *group; /* of each CPU the lowest that it shares with; the caller frees */
	long asked, undecided;
	struct sharing_pair open[SHARING_OPEN]; /* the latest of those */
	int pivots; /* CPUs that others were asked about for */
	int assumed; /* CPUs whose group is as that of others */
	int scattered; /* pivots whose groups are none of the hinted ones */
};

/* False when memory ran out. */
bool sharing_find(const struct sharing_space *space, struct sharing *sharing);
/* --- again.c: asks again about pairs that were left undecided and would make one group of two. False: that is still
 * so. */
bool sharing_settles(const struct sharing_space *space, struct sharing *sharing);
/* Do a few of those that were found to share say so once more? */
bool sharing_holds(const struct sharing_space *space, const struct sharing *sharing);

/* --- score.c: ns a step of a walk over most of a level: beside one who walks over next to nothing, and beside one who
 * throws out lines. A step that the level serves, and what one takes more that it does not. The share of references
 * that are the level's to serve: others never get past the levels above. */
struct sharing_times {
	double alone, beside, hit, miss, served;
	bool last; /* behind it is memory */
};

/* ns a step of a walk when it has settled; NaN: there was no time for enough pieces. */
double sharing_pace(const struct team_part *part, long length);
/* The share of those references that miss for the other's sake. NaN: too many miss without him for it to show. */
double sharing_score(const struct sharing_times *times);
/* Does nobody miss for the other's sake? */
bool sharing_denies(double score);
/* What as many more of the scores say as were asked for than say otherwise, one more where some do, and as many as were
 * lost. */
enum stat_verdict sharing_verdict(const double *scores, int count, int more);

#endif

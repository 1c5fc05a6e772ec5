/* SPDX-License-Identifier: MIT */
/*
 * team.h - a team: nano-benchmarks that run at once, each on a CPU of its own
 *
 * All members begin together and go on for a while. Each does the same piece of work over and over, and times every
 * piece; of these only the ones count that lie between the last member's start and the first one's end.
 *
 *     TEAM_RUN     a piece is some laps of a loop
 *
 *     TEAM_WALK    a piece is some steps of an address walk, in memory of the member's own; those of a walk with a rush
 *                  do not wait for one another
 *
 *     TEAM_PASS    two members in turn add to every line of a block that they share; a piece is some rounds, there and
 *                  back. Whose turn it is stands in a line beside the block; without a block that line is all there is
 *
 *     TEAM_STORE   members add to words of their own, which lie some bytes apart; a piece is some additions
 *
 *     TEAM_WATCH   members look at the clock and nothing else; a piece is a gap between two looks that is too long
 */
#ifndef XRAY_TEAM_H
#define XRAY_TEAM_H

#include "nano.h"
#include "walk.h"

enum team_task { TEAM_RUN, TEAM_WALK, TEAM_PASS, TEAM_STORE, TEAM_WATCH };

enum { TEAM_ANYWHERE = -1, TEAM_SAMPLES = 64 };

struct team_member {
	int cpu; /* by the system's number; TEAM_ANYWHERE: where the system sees fit */
	int home; /* TEAM_WALK: the CPU that first touches its memory; TEAM_ANYWHERE: its own */
	bool bound; /* and it comes from where the system says that this CPU's memory is, whatever it does otherwise */
	const struct nano *nano; /* TEAM_RUN */
	const struct walk *walk; /* TEAM_WALK: of data */
	long length; /* laps, steps, rounds or additions of a piece */
};

struct team {
	enum team_task task;
	const struct team_member *members;
	int count;
	double ns; /* how long they go on */
	uint64_t bytes; /* TEAM_PASS: of the block; 0: none. TEAM_STORE: from one word to the next */
	int place; /* TEAM_PASS, TEAM_STORE: another number is other memory, which the first member touches first */
	double gap; /* TEAM_WATCH: ns that are too long */
};

/* One piece of work. */
struct team_sample {
	double ns;
	bool switched; /* the system let somebody else in meanwhile, and says so */
};

/* What one member did while all were at work. */
struct team_part {
	double done; /* pieces, all of them; of TEAM_WATCH gaps */
	struct team_sample samples[TEAM_SAMPLES]; /* in their order; the first of them where there were more */
	int count;
	bool late; /* it did not begin with the others: nobody let it onto a CPU */
};

struct team_reading {
	struct team_part *parts; /* the caller's, one for each member */
	double ns; /* that all were at work at once; 0: never */
	char why[256];
};

/* The same for equal questions, in every run. */
uint64_t team_hash(const struct team *team);

/* What is wrong with it: no members, a pair that is none, work that is missing. NULL: nothing. */
const char *team_wrong(const struct team *team);

#endif

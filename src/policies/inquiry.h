/* SPDX-License-Identifier: MIT */
/*
 * inquiry.h - which rule explains the misses that were counted, and which sequence to count them of next
 */
#ifndef XRAY_POLICIES_INQUIRY_H
#define XRAY_POLICIES_INQUIRY_H

#include "sequences.h"

enum {
	TRIALS_MOST = 72,
	ROUND_MOST = 8,
	INQUIRY_EXPLAINED = 1, /* errors: a rule that leaves fewer in the mean explains what was counted */
	INQUIRY_SHARP = 6 /* trials that a rule might have failed */
};

struct suspect {
	struct rule rule;
	enum manner manner;
	double score; /* log likelihood, with the scale that makes it most */
	double scale; /* of what was counted to what it predicts */
	double off; /* errors that it leaves between what was counted and what it predicts, in the mean */
	int sharp; /* trials of which it predicts one end */
	bool acquitted; /* for good */
};

struct trial {
	struct sequence sequence;
	double missed, error; /* in a lap */
};

struct inquiry {
	struct material material;
	uint64_t random;
	struct suspect *suspects;
	struct prediction *predictions; /* of each suspect for each trial */
	struct trial trials[TRIALS_MOST];
	int count, tried;
	bool widened; /* those that do nearly the same as who was left are among the suspects */
};

/* False without memory, and where there is nothing to choose from. */
bool inquiry_open(struct inquiry *inquiry, const struct material *material);
void inquiry_close(struct inquiry *inquiry);

/* Sequences that tell the suspects that are left apart, as well as any of some do; how many: 0 when none does. */
int inquiry_next(struct inquiry *inquiry, struct sequence next[ROUND_MOST]);
/* What was counted of one. */
void inquiry_take(struct inquiry *inquiry, const struct sequence *sequence, double missed, double error);

enum certainty { CERTAIN_RULE, CERTAIN_MANNER, CERTAIN_NOTHING };
struct verdict {
	enum certainty certainty;
	struct rule rule; /* the one that explains it best */
	enum manner manner;
	char also[128]; /* others that cannot be told from it, by name; may be empty */
	double scale, off; /* as of that suspect */
	int left, tried; /* suspects that explain it about as well; trials */
};
struct verdict inquiry_verdict(struct inquiry *inquiry);

/* --- for choose.c: once none of those that are left can be told apart, adds what does nearly the same to the suspects:
 * false when nothing does, or they are there. */
bool inquiry_widen(struct inquiry *inquiry);
/* The suspect that explains most; those that explain nearly as much, and how many; errors between
 * what two suspects predict. */
int inquiry_best(const struct inquiry *inquiry);
int inquiry_left(const struct inquiry *inquiry, int who[RULES_MOST]);
double inquiry_apart(const struct prediction *one, const struct prediction *other);

#endif

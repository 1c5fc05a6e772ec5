/* SPDX-License-Identifier: MIT */
/*
 * compare.h - what is different between findings of two machines, or of one machine on two days
 */
#ifndef XRAY_COMPARE_H
#define XRAY_COMPARE_H

#include "../report/report.h"

enum compare_verdict {
	SAME,
	CHANGED,
	UNSURE, /* known before and not after: no change, and no proof that there is none */
	CLEARER, /* the other way round */
	UNKNOWN, /* neither time */
	ONLY_BEFORE,
	ONLY_AFTER,
	VERDICTS
};

/* same, changed, unsure, clearer, unknown, only-before, only-after. */
const char *verdict_word(enum compare_verdict verdict);

/* Findings are borrowed. */
struct difference {
	const struct finding *before, *after; /* NULL: not in that document */
	enum compare_verdict verdict;
	double ratio; /* of the values, after to before; NaN where that says nothing */
	double least; /* the same of the ends of the intervals that are nearest to each other; 1 where they meet */
	double confidence; /* that the truth of both lies where they say; NaN where they do not say */
	char how[160]; /* in words, where a ratio says too little */
};

/* --- finding.c: the rule. Numbers are different when their intervals lie clearly apart, and the
 * values by more than what the unit's times vary from day to day. Either may be NULL, not both. */
struct difference compare_findings(const struct finding *before, const struct finding *after);

/* --- shapes.c: a verdict on two measured ones of the unit, SAME or CHANGED; how says what is different. */
enum compare_verdict compare_matrices(const struct matrix *before, const struct matrix *after, char *how, size_t size);
/* Groups and members may stand in any order. */
enum compare_verdict compare_trees(const char *before, const char *after, char *how, size_t size);
enum compare_verdict compare_texts(const char *before, const char *after, char *how, size_t size);

/* --- documents.c */
struct comparison {
	struct difference *list; /* in the order of the first document, then what only the second has */
	int count;
	int counts[VERDICTS];
};
/* False without memory. */
bool compare_all(struct comparison *comparison, const struct findings *before, const struct findings *after);
void compare_free(struct comparison *comparison);
void compare_count(struct comparison *comparison); /* anew, after verdicts were changed */
/* The verdict on what was looked at twice after: a change counts that both looks see, and agree upon. */
void compare_second_look(struct difference *first, const struct finding *second);

/* What surrounded the findings, where it is different: explains more than all numbers. */
enum { CONTEXT_ROWS = 12 };
struct context_row {
	const char *word;
	char before[160], after[160];
};
int compare_contexts(const struct report_context *before, const struct report_context *after,
		     struct context_row rows[CONTEXT_ROWS]);

/* --- text.c, json.c. Files are what the documents are called. */
struct compared {
	const char *files[2];
	const struct report_context *contexts[2];
	const struct comparison *comparison;
	bool full; /* what is the same, too */
};
void compare_text(FILE *out, const struct compared *compared, const struct report_layout *layout);
bool compare_json(FILE *out, const struct compared *compared);

/* --- fleet.c: which of several documents differ from most of the others, and in what. */
struct fleet {
	const char *const *files;
	const struct findings *const *findings;
	int count;
};
/* Their number; -1 without memory. */
int compare_fleet(FILE *out, const struct fleet *fleet, const struct report_layout *layout);

#endif

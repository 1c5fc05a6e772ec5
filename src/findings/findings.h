/* SPDX-License-Identifier: MIT */
/*
 * findings.h - the notebook: what was found out, how sure it is, and why
 *
 * Includes nobody. Written by engines, read back as facts by later micro-benchmarks, shown by reports.
 */
#ifndef XRAY_FINDINGS_H
#define XRAY_FINDINGS_H

#include <stdbool.h>

enum outcome { MEASURED, UNCLEAR, ABSENT, BLOCKED, FAILED };

/* The contract's word: measured, unclear, absent, blocked, failed. */
const char *outcome_word(enum outcome outcome);

/* One thing tried on the way to the answer. */
struct evidence {
	char what[160]; /* the nano-benchmark or comparison */
	double x; /* what was varied; NaN when nothing was */
	double value, low, high; /* what was seen */
	char verdict[64]; /* what it was taken for; may be empty */
};

/* Values between CPUs or nodes: row i, column j. NAN: not measured, and on a diagonal that means nothing. */
struct matrix {
	const char *unit; /* a literal: ns, bytes/s */
	int size;
	int *labels;
	double *cells;
};

/* Labels 0, 1, ..., cells NAN. NULL without memory, and for a size below 1. */
struct matrix *matrix_new(const char *unit, int size);
struct matrix *matrix_copy(const struct matrix *matrix);
void matrix_free(struct matrix *matrix);
/* The smallest and the largest finite cell; false when there is none. */
bool matrix_range(const struct matrix *matrix, double *low, double *high);

/* A tree is nested arrays of CPU numbers, [[0,1],[2,3]], without blanks, none of them empty, no CPU twice, at most
 * TREE_DEEPEST levels. NULL, or what is wrong with it; how many levels it has. */
enum { TREE_DEEPEST = 16 };
const char *tree_wrong(const char *text, int *levels);

struct finding {
	char name[64];
	const char *unit; /* a literal: bytes, Hz, cycles, ns, count, bool ... */
	enum outcome outcome;
	double value, low, high, confidence; /* MEASURED only; bool is 0 or 1 */
	/* Units text and tree: value is how many groups or levels, or members of the largest group. Unit matrix: value
	 * is the median cell, low and high the smallest and the largest. Both owned by the notebook once put. */
	char *text;
	struct matrix *matrix;
	double relative; /* value in units of a 32-bit integer add; NaN where that makes no sense */
	char reason[256]; /* every outcome but MEASURED */
	char note[256]; /* a remark beside a measured value; may be empty */
	char method[48];
	double claimed; /* NaN when nobody claims anything */
	char claimed_source[32];
	double seconds;
	int samples;
	struct evidence *evidence; /* owned by the notebook once put */
	int evidence_count;
};

struct findings;

struct findings *findings_new(void);
void findings_free(struct findings *findings);

/* Copies the finding, taking over its evidence array, text and matrix (malloc'd or NULL). A second finding of the same
 * name replaces the first in place. A measured value that is not finite, an empty text, a malformed tree and a matrix
 * without a finite cell become FAILED. */
void findings_put_take(struct findings *findings, const struct finding *finding);

/* NULL when nothing of that name was put. Valid until the next put. */
const struct finding *findings_get(const struct findings *findings, const char *name);

int findings_count(const struct findings *findings);
const struct finding *findings_at(const struct findings *findings, int index); /* in the order first put */

/* Does the claim agree: within the interval for count, bool and bytes, exactly for the number of a text or tree, within
 * 5 % otherwise (a claimed clock is a nominal one). */
bool finding_agrees(const struct finding *finding);

/* A copy whose evidence, text and matrix are its own. */
struct finding finding_copy(const struct finding *finding);

/* A finding with every field empty: outcome FAILED, numbers NaN. */
struct finding finding_blank(const char *name, const char *unit);

#endif

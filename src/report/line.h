/* SPDX-License-Identifier: MIT */
/*
 * line.h - one line of a text report, and what goes into it
 *
 * Of report/ and of those that print what is like it.
 */
#ifndef XRAY_LINE_H
#define XRAY_LINE_H

#include <stdio.h>

#include "report.h"

#define PLAIN ""
#define YELLOW "\033[33m"

enum side { LEFT, RIGHT };

/* Blanks wait until something follows them, so that no line ends in one. */
struct line {
	FILE *out;
	bool colour;
	bool brief; /* rows without notes, and of long texts the beginning */
	int blanks;
	int width; /* columns there are; 0: no end */
	int column; /* columns that are taken */
};

/* Text in a column of that width, control characters as blanks; paint is ignored on a line without colour. */
void line_put(struct line *line, const char *text, int width, enum side side, const char *paint);
void line_end(struct line *line);

/* Words, going on in that column of the next line where there is no room for the next one. */
void line_put_words(struct line *line, const char *text, int indent, const char *paint);

/* Shortens it to so many columns, with "..." at its end; no room at all, or no limit, leaves it as it is. */
void line_cut(char *text, int columns);

/* How many columns a UTF-8 text takes. */
int line_columns(const char *text);

/* The colour of an outcome. */
const char *line_paint(enum outcome outcome);

/* The value without its unit, or the word for why there is none. Returns the unit, "" when there is none to show. */
const char *line_number(const struct finding *finding, char *text, size_t size);

/* "= 32 KiB (sysfs)" or "DISAGREES 3.20 GHz (cpuid)"; nothing when nobody claims anything. */
void line_put_claim(struct line *line, const struct finding *finding);

/* --- text.c: the parts of a report. What surrounds the findings; a row for each one that shall be shown, false when
 * there is none; how many there are of each outcome. */
void context_put(struct line *line, const struct report_context *context);
bool rows_put(struct line *line, const struct findings *findings,
	      bool (*shown)(const struct findings *findings, const struct finding *finding));
void summary_put(struct line *line, const struct findings *findings, const struct report_context *context);

/* Is this one of the findings that ops_put shows: op.KEY.latency, .interval or .inflight? */
bool ops_have(const char *name);

/* The table of operations. False when there is none to show. */
bool ops_put(struct line *line, const struct findings *findings);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * overview.h - a whole machine on one screen: what a long report has to say, in tables, and what to do about the rest
 */
#ifndef XRAY_OVERVIEW_H
#define XRAY_OVERVIEW_H

#include "../report/line.h"

/* Are there so many findings that a row for each is no longer read? */
bool overview_suits(const struct findings *findings);
void overview_text(FILE *out, const struct report_context *context, const struct findings *findings,
		   const struct report_layout *layout);

/* --- level.c: a table of one part of the machine: a row for each level, a column for each property. */
struct level_table {
	const char *part; /* cache, tlb: names are PART.LEVEL.PROPERTY */
	const char *const *properties; /* NULL at the end */
};
extern const struct level_table level_caches, level_tlbs;
bool level_has(const struct level_table *table, const char *name);
bool level_put(struct line *line, const struct level_table *table, const struct findings *findings);
/* "32 KiB", with a sign behind: = as claimed, ! not as claimed, ~ an interval; ? for what is not known, - for absent.
 */
void level_cell(const struct finding *finding, char *text, size_t size);

/* --- type.c: operations and other things that each type has. A row for each operation, with its latency and interval
 * in one cell; a line for each family, types of one value together. */
bool type_has(const char *name);
bool type_put(struct line *line, const struct findings *findings);

/* --- trouble.c: what is unclear, blocked or failed, the like of it together, with the reason; what others claim to be
 * different; what to do. */
bool trouble_put(struct line *line, const struct findings *findings);
/* What helps against that reason; NULL when nothing is known to. */
const char *trouble_remedy(const struct finding *finding);

#endif

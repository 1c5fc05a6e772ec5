/* SPDX-License-Identifier: MIT */
/*
 * quarters.h - the memory of a team: what each member walks in, and what all share; private to machine/
 */
#ifndef XRAY_MACHINE_QUARTERS_H
#define XRAY_MACHINE_QUARTERS_H

#include "walker.h"

enum { QUARTERS_LINE = 64 }; /* bytes: no machine's lines are shorter */

/* A walker whose memory is touched first by one CPU, or bound to where the system says that its memory is. */
struct quarter {
	struct walker *walker;
	int home;
	bool bound;
	bool taken;
};

struct quarters {
	struct quarter *list;
	int count;
	char *common;
	uint64_t bytes;
};

/* All are free again. What is kept for the next time is given back where it is more than so many bytes. */
void quarters_leave(struct quarters *quarters, uint64_t most);
/* A free one of that home; NULL when memory ran out. */
struct walker *quarters_take(struct quarters *quarters, int home, bool bound);

/* Common memory that nobody has touched: words, and a block of so many bytes. False and a message. */
bool quarters_share(struct quarters *quarters, uint64_t bytes, char *why, size_t size);
/* Touches all of it. */
void quarters_touch(struct quarters *quarters, uint64_t bytes);
/* Where the words of a place begin, and where the block does. */
char *quarters_word(const struct quarters *quarters, int place);
char *quarters_block(const struct quarters *quarters);

void quarters_close(struct quarters *quarters);

#endif

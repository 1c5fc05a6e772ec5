/* SPDX-License-Identifier: MIT */
/*
 * traffic.h - how much a level of memory sends when nobody waits for one load after the other
 */
#ifndef XRAY_TRAFFIC_H
#define XRAY_TRAFFIC_H

#include "../common/common.h"

/* --- spans.c: which stretches a level serves. Pure. */

enum {
	TRAFFIC_LINE = 64,
	TRAFFIC_SPAN = 2 * WALK_PIECE * WALK_PIECES,
	TRAFFIC_FAR = 1 << 28 /* bytes: beyond all caches, where they hold now this much and now that */
};

/* "37.5 MiB", for notes. */
enum { TRAFFIC_WORD = 32 };
void traffic_size(double bytes, char text[TRAFFIC_WORD]);

/* Bytes that are served by a level of so many, whose levels above hold so many, and not by those; 0: there are none.
 * `times` as many as those above hold, if that fits. */
double traffic_span(double above, double reach, double times);
/* The share of references round such a stretch that the levels above may serve all the same, whatever they throw out.
 */
double traffic_leak(double above, double span);

/* What the caches of a hierarchy hold above `depth`; its number of levels stands for the memory. */
double traffic_above(const struct hierarchy *hierarchy, int depth);
/* The span of a level; 0, and the finding settled, when it has none. */
double traffic_span_of(struct lab *lab, int depth, double times);
/* That of the memory: so many times what the caches hold, and where others use those, too, much more, since they hold
 * now this much and now that. No more than `most`, or than there is; 0, and the finding settled, when that is too
 * little. */
double traffic_span_deep(struct lab *lab, double times, double most);

/* --- places.c */
/* Places `apart` bytes from each other, each in one of the lines there, in some pages, or in any order in a single one.
 * NULL without memory. */
uint64_t *traffic_lay(long pages, long line, long apart, long page);

/* --- streams.c */

struct flow {
	double rate, low, high; /* bytes/s, of a copy those read and those written; NaN: it does not run */
	long vector; /* bytes: the width that was quickest */
	char why[256];
};

/* A stream, by the quickest width of vectors. `deep`: it goes to memory, so that what is usual
 * counts, and not what was quickest. */
struct flow traffic_stream(struct lab *lab, const struct walk *walk, bool deep);
struct walk traffic_walk(enum walk_stream stream, double span);
/* The bandwidth of a level, or of the memory, settles the finding. */
void traffic_bandwidth(struct lab *lab, int depth, enum walk_stream stream);

/* --- crowd.c: the same from all CPUs at once; the note says what writing and copying take. */
void traffic_crowd(struct lab *lab, int depth);
/* bytes/s of all members, who stream at once: the most and the least of a few looks. NaN, and the finding settled, when
 * they cannot. */
double traffic_together(struct lab *lab, const struct team_member *members, int count, double *least);

/* --- remote.c: bytes/s from each node's memory to a CPU of each node; the finding is settled where there are none. */
struct matrix *traffic_remote(struct lab *lab, const struct nodes *nodes);

/* --- past.c: the smallest copy that stores past the caches make quicker. */
void traffic_past(struct lab *lab);

/* --- chases.c: loads that a level, or the memory, has under way at once. */
void traffic_parallelism(struct lab *lab, int depth);

#endif

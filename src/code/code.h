/* SPDX-License-Identifier: MIT */
/*
 * code.h - the instruction side as walks of code see it: the caches that hold code, and the TLBs that translate it
 *
 * A jump whose target nothing foresees fetches its instructions when it is known where they are. Over N places that are
 * drawn at random it finds them with R / N in a cache that holds R of them, as data are found, whatever the policy and
 * whatever runs ahead on straight code. What else depends on N is taken off by a twin: the same jumps to the same
 * virtual addresses, of which all pages lie on one frame. To predictors and TLBs both are alike; only what goes by
 * physical addresses has next to nothing to hold. That may be a cache of micro-ops, too (Zen 4's does): with longer
 * instructions it holds more bytes, and one of bytes does not.
 */
#ifndef XRAY_CODE_H
#define XRAY_CODE_H

#include "../curve/terms.h"
#include "../levels/levels.h"
#include "../pages/pages.h"

enum {
	CODE_POINTS = TERMS_POINTS,
	CODE_LEVELS = 5,
	CODE_UNIT = 64
}; /* bytes of a place: all of them run, whatever a line is */

/* One cache of code. */
struct code_level {
	double reach, low, high; /* bytes */
	double height; /* cycles that a jump takes more whose target it lacks */
	bool asked;
	enum stat_verdict shared; /* with data, when that was asked */
};

/* The nearest cache's sets. */
struct code_sets {
	bool tried, found;
	bool by_chance; /* told by blocks that lie scattered: no places of one set are known */
	double ways, low, high;
	double way; /* bytes between places of one set, where frames lie in a row */
	double size_low, size_high; /* bytes of all ways */
	char why[160]; /* when not found */
};

/* Micro-ops that are kept decoded, before any cache of code. */
struct code_uops {
	bool tried, seen;
	bool other; /* instructions have one length, and something holds as many places however many of them run at each
		     */
	double count, low, high;
};

struct coding {
	enum machine_status status; /* of the walks */
	char why[256];
	double jump; /* cycles of one among few */
	struct curve_point dense[CODE_POINTS]; /* cycles of a jump, by bytes of code */
	struct curve_point points[CODE_POINTS]; /* what they are more than the twin's */
	int count;
	struct code_level level[CODE_LEVELS]; /* from the nearest on */
	int levels;
	struct terms terms,
		longer; /* of the shortest instructions; the same terms for longer ones, and one that moved */
	double moved; /* what is left where the first term moves with the length of instructions, of that where it stays
		       */
	double in_front; /* cycles of code that is not kept decoded, where that goes by physical addresses, too */
	bool hidden; /* all that shows moves */
	bool early; /* something is missed long before the nearest level that shows is full: a nearer one may hide */
	bool soft; /* the nearest cache fills little by little: frames as chance has them put more into some sets */
	bool scattered; /* for that reason the walks were over blocks that lie scattered */
	struct code_sets sets;
	struct code_uops uops;
};

/* Walks once; later calls return the same, which the owner of the lab frees. Never NULL. */
struct coding *engine_coding(struct lab *lab);
/* Puts what it saw into the evidence. */
void coding_note(struct lab *lab, const struct coding *coding);
/* Of the nearest cache; tries once. */
const struct code_sets *engine_code_sets(struct lab *lab);
/* Tries once. */
const struct code_uops *engine_code_uops(struct lab *lab);

/* Bytes of the nearest cache's line; 0 and why not. */
double engine_code_line(struct lab *lab, char *why, size_t size);

/* TLBs of code, as struct paging has them; its `seen` and `sharing` are not used. */
struct paging *engine_code_paging(struct lab *lab);
void code_paging_note(struct lab *lab, const struct paging *paging);
const struct tlb_sets *engine_code_tlb_sets(struct lab *lab, int depth);

/* --- unified.c: does the level hold data, too? Asks once. */
enum stat_verdict engine_code_unified(struct lab *lab, int level);
/* The same of the TLB `depth`. */
enum stat_verdict engine_code_tlb_unified(struct lab *lab, int depth);

/* --- ladder.c: the I-cache paper's micro-benchmark (its Figure 6) under the paper's names */
struct ladder {
	enum machine_status status;
	char why[256];
	double cases; /* of the longest sequence that runs at full speed; 0: none up to `longest` was slower */
	double bytes; /* of its code */
	double longest; /* bytes: the longest that ran */
	double mean, deviation; /* cycles of a case, of short sequences */
};
struct ladder engine_ladder(struct lab *lab, const struct ladder_options *options);

/* --- looks.c */
enum { CODE_WALKS = 2 * CODE_POINTS };
/* Pages on which caches are looked at: huge ones, where they are larger to the hardware. */
enum walk_pages code_pages(const struct lab *lab);
/* So many places this far apart, `body` bytes of each run; 0: the jump alone. */
struct walk code_walk(enum walk_pages pages, double places, double stride, long body);
/* Cycles a step of each of some walks, and how far each may be off: looks go round all of them, so that what changes
 * slowly spreads over all. False, and why, when one does not run. */
bool code_times(struct lab *lab, const struct walk *walks, int count, double *times, double *errors,
		enum machine_status *status, char *why, size_t size);
/* The differences of walks[2i] and walks[2i + 1] as points; bytes are the caller's. */
bool code_differences(struct lab *lab, const struct walk *walks, struct curve_point *points, int count,
		      enum machine_status *status, char *why, size_t size);
/* What walks take, and what they take more than their twins on one frame. */
bool code_beyond_twins(struct lab *lab, const struct walk *walks, int count, double *times, struct curve_point *points,
		       enum machine_status *status, char *why, size_t size);
/* The same with what shows within a page, where pages are large. The walks have no second axis, and become longer. */
bool code_costs(struct lab *lab, const struct walk *walks, int count, double *times, struct curve_point *points,
		enum machine_status *status, char *why, size_t size);
/* From `from` to `to`, so many to each octave, none twice; how many. */
int code_plan(double from, double to, int per_octave, double *places, int room);
/* Are two reaches the same, as far as the law tells? */
static inline bool code_same(double one, double other)
{
	return one < 1.12 * other && other < 1.12 * one;
}

/* --- paging.c: what TLBs add to a jump over so many pages, and to one of a walk on the system's pages */
double code_translation(const struct paging *paging, double pages);
double code_translation_of(struct lab *lab, const struct walk *walk);

/* So many places in pages a stride apart, each page's line elsewhere than that of the one before; no row so
 * long that a line would lie in the next page. */
struct walk code_pages_apart(enum walk_pages pages, double *places, double stride);
/* The same lines in few pages, each row in one of its own: where all pages share a frame, no cache can tell the two
 * apart, however long its lines are. */
struct walk code_pages_together(const struct walk *apart, double page);
double code_rows(const struct walk *walk);

/* --- scatter.c: do points tell of frames in no order? */
bool code_falls(const struct curve_point *points, int count);
/* So many places side by side; in blocks that lie scattered over small pages, where frames crowd the nearest cache. */
struct walk code_place(const struct lab *lab, const struct coding *coding, double places);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * hierarchy.h - the memory of a machine as random walks see it: levels, their reach, their cost
 */
#ifndef XRAY_SETS_HIERARCHY_H
#define XRAY_SETS_HIERARCHY_H

#include "../engine/engine.h"
#include "../curve/terms.h"

enum {
	HIERARCHY_LEVELS = 6,
	HIERARCHY_ALL = HIERARCHY_LEVELS + 1,
	HIERARCHY_POINTS = 320,
	PLACE = 64,
	LONG_LINE = 256
};

struct level {
	double reach, low, high; /* bytes */
	double latency, latency_error; /* cycles of a load that this level serves */
	bool told_apart; /* beside others, by references that did not go to memory */
	double shape; /* lines of a set, by its end: one more gradual may be that of two levels, or of part of one */
	bool merged; /* several rises, nearer to one another than levels are as a rule, were taken for its end */
	struct conflicts {
		double ways, way; /* of the level itself; bytes between places of one set */
		double held; /* places of one set that it and the levels above hold together */
		double buffer, buffer_low, buffer_high; /* lines of one behind the level; 0: none */
		double columns, apart; /* that crowd out the level above, and bytes between them */
		bool tried, found;
		bool compact; /* found by compact sequences, not by the stride law */
		bool exclusive; /* the level above holds other lines than it does */
		bool open; /* that may be, but does not show */
		bool uneven; /* half as far apart not twice as many places are held */
		bool counted; /* that all places held are of sets, but those of the buffer */
		char why[160]; /* when not found */
	} conflicts;
	struct scattered {
		bool tried, odd; /* odd: no number of ways explains the times */
		double ways, low, high; /* 0: the times do not tell */
		double size, size_low, size_high; /* bytes, with that number of ways */
	} scattered;
};

enum { SEGMENTS_POINTS = 160, SEGMENTS_PLATEAUS = HIERARCHY_ALL + 1 };

/* A second opinion on the levels. */
struct segments {
	bool tried;
	struct curve_point points[SEGMENTS_POINTS]; /* cycles a step; NaN where a walk was lost */
	int count;
	double apart; /* bytes between two places of a page */
	struct plateau {
		double latency, reach; /* cycles; bytes of the largest walk that took as long */
	} plateau[SEGMENTS_PLATEAUS];
	int plateaus;
	double sparse[SEGMENTS_PLATEAUS]; /* cycles of the plateaus of places a long line apart, where others disagree
					   */
	int sparse_count;
};

struct hierarchy {
	enum machine_status status; /* of the walks */
	char why[256];
	struct curve_point points[HIERARCHY_POINTS]; /* cycles a step, drawing included, translation not */
	double translation[HIERARCHY_POINTS]; /* cycles a step, at the same points */
	double floor; /* cycles a step of the smallest walks, beside others; 0: not known */
	int group; /* places of a page that come together in a grouped walk */
	double foreseen; /* of a time: what groups of four showed more of translation than pairs; 0: not clearly more */
	double drawing; /* cycles that a step of a dense walk takes more than one of a grouped */
	int count;
	int repeated, wavering; /* walks that were taken several times in one place, and those that differed */
	struct terms terms;
	struct level level[HIERARCHY_LEVELS];
	int levels;
	double chase; /* cycles a step of a chain of pointers in the nearest level */
	double memory, memory_error; /* cycles of a load that no level serves */
	double most; /* bytes covered by the largest walk */
	double page; /* bytes, as the operating system hands them out */
	double line; /* bytes that a place takes in the nearest cache */
	double cycle; /* ns, when the walks were taken */
	double apart, far_apart; /* bytes between the places of small and of large dense walks */
	double small; /* bytes: up to here a dense walk is small */
	double slow_from, slow_to; /* bytes: between these a walk takes many laps to settle; 0: none does */
	struct segments segments;
	double lucky_from, lucky_to; /* bytes of small walks whose time differs from place to place; 0: none does */
	bool confirmed; /* the levels are those of plateaus, too, though the times do not follow the law that well */
	bool shallow; /* walks were only taken as far as the nearest level needs */
	int believed; /* levels up to here; further out the times do not follow the law, or a bend may be two levels */
};

/* Sets of places that compete for one set of the level `depth`; tries once. Those of the levels above are tried, too.
 */
const struct conflicts *engine_conflicts(struct lab *lab, int depth);
/* Lets the next call try again when nothing was found so far. */
void engine_conflicts_again(struct lab *lab, int depth);

/* --- reduction.c: lines of one set that the level holds, where no stride leads to sets. Fewer where the level above
 * may hold some of them, more where the policy may have kept others; 0 when it cannot be said. */
struct reduction {
	double ways, low, high;
};
struct reduction engine_reduction(struct lab *lab, int depth);

/* --- scatter.c: the same from blocks scattered over much memory, whatever the index, the frames and the policy; tries
 * once and leaves it in the level. For quiet machines. */
const struct scattered *engine_scatter(struct lab *lab, int depth);
/* Narrows the range of ways that a set of the level was found to have. When it leaves none, the set is none. */
void engine_scatter_check(struct lab *lab, int depth, double *low, double *high);

/* --- lines.c: bytes that one tag of the level stands for. NaN, and why. */
double engine_tag_line(struct lab *lab, int depth, char *why, size_t size);

/* What a place takes in the nearest cache, needed to say how much of it a sparse walk covers. */
double lines_nearest(struct lab *lab);
/* Whether the nearest cache holds a line for each place, however far apart they are, and they should lie so near. */
bool lines_want_nearer(struct lab *lab, double apart);

/* --- pairs.c: bytes that come together into the level. NaN, and why. */
double engine_fetch_line(struct lab *lab, int depth, char *why, size_t size);
/* The aligned block of which all is in some cache after a touch of any place in it, and whether a touch at its end also
 * brings what lies next to it. Bytes are NaN, and why, when it cannot be told. */
struct fetched {
	double bytes;
	bool behind, before;
};
struct fetched engine_fetch_block(struct lab *lab, char *why, size_t size);

/* Cycles that translation adds to a reference to one of many places, spread over so many bytes. */
double hierarchy_translation(const struct hierarchy *hierarchy, double bytes);

/* What a load costs more when the level does not serve it, cycles. */
double hierarchy_step(const struct hierarchy *hierarchy, int depth);
/* Cycles that the level's time may be off by for the bend that ends it. */
double hierarchy_leak(const struct hierarchy *hierarchy, int depth);

#endif

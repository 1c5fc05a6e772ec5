/* SPDX-License-Identifier: MIT */
/*
 * ways.h - how many ways a level has, from times of references to blocks that lie scattered
 */
#ifndef XRAY_CURVE_WAYS_H
#define XRAY_CURVE_WAYS_H

enum { WAYS_MOST = 64, WAYS_LEVELS = 8 };

static const double WAYS_UNEXPLAINED = 2; /* mean square: more is not believed */

struct ways_sight {
	double bytes; /* of all blocks */
	double time, error; /* cycles beyond a hit in the nearest level */
	double translation[2]; /* part of that when pages are small, and when they are large */
};

struct ways_level {
	double reach; /* bytes */
	double ways; /* 0: not known */
	double step; /* cycles that a miss costs */
};

struct ways_question {
	const struct ways_sight *sights;
	int count;
	double spread; /* bytes that the blocks were taken from */
	struct ways_level
		levels[WAYS_LEVELS]; /* from the nearest on, to one beyond the level in question if there is one */
	int level_count, depth;
	double latency; /* cycles of the level in question */
	double reach_off; /* relative error of its reach */
};

struct ways_answer {
	double ways, low, high; /* 0 when no number explains the times, or any beyond some does */
	double unexplained; /* mean square of what the best leaves, in errors */
	double size, size_low, size_high; /* bytes, with that number of ways */
	double squares[WAYS_MOST + 1]; /* what each number of ways leaves, in errors; INFINITY: no such size */
};

struct ways_answer ways_decide(const struct ways_question *question);

#endif

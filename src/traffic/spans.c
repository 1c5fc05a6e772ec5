/* SPDX-License-Identifier: MIT */
/*
 * spans.c - which stretches of memory a level serves
 *
 * Half of what it holds is its own, whoever else uses it. Of a stretch that one goes round, the level above serves
 * nothing if it throws out what was used longest ago. If chance does, a place is still there after a round with the
 * probability h = exp(-(1 - h) n), where n is how many times the stretch fits into the level above.
 */
#include <math.h>
#include <stdio.h>

#include "traffic.h"

static const double HALF = 0.5, MOST = 0.8, LEAST = 1.5; /* of the level's reach; of the reach above */
static const double LEAST_TIMES = 2; /* of what the caches hold */

enum { ROUNDS = 40 };

void traffic_size(double bytes, char text[TRAFFIC_WORD])
{
	snprintf(text, TRAFFIC_WORD, "%.4g %s", bytes < 1 << 20 ? bytes / 1024 : bytes / (1 << 20),
		 bytes < 1 << 20 ? "KiB" : "MiB");
}

double traffic_span(double above, double reach, double times)
{
	double span = fmin(HALF * reach, times * above);

	/* A stream has a least length, which a small level has room for all the same. */
	if (above <= 0)
		span = fmax(HALF * reach, fmin(MOST * reach, TRAFFIC_SPAN));
	if (span < LEAST * above)
		span = LEAST * above <= MOST * reach ? LEAST * above : 0;
	return floor(span / TRAFFIC_SPAN) * TRAFFIC_SPAN;
}

double traffic_leak(double above, double span)
{
	double hit = 0;

	if (above <= 0)
		return 0;
	if (span <= above)
		return 1;
	for (int i = 0; i < ROUNDS; i++)
		hit = exp(-(1 - hit) * span / above);
	return hit;
}

double traffic_above(const struct hierarchy *hierarchy, int depth)
{
	return depth > 0 ? hierarchy->level[depth - 1].reach : 0;
}

double traffic_span_of(struct lab *lab, int depth, double times)
{
	double span = traffic_span(traffic_above(lab->hierarchy, depth), lab->hierarchy->level[depth].reach, times);

	if (span > 0)
		return span;
	lab_outcome(lab, UNCLEAR,
		    depth > 0 ? "the level holds hardly more than the one above it"
			      : "the level has no room for a stream");
	return 0;
}

double traffic_span_deep(struct lab *lab, double times, double most)
{
	double above = traffic_above(lab->hierarchy, lab->hierarchy->levels), span = times * above,
	       room = fmin(most, floor((double)lab->timer->machine->memory / 2));

	if (lab->timer->noise != NOISE_QUIET)
		span = fmax(span, TRAFFIC_FAR);
	span = floor(fmin(span, room) / TRAFFIC_SPAN) * TRAFFIC_SPAN;
	if (span >= LEAST_TIMES * above)
		return span;
	lab_outcome(lab, BLOCKED, "there is not memory enough for walks that no cache serves");
	return 0;
}

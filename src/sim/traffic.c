/* SPDX-License-Identifier: MIT */
/*
 * traffic.c - chases side by side, and streams
 *
 * What they ask of the memory adds up over some steps, and what has most to do says how long those took.
 */
#include <math.h>
#include <stdio.h>

#include "stroll.h"

static const long SOME = 64; /* steps, after which what is done is done */

/* Cycles between the starts of operations on a vector of so many bytes; NAN: there are none. */
static double interval(const struct description *description, const char *op, long bytes)
{
	const char *type = bytes == 16 ? "i64x2" : bytes == 32 ? "i64x4" : "i64x8";
	const struct description_op *found = description_find(description, op, type);

	if (found)
		return fmax(found->interval, 1 / description->core.width);
	/* A compiler makes the narrowest ones of words. */
	found = bytes == 16 ? description_find(description, op, "i64") : NULL;
	return found ? 2 * fmax(found->interval, 1 / description->core.width) : NAN;
}

/* Cycles that the core itself takes for a step. */
static double own_work(const struct description *description, const struct walk *walk)
{
	double times = (double)WALK_PIECE / (double)walk->vector,
	       load = walk->stream == WALK_WRITE ? 0 : interval(description, "load", walk->vector),
	       store = walk->stream == WALK_READ ? 0 : interval(description, "store", walk->vector);

	return isnan(load) || isnan(store) ? NAN : times * fmax(load, store);
}

bool sim_stream_start(struct stroll *stroll, struct reading *reading)
{
	const struct walk *walk = stroll->walk;

	stroll->issue = own_work(stroll->walker->description, walk);
	if (!isnan(stroll->issue))
		return true;
	snprintf(reading->why, sizeof reading->why, "this CPU does not have vectors of that width");
	return false;
}

double sim_stream_steps(struct stroll *stroll, long steps)
{
	const struct walk *walk = stroll->walk;
	struct sim_memory *memory = stroll->walker->memory;
	long length = walk_length(walk), rest = 0;
	double cycles = 0;

	for (; steps > 0; steps -= SOME) {
		long some = steps < SOME ? steps : SOME;

		/* Once all of it is in the first level, and nobody else is there, the core alone counts. */
		if (stroll->clean > length && !stroll->beside && !sim_memory_disturbed(memory)) {
			rest = steps;
			break;
		}
		for (long i = 0; i < some; i++) {
			uint64_t at = (uint64_t)stroll->at * WALK_PIECE;
			bool moved = sim_memory_stream(memory, walk, at, walk->stream == WALK_WRITE);

			if (walk->stream == WALK_COPY)
				moved |= sim_memory_stream(memory, walk, at + (uint64_t)length * WALK_PIECE, true);
			stroll->clean = moved ? 0 : stroll->clean + 1;
			stroll->at = stroll->at + 1 < length ? stroll->at + 1 : 0;
		}
		cycles += sim_memory_traffic(memory, stroll->issue * (double)some);
	}
	stroll->at = (stroll->at + rest) % length;
	sim_memory_core(memory, walk->past ? 0 : (double)rest * WALK_PIECE * (walk->stream == WALK_COPY ? 2 : 1));
	return cycles + sim_memory_traffic(memory, stroll->issue * (double)rest);
}

double sim_chase_steps(struct stroll *stroll, long steps)
{
	const struct walk *walk = stroll->walk;
	struct sim_walker *walker = stroll->walker;
	long places = (steps + walk->chains - 1) / walk->chains;
	const struct description_op *load = description_find(walker->description, "load", "ptr");
	double own = load ? fmax(load->interval, 1 / walker->description->core.width) : 0, cycles = 0;

	for (long i = 0; i < places; i++) {
		for (long j = 0; j < walk->chains; j++) {
			long at = (stroll->at + j * walk->count / walk->chains) % walk->count;

			sim_memory_beside(walker->memory, walk->pages, walk->arena, walk->places[at],
					  (double)walk->chains);
		}
		stroll->at = stroll->at + 1 < walk->count ? stroll->at + 1 : 0;
		cycles += sim_memory_traffic(walker->memory, own * (double)walk->chains);
	}
	return cycles;
}

/* SPDX-License-Identifier: MIT */
/*
 * trust.c - no counter is believed before it has counted right what is known
 *
 * Two walks are known: one over a few places, which everything holds, and one over so many that nearly every step
 * misses. The second has more and more places until the counter says so; the most that it ever says is kept, too. It is
 * such that other events are rare in it: lines that are missed lie in a few pages, pages that are missed share one
 * frame.
 */
#include <stdio.h>
#include <stdlib.h>

#include "counters.h"

enum {
	FEW = 4,
	STILL_MORE = 4,
	FEW_STEPS = 1024,
	MORE_STEPS = 4096,
	LINE = COUNTERS_LINE,
	PAGE = COUNTERS_PAGE,
	NEAR = 64
};

static const double SOME = 0.05; /* counts a step where nothing is missed */
static const double RIGHT = 0.1; /* relative */
static const double SMALL = 0.1; /* share of steps that miss what only others miss */
static const double FIRST = 64 << 10, MOST = 256 << 20, MOST_CODE = 8 << 20; /* bytes */

struct counting *counters_of(struct lab *lab)
{
	if (!lab->counting)
		lab->counting = calloc(1, sizeof(*lab->counting));
	return lab->counting;
}

const char *counters_wrong(double idle, double misses)
{
	if (!(idle < SOME))
		return "counts where nothing is missed";
	if (!(misses > 0))
		return "counts nothing";
	if (misses > 1 + RIGHT)
		return "counts more than is missed";
	return misses < 1 - RIGHT ? "counts less than is missed, or something else" : NULL;
}

/* A few places, each in every cache and TLB after the first round. */
static struct walk few(enum walk_event event, uint64_t *places)
{
	struct walk walk = {
		.order = WALK_CYCLE, .event = event, .pages = WALK_BASE_PAGES, .places = places, .count = FEW
	};

	for (int i = 0; i < FEW; i++)
		places[i] = (uint64_t)i * NEAR;
	if (!counters_is_code(event))
		return walk;
	walk.order = WALK_RANDOM;
	walk.code = true;
	walk.grid.stride[0] = NEAR;
	walk.grid.count[0] = FEW;
	return walk;
}

/* What a reading takes, and counts a step of which there should be none. NaN and why: there is no counter. */
static double look_at_few(struct lab *lab, enum walk_event event, struct counter *counter)
{
	uint64_t places[FEW];
	struct walk walk = few(event, places);
	double brief = counters_least(lab, &walk, FEW_STEPS, counter->why, sizeof(counter->why)), more;

	if (isnan(brief))
		return NAN;
	more = counters_least(lab, &walk, MORE_STEPS, counter->why, sizeof(counter->why));
	counter->overhead = brief;
	return fmax(0, more - brief) / (MORE_STEPS - FEW_STEPS);
}

/* Lines of `bytes`, page after page, in each of which the order is none: few translations are missed. */
static double missed_lines(struct lab *lab, enum walk_event event, double bytes)
{
	enum { EACH = PAGE / LINE };
	long count = (long)(bytes / LINE), order[EACH];
	uint64_t *places = calloc((size_t)count, sizeof(*places));
	double share = NAN;

	walk_shuffle(order, EACH);
	for (long i = 0; places && i < count; i++)
		places[i] = (uint64_t)(i / EACH * PAGE + order[i % EACH] * LINE);
	if (places)
		share = counters_round_share(lab, event, places, count, MORE_STEPS);
	free(places);
	return share;
}

/* As many pages as would have so many bytes of their own, all on one frame; each place on another line than the last.
 */
static double missed_pages(struct lab *lab, enum walk_event event, double bytes)
{
	long count = (long)(bytes / PAGE), *order = calloc((size_t)count, sizeof(*order));
	struct walk walk = { .order = WALK_CYCLE, .event = event, .pages = WALK_ON_1_FRAME, .count = count, .laps = 2 };
	uint64_t *places = calloc((size_t)count, sizeof(*places));
	double share = NAN;

	if (counters_is_code(event)) {
		walk.order = WALK_RANDOM;
		walk.code = true;
		walk.grid.stride[0] = PAGE + NEAR;
		walk.grid.count[0] = count;
		share = counters_share(lab, &walk, MORE_STEPS);
	} else if (order && places) {
		walk_shuffle(order, count);
		for (long i = 0; i < count; i++)
			places[i] = (uint64_t)order[i] * (PAGE + NEAR);
		walk.places = places;
		share = counters_share(lab, &walk, MORE_STEPS);
	}
	free(order);
	free(places);
	return share;
}

static double missed_code(struct lab *lab, enum walk_event event, double bytes)
{
	return counters_grid_share(lab, event,
				   (struct counters_grid){ bytes / COUNTERS_CODE, COUNTERS_CODE, 1, 0, 0, false });
}

static double look(struct lab *lab, enum walk_event event, double bytes)
{
	double share = counters_is_tlb(event)     ? missed_pages(lab, event, bytes)
		       : event == WALK_L1I_MISSES ? missed_code(lab, event, bytes)
						  : missed_lines(lab, event, bytes);

	lab_note(lab, "counts a step, by bytes that are walked over", bytes, share, walk_event_name(event));
	return share;
}

/* The most that it counts a step, of more and more places until nearly every one should be missed; and of still more,
 * since half of the steps, each of which it counts twice, look the same. */
static double look_beyond(struct lab *lab, enum walk_event event, struct counter *counter)
{
	double bytes = FIRST, most = 0, room = fmin(MOST, (double)lab->timer->machine->memory) - PAGE;

	if (event == WALK_L1I_MISSES)
		room = fmin(room, MOST_CODE);
	while (bytes <= room && most < 1 - RIGHT && !timer_over(lab->timer)) {
		most = fmax(most, look(lab, event, bytes));
		counter->beyond = bytes;
		bytes *= 2;
	}
	return most < 1 - RIGHT ? most : fmax(most, look(lab, event, fmin(STILL_MORE * counter->beyond, room)));
}

/* Events that go together in the walk beyond everything, and a walk where they do not: jumps over pages that share a
 * frame miss translations alone, and loads from twice the nearest cache miss that one alone. */
static const char *counts_another(struct lab *lab, enum walk_event event)
{
	const struct voted *size, *line;

	if (event == WALK_L1I_MISSES && missed_pages(lab, event, FIRST * 16) > SMALL)
		return "counts translations";
	if ((event != WALK_L2_MISSES && event != WALK_LAST_MISSES) || !counters_try(lab, WALK_L1D_MISSES)->trusted)
		return NULL;
	size = counters_size(lab, WALK_L1D_MISSES);
	line = counters_line(lab, WALK_L1D_MISSES);
	if (isnan(size->value) || isnan(line->value))
		return NULL;
	return counters_grid_share(lab, event, (struct counters_grid){ 2 * size->value, line->value, 1, 0, 0, false }) >
			       0.5
		       ? "counts what l1d.misses does: one of the two is not what it says"
		       : NULL;
}

const struct counter *counters_try(struct lab *lab, enum walk_event event)
{
	struct counting *counting = counters_of(lab);
	struct counter *counter = counting ? &counting->counter[event] : NULL;
	const char *wrong;
	double idle;

	if (!counter || counter->tried)
		return counter;
	counter->tried = true;
	idle = look_at_few(lab, event, counter);
	counter->exists = !isnan(idle);
	if (!counter->exists)
		return counter;
	wrong = counters_wrong(idle, look_beyond(lab, event, counter));
	if (!wrong)
		wrong = counts_another(lab, event);
	counter->trusted = !wrong;
	snprintf(counter->why, sizeof(counter->why), "%s", wrong ? wrong : "");
	return counter;
}

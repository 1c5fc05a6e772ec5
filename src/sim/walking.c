/* SPDX-License-Identifier: MIT */
/*
 * walking.c - takes a walk on the simulated memory and says how long it took
 */
#include <math.h>
#include <stdio.h>

#include "stroll.h"

enum { WARM_ROUND = 8000, NEIGHBOUR_STEPS = 128 };

static const double GROUPED_CYCLES = 7; /* what drawing a place of a group adds to a step */

bool sim_walker_start(struct sim_walker *walker, const struct description *description, struct sim_noise *noise,
		      uint64_t seed)
{
	*walker = (struct sim_walker){ .description = description, .noise = noise };
	sim_random_seed(&walker->random, seed ^ 0x2545f4914f6cdd1du);
	sim_counters_start(&walker->counters, &description->counters, seed);
	if (!description->memory.present)
		return true;
	walker->memory = sim_memory_new(description, NULL, seed);
	return walker->memory;
}

static void touch(void *context, uint64_t place)
{
	struct stroll *stroll = context;

	stroll->warming += sim_memory_load(stroll->walker->memory, stroll->walk->pages, stroll->walk->arena, place);
}

static double cycle_steps(struct stroll *stroll, long steps)
{
	const struct walk *walk = stroll->walk;
	struct sim_memory *memory = stroll->walker->memory;
	double cycles = 0;

	while (steps > 0) {
		long laps = stroll->clean >= walk->count && !stroll->beside ? steps / walk->count : 0;
		uint64_t place = walk->places[stroll->at];
		double took;

		/* After a whole lap in the first level all others will be the same. */
		if (laps > 0) {
			cycles += stroll->settled * (double)(laps * walk->count);
			steps -= laps * walk->count;
			continue;
		}
		if (stroll->laps.period && !stroll->beside && steps >= stroll->laps.period) {
			cycles += stroll_repeat(stroll, &steps);
			continue;
		}
		if (++stroll->at == walk->count)
			stroll->at = 0;
		sim_memory_expect(memory, walk->pages, walk->arena, walk->places[stroll->at]);
		took = sim_memory_load(memory, walk->pages, walk->arena, place);
		stroll->clean = took == stroll->settled ? stroll->clean + 1 : 0;
		cycles += took;
		steps--;
		if (!stroll->laps.period)
			stroll->laps.cycles += took;
		if (stroll->at == 0 && !stroll->beside)
			stroll_end_lap(stroll);
	}
	return cycles;
}

static uint64_t draw(struct stroll *stroll)
{
	const struct walk_grid *from = stroll->walk->has_hot && stroll->at++ & 1 ? &stroll->hot : &stroll->grid;

	if (stroll->walk->grouped) {
		uint64_t index = (uint64_t)stroll->at++ % WALK_GROUP;

		if (index == 0)
			stroll->group = sim_random_next(&stroll->walker->random);
		return walk_draw_together(from, stroll->walk->grouped, stroll->group, index);
	}
	return stroll_draw(stroll, from);
}

static double random_steps(struct stroll *stroll, long steps)
{
	const struct walk *walk = stroll->walk;
	struct sim_memory *memory = stroll->walker->memory;
	double cycles = (walk->grouped ? GROUPED_CYCLES : STROLL_DRAWN) * (double)steps;

	for (; steps > 0; steps--) {
		uint64_t place = stroll->next;

		stroll->next = draw(stroll);
		sim_memory_expect(memory, walk->pages, walk->arena, stroll->next);
		cycles += sim_memory_load(memory, walk->pages, walk->arena, place);
	}
	return cycles;
}

static double step(struct stroll *stroll, long steps)
{
	if (stroll->walk->code)
		return sim_code_steps(stroll, steps);
	if (stroll->walk->stores || stroll->walk->loose)
		return sim_storing_steps(stroll, steps);
	if (stroll->walk->order == WALK_STREAM)
		return sim_stream_steps(stroll, steps);
	if (stroll->walk->chains)
		return sim_chase_steps(stroll, steps);
	return stroll->walk->order == WALK_CYCLE ? cycle_steps(stroll, steps) : random_steps(stroll, steps);
}

/* Cycles of that many steps, with the neighbours at work meanwhile. */
static double stretch(struct stroll *stroll, long steps)
{
	struct sim_walker *walker = stroll->walker;
	double cycles = 0;

	if (!sim_memory_disturbed(walker->memory))
		return step(stroll, steps);
	sim_memory_disturb(walker->memory, walker->seen, walker->noise->now - walker->seen);
	walker->seen = walker->noise->now;
	while (steps > 0) {
		long some = steps < NEIGHBOUR_STEPS ? steps : NEIGHBOUR_STEPS;
		double took = step(stroll, some), ns = took / walker->description->frequency * 1e9;

		sim_memory_disturb(walker->memory, walker->seen, ns);
		walker->seen += ns;
		cycles += took;
		steps -= some;
	}
	return cycles;
}

/* Cycles of that many references that do not wait for one another: the nearest level's misses are under way at once. */
static double rush(struct stroll *stroll, long count)
{
	struct sim_walker *walker = stroll->walker;
	double cycles = 0;

	while (count > 0) {
		long some = count < NEIGHBOUR_STEPS ? count : NEIGHBOUR_STEPS;
		double waited = step(stroll, some) - STROLL_DRAWN * (double)some,
		       took = fmax(STROLL_RUSH * (double)some, waited / sim_memory_misses(walker->memory)),
		       ns = took / walker->description->frequency * 1e9;

		sim_memory_disturb(walker->memory, walker->seen, ns);
		walker->seen += ns;
		cycles += took;
		count -= some;
	}
	return cycles;
}

static bool refuse(struct reading *reading, const char *why)
{
	snprintf(reading->why, sizeof reading->why, "%s", why);
	return false;
}

static void fill_grid(struct walk_grid *grid, const struct walk_grid *from)
{
	*grid = *from;
	for (int axis = 0; axis < WALK_AXES; axis++)
		if (grid->count[axis] < 1)
			grid->count[axis] = 1;
}

/* False and why when it cannot be taken. */
static bool start(struct stroll *stroll, struct reading *reading)
{
	struct sim_walker *walker = stroll->walker;
	const struct walk *walk = stroll->walk;
	double room, extent = (double)walk_extent(walk);

	if (!walker->memory)
		return refuse(reading, "the file describes no memory");
	if (walk_length(walk) < 1)
		return refuse(reading, "a walk without places");
	room = (double)sim_memory_room(walker->memory, walk->pages);
	if (extent > room) {
		snprintf(reading->why, sizeof reading->why, "the walk needs %.0f bytes of memory, and there are %.0f",
			 extent, room);
		return false;
	}
	sim_memory_time(walker->memory, walker->noise->now);
	fill_grid(&stroll->grid, &walk->grid);
	fill_grid(&stroll->hot, &walk->hot);
	if (walk->code)
		return sim_code_start(stroll, reading);
	if (!sim_memory_arena(walker->memory, walk->pages, walk->arena))
		return refuse(reading, "no room for another arena");
	if (walk->order == WALK_STREAM && !sim_stream_start(stroll, reading))
		return false;
	stroll->settled = sim_memory_disturbed(walker->memory) ? 0 : sim_memory_settled(walker->memory);
	return true;
}

/* Everything before the first timed step. Nobody times it, but time passes. */
static void warm_up(struct stroll *stroll, long steps, bool goes_on)
{
	struct sim_walker *walker = stroll->walker;
	const struct walk *walk = stroll->walk;
	long warm = walk_warming(walk), laps = walk->laps * walk_length(walk);

	/* Round and round a cache is soon as it will be. */
	if (walk->order == WALK_CYCLE && warm > WARM_ROUND)
		warm = laps > WARM_ROUND ? laps : WARM_ROUND;
	if (goes_on) {
		/* It goes on as if it had never stopped. */
		stroll->at = walk->order != WALK_RANDOM ? walker->at : 0;
		stroll->straight = walker->straight;
		warm = 0;
	} else if (walk->code) {
		sim_code_warm(stroll);
	} else {
		walk_visit(walk, touch, stroll);
	}
	if (walk->order == WALK_RANDOM)
		stroll->next = walk->code ? stroll_draw(stroll, &stroll->grid) : draw(stroll);
	if (walk->rush) {
		stroll->warming += rush(stroll, warm > walk->rush ? warm : walk->rush);
		warm = steps;
	}
	stroll->warming += stretch(stroll, steps > warm ? steps : warm);
	sim_noise_run(walker->noise, (struct sim_work){ .alone = stroll->warming, .shared = stroll->warming });
}

bool sim_walk_begin(struct stroll *stroll, struct sim_walker *walker, const struct walk *walk, long steps,
		    struct reading *reading)
{
	uint64_t hash = walk_hash_places(walk);

	*stroll = (struct stroll){ .walker = walker, .walk = walk, .clock = walker->clock };
	*reading = (struct reading){ .spills = -1 };
	if (!start(stroll, reading))
		return false;
	warm_up(stroll, steps, walker->last == hash);
	walker->last = hash;
	return true;
}

static struct sim_work cost(const struct stroll *stroll, double cycles, long steps)
{
	return (struct sim_work){ .alone = cycles, .shared = cycles + stroll->issue * (double)steps };
}

struct sim_work sim_walk_steps(struct stroll *stroll, long steps)
{
	struct sim_walker *walker = stroll->walker;
	double cycles;

	if (stroll->walk->rush) {
		cycles = rush(stroll, steps);
	} else if (stroll->settled && !stroll->beside) {
		/* Neighbours do not reach that far up. */
		cycles = step(stroll, steps);
		sim_memory_disturb(walker->memory, walker->noise->now, cycles / walker->description->frequency * 1e9);
		walker->seen = walker->noise->now;
	} else {
		cycles = stretch(stroll, steps);
	}
	return cost(stroll, cycles, steps);
}

enum machine_status sim_walk(struct sim_walker *walker, const struct walk *walk, long steps, int count,
			     struct reading *reading)
{
	struct stroll stroll;

	if (!sim_counters_has(&walker->counters, walk->event, reading) ||
	    !sim_walk_begin(&stroll, walker, walk, steps, reading))
		return MACHINE_BLOCKED;
	sim_counters_begin(&walker->counters, walker->memory);
	for (int i = 0; i < count; i++) {
		struct sim_work work = cost(&stroll, stretch(&stroll, steps), steps);
		double clock = sim_noise_clock(walker->noise);

		reading->disturbed = sim_noise_run(walker->noise, work) || reading->disturbed;
		reading->ns[i] = sim_noise_clock(walker->noise) - clock;
	}
	sim_counters_end(&walker->counters, walker->memory, walk->event, reading);
	walker->at = stroll.at;
	walker->straight = stroll.straight;
	walker->clock = stroll.clock;
	return MACHINE_RAN;
}

/* SPDX-License-Identifier: MIT */
/*
 * running.c - walks of code on the simulated machine
 *
 * A step of a random one is a jump that nothing foresaw: the core finds out, translates, fetches and runs what lies
 * there. A step of a ladder is one case of straight code, at whose end a jump leads back that everybody foresees.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "stroll.h"

enum { LADDER_ARENA = INT_MIN, HOT_ARENA = 0, JUMP_INSTRUCTIONS = 3, USUAL_LONGEST = 8, GENERATIONS = 4 };

static bool refuse(struct reading *reading, const char *why)
{
	snprintf(reading->why, sizeof reading->why, "%s", why);
	return false;
}

static struct walk hot_walk(const struct walk *walk)
{
	return (struct walk){ .order = WALK_RANDOM, .pages = walk->pages, .grid = walk->hot };
}

/* Of generations long past the memory comes back. */
static int code_arena(const struct walk *walk)
{
	return walk->arena % (GENERATIONS * WALK_ARENAS);
}

/* Integer additions that the core starts in a cycle. */
static double additions(const struct description *description)
{
	const struct description_op *add = description_find(description, "add", "i64");

	return add ? fmin(description->core.width, 1 / add->interval) : description->core.width;
}

static bool start_ladder(struct stroll *stroll, struct reading *reading)
{
	const struct description *description = stroll->walker->description;
	const struct walk *walk = stroll->walk;
	struct sim_straight *straight = &stroll->straight;
	double bytes = (double)walk->count * (double)walk->body * description->code.add + description->code.jump;

	if (walk->count < 1 || walk->body < 1)
		return refuse(reading, "a ladder without cases");
	if (bytes > (double)sim_memory_room(stroll->walker->memory, WALK_BASE_PAGES))
		return refuse(reading, "no room for a ladder this long");
	*straight = (struct sim_straight){ .pages = WALK_BASE_PAGES, .arena = LADDER_ARENA, .foreseen = true };
	straight->plain = (uint64_t)walk->count * (uint64_t)walk->body;
	straight->size = (uint64_t)description->code.add;
	stroll->issue = (double)walk->body / additions(description) +
			JUMP_INSTRUCTIONS / description->core.width / (double)walk->count;
	reading->value = bytes;
	return true;
}

/* Where instructions have any length, up to the longest; else there are those of the shortest and of the longest. */
static uint64_t filler_of(const struct description_code *code, long asked)
{
	double longest = code->longest > 0 ? code->longest : code->nop > 1 ? code->nop : USUAL_LONGEST;

	if ((double)asked >= longest)
		return (uint64_t)longest;
	return code->nop > 1 || asked < 1 ? (uint64_t)code->nop : (uint64_t)asked;
}

static bool start_places(struct stroll *stroll, struct reading *reading)
{
	const struct description *description = stroll->walker->description;
	const struct walk *walk = stroll->walk;
	struct walk hot = hot_walk(walk);
	struct sim_straight *straight = &stroll->straight;
	double rest = (double)walk->body - description->code.jump;

	if (walk->order != WALK_RANDOM || walk->grouped || walk->rush)
		return refuse(reading, "no code runs like that");
	if (walk->has_hot) {
		if (walk_extent(&hot) > sim_memory_room(stroll->walker->memory, walk->pages))
			return refuse(reading, "no room for the hot places");
		if (!sim_memory_arena(stroll->walker->memory, walk->pages, HOT_ARENA))
			return refuse(reading, "no room for another arena");
	}
	*straight = (struct sim_straight){ .pages = walk->pages, .arena = code_arena(walk) };
	straight->size = filler_of(&description->code, walk->filler);
	straight->plain = rest > 0 ? (uint64_t)rest / straight->size : 0;
	reading->value = (double)straight->plain + JUMP_INSTRUCTIONS;
	stroll->issue = reading->value / description->core.width;
	return true;
}

bool sim_code_start(struct stroll *stroll, struct reading *reading)
{
	struct sim_memory *memory = stroll->walker->memory;
	struct sim_straight *straight = &stroll->straight;

	if (!sim_memory_has_code(memory))
		return refuse(reading, "the file describes no code");
	if (!(stroll->walk->order == WALK_LADDER ? start_ladder(stroll, reading) : start_places(stroll, reading)))
		return false;
	straight->jump = (uint64_t)stroll->walker->description->code.jump;
	if (!sim_memory_code_arena(memory, straight->pages, straight->arena))
		return refuse(reading, "no room for another arena");
	return true;
}

/* Cycles that the core waits for what lies at a place, and for the jump there. */
static double run_place(struct stroll *stroll, uint64_t place)
{
	struct sim_memory *memory = stroll->walker->memory;
	struct sim_straight *straight = &stroll->straight;
	double cycles;

	straight->start = place;
	straight->at = straight->fetched = 0;
	cycles = sim_memory_run(memory, straight, straight->plain * straight->size + straight->jump);
	return cycles + sim_memory_jump(memory, straight);
}

static double place_steps(struct stroll *stroll, long steps)
{
	const struct walk *walk = stroll->walk;
	struct sim_memory *memory = stroll->walker->memory;
	double cycles = (stroll->walker->description->code.mispredict + stroll->issue) * (double)steps;

	for (; steps > 0; steps--) {
		uint64_t place = stroll->next;

		stroll->next = stroll_draw(stroll, &stroll->grid);
		sim_memory_expect_code(memory, walk->pages, stroll->straight.arena, stroll->next);
		cycles += run_place(stroll, place);
		if (walk->has_hot)
			cycles += sim_memory_load(memory, walk->pages, HOT_ARENA, stroll_draw(stroll, &stroll->hot));
	}
	return cycles;
}

static double ladder_steps(struct stroll *stroll, long steps)
{
	struct sim_straight *straight = &stroll->straight;
	uint64_t step = (uint64_t)stroll->walk->body * straight->size;
	double cycles = stroll->issue * (double)steps;

	for (; steps > 0; steps--) {
		uint64_t to = (uint64_t)(stroll->at + 1) * step;
		bool last = stroll->at + 1 == stroll->walk->count;

		if (!stroll->at)
			straight->at = straight->fetched = 0;
		cycles += sim_memory_run(stroll->walker->memory, straight, last ? to + straight->jump : to);
		stroll->at = last ? 0 : stroll->at + 1;
	}
	return cycles;
}

double sim_code_steps(struct stroll *stroll, long steps)
{
	return stroll->walk->order == WALK_LADDER ? ladder_steps(stroll, steps) : place_steps(stroll, steps);
}

static void touch_code(void *context, uint64_t place)
{
	struct stroll *stroll = context;

	stroll->warming += run_place(stroll, place);
}

static void touch_data(void *context, uint64_t place)
{
	struct stroll *stroll = context;

	stroll->warming += sim_memory_load(stroll->walker->memory, stroll->walk->pages, HOT_ARENA, place);
}

void sim_code_warm(struct stroll *stroll)
{
	struct walk hot = hot_walk(stroll->walk);

	if (stroll->walk->has_hot)
		walk_visit(&hot, touch_data, stroll);
	if (stroll->walk->order == WALK_LADDER)
		stroll->warming += ladder_steps(stroll, stroll->walk->count);
	else
		walk_visit(stroll->walk, touch_code, stroll);
}

/* SPDX-License-Identifier: MIT */
/*
 * coder.c - takes random walks of code on this machine
 *
 * A place is machine code that xray writes itself: instructions that do nothing, then a jump to where a list says. The
 * list is drawn before the clock starts and anew for each stretch, so that no predictor has seen it, and its last entry
 * is a function that returns. No place knows where it lies, so pages that share a frame may share it.
 */
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "../nano/walk_draw.h"
#include "arena.h"
#include "coder.h"
#include "counting.h"
#include "emit.h"
#include "walker.h"

enum { PIECE = 2048 }; /* steps of a list that is not timed: small enough for the nearest cache */

struct coder {
	struct arenas arenas;
	char *code; /* of the walk prepared last */
	int instructions; /* at each of its places */
	uint64_t *list;
	long room, used; /* words of it */
	uint64_t random;
};

/* Where every list ends. It is jumped to, as by a tail call, so it returns for the place that was called. */
static void leave(const uint64_t *list)
{
	(void)list;
}

/* Bytes to the next place, which where frames are shared may lie on any page. */
static uint64_t room_of_a_place(const struct walk *walk)
{
	uint64_t room = UINT64_MAX;

	for (int axis = 0; axis < WALK_AXES; axis++) {
		uint64_t stride = walk->grid.stride[axis], apart = walk_frames(walk->pages) ? stride & -stride : stride;

		if ((axis == 0 || walk->grid.count[axis] > 1) && stride && apart < room)
			room = apart;
	}
	return room;
}

static bool makes_sense(const struct walk *walk)
{
	uint64_t bits = walk->grid.base;

	for (int axis = 0; axis < WALK_AXES; axis++)
		bits |= walk->grid.stride[axis];
	return walk->order == WALK_RANDOM && !walk->grouped && !walk->rush && bits % WALK_JUMP == 0;
}

struct pattern {
	char *start; /* of the memory it is written to */
	unsigned char *bytes;
	size_t length;
};

static void write_place(void *context, uint64_t place)
{
	const struct pattern *pattern = context;

	memcpy(pattern->start + place, pattern->bytes, pattern->length);
}

/* What all places hold. Returns how many instructions; 0: out of memory. */
static int make_pattern(struct pattern *pattern, const struct walk *walk)
{
	const unsigned char *jump = walk->has_hot ? emit_loading_jump : emit_jump;
	size_t end = walk->has_hot ? sizeof(emit_loading_jump) : sizeof(emit_jump);
	uint64_t room = room_of_a_place(walk), body = (uint64_t)walk->body < room ? (uint64_t)walk->body : room;
	size_t nothing = body > end ? (size_t)(body - end) : 0, used = 0, each;
	int instructions = walk->has_hot ? EMIT_LOADING_JUMP : EMIT_JUMP;

	pattern->bytes = malloc(nothing + end);
	if (!pattern->bytes)
		return 0;
	for (; used < nothing; used += each, instructions++) {
		size_t left = nothing - used,
		       most = walk->filler > EMIT_SHORTEST ? (size_t)walk->filler : EMIT_SHORTEST;

		each = emit_nothing(pattern->bytes + used, left < most ? left : most);
		if (!each)
			break;
	}
	memcpy(pattern->bytes + used, jump, end);
	pattern->length = used + end;
	return instructions;
}

/* The same for walks whose places hold the same, along the first axis more of them or fewer: a sweep over numbers of
 * places writes them a few times, not each time. */
static uint64_t hash_of_code(const struct walk *walk)
{
	struct walk code = *walk;

	code.hot = (struct walk_grid){ 0 };
	code.grid.count[0] = 1;
	return walk_hash(&code);
}

static bool write_places(struct coder *coder, struct arena *arena, const struct walk *walk, struct reading *reading)
{
	struct pattern pattern = { .start = arena->start };
	uint64_t hash = hash_of_code(walk), extent;
	bool ready = arena->written == hash && walk->grid.count[0] <= arena->count;

	coder->code = arena->start;
	coder->instructions = make_pattern(&pattern, walk);
	if (!coder->instructions)
		snprintf(reading->why, sizeof(reading->why), "out of memory");
	if (coder->instructions && !ready) {
		struct walk ahead = *walk;

		ahead.grid.count[0] *= 2;
		if (walk->grid.scattered || walk_extent(&ahead) > arena->bytes)
			ahead = *walk;
		arena->written = 0;
		/* No further than needed: where pages share a frame each is a mapping of its own to the system. */
		extent = walk_extent(&ahead);
		ready = host_code_write(arena->start, extent, reading->why, sizeof(reading->why));
		if (ready)
			walk_visit(&ahead, write_place, &pattern);
		ready = ready && host_code_run(arena->start, extent, reading->why, sizeof(reading->why));
		arena->written = ready ? hash : 0;
		arena->count = ahead.grid.count[0];
	}
	free(pattern.bytes);
	return coder->instructions && ready;
}

enum machine_status coder_prepare(struct coder *coder, const struct walk *walk, uint64_t memory,
				  struct reading *reading)
{
	uint64_t extent = walk_extent(walk) > walk->reserve ? walk_extent(walk) : walk->reserve;
	struct arena *arena;

	if (!EMIT_JUMP || !makes_sense(walk)) {
		snprintf(reading->why, sizeof(reading->why), "%s",
			 EMIT_JUMP ? "code is walked on at random, at multiples of 16 bytes, without groups and rush"
				   : "no code can be made to walk on for this kind of CPU");
		return EMIT_JUMP ? MACHINE_REFUSED : MACHINE_BLOCKED;
	}
	arena = arenas_reach(&coder->arenas, walk, extent, memory, reading->why, sizeof(reading->why));
	return arena && write_places(coder, arena, walk, reading) ? MACHINE_RAN : MACHINE_BLOCKED;
}

/* A walk under way, below the guard. */
struct trip {
	struct coder *coder;
	const struct walk *walk;
	const char *data;
	bool again;
	long steps;
	int count;
	struct reading *reading;
	int counter;
};

/* The list has a word for each step, or two: where to jump, and what to load on the way. */
static void add_step(struct trip *trip, uint64_t target, uint64_t hot)
{
	struct coder *coder = trip->coder;

	coder->list[coder->used++] = target;
	if (trip->walk->has_hot)
		coder->list[coder->used++] = (uint64_t)(uintptr_t)(trip->data + hot);
}

static void end_list(struct trip *trip)
{
	add_step(trip, (uint64_t)(uintptr_t)leave, trip->walk->hot.base);
}

static void run_list(struct trip *trip)
{
	void (*first)(const uint64_t *list);

	memcpy(&first, trip->coder->list, sizeof(first));
	first(trip->coder->list + (trip->walk->has_hot ? 2 : 1));
	trip->coder->used = 0;
}

static void draw_list(struct trip *trip, long steps)
{
	const struct walk *walk = trip->walk;
	uint64_t state = trip->coder->random, code = (uint64_t)(uintptr_t)trip->coder->code, hot = 0;

	for (long i = 0; i < steps; i++) {
		uint64_t random = walker_draw(state), place = walk_draw_any(&walk->grid, random);

		if (walk->has_hot)
			hot = walk_draw(&walk->hot, walker_draw(~random));
		add_step(trip, code + place, hot);
		state = random + 0x9e3779b97f4a7c15u * (uint64_t)(i + 1);
	}
	trip->coder->random = state;
	end_list(trip);
}

static void run_place(void *context, uint64_t place)
{
	struct trip *trip = context;

	add_step(trip, (uint64_t)(uintptr_t)trip->coder->code + place, trip->walk->hot.base);
	if (trip->coder->used >= PIECE) {
		end_list(trip);
		run_list(trip);
	}
}

static void warm_up(struct trip *trip)
{
	long warm = walk_warming(trip->walk);

	if (!trip->again) {
		walk_visit(trip->walk, run_place, trip);
		end_list(trip);
		run_list(trip);
	}
	for (long left = trip->again || warm < trip->steps ? trip->steps : warm; left > 0; left -= PIECE) {
		draw_list(trip, left < PIECE ? left : PIECE);
		run_list(trip);
	}
}

static void take_trip(void *context)
{
	struct trip *trip = context;
	struct host_watch watch;

	warm_up(trip);
	watch = host_watch_start();
	for (int i = 0; i < trip->count; i++) {
		double start;

		draw_list(trip, trip->steps);
		start = host_clock();
		host_counter_start(trip->counter);
		run_list(trip);
		host_counter_stop(trip->counter);
		trip->reading->ns[i] = host_clock() - start;
	}
	trip->reading->disturbed = host_watch_disturbed(&watch);
}

static bool has_room(struct coder *coder, long words)
{
	uint64_t *list = words > coder->room ? realloc(coder->list, (size_t)words * sizeof(*list)) : coder->list;

	if (!list)
		return false;
	coder->room = words > coder->room ? words : coder->room;
	coder->list = list;
	return true;
}

enum machine_status coder_walk(struct coder *coder, const struct walk *walk, const char *data, bool again, long steps,
			       int count, struct reading *reading)
{
	struct trip trip = { coder, walk, data, again, steps, count, reading, -1 };
	const char *what;

	coder->used = 0;
	snprintf(reading->why, sizeof(reading->why), "out of memory");
	if (!has_room(coder, 2 * (steps < PIECE ? PIECE : steps) + 2) ||
	    !counting_open(walk, &trip.counter, reading->why, sizeof(reading->why)))
		return MACHINE_BLOCKED;
	reading->why[0] = '\0';
	reading->value = coder->instructions;
	what = host_guarded(take_trip, &trip);
	counting_close(trip.counter, reading);
	if (what)
		snprintf(reading->why, sizeof(reading->why), "code that was walked on: %s", what);
	return what ? MACHINE_FAULT : MACHINE_RAN;
}

struct coder *coder_open(void)
{
	return calloc(1, sizeof(struct coder));
}

void coder_close(struct coder *coder)
{
	if (!coder)
		return;
	arenas_give_back(&coder->arenas);
	free(coder->list);
	free(coder);
}

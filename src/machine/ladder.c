/* SPDX-License-Identifier: MIT */
/*
 * ladder.c - times straight code of any length: three ladders for each number of additions, since the time to compile
 * one grows with its length
 */
#include <string.h>

#include "../host/host.h"
#include "ladder.h"

static const int sizes[LADDER_SIZES] = { 1024, 4096, 16384 };

/* All cases are alike; what the compiler put beside them is less than one. An addition of registers takes 2 to 4 bytes
 * on every ISA that compilers make them for; more has loads and stores. */
static void check(struct ladder *ladder, int size, int additions, const char *half, const char *end)
{
	ladder->bytes = half && end ? (end - half) / (size - size / 2) : 0;
	if (ladder->bytes >= 2 * additions && ladder->bytes <= 4 * additions)
		return;
	ladder->status = MACHINE_REFUSED;
	snprintf(ladder->why, sizeof(ladder->why), "%d additions in a row became %ld bytes of code", additions,
		 ladder->bytes);
}

static void make(struct ladder *ladder, struct workshop *workshop, int size, int additions)
{
	void *library =
		workshop_library(workshop, nano_ladder_emit(size, additions), "-O1", ladder->why, sizeof(ladder->why));
	size_t bytes;
	void *function = library ? host_symbol(library, "xray_ladder", &bytes) : NULL;

	ladder->tried = true;
	ladder->status = function ? MACHINE_RAN : MACHINE_BLOCKED;
	if (!function)
		return;
	memcpy(&ladder->function, &function, sizeof(function));
	check(ladder, size, additions, host_symbol(library, "xray_half", &bytes),
	      host_symbol(library, "xray_end", &bytes));
}

struct climb {
	const struct ladder *ladder;
	long laps, warm, cases;
	int count;
	unsigned long sum;
	struct reading *reading;
};

static void take_climb(void *context)
{
	struct climb *climb = context;
	struct host_watch watch;

	climb->ladder->function(climb->warm, climb->cases);
	watch = host_watch_start();
	for (int i = 0; i < climb->count; i++) {
		double start = host_clock();

		climb->sum = climb->ladder->function(climb->laps, climb->cases);
		climb->reading->ns[i] = host_clock() - start;
	}
	climb->reading->disturbed = host_watch_disturbed(&watch);
}

static long laps_in(long steps, long cases)
{
	return steps > cases ? (steps + cases - 1) / cases : 1;
}

static enum machine_status climb(const struct ladder *ladder, const struct walk *walk, long steps, int count,
				 struct reading *reading)
{
	struct climb climb = { .ladder = ladder, .cases = walk->count, .count = count, .reading = reading };
	const char *what;

	climb.laps = laps_in(steps, walk->count);
	climb.warm = laps_in(walk_warming(walk), walk->count);
	what = host_guarded(take_climb, &climb);
	reading->value = (double)(ladder->bytes * walk->count);
	if (!what && count && climb.sum != (unsigned long)walk->body * (unsigned long)(climb.laps * walk->count + 1))
		what = "it did not add up";
	if (what)
		snprintf(reading->why, sizeof(reading->why), "a ladder of %ld cases: %s", walk->count, what);
	return what ? MACHINE_FAULT : MACHINE_RAN;
}

enum machine_status ladder_walk(struct ladders *ladders, struct workshop *workshop, const struct walk *walk, long steps,
				int count, struct reading *reading)
{
	struct ladder *ladder;
	int size = 0;

	*reading = (struct reading){ .spills = -1 };
	while (size < LADDER_SIZES && sizes[size] < walk->count)
		size++;
	if (size == LADDER_SIZES || walk->count < 1 || walk->body < 1 || walk->body > LADDER_ADDITIONS) {
		snprintf(reading->why, sizeof(reading->why), "ladders have 1 to %d cases of 1 to %d additions",
			 sizes[LADDER_SIZES - 1], LADDER_ADDITIONS);
		return MACHINE_BLOCKED;
	}
	ladder = &ladders->list[size][walk->body - 1];
	if (!ladder->tried)
		make(ladder, workshop, sizes[size], (int)walk->body);
	if (ladder->status == MACHINE_RAN)
		return climb(ladder, walk, steps, count, reading);
	snprintf(reading->why, sizeof(reading->why), "%s", ladder->why);
	return ladder->status;
}

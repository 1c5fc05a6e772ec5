/* SPDX-License-Identifier: MIT */
/*
 * saturate.c - X-Ray's initiation interval: more and more independent copies until the time per operation falls no more
 *
 * k chains of a latency L on units with interval I take max(L / k, I) per operation, so enough copies have been tried
 * once k operations take longer than one alone. Registers may run out first; then copies that do not read what they
 * wrote, which renaming makes independent, may still fill the units.
 */
#include <math.h>
#include <stdio.h>

#include "engine.h"

enum { TEXT = 512, RENEWED_COPIES = 8, STEPS = 6 };

static const double FALLS = 0.99; /* a step that gains less than this is none */
static const double FILLED = 1.04; /* k operations take this much longer than one: the units are the limit */
static const double OVERFLOWING = 1.45; /* and this much: more copies cannot help */

int engine_saturate_step(int index)
{
	static const int copies[STEPS + 1] = { 1, 12, 16, 24, 32, 48, 0 };

	return index >= 0 && index < STEPS ? copies[index] : 0;
}

/* Less sure, and all that is known already is possible: on Zen 5 the overhead of copies without a chain hides in one of
 * the two lengths, and 0.334 cycles, give or take 0.003, would become 0.31, give or take 0.05. */
static bool tells_nothing(const struct saturation *best, const struct estimate *estimate, bool filled)
{
	/* Copies that read what they wrote filled the units, so theirs is no mere bound. */
	return estimate->low < best->low && estimate->high > (filled ? best->ticks : best->high);
}

static void take(struct saturation *best, const struct estimate *estimate, int copies, bool renewed, bool filled)
{
	if (best->copies && (estimate->ticks >= best->ticks || tells_nothing(best, estimate, filled)))
		return;
	best->ticks = estimate->ticks;
	/* Whoever holds up additions on these units may hold this up as much. */
	best->low = estimate->low / fmax(estimate->held, 1);
	best->high = estimate->high;
	best->copies = copies;
	best->renewed = renewed;
}

typedef void writer(const void *of, int copies, char *text, size_t size);

static struct estimate try_copies(struct lab *lab, writer *spec, const void *of, int copies, enum nano_barrier barrier)
{
	char text[TEXT];

	spec(of, copies, text, sizeof(text));
	return lab_try(lab, text, barrier, copies);
}

struct climb {
	double alone; /* ticks of one operation by itself */
	bool filled, confirmed; /* k copies filled the units; more of them gained nothing */
};

/* True when this many copies settled it. */
static bool step(struct saturation *best, struct climb *climb, const struct estimate *estimate, int copies)
{
	double before = best->ticks;

	if (copies == 1)
		climb->alone = estimate->ticks;
	take(best, estimate, copies, false, false);
	climb->confirmed = (climb->filled && estimate->ticks > before * FALLS) ||
			   estimate->ticks * copies > climb->alone * OVERFLOWING;
	climb->filled = climb->filled || estimate->ticks * copies > climb->alone * FILLED;
	return climb->confirmed;
}

static void climb_chains(struct lab *lab, writer *spec, const void *of, struct saturation *best, struct climb *climb)
{
	int fitting = 0, refused = 0;

	for (int i = 0; engine_saturate_step(i) && !refused; i++) {
		int copies = engine_saturate_step(i);
		struct estimate estimate = try_copies(lab, spec, of, copies, lab->barrier);

		if (estimate.status != MACHINE_RAN) {
			if (i == 0) {
				best->status = estimate.status;
				lab_status(lab, &estimate);
				return;
			}
			refused = copies;
		} else if (step(best, climb, &estimate, copies)) {
			return;
		} else {
			fitting = copies;
		}
	}
	/* Registers ran out between two steps; the most chains that fit may do. */
	for (int copies = refused - 1; copies > fitting && !climb->filled; copies -= 1 + copies / 8) {
		struct estimate estimate = try_copies(lab, spec, of, copies, lab->barrier);

		if (estimate.status == MACHINE_RAN) {
			step(best, climb, &estimate, copies);
			return;
		}
	}
}

static void try_renewed(struct lab *lab, writer *renewed, const void *of, struct saturation *best,
			const struct climb *climb)
{
	struct estimate estimate = { .status = MACHINE_REFUSED };
	int copies = 2 * RENEWED_COPIES;

	while (estimate.status == MACHINE_REFUSED && copies > 1) {
		copies /= 2;
		estimate = try_copies(lab, renewed, of, copies, NANO_BARRIER_ASM);
	}
	if (estimate.status != MACHINE_RAN) {
		if (!best->copies) {
			best->status = estimate.status;
			lab_status(lab, &estimate);
		}
		return;
	}
	/* Faster than any chain, or copies that together take longer than one alone: the units are the limit. */
	best->saturated = best->saturated || !best->copies || estimate.ticks < best->ticks * FALLS ||
			  estimate.ticks * copies > climb->alone * FILLED;
	take(best, &estimate, copies, true, climb->filled);
}

struct saturation engine_saturate(struct lab *lab, void (*spec)(const void *of, int copies, char *text, size_t size),
				  void (*renewed)(const void *of, int copies, char *text, size_t size), const void *of)
{
	struct saturation best = { .status = MACHINE_RAN };
	struct climb climb = { .alone = NAN };

	if (spec)
		climb_chains(lab, spec, of, &best, &climb);
	best.saturated = climb.filled;
	if (best.status == MACHINE_RAN && !climb.confirmed && renewed)
		try_renewed(lab, renewed, of, &best, &climb);
	return best;
}

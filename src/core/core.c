/* SPDX-License-Identifier: MIT */
/*
 * core.c - times a program on a core: fetch in order, start when operands and a unit are there
 *
 * Time is continuous. Units (unit.c) may start a younger operation before an older one that still waits.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "unit.h"

enum { LONGEST_PERIOD = 16, HISTORY = 3 * LONGEST_PERIOD + 1, LAPS_LEAST = 8, LAPS_MOST = 1024, UOPS_MOST = 1 << 18 };

static const double ALIKE = 1e-4; /* relative */
static const double TINY = 1e-9; /* cycles; well above rounding, well below anything meant */

struct core {
	const struct sim_program *program;
	double spacing, slowdown; /* cycles between fetches; of every unit */
	bool in_order, limited;
	long window; /* when limited */
	double *slot;
	double *retired; /* ring of `window` */
	long issued;
	double last_start;
	struct unit *units;
	int *first_unit; /* of each resource */
};

static double fetch_time(struct core *core)
{
	double fetch;

	if (!core->issued)
		return 0;
	fetch = (core->in_order ? core->last_start : core->slot[core->program->fetch]) + core->spacing;
	if (core->limited && core->issued >= core->window)
		fetch = fmax(fetch, core->retired[core->issued % core->window]);
	return fetch;
}

static void retire(struct core *core, double complete)
{
	double *front = &core->slot[core->program->retire];

	*front = fmax(*front, complete);
	if (core->limited)
		core->retired[core->issued % core->window] = *front;
	core->issued++;
}

/* Of equal offers the first in the file's order: what waits shows in the next one. */
static double take_unit(struct core *core, const struct sim_part *part, double ready, double fetch)
{
	struct unit_offer offer = { .start = INFINITY };
	double busy = part->busy * core->slowdown;

	for (int i = 0; i < part->count; i++)
		unit_ask(core->units + core->first_unit[part->resources[i]],
			 core->program->resources[part->resources[i]].units, busy, ready, fetch, &offer);
	return unit_take(&offer, busy);
}

static void execute(struct core *core, const struct sim_uop *uop)
{
	double *slot = core->slot, latency = uop->latency, ready = 0, fetch, start, complete;

	for (int i = 0; i < 3; i++)
		if (uop->in[i] >= 0)
			ready = fmax(ready, slot[uop->in[i]]);
	fetch = fetch_time(core);
	ready = fmax(ready, fetch);
	if (core->in_order && uop->out >= 0)
		ready = fmax(ready, slot[uop->out] - latency);
	start = ready;
	for (int i = 0; i < uop->part_count; i++)
		start = fmax(start, take_unit(core, &uop->parts[i], ready, fetch));
	complete = start + latency;
	/* Its data is on the way from a store: it comes when the store's latency is over, which is the whole way. */
	if (uop->kind == SIM_LOAD && uop->memory >= 0 && slot[uop->memory] > start)
		complete = slot[uop->memory];
	if (uop->kind == SIM_STORE && uop->memory >= 0)
		slot[uop->memory] = complete;
	if (uop->out >= 0)
		slot[uop->out] = complete;
	slot[core->program->fetch] = fetch;
	core->last_start = start;
	/* A store leaves the window when it has its data; its latency is that of the way back to a load. */
	retire(core, uop->kind == SIM_STORE ? start + fmin(latency, 1) : complete);
}

static void run_lap(struct core *core)
{
	const struct sim_program *program = core->program;

	for (int repeat = 0; repeat < program->repeats; repeat++)
		for (int i = 0; i < program->pass; i++)
			execute(core, &program->uops[i]);
	for (int i = 0; i < program->loop; i++)
		execute(core, &program->uops[program->pass + i]);
}

/* Growth over the last period when every slot grew alike in the last three, else -1. Of slots that grow unlike among
 * themselves the fastest counts: it will hold up the others sooner or later. */
static double growth(const double *history, long lap, int period, int watched)
{
	const double *at[4];
	double most = 0;

	for (int i = 0; i < 4; i++)
		at[i] = history + (lap - i * period) % HISTORY * watched;
	for (int i = 0; i < watched; i++) {
		double last = at[0][i] - at[1][i];

		if (fabs(last - (at[1][i] - at[2][i])) > TINY || fabs(last - (at[2][i] - at[3][i])) > TINY)
			return -1;
		most = fmax(most, last);
	}
	return most;
}

/* Cycles per lap, or 0 when it has not settled. */
static double steady(const double *history, long lap, int watched)
{
	for (int period = 1; period <= LONGEST_PERIOD && 3 * period <= lap - LAPS_LEAST / 2; period++) {
		double most = growth(history, lap, period, watched);

		if (most >= 0)
			return most / period;
	}
	return 0;
}

static void find_rate(struct core *core, double *history, double *cycles, double *start)
{
	const struct sim_program *program = core->program;
	long uops = (long)program->pass * program->repeats + program->loop;
	long most = uops > UOPS_MOST / LAPS_MOST ? UOPS_MOST / uops + LAPS_LEAST : LAPS_MOST;
	long lap, mark = 0, next = LAPS_LEAST;
	double rate = 0, at_mark = 0;

	*cycles = 0;
	for (lap = 1; lap <= most; lap++) {
		run_lap(core);
		memcpy(history + lap % HISTORY * program->watched, core->slot,
		       sizeof *history * (size_t)program->watched);
		*cycles = steady(history, lap, program->watched);
		if (*cycles > 0)
			break;
		/* A pattern too long to be seen repeating: its average over twice the laps is the same. */
		if (lap == next) {
			double before = rate, now = core->slot[program->retire];

			rate = (now - at_mark) / (double)(lap - mark);
			if (mark > LAPS_LEAST && fabs(rate - before) < ALIKE * rate)
				break;
			mark = lap;
			at_mark = now;
			next = 2 * lap < most ? 2 * lap : most;
		}
	}
	if (!(*cycles > 0))
		*cycles = rate;
	*start = fmax(0, core->slot[program->retire] - (double)lap * *cycles);
}

/* False when memory ran out. */
static bool time_program(const struct description_core *description, const struct sim_program *program, double share,
			 double *cycles, double *start)
{
	struct core core = { .program = program, .spacing = 1 / (description->width * share), .slowdown = 1 / share };
	double *history;
	int units = 0;
	bool done = false;

	core.in_order = description->window == 0;
	core.limited = !core.in_order && isfinite(description->window);
	core.window = core.limited ? (long)description->window : 1;
	for (int i = 0; i < program->resource_count; i++)
		units += program->resources[i].units;
	core.slot = calloc((size_t)program->slots, sizeof *core.slot);
	core.retired = calloc((size_t)core.window, sizeof *core.retired);
	core.units = calloc((size_t)units + 1, sizeof *core.units);
	core.first_unit = calloc((size_t)program->resource_count + 1, sizeof *core.first_unit);
	history = calloc((size_t)program->watched * HISTORY, sizeof *history);
	if (core.slot && core.retired && core.units && core.first_unit && history) {
		for (int i = 0; i < units; i++) {
			core.units[i].gaps = 1;
			core.units[i].to[0] = INFINITY;
		}
		for (int i = 0; i < program->resource_count; i++)
			core.first_unit[i + 1] = core.first_unit[i] + program->resources[i].units;
		find_rate(&core, history, cycles, start);
		done = true;
	}
	free(core.slot);
	free(core.retired);
	free(core.units);
	free(core.first_unit);
	free(history);
	return done;
}

/* Beside threads of our own, and beside somebody else's where there ever is one: each has an equal share of the width,
 * and units that are free as much less often. */
static bool time_both(const struct description *description, const struct sim_program *program, int threads,
		      struct sim_lap *lap)
{
	bool shared = description->noise[NOISE_SIBLING_ON] > 0;

	return time_program(&description->core, program, 1.0 / threads, &lap->cycles, &lap->start) &&
	       (!shared || time_program(&description->core, program, 1.0 / (threads + 1), &lap->sibling_cycles,
					&lap->sibling_start));
}

void sim_core_solve(const struct description *description, const struct nano *nano, int threads, struct sim_lap *lap)
{
	struct sim_program program;

	memset(lap, 0, sizeof *lap);
	if (sim_program_build(description, nano, &program, lap)) {
		lap->spills = program.spills;
		if (program.spills && nano->barrier != NANO_BARRIER_NONE) {
			lap->status = MACHINE_REFUSED;
			snprintf(lap->why, sizeof lap->why, "%d variables do not fit in %d registers",
				 program.spills + program.registers, program.registers);
		} else if (sim_value(description, nano, lap) && !time_both(description, &program, threads, lap)) {
			lap->status = MACHINE_BLOCKED;
			snprintf(lap->why, sizeof lap->why, "out of memory");
		}
	}
	sim_program_free(&program);
}

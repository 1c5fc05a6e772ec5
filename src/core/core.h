/* SPDX-License-Identifier: MIT */
/*
 * core.h - how long a loop body takes on a described core
 *
 * Pure: a description and a nano-benchmark in, cycles per lap and the loop's value out. The program (program.c)
 * is what a compiler would make of the statements; the core (core.c) times it; value.c computes it.
 */
#ifndef XRAY_SIM_CORE_H
#define XRAY_SIM_CORE_H

#include "../describe/description.h"
#include "../machine/machine.h"

enum sim_kind { SIM_EXECUTE, SIM_LOAD, SIM_STORE };

/* One unit of one of these resources is taken for so many cycles. */
struct sim_part {
	double busy;
	int resources[DESCRIPTION_PORTS], count; /* indices into the program's */
};

/* Slots hold the time at which a value is there; -1: none. */
struct sim_uop {
	enum sim_kind kind;
	double latency; /* cycles until the result */
	struct sim_part parts[DESCRIPTION_PARTS];
	int part_count; /* 0: an issue slot only */
	int in[3], out;
	int memory; /* slot of the cell behind a pointer variable, for loads and stores */
};

struct sim_resource {
	char name[48];
	int units;
};

struct sim_program {
	struct sim_uop *uops; /* one pass over the statements, then the loop's own */
	int pass, loop;
	int repeats; /* passes in one lap */
	int slots, watched; /* slots before `watched` live from lap to lap */
	int fetch, retire; /* slots where the core keeps its two fronts */
	struct sim_resource *resources;
	int resource_count;
	int spills, registers; /* variables that found no register, and how many registers their file has */
};

/* What a run costs with the core for itself and with a busy sibling, cycles; and ns that no clock of a core changes. */
struct sim_work {
	double alone, shared, fixed;
};

struct sim_lap {
	enum machine_status status;
	char why[128];
	double cycles, start; /* time(laps) = start + laps * cycles */
	double sibling_cycles, sibling_start; /* the same with one more hardware thread busy */
	int spills;
	double value; /* p1 after one pass over the statements */
};

/* On a core of which as many threads do the same. */
void sim_core_solve(const struct description *description, const struct nano *nano, int threads, struct sim_lap *lap);

/* False and lap->status, lap->why set when the machine lacks an operation or memory ran out. */
bool sim_program_build(const struct description *description, const struct nano *nano, struct sim_program *program,
		       struct sim_lap *lap);
void sim_program_free(struct sim_program *program);

/* Which operand (0 or 1) of an addition is a product that the machine adds in one operation; -1: none. */
int sim_fused(const struct description *description, const struct nano *nano, int node);

/* False when an integer is divided by zero or memory ran out (why says which). */
bool sim_value(const struct description *description, const struct nano *nano, struct sim_lap *lap);

#endif

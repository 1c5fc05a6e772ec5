/* SPDX-License-Identifier: MIT */
/*
 * open.c - the machine to work on: this one, a described or a recorded one
 */
#include "../recording/recording.h"
#include "../sim/sim.h"
#include "session.h"

static const double COMPILER_PATIENCE = 60; /* seconds; a unit takes one or two */

struct machine *session_open(const struct session_machine *wanted, char *error, size_t size)
{
	struct machine_real_options real = wanted->real;
	struct machine *machine;

	/* A compiler that hangs must leave time for what needs none. */
	real.patience = fmin(COMPILER_PATIENCE, wanted->budget / 2);
	machine = !wanted->file                ? machine_real(&real, error, size)
		  : recording_is(wanted->file) ? recording_replay(wanted->file, error, size)
					       : sim_open(wanted->file, wanted->seed, error, size);
	if (machine && real.memory > 0 && real.memory < machine->memory)
		machine->memory = real.memory;
	return machine;
}

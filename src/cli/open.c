/* SPDX-License-Identifier: MIT */
/*
 * open.c - which machine a command works on, and where what was found is kept
 */
#include "../host/host.h"
#include "../recording/recording.h"
#include "../sim/sim.h"
#include "cli.h"

static const double COMPILER_PATIENCE = 60; /* seconds; a unit takes one or two */

struct machine *cli_open_machine(const struct options *options)
{
	char error[512] = "out of memory";
	/* A compiler that hangs must leave time for what needs none. */
	struct machine_real_options real = { .cc = options->cc,
					     .cflags = options->cflags,
					     .no_cache = options->no_cache,
					     .cpu = (int)options->cpu,
					     .memory = (uint64_t)options->memory,
					     .patience = fmin(COMPILER_PATIENCE, options->budget / 2) };
	struct machine *machine = !options->machine ? machine_real(&real, error, sizeof(error))
				  : recording_is(options->machine)
					  ? recording_replay(options->machine, error, sizeof(error))
					  : sim_open(options->machine, options->seed, error, sizeof(error));

	if (machine && options->memory > 0 && (uint64_t)options->memory < machine->memory)
		machine->memory = (uint64_t)options->memory;
	if (machine && options->record) {
		struct machine *recording = recording_make(machine, options->record, error, sizeof(error));

		if (!recording)
			machine->ops->close(machine);
		machine = recording;
	}
	if (!machine)
		fprintf(stderr, "xray: %s\n", error);
	return machine;
}

bool cli_journal(char *path, size_t size)
{
	char directory[4096], error[512];

	if (!host_cache_directory(directory, sizeof(directory), error, sizeof(error)))
		return false;
	return (size_t)snprintf(path, size, "%s/last.jsonl", directory) < size;
}

/* SPDX-License-Identifier: MIT */
/*
 * open.c - which machine a command works on, and where what was found is kept
 */
#include "../host/host.h"
#include "../recording/recording.h"
#include "cli.h"

struct machine *cli_open_machine(const struct options *options)
{
	char error[512] = "out of memory";
	struct session_machine wanted = { .file = options->machine,
					  .seed = options->seed,
					  .real = { .cc = options->cc,
						    .cflags = options->cflags,
						    .no_cache = options->no_cache,
						    .cpu = (int)options->cpu,
						    .memory = (uint64_t)options->memory },
					  .budget = options->budget };
	struct machine *machine = session_open(&wanted, error, sizeof(error));

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

/* SPDX-License-Identifier: MIT */
/*
 * record.c - writes every question put to a machine, and its answer, to a file that replay.c answers from
 *
 * One line an event, in the order they happened: R a run, C a look at the clock, W a wait. Numbers are written so that
 * they come back bit for bit.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

struct recorder {
	struct machine machine;
	struct machine *inner;
	FILE *file;
};

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct recorder *recorder = (struct recorder *)machine;

	recorder->inner->ops->prepare(recorder->inner, set, count);
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	struct recorder *recorder = (struct recorder *)machine;
	enum machine_status status = recorder->inner->ops->run(recorder->inner, nano, laps, count, reading);

	fprintf(recorder->file, "R %" PRIx64 " %ld %d %d %d %.17g %d", nano_hash(nano), laps, count, (int)status,
		reading->disturbed, reading->value, reading->spills);
	for (int i = 0; i < count && status == MACHINE_RAN; i++)
		fprintf(recorder->file, " %.17g", reading->ns[i]);
	fprintf(recorder->file, " %s\n", status == MACHINE_RAN ? "" : reading->why);
	return status;
}

static double read_clock(struct machine *machine)
{
	struct recorder *recorder = (struct recorder *)machine;
	double ns = recorder->inner->ops->clock(recorder->inner);

	fprintf(recorder->file, "C %.17g\n", ns);
	return ns;
}

static void wait(struct machine *machine, double ns)
{
	struct recorder *recorder = (struct recorder *)machine;

	recorder->inner->ops->wait(recorder->inner, ns);
	fprintf(recorder->file, "W %.17g\n", ns);
}

static void close_machine(struct machine *machine)
{
	struct recorder *recorder = (struct recorder *)machine;

	if (fclose(recorder->file) != 0)
		fprintf(stderr, "xray: the recording is not complete: %s\n", strerror(errno));
	recorder->inner->ops->close(recorder->inner);
	free(recorder);
}

static void write_identity(FILE *file, const struct machine_identity *identity)
{
	fprintf(file, "%s\nname %s\ncpu %s\nhypervisor %s\nkernel %s\ncompiler %s\nnumbers %d %d %ld\n",
		RECORDING_MAGIC, identity->name, identity->cpu, identity->hypervisor, identity->kernel,
		identity->compiler, identity->cpus, identity->cpu_used, identity->page_bytes);
}

struct machine *machine_recording(struct machine *inner, const char *path, char *error, size_t size)
{
	static const struct machine_ops ops = { prepare, run, read_clock, wait, close_machine };
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	FILE *file = fopen(path, "w");

	if (!recorder || !file) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		free(recorder);
		return NULL;
	}
	*recorder = (struct recorder){ .machine = { &ops, inner->identity }, .inner = inner, .file = file };
	write_identity(file, &inner->identity);
	return &recorder->machine;
}

/* SPDX-License-Identifier: MIT */
/*
 * record.c - writes every question put to a machine, and its answer, to a file that replay.c answers from
 *
 * One line an event, in the order they happened: R a run, A an address walk, with its count where one was asked for, T
 * a team, with a P for each member, C a look at the clock, W a wait. Numbers are written so that they come back bit for
 * bit.
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

static void write_reading(struct recorder *recorder, char kind, uint64_t hash, long length, int count,
			  enum machine_status status, const struct reading *reading, bool counts)
{
	fprintf(recorder->file, "%c %" PRIx64 " %ld %d %d %d %.17g %d", kind, hash, length, count, (int)status,
		reading->disturbed, reading->value, reading->spills);
	for (int i = 0; i < count && status == MACHINE_RAN; i++)
		fprintf(recorder->file, " %.17g", reading->ns[i]);
	if (counts && status == MACHINE_RAN)
		fprintf(recorder->file, " %.17g", reading->counted);
	fprintf(recorder->file, " %s\n", reading->why);
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	struct recorder *recorder = (struct recorder *)machine;
	enum machine_status status = recorder->inner->ops->run(recorder->inner, nano, laps, count, reading);

	write_reading(recorder, 'R', nano_hash(nano), laps, count, status, reading, false);
	return status;
}

static enum machine_status walk(struct machine *machine, const struct walk *walked, long steps, int count,
				struct reading *reading)
{
	struct recorder *recorder = (struct recorder *)machine;
	enum machine_status status = recorder->inner->ops->walk(recorder->inner, walked, steps, count, reading);

	write_reading(recorder, 'A', walk_hash(walked), steps, count, status, reading, walked->event);
	return status;
}

static void write_part(FILE *file, const struct team_part *part)
{
	fprintf(file, "P %.17g %d %d", part->done, part->late, part->count);
	for (int i = 0; i < part->count; i++)
		fprintf(file, " %.17g%s", part->samples[i].ns, part->samples[i].switched ? "s" : "");
	fputc('\n', file);
}

static enum machine_status team(struct machine *machine, const struct team *working, struct team_reading *reading)
{
	struct recorder *recorder = (struct recorder *)machine;
	enum machine_status status = recorder->inner->ops->team(recorder->inner, working, reading);

	fprintf(recorder->file, "T %" PRIx64 " %d %.17g %s\n", team_hash(working), (int)status, reading->ns,
		reading->why);
	for (int i = 0; i < working->count && status == MACHINE_RAN; i++)
		write_part(recorder->file, &reading->parts[i]);
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

static void write_identity(FILE *file, const struct machine *machine)
{
	const struct machine_identity *identity = &machine->identity;

	fprintf(file,
		"%s\nname %s\ncpu %s\nhypervisor %s\nkernel %s\ncompiler %s\nnumbers %d %d %ld %" PRIu64 " %.17g\n",
		RECORDING_MAGIC, identity->name, identity->cpu, identity->hypervisor, identity->kernel,
		identity->compiler, identity->cpus, identity->cpu_used, identity->page_bytes, machine->memory,
		identity->quota);
	for (int i = 0; i < identity->cpus; i++)
		fprintf(file, "%d\n", machine->cpus[i]);
}

struct machine *recording_make(struct machine *inner, const char *path, char *error, size_t size)
{
	static const struct machine_ops ops = { prepare, run, walk, team, read_clock, wait, close_machine };
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	FILE *file = fopen(path, "w");

	if (!recorder || !file) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		free(recorder);
		return NULL;
	}
	*recorder = (struct recorder){ .machine = *inner, .inner = inner, .file = file };
	recorder->machine.ops = &ops;
	write_identity(file, inner);
	return &recorder->machine;
}

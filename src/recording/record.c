/* SPDX-License-Identifier: MIT */
/*
 * record.c - writes every question put to a machine, and its answer, to a file that replay.c answers from
 *
 * One line an event, in the order they happened: R a run, A an address walk, with its count where one was asked for, T
 * a team, with a P for each member, C a look at the clock, W a wait. Numbers are written so that they come back bit for
 * bit, in hexadecimal, which is several times quicker than decimal digits enough: what is recorded must not run slower
 * for it. For the same reason looks at the clock, which may follow each other at once, are kept until something else
 * happens: written one by one they made a clock of 33 ns one of 480.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

enum { LOOKS = 4096, BUFFER = 1 << 20 };

struct recorder {
	struct machine machine;
	struct machine *inner;
	FILE *file;
	int looks; /* at the clock, not written yet */
	double look[LOOKS];
};

static FILE *file_after_looks(struct recorder *recorder)
{
	for (int i = 0; i < recorder->looks; i++)
		fprintf(recorder->file, "C %a\n", recorder->look[i]);
	recorder->looks = 0;
	return recorder->file;
}

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct recorder *recorder = (struct recorder *)machine;

	recorder->inner->ops->prepare(recorder->inner, set, count);
}

static void write_reading(struct recorder *recorder, char kind, uint64_t hash, long length, int count,
			  enum machine_status status, const struct reading *reading, bool counts)
{
	FILE *file = file_after_looks(recorder);

	fprintf(file, "%c %" PRIx64 " %ld %d %d %d %a %d", kind, hash, length, count, (int)status, reading->disturbed,
		reading->value, reading->spills);
	for (int i = 0; i < count && status == MACHINE_RAN; i++)
		fprintf(file, " %a", reading->ns[i]);
	if (counts && status == MACHINE_RAN)
		fprintf(file, " %a", reading->counted);
	fprintf(file, " %s\n", reading->why);
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
	fprintf(file, "P %a %d %d", part->done, part->late, part->count);
	for (int i = 0; i < part->count; i++)
		fprintf(file, " %a%s", part->samples[i].ns, part->samples[i].switched ? "s" : "");
	fputc('\n', file);
}

static enum machine_status team(struct machine *machine, const struct team *working, struct team_reading *reading)
{
	struct recorder *recorder = (struct recorder *)machine;
	enum machine_status status = recorder->inner->ops->team(recorder->inner, working, reading);

	FILE *file = file_after_looks(recorder);

	fprintf(file, "T %" PRIx64 " %d %a %s\n", team_hash(working), (int)status, reading->ns, reading->why);
	for (int i = 0; i < working->count && status == MACHINE_RAN; i++)
		write_part(file, &reading->parts[i]);
	return status;
}

static double read_clock(struct machine *machine)
{
	struct recorder *recorder = (struct recorder *)machine;
	double ns = recorder->inner->ops->clock(recorder->inner);

	if (recorder->looks == LOOKS)
		file_after_looks(recorder);
	recorder->look[recorder->looks++] = ns;
	return ns;
}

static void wait(struct machine *machine, double ns)
{
	struct recorder *recorder = (struct recorder *)machine;

	recorder->inner->ops->wait(recorder->inner, ns);
	fprintf(file_after_looks(recorder), "W %a\n", ns);
}

static void close_machine(struct machine *machine)
{
	struct recorder *recorder = (struct recorder *)machine;

	if (fclose(file_after_looks(recorder)) != 0)
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
	setvbuf(file, NULL, _IOFBF, BUFFER);
	write_identity(file, inner);
	return &recorder->machine;
}

/* SPDX-License-Identifier: MIT */
/*
 * replay.c - a machine that answers from a recording
 *
 * The thinking is deterministic, so with the same command it asks the same questions in the same order. A question that
 * was not asked then has no answer: the recording is of another command or another version of xray.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

struct replay {
	struct machine machine;
	FILE *file;
	long line;
	char broken[160]; /* from the first question that was not asked then */
	double clock;
};

static bool next(struct replay *replay, char kind, char *text, size_t size)
{
	if (replay->broken[0])
		return false;
	replay->line++;
	/* A line without an end broke off when the recording did. */
	if (fgets(text, (int)size, replay->file) && text[0] == kind && text[1] == ' ' && strchr(text, '\n')) {
		*strchr(text, '\n') = '\0';
		return true;
	}
	snprintf(replay->broken, sizeof(replay->broken),
		 "the recording was made by another command or version: line %ld answers another question",
		 replay->line);
	return false;
}

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	(void)machine;
	(void)set;
	(void)count;
}

static bool take_number(char **rest, double *number)
{
	char *start = *rest;

	*number = strtod(start, rest);
	return *rest > start;
}

static enum machine_status answer(struct replay *replay, char kind, uint64_t asked, long length, int count,
				  struct reading *reading, bool counts)
{
	char text[1024];
	uint64_t hash = 0;
	long recorded_length = 0;
	int status = 0, disturbed = 0, used = 0, recorded_count = 0;

	*reading = (struct reading){ .spills = -1 };
	if (next(replay, kind, text, sizeof(text)) &&
	    sscanf(text, "%*c %" SCNx64 " %ld %d %d %d %lg %d%n", &hash, &recorded_length, &recorded_count, &status,
		   &disturbed, &reading->value, &reading->spills, &used) == 7 &&
	    hash == asked && recorded_length == length && recorded_count == count && status >= MACHINE_RAN &&
	    status <= MACHINE_FAULT) {
		char *rest = text + used;

		bool complete = true;

		reading->disturbed = disturbed != 0;
		for (int i = 0; i < count && status == MACHINE_RAN; i++)
			complete = take_number(&rest, &reading->ns[i]) && complete;
		if (counts && status == MACHINE_RAN)
			complete = take_number(&rest, &reading->counted) && complete;
		snprintf(reading->why, sizeof(reading->why), "%s", rest + (*rest == ' '));
		if (complete)
			return (enum machine_status)status;
	}
	if (!replay->broken[0])
		snprintf(replay->broken, sizeof(replay->broken),
			 "the recording was made by another command or version: line %ld times another nano-benchmark",
			 replay->line);
	snprintf(reading->why, sizeof(reading->why), "%s", replay->broken);
	return MACHINE_FAULT;
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	return answer((struct replay *)machine, 'R', nano_hash(nano), laps, count, reading, false);
}

static enum machine_status walk(struct machine *machine, const struct walk *walked, long steps, int count,
				struct reading *reading)
{
	return answer((struct replay *)machine, 'A', walk_hash(walked), steps, count, reading, walked->event);
}

static bool read_part(struct replay *replay, struct team_part *part)
{
	char text[4096], *rest = text;
	int late = 0, used = 0;

	*part = (struct team_part){ 0 };
	if (!next(replay, 'P', text, sizeof(text)) ||
	    sscanf(text, "P %lg %d %d%n", &part->done, &late, &part->count, &used) != 3 || part->count < 0 ||
	    part->count > TEAM_SAMPLES)
		return false;
	part->late = late != 0;
	rest += used;
	for (int i = 0; i < part->count; i++) {
		char *start = rest;

		part->samples[i].ns = strtod(start, &rest);
		part->samples[i].switched = *rest == 's';
		if (rest == start)
			return false;
		rest += *rest == 's';
	}
	return true;
}

static enum machine_status team(struct machine *machine, const struct team *working, struct team_reading *reading)
{
	struct replay *replay = (struct replay *)machine;
	char text[1024];
	uint64_t hash = 0;
	int status = 0, used = 0;
	bool read = next(replay, 'T', text, sizeof(text)) &&
		    sscanf(text, "T %" SCNx64 " %d %lg%n", &hash, &status, &reading->ns, &used) == 3 &&
		    hash == team_hash(working) && status >= MACHINE_RAN && status <= MACHINE_FAULT;

	for (int i = 0; read && status == MACHINE_RAN && i < working->count; i++)
		read = read_part(replay, &reading->parts[i]);
	if (read) {
		snprintf(reading->why, sizeof(reading->why), "%s", text + used + (text[used] == ' '));
		return (enum machine_status)status;
	}
	if (!replay->broken[0])
		snprintf(replay->broken, sizeof(replay->broken),
			 "the recording was made by another command or version: line %ld is of another team",
			 replay->line);
	snprintf(reading->why, sizeof(reading->why), "%s", replay->broken);
	return MACHINE_FAULT;
}

static double read_clock(struct machine *machine)
{
	struct replay *replay = (struct replay *)machine;
	char text[128];

	if (next(replay, 'C', text, sizeof(text)))
		replay->clock = strtod(text + 2, NULL);
	return replay->clock;
}

static void wait(struct machine *machine, double ns)
{
	char text[128];

	(void)ns;
	next((struct replay *)machine, 'W', text, sizeof(text));
}

static void close_machine(struct machine *machine)
{
	struct replay *replay = (struct replay *)machine;

	fclose(replay->file);
	free(replay->machine.cpus);
	free(replay);
}

static bool read_word(struct replay *replay, const char *key, char *value, size_t size)
{
	char text[512];
	size_t length = strlen(key);

	replay->line++;
	if (!fgets(text, sizeof(text), replay->file) || strncmp(text, key, length) != 0)
		return false;
	text[strcspn(text, "\n")] = '\0';
	snprintf(value, size, "%s", text[length] == ' ' ? text + length + 1 : "");
	return true;
}

static bool read_cpus(struct replay *replay)
{
	int count = replay->machine.identity.cpus;
	char text[32];

	if (count < 1 || count > 1 << 20)
		return false;
	replay->machine.cpus = calloc((size_t)count, sizeof(int));
	for (int i = 0; i < count; i++, replay->line++)
		if (!replay->machine.cpus || !fgets(text, sizeof(text), replay->file) ||
		    sscanf(text, "%d", &replay->machine.cpus[i]) != 1)
			return false;
	return true;
}

static bool read_identity(struct replay *replay)
{
	struct machine_identity *id = &replay->machine.identity;
	char numbers[128], magic[64];

	snprintf(id->kind, sizeof(id->kind), "recorded");
	return read_word(replay, RECORDING_MAGIC, magic, sizeof(magic)) &&
	       read_word(replay, "name", id->name, sizeof(id->name)) &&
	       read_word(replay, "cpu", id->cpu, sizeof(id->cpu)) &&
	       read_word(replay, "hypervisor", id->hypervisor, sizeof(id->hypervisor)) &&
	       read_word(replay, "kernel", id->kernel, sizeof(id->kernel)) &&
	       read_word(replay, "compiler", id->compiler, sizeof(id->compiler)) &&
	       read_word(replay, "numbers", numbers, sizeof(numbers)) &&
	       sscanf(numbers, "%d %d %ld %" SCNu64 " %lg", &id->cpus, &id->cpu_used, &id->page_bytes,
		      &replay->machine.memory, &id->quota) == 5 &&
	       read_cpus(replay);
}

struct machine *recording_replay(const char *path, char *error, size_t size)
{
	static const struct machine_ops ops = { prepare, run, walk, team, read_clock, wait, close_machine };
	struct replay *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->machine.ops = &ops;
	replay->file = fopen(path, "r");
	if (replay->file && read_identity(replay))
		return &replay->machine;
	if (replay->file)
		snprintf(error, size, "%s:%ld: not a complete recording", path, replay->line);
	else
		snprintf(error, size, "%s: %s", path, strerror(errno));
	if (replay->file)
		fclose(replay->file);
	free(replay->machine.cpus);
	free(replay);
	return NULL;
}

bool recording_is(const char *path)
{
	FILE *file = fopen(path, "r");
	char text[64] = "";
	bool is =
		file && fgets(text, sizeof(text), file) && strncmp(text, RECORDING_MAGIC, strlen(RECORDING_MAGIC)) == 0;

	if (file)
		fclose(file);
	return is;
}

/* SPDX-License-Identifier: MIT */
/*
 * unit.c - from C to a library: cached under a hash of source, compiler, flags and CPU model
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "unit.h"

static const char *const fixed_flags[] = { "-std=gnu11", "-shared", "-fPIC", "-pipe", "-w" };

static void describe_unit(struct workshop *workshop, struct unit *unit)
{
	uint64_t hash = nano_hash_text(workshop->key, unit->source ? unit->source : "");
	int words = 0;

	hash = unit->flag ? nano_hash_text(hash, unit->flag) : hash;

	snprintf(unit->object, sizeof(unit->object), "%s/%016" PRIx64 ".so", workshop->directory, hash);
	snprintf(unit->work, sizeof(unit->work), "%s.new", unit->object);
	snprintf(unit->text, sizeof(unit->text), "%s/%016" PRIx64 ".c", workshop->directory, hash);
	unit->argv[words++] = workshop->cc;
	for (int i = 0; i < workshop->word_count; i++)
		unit->argv[words++] = workshop->words[i];
	for (size_t i = 0; i < sizeof(fixed_flags) / sizeof(fixed_flags[0]); i++)
		unit->argv[words++] = fixed_flags[i];
	for (int i = 0; nano_flags[i]; i++)
		unit->argv[words++] = nano_flags[i];
	if (unit->flag)
		unit->argv[words++] = unit->flag;
	unit->argv[words++] = "-o";
	unit->argv[words++] = unit->work;
	unit->argv[words++] = unit->text;
	unit->argv[words] = NULL;
}

/* A cache that cannot be written to (full disk, quota) is left for a scratch directory; there is no third place. */
static void retreat(struct workshop *workshop, const char *why)
{
	char second[512] = "";

	if (workshop->cached && host_scratch(workshop->directory, PATH, second, sizeof(second)))
		fprintf(stderr, "xray: %s; compiled code will not be kept\n", why);
	else
		snprintf(workshop->dead, sizeof(workshop->dead), "%.200s%s%.200s", why, second[0] ? "; " : "", second);
	workshop->cached = false;
}

static void judge(struct workshop *workshop, const struct host_job *job, struct unit *unit)
{
	bool made = host_is_library(unit->work);

	if (made && job->result == HOST_OK && host_rename(unit->work, unit->object))
		return;
	remove(unit->work);
	if (job->result == HOST_OK && !made) {
		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s made no code that can be loaded",
			 workshop->cc);
	} else if (job->result == HOST_OK || strstr(job->output, "No space left on device")) {
		snprintf(unit->why, sizeof(unit->why), "cannot write %.400s", unit->object);
		retreat(workshop, unit->why);
	} else if (job->result == HOST_TIMEOUT) {
		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s did not finish within %.3g s", workshop->cc,
			 workshop->patience);
		if (!unit->odd)
			snprintf(workshop->dead, sizeof(workshop->dead), "%.400s", unit->why);
	} else {
		const char *error = strstr(job->output, "error: ");

		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s failed: %.400s", workshop->cc,
			 error ? error + strlen("error: ") : job->output);
		unit->why[strcspn(unit->why, "\n")] = '\0';
	}
}

/* A compiler that is killed leaves its own files behind; here they go with the scratch directory. */
static void run_jobs(const struct workshop *workshop, struct host_job *jobs, int count)
{
	char scratch[PATH], why[512];

	if (host_scratch(scratch, sizeof(scratch), why, sizeof(why)))
		for (int i = 0; i < count; i++)
			jobs[i].temporary = scratch;
	host_run_jobs(jobs, count, workshop->patience);
	if (workshop->cached)
		host_drop_scratch();
}

void unit_compile(struct workshop *workshop, struct unit *units, int count)
{
	struct host_job *jobs = calloc((size_t)count, sizeof(*jobs));
	int *unit_of = calloc((size_t)count, sizeof(*unit_of)), running = 0;

	for (int i = 0; jobs && unit_of && i < count; i++) {
		describe_unit(workshop, &units[i]);
		if (workshop->cached && host_is_library(units[i].object))
			continue;
		if (!units[i].source ||
		    !host_write_file(units[i].text, units[i].source, units[i].why, sizeof(units[i].why))) {
			retreat(workshop, units[i].why);
			break;
		}
		jobs[running].argv = units[i].argv;
		unit_of[running++] = i;
	}
	if (running)
		run_jobs(workshop, jobs, running);
	for (int i = 0; i < running; i++) {
		judge(workshop, &jobs[i], &units[unit_of[i]]);
		remove(units[unit_of[i]].text);
	}
	free(jobs);
	free(unit_of);
}

void *unit_load(struct workshop *workshop, struct unit *unit)
{
	void *library = unit->why[0] ? NULL : host_load(unit->object, unit->why, sizeof(unit->why));
	void **more =
		library ? realloc(workshop->libraries, sizeof(void *) * (size_t)(workshop->library_count + 1)) : NULL;

	if (more) {
		workshop->libraries = more;
		workshop->libraries[workshop->library_count++] = library;
	}
	return library;
}

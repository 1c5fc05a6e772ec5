/* SPDX-License-Identifier: MIT */
/*
 * workshop.c - from nano-benchmarks to functions in memory
 *
 * Many nano-benchmarks share a translation unit, since starting a compiler costs more than compiling one of them; units
 * are compiled side by side. A unit is cached under a hash of its source, compiler, flags and CPU model, so that a home
 * directory shared by unlike nodes does no harm. A unit that does not compile is halved until the culprit stands alone.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "builtin.h"
#include "workshop.h"

enum {
	PATH = 4096,
	UNIT_STATEMENTS = 2000, /* about 0.4 s of gcc -O2: enough units for a few CPUs */
	MOST_FLAGS = 48
};

struct workshop {
	char directory[PATH], cc[PATH], cflags[1024], version[192], dead[512];
	uint64_t key; /* of compiler, flags and CPU */
	bool cached;
	double patience; /* seconds for one unit */
	char *words[MOST_FLAGS];
	int word_count;
	void **libraries;
	int library_count;
};

static const char *const fixed_flags[] = { "-std=gnu11", "-shared", "-fPIC", "-pipe", "-w" };

static bool ask_version(struct workshop *workshop)
{
	const char *argv[] = { workshop->cc, "--version", NULL };
	struct host_job job = { .argv = argv };

	host_run_jobs(&job, 1, 10);
	job.output[strcspn(job.output, "\n")] = '\0';
	if (job.result == HOST_OK)
		snprintf(workshop->version, sizeof(workshop->version), "%.120s %.60s", job.output, workshop->cflags);
	return job.result == HOST_OK;
}

static void choose_compiler(struct workshop *workshop, const char *wanted)
{
	static const char *const usual[] = { "gcc", "clang", "cc" };

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		snprintf(workshop->cc, sizeof(workshop->cc), "%s", wanted ? wanted : usual[i]);
		if (ask_version(workshop))
			return;
		if (wanted)
			break;
	}
	if (wanted)
		snprintf(workshop->dead, sizeof(workshop->dead), "the compiler %.200s does not run here", wanted);
	else
		snprintf(workshop->dead, sizeof(workshop->dead), "no compiler: neither gcc, clang nor cc runs here");
}

static void choose_directory(struct workshop *workshop, bool no_cache)
{
	char why[512] = "";

	workshop->cached = !no_cache && host_cache_directory(workshop->directory, PATH, why, sizeof(why));
	if (workshop->cached)
		return;
	if (!no_cache)
		fprintf(stderr, "xray: %s; compiled code will not be kept\n", why);
	if (!host_scratch(workshop->directory, PATH, why, sizeof(why)))
		snprintf(workshop->dead, sizeof(workshop->dead), "%s", why);
}

struct workshop *workshop_open(const struct machine_real_options *options, const char *cpu_model)
{
	struct workshop *workshop = calloc(1, sizeof(*workshop));

	if (!workshop)
		return NULL;
	workshop->patience = options->patience;
	snprintf(workshop->cflags, sizeof(workshop->cflags), "%s", options->cflags ? options->cflags : "-O2");
	choose_compiler(workshop, options->cc);
	if (!workshop->dead[0])
		choose_directory(workshop, options->no_cache);

	char *rest = NULL;

	workshop->key = nano_hash_text(nano_hash_text(NANO_HASH_START, workshop->version), cpu_model);
	workshop->key = nano_hash_text(workshop->key, workshop->cflags);
	for (char *word = strtok_r(workshop->cflags, " ", &rest); word && workshop->word_count < MOST_FLAGS;
	     word = strtok_r(NULL, " ", &rest))
		workshop->words[workshop->word_count++] = word;
	return workshop;
}

void workshop_close(struct workshop *workshop)
{
	if (!workshop)
		return;
	for (int i = 0; i < workshop->library_count; i++)
		host_unload(workshop->libraries[i]);
	free(workshop->libraries);
	free(workshop);
}

const char *workshop_compiler(struct workshop *workshop)
{
	if (workshop->dead[0])
		snprintf(workshop->version, sizeof(workshop->version), "none, built-in code (%.150s)", workshop->dead);
	return workshop->version;
}

bool workshop_has_our_compiler(const struct workshop *workshop)
{
	return !workshop->dead[0] && strcmp(workshop->version, builtin_compiler()) == 0;
}

/* One translation unit on its way. */
struct unit {
	const struct nano *const *set;
	int count;
	char *source;
	char object[PATH + 64], work[PATH + 96], text[PATH + 96];
	const char *argv[MOST_FLAGS + 24];
	char why[600];
};

static void describe_unit(struct workshop *workshop, struct unit *unit)
{
	int words = 0;

	unit->source = nano_emit(unit->set, unit->count);

	uint64_t hash = nano_hash_text(workshop->key, unit->source ? unit->source : "");

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
	unit->argv[words++] = "-o";
	unit->argv[words++] = unit->work;
	unit->argv[words++] = unit->text;
	unit->argv[words] = NULL;
}

static void load_unit(struct workshop *workshop, struct unit *unit, workshop_deliver *deliver, void *context)
{
	void *library = unit->why[0] ? NULL : host_load(unit->object, unit->why, sizeof(unit->why));
	void **more =
		library ? realloc(workshop->libraries, sizeof(void *) * (size_t)(workshop->library_count + 1)) : NULL;

	if (more) {
		workshop->libraries = more;
		workshop->libraries[workshop->library_count++] = library;
	}
	for (int i = 0; i < unit->count; i++) {
		char name[48];
		size_t bytes = 0;
		void *function = NULL;

		snprintf(name, sizeof(name), "xray_nano_%" PRIx64, nano_code(unit->set[i]));
		if (library)
			function = host_symbol(library, name, &bytes);
		else if ((function = builtin_find(unit->set[i], &bytes)) && !workshop->dead[0])
			/* It did compile once: a compiler that does not make it is as good as none. */
			snprintf(workshop->dead, sizeof(workshop->dead), "%.500s", unit->why);
		deliver(context, unit->set[i], function, bytes, unit->why);
	}
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
	bool made = host_exists(unit->work);

	if (job->result == HOST_OK && host_rename(unit->work, unit->object))
		return;
	remove(unit->work);
	if (job->result == HOST_OK && !made) {
		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s made no code", workshop->cc);
	} else if (job->result == HOST_OK || strstr(job->output, "No space left on device")) {
		snprintf(unit->why, sizeof(unit->why), "cannot write %.400s", unit->object);
		retreat(workshop, unit->why);
	} else if (job->result == HOST_TIMEOUT) {
		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s did not finish within %.3g s", workshop->cc,
			 workshop->patience);
		snprintf(workshop->dead, sizeof(workshop->dead), "%.400s", unit->why);
	} else {
		const char *error = strstr(job->output, "error: ");

		snprintf(unit->why, sizeof(unit->why), "the compiler %.100s failed: %.400s", workshop->cc,
			 error ? error + strlen("error: ") : job->output);
		unit->why[strcspn(unit->why, "\n")] = '\0';
	}
}

/* Compiles those of the units that are not in the cache, all at the same time. */
static void compile(struct workshop *workshop, struct unit *units, int count)
{
	struct host_job *jobs = calloc((size_t)count, sizeof(*jobs));
	int *unit_of = calloc((size_t)count, sizeof(*unit_of)), running = 0;

	for (int i = 0; jobs && unit_of && i < count; i++) {
		describe_unit(workshop, &units[i]);
		if (workshop->cached && host_exists(units[i].object))
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
		host_run_jobs(jobs, running, workshop->patience);
	for (int i = 0; i < running; i++) {
		judge(workshop, &jobs[i], &units[unit_of[i]]);
		remove(units[unit_of[i]].text);
	}
	free(jobs);
	free(unit_of);
}

/* The same set makes the same units whatever the number of CPUs, or the cache would not know them again. */
static int split(const struct nano *const *set, int count, struct unit *units)
{
	int held = 0, made = 0;

	for (int i = 0; i < count; i++) {
		if (made == 0 || held >= UNIT_STATEMENTS) {
			units[made++] = (struct unit){ .set = set + i };
			held = 0;
		}
		units[made - 1].count++;
		held += set[i]->whole;
	}
	return made;
}

void workshop_build(struct workshop *workshop, const struct nano *const *set, int count, workshop_deliver *deliver,
		    void *context)
{
	struct unit *units = count > 0 && !workshop->dead[0] ? calloc((size_t)count, sizeof(*units)) : NULL;

	if (!units) {
		struct unit none = { .set = set, .count = count };

		snprintf(none.why, sizeof(none.why), "%s", workshop->dead[0] ? workshop->dead : "out of memory");
		load_unit(workshop, &none, deliver, context);
		return;
	}

	int made = split(set, count, units);
	bool was_cached = workshop->cached;

	compile(workshop, units, made);
	for (int i = 0; i < made; i++) {
		int half = units[i].count / 2;
		bool again = (units[i].why[0] || !units[i].argv[0]) && !workshop->dead[0] && !host_interrupted();

		if (again && was_cached && !workshop->cached) {
			workshop_build(workshop, units[i].set, units[i].count, deliver, context);
		} else if (again && half > 0) {
			workshop_build(workshop, units[i].set, half, deliver, context);
			workshop_build(workshop, units[i].set + half, units[i].count - half, deliver, context);
		} else {
			if (workshop->dead[0] && !units[i].why[0])
				snprintf(units[i].why, sizeof(units[i].why), "%s", workshop->dead);
			load_unit(workshop, &units[i], deliver, context);
		}
		free(units[i].source);
	}
	free(units);
}

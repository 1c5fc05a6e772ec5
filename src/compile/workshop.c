/* SPDX-License-Identifier: MIT */
/*
 * workshop.c - from nano-benchmarks to functions in memory
 *
 * Many nano-benchmarks share a translation unit, since starting a compiler costs more than compiling one of them; units
 * are compiled side by side. A unit is cached under a hash of its source, compiler, flags and CPU model, so that a home
 * directory shared by unlike nodes does no harm. A unit that does not compile is halved until the culprit stands alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "builtin.h"
#include "unit.h"

enum { UNIT_STATEMENTS = 2000 }; /* about 0.4 s of gcc -O2: enough units for a few CPUs */

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

struct workshop *workshop_open(const struct workshop_options *options, const char *cpu_model)
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

static void load_unit(struct workshop *workshop, struct unit *unit, workshop_deliver *deliver, void *context)
{
	void *library = unit_load(workshop, unit);

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
	for (int i = 0; i < made; i++)
		units[i].source = nano_emit(units[i].set, units[i].count);
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

	unit_compile(workshop, units, made);
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

void *workshop_library(struct workshop *workshop, char *source, const char *flag, char *why, size_t size)
{
	struct unit *unit = calloc(1, sizeof(*unit));
	void *library = NULL;

	snprintf(why, size, "%s", workshop->dead[0] ? workshop->dead : "out of memory");
	if (unit && source && !workshop->dead[0]) {
		bool was_cached = workshop->cached;

		*unit = (struct unit){ .source = source, .flag = flag, .odd = true };
		unit_compile(workshop, unit, 1);
		if (was_cached && !workshop->cached) {
			unit->why[0] = '\0';
			unit_compile(workshop, unit, 1);
		}
		library = unit_load(workshop, unit);
		snprintf(why, size, "%.250s", unit->why);
	}
	free(unit);
	free(source);
	return library;
}

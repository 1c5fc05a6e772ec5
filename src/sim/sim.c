/* SPDX-License-Identifier: MIT */
/*
 * sim.c - a machine that exists only as a description
 *
 * A peer of the real one behind the same seam: it answers with the readings that the described machine would give,
 * noise included, the same ones for the same file and seed. What a lap costs is solved once per nano-benchmark.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "company.h"
#include "sim.h"

struct sim {
	struct machine machine;
	struct description *description;
	struct sim_noise noise;
	struct sim_walker walker;
	struct sim_laps laps;
	struct sim_company company;
};

static enum machine_status refuse(struct reading *reading, enum machine_status status, const char *why)
{
	snprintf(reading->why, sizeof reading->why, "%s", why);
	return status;
}

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct sim *sim = (struct sim *)machine;

	for (int i = 0; i < count; i++)
		sim_laps_find(&sim->laps, sim->description, set[i], 1);
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	struct sim *sim = (struct sim *)machine;
	const struct sim_lap *lap;

	memset(reading, 0, sizeof *reading);
	if (sim->description->compiler <= 0)
		return refuse(reading, MACHINE_BLOCKED, "this machine has no compiler");
	lap = sim_laps_find(&sim->laps, sim->description, nano, 1);
	if (!lap)
		return refuse(reading, MACHINE_BLOCKED, "out of memory");
	if (lap->status != MACHINE_RAN)
		return refuse(reading, lap->status, lap->why);
	for (int i = 0; i < count; i++) {
		double start = sim_noise_clock(&sim->noise);

		reading->disturbed = sim_noise_run(&sim->noise, sim_laps_work(lap, laps)) || reading->disturbed;
		reading->ns[i] = sim_noise_clock(&sim->noise) - start;
	}
	reading->value = lap->value;
	reading->spills = sim->description->readback > 0 ? lap->spills : -1;
	return MACHINE_RAN;
}

static enum machine_status walk(struct machine *machine, const struct walk *walk, long steps, int count,
				struct reading *reading)
{
	return sim_walk(&((struct sim *)machine)->walker, walk, steps, count, reading);
}

static enum machine_status team(struct machine *machine, const struct team *team, struct team_reading *reading)
{
	return sim_company_work(&((struct sim *)machine)->company, team, reading);
}

static double read_clock(struct machine *machine)
{
	return sim_noise_clock(&((struct sim *)machine)->noise);
}

static void pause_for(struct machine *machine, double ns)
{
	sim_noise_wait(&((struct sim *)machine)->noise, ns);
}

static void close_machine(struct machine *machine)
{
	struct sim *sim = (struct sim *)machine;

	sim_memory_free(sim->walker.memory);
	description_free(sim->description);
	sim_laps_free(&sim->laps);
	sim_company_free(&sim->company);
	free(sim->machine.cpus);
	free(sim);
}

static const struct machine_ops ops = {
	.prepare = prepare,
	.run = run,
	.walk = walk,
	.team = team,
	.clock = read_clock,
	.wait = pause_for,
	.close = close_machine,
};

struct machine *sim_open(const char *path, long seed, char *error, size_t size)
{
	static const char suffix[] = "?noise=";
	const char *noise = strstr(path, suffix);
	char *file = strndup(path, noise ? (size_t)(noise - path) : strlen(path));
	struct sim *sim = calloc(1, sizeof *sim);
	struct machine_identity *identity;
	uint64_t stream;

	if (file && sim)
		sim->description = description_read(file, noise ? noise + strlen(suffix) : NULL, error, size);
	else
		snprintf(error, size, "%s: out of memory", path);
	free(file);
	if (!sim || !sim->description) {
		free(sim);
		return NULL;
	}
	sim->machine.ops = &ops;
	identity = &sim->machine.identity;
	snprintf(identity->kind, sizeof identity->kind, "simulated");
	snprintf(identity->name, sizeof identity->name, "%s", sim->description->name);
	snprintf(identity->cpu, sizeof identity->cpu, "%s", sim->description->name);
	snprintf(identity->compiler, sizeof identity->compiler, "simulated");
	identity->cpus = (int)sim->description->cpus.count;
	identity->quota = sim->description->cpus.quota > 0 ? sim->description->cpus.quota : INFINITY;
	sim->machine.cpus = calloc((size_t)identity->cpus, sizeof(int));
	for (int i = 0; sim->machine.cpus && i < identity->cpus; i++)
		sim->machine.cpus[i] = i;
	identity->cpu_used = -1;
	identity->page_bytes = (long)sim->description->memory.page;
	stream = seed < 0 ? (uint64_t)sim->description->seed : (uint64_t)seed;
	sim_noise_start(&sim->noise, sim->description, stream);
	if (!sim->machine.cpus || !sim_walker_start(&sim->walker, sim->description, &sim->noise, stream) ||
	    !sim_company_start(&sim->company, sim->description, &sim->laps, &sim->noise, stream)) {
		snprintf(error, size, "%s: out of memory", path);
		close_machine(&sim->machine);
		return NULL;
	}
	sim->machine.memory = sim->walker.memory ? (uint64_t)sim->description->memory.size : 0;
	return &sim->machine;
}

/* SPDX-License-Identifier: MIT */
/*
 * writes.c - what stores do, and what it costs
 *
 * A level that has the line takes the store. One that writes back keeps it and goes on; one that writes through passes
 * it on. A level that has not the line brings it in, if it allocates, and else passes the store on. What was stored to
 * and has to go is written to the level below, which may bring it in or pass it on as well.
 *
 * A write to a line that one waits for already goes with it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

enum { FEWEST = 1024, WORD = 8 };

static const double OF_LATENCY = 0.25; /* what a write takes, where no bandwidth is given */
static const double LEAST = 1; /* cycles */

static uint32_t home(const struct sim_lines *lines, uint32_t line)
{
	return (line * 0x9e3779b1u ^ line >> 15) & lines->mask;
}

static uint32_t find(const struct sim_lines *lines, uint32_t line)
{
	uint32_t at = home(lines, line);

	while (lines->at[at] != SIM_NONE && lines->at[at] != line)
		at = (at + 1) & lines->mask;
	return at;
}

/* Twice as much room. */
static bool grow(struct sim_lines *lines)
{
	struct sim_lines more = { .mask = lines->at ? 2 * lines->mask + 1 : FEWEST - 1, .count = lines->count };

	more.at = malloc(((size_t)more.mask + 1) * sizeof *more.at);
	if (!more.at)
		return false;
	memset(more.at, 0xff, ((size_t)more.mask + 1) * sizeof *more.at);
	for (uint32_t i = 0; lines->at && i <= lines->mask; i++)
		if (lines->at[i] != SIM_NONE)
			more.at[find(&more, lines->at[i])] = lines->at[i];
	free(lines->at);
	*lines = more;
	return true;
}

void sim_lines_add(struct sim_lines *lines, uint32_t line)
{
	uint32_t at;

	if ((!lines->at || 2 * lines->count > lines->mask) && !grow(lines))
		return;
	at = find(lines, line);
	lines->count += lines->at[at] == SIM_NONE;
	lines->at[at] = line;
}

bool sim_lines_remove(struct sim_lines *lines, uint32_t line)
{
	uint32_t at;

	if (!lines->count)
		return false;
	at = find(lines, line);
	if (lines->at[at] == SIM_NONE)
		return false;
	lines->count--;
	/* Closes the gap, so that no search ends too early. */
	for (uint32_t next = (at + 1) & lines->mask; lines->at[next] != SIM_NONE; next = (next + 1) & lines->mask) {
		if (((next - home(lines, lines->at[next])) & lines->mask) < ((next - at) & lines->mask))
			continue;
		lines->at[at] = lines->at[next];
		at = next;
	}
	lines->at[at] = SIM_NONE;
	return true;
}

void sim_lines_free(struct sim_lines *lines)
{
	free(lines->at);
}

void sim_writes_start(struct sim_writes *writes, double now, double misses)
{
	writes->now = now;
	writes->misses = misses;
	writes->waits = 0;
}

static void wait_for(struct sim_writes *writes, double busy, double room)
{
	writes->waits = fmax(writes->waits, busy - writes->now - room);
}

void sim_writes_fetch(struct sim_writes *writes, double cycles)
{
	double each = cycles / writes->misses;

	if (cycles <= 0)
		return;
	writes->fetching = fmax(writes->fetching, writes->now) + each;
	wait_for(writes, writes->fetching, SIM_STORES * each);
}

/* One more write into a level, or the memory. */
static void write_one(struct sim_writes *writes, int into, uint64_t line, double takes)
{
	struct sim_queue *queue = &writes->into[into];
	double begins = fmax(queue->busy, writes->now);

	for (int i = 0; i < SIM_WRITES; i++)
		if (queue->line[i] == line + 1 && queue->begins[i] > writes->now)
			return;
	queue->busy = begins + takes;
	queue->line[queue->next] = line + 1;
	queue->begins[queue->next] = begins;
	queue->next = (queue->next + 1) % SIM_WRITES;
	wait_for(writes, queue->busy, SIM_WRITES * takes);
}

static double cost_of(const struct sim_hierarchy *hierarchy, int into, double bytes)
{
	double bandwidth = into < 0 ? hierarchy->bandwidth : hierarchy->levels[into]->bandwidth;
	double latency = into < 0 ? hierarchy->latency : hierarchy->levels[into]->latency;

	return fmax(LEAST, bandwidth > 0 ? bytes / bandwidth : OF_LATENCY * latency);
}

static bool has(const struct sim_level *level, uint32_t line)
{
	return sim_cache_has(&level->cache, line) || (level->buffer && sim_cache_has(level->buffer, line));
}

static bool brings_in(const struct sim_level *level)
{
	return level->allocate && level->inclusion != INCLUSION_EXCLUSIVE && level->inclusion != INCLUSION_VICTIM;
}

/* Where on the way of data it is. */
static int position(const struct sim_hierarchy *hierarchy, int level)
{
	int at = 0;

	while (hierarchy->path[SIM_DATA][at] != level)
		at++;
	return at;
}

/* The line comes from further down, and is the store's when it is there. */
static void fetch(struct sim_hierarchy *hierarchy, int level, uint64_t address)
{
	int first = position(hierarchy, level), from = sim_hierarchy_load(hierarchy, SIM_DATA, address, first);

	if (from > first)
		sim_writes_fetch(&hierarchy->writes, sim_hierarchy_latency(hierarchy, SIM_DATA, from));
}

void sim_hierarchy_receive(struct sim_hierarchy *hierarchy, int level, uint64_t address, bool whole)
{
	for (; level >= 0; level = hierarchy->levels[level]->below) {
		struct sim_level *into = hierarchy->levels[level];
		uint32_t line = (uint32_t)(address >> into->shift);
		double bytes = whole ? (double)(UINT64_C(1) << into->sector_shift) : WORD;

		write_one(&hierarchy->writes, level, line, cost_of(hierarchy, level, bytes));
		if (!has(into, line)) {
			if (!brings_in(into))
				continue;
			if (whole)
				sim_hierarchy_enter(hierarchy, level, address);
			else
				fetch(hierarchy, level, address);
		}
		if (!into->through) {
			sim_lines_add(&into->dirty, line);
			return;
		}
	}
	write_one(&hierarchy->writes, DESCRIPTION_CACHES, address / WORD, cost_of(hierarchy, -1, whole ? 64 : WORD));
}

void sim_hierarchy_store(struct sim_hierarchy *hierarchy, uint64_t address)
{
	int first = hierarchy->path[SIM_DATA][0];
	struct sim_level *level = hierarchy->levels[first];
	uint32_t line;

	if (!hierarchy->depth[SIM_DATA])
		return;
	line = (uint32_t)(address >> level->shift);
	if (has(level, line) || brings_in(level)) {
		fetch(hierarchy, first, address);
		if (!level->through) {
			sim_lines_add(&level->dirty, line);
			return;
		}
	}
	sim_hierarchy_receive(hierarchy, level->below, address, false);
}

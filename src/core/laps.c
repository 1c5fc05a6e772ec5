/* SPDX-License-Identifier: MIT */
/*
 * laps.c - a table of solved laps
 */
#include <stdlib.h>

#include "laps.h"

struct sim_known {
	uint64_t hash;
	bool used;
	struct sim_lap lap;
};

static struct sim_known *locate(struct sim_known *table, size_t room, uint64_t hash)
{
	size_t at = (size_t)hash & (room - 1);

	while (table[at].used && table[at].hash != hash)
		at = (at + 1) & (room - 1);
	return &table[at];
}

/* False when memory ran out. */
static bool make_room(struct sim_laps *laps)
{
	size_t room = laps->room ? 2 * laps->room : 64;
	struct sim_known *table;

	if (2 * laps->count < laps->room)
		return true;
	table = calloc(room, sizeof *table);
	if (!table)
		return false;
	for (size_t i = 0; i < laps->room; i++)
		if (laps->table[i].used)
			*locate(table, room, laps->table[i].hash) = laps->table[i];
	free(laps->table);
	laps->table = table;
	laps->room = room;
	return true;
}

const struct sim_lap *sim_laps_find(struct sim_laps *laps, const struct description *description,
				    const struct nano *nano, int threads)
{
	uint64_t hash = nano_hash(nano) + (uint64_t)(threads - 1) * 0x9e3779b97f4a7c15u;
	struct sim_known *known;

	if (!make_room(laps))
		return NULL;
	known = locate(laps->table, laps->room, hash);
	if (!known->used) {
		known->hash = hash;
		known->used = true;
		laps->count++;
		sim_core_solve(description, nano, threads, &known->lap);
	}
	return &known->lap;
}

void sim_laps_free(struct sim_laps *laps)
{
	free(laps->table);
}

struct sim_work sim_laps_work(const struct sim_lap *lap, long count)
{
	if (count <= 0)
		return (struct sim_work){ .alone = 0 };
	return (struct sim_work){ .alone = lap->start + (double)count * lap->cycles,
				  .shared = lap->sibling_start + (double)count * lap->sibling_cycles };
}

/* SPDX-License-Identifier: MIT */
/*
 * memory_lab.h - a lab on a simulated memory, with its levels written down instead of surveyed
 *
 * An engine of caches starts from what a survey of all walks says. Here it starts from the truth, so that a test takes
 * milliseconds and fails for the engine's own sake.
 */
#ifndef XRAY_TEST_MEMORY_LAB_H
#define XRAY_TEST_MEMORY_LAB_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sets/sets.h"
#include "machine_file.h"

enum { MEMORY_LEVELS = 3 };

static const int memory_latency[MEMORY_LEVELS] = { 4, 14, 50 }; /* cycles; memory has 200 */

/* With SPARSE=n only every n-th row: under sanitizers a row takes three times as long, and the code is the same. */
static inline bool left_out(size_t row)
{
	const char *sparse = getenv("SPARSE");
	long step = sparse ? strtol(sparse, NULL, 10) : 1;

	return step > 1 && row % (size_t)step != 0;
}

/* One level; kib = 0 ends the list. */
struct memory_level {
	double kib;
	int ways; /* 0: full */
	const char *more; /* lines of its section */
	double reach; /* KiB; 0: its size */
};

struct memory_lab {
	struct timer timer;
	struct lab lab;
	struct hierarchy hierarchy;
};

static void memory_text(char *text, size_t size, const struct memory_level *levels, const char *more)
{
	static const char *const names[MEMORY_LEVELS] = { "l1d", "l2", "l3" };
	FILE *out = fmemopen(text, size, "w");

	assert_non_null(out);
	fputs(SMALL_MACHINE("") "[pages]\nhuge = 2 MiB\n[memory]\nlatency = 200 cycles\nsize = 64 MiB\n", out);
	for (int i = 0; i < MEMORY_LEVELS && levels[i].kib > 0; i++) {
		char ways[16] = "full";

		if (levels[i].ways)
			snprintf(ways, sizeof(ways), "%d", levels[i].ways);
		fprintf(out, "[cache %s]\nsize = %.0f\nways = %s\nlatency = %d cycles\n%s", names[i],
			levels[i].kib * 1024, ways, memory_latency[i], levels[i].more);
	}
	fprintf(out, "%s", more);
	fclose(out);
}

/* Opens the machine of these levels; `more` is the rest of its file. */
static void memory_open(struct memory_lab *bench, const struct memory_level *levels, const char *more, long seed)
{
	struct hierarchy *hierarchy = &bench->hierarchy;
	char text[4096] = "", why[256] = "";

	memory_text(text, sizeof(text), levels, more);
	if (timer_open(&bench->timer, open_text(text, seed), 1e9, why, sizeof(why)) != MACHINE_RAN)
		fail_msg("%s", why);
	lab_open(&bench->lab, &bench->timer, NULL, NANO_BARRIER_ASM);
	lab_start(&bench->lab, "test", "count");
	bench->lab.cycle = 0.5 / bench->timer.tick_least; /* 2 GHz */
	bench->lab.hierarchy = hierarchy;
	*hierarchy = (struct hierarchy){ .chase = memory_latency[0],
					 .memory = 200,
					 .page = 4096,
					 .line = 64,
					 .far_apart = 64,
					 .believed = HIERARCHY_ALL };
	for (int i = 0; i < MEMORY_LEVELS && levels[i].kib > 0; i++) {
		double reach = 1024 * (levels[i].reach > 0 ? levels[i].reach : levels[i].kib);

		hierarchy->level[hierarchy->levels++] =
			(struct level){ .reach = reach, .low = reach, .high = reach, .latency = memory_latency[i] };
	}
}

/* What a search for the sets of that level should have found, those above being known. */
static inline void memory_know(struct memory_lab *bench, const struct memory_level *levels, int depth)
{
	double ways = levels[depth].ways, way = levels[depth].kib * 1024 / ways;
	struct search search = { &bench->lab, &bench->hierarchy, depth, 0, way, 0 };
	struct level *level = &bench->hierarchy.level[depth];

	level->conflicts = (struct conflicts){ .tried = true,
					       .found = true,
					       .ways = ways,
					       .held = ways,
					       .way = way,
					       .columns = sets_own_columns(&search).count,
					       .apart = depth ? level[-1].conflicts.way : 0 };
}

static void memory_close(struct memory_lab *bench)
{
	struct machine *machine = bench->timer.machine;

	free(bench->lab.finding.evidence);
	lab_close(&bench->lab);
	timer_close(&bench->timer);
	machine->ops->close(machine);
}

#endif

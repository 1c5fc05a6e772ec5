/* SPDX-License-Identifier: MIT */
/*
 * test_sim_walk.c - walks on the simulated machine, and the memory sections of a machine file
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "machine_file.h"
#include "curve/occupancy.h"
#include "describe/description.h"

#define HEAD "[machine]\nfrequency = 1 GHz\ntimer.cost = 0\n"
#define CACHE "[cache l1d]\nsize = 32 KiB\nways = 8\nlatency = 4 cycles\n"
#define MEMORY "[memory]\nlatency = 100 ns\nsize = 4 MiB\n"
#define STILL "[noise]\njitter = 0\ntick.rate = 0\n"

static double mean(struct machine *machine, const struct walk *walk, long steps)
{
	struct reading reading;
	double sum = 0;
	enum machine_status status = machine->ops->walk(machine, walk, steps, MACHINE_BURST, &reading);

	if (status != MACHINE_RAN)
		fail_msg("%d: %s", status, reading.why);
	for (int i = 0; i < MACHINE_BURST; i++)
		sum += reading.ns[i];
	return sum / MACHINE_BURST / (double)steps;
}

static void test_orders(void **state)
{
	static const uint64_t places[] = { 0, 4096, 8, 12288 };
	struct machine *machine = open_text(HEAD CACHE MEMORY STILL, -1);
	struct walk cycle = { .order = WALK_CYCLE, .arena = 1, .places = places, .count = 4 };
	struct walk random = { .order = WALK_RANDOM, .arena = 1, .grid = { .stride = { 64 }, .count = { 2048 } } };

	(void)state;
	assert_int_equal(machine->memory, 4 << 20);
	assert_true(fabs(mean(machine, &cycle, 1000) - 4) < 0.01);
	/* A quarter of 128 KiB is there. */
	assert_true(fabs(mean(machine, &random, 4000) - (16 + 4 + 0.75 * 96)) < 2);
	random.has_hot = true;
	random.hot = (struct walk_grid){ .base = 2 << 20, .stride = { 4096 }, .count = { 1 } };
	assert_true(mean(machine, &random, 4000) < 16 + 4 + 0.42 * 96);
	random.has_hot = false;
	random.grid = (struct walk_grid){ .stride = { 4096, 64, 8 }, .count = { 8, 8, 8 } };
	assert_true(fabs(mean(machine, &random, 1000) - 20) < 0.01);
	machine->ops->close(machine);
}

/* The same walk again goes on where it stopped: more lines than LRU holds never hit, however it is cut up. And laps
 * that are not simulated cost what they would. */
static void test_goes_on(void **state)
{
	static uint64_t places[1024];
	struct machine *machine = open_text(HEAD CACHE MEMORY STILL, -1);
	struct walk walk = { .order = WALK_CYCLE, .places = places, .count = 1024 };

	(void)state;
	for (int i = 0; i < 1024; i++)
		places[i] = (uint64_t)i * 64;
	for (int i = 0; i < 5; i++)
		assert_true(fabs(mean(machine, &walk, 100) - 100) < 0.01);
	walk.count = 512;
	for (int i = 0; i < 5; i++)
		assert_true(fabs(mean(machine, &walk, 1300) - 4) < 0.01);
	machine->ops->close(machine);
}

static void test_refusals(void **state)
{
	struct machine *bare = open_text(HEAD CACHE, -1), *machine = open_text(HEAD MEMORY, -1);
	struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 4096 }, .count = { 1025 } } };
	struct reading reading;

	(void)state;
	assert_int_equal(bare->memory, 0);
	assert_int_equal(bare->ops->walk(bare, &walk, 10, 1, &reading), MACHINE_BLOCKED);
	assert_string_equal(reading.why, "the file describes no memory");
	assert_int_equal(machine->ops->walk(machine, &walk, 10, 1, &reading), MACHINE_BLOCKED);
	assert_string_equal(reading.why, "the walk needs 4194312 bytes of memory, and there are 4194304");
	walk = (struct walk){ .order = WALK_CYCLE };
	assert_int_equal(machine->ops->walk(machine, &walk, 10, 1, &reading), MACHINE_BLOCKED);
	bare->ops->close(bare);
	machine->ops->close(machine);
}

/* The same file and seed give the same readings, bit for bit; another seed gives others. */
static void test_repeats(void **state)
{
	static const char text[] = HEAD "[cache l1d]\nsize = 32 KiB\nways = 8\nlatency = 4\npolicy = random\n"
					"[cache l2]\nsize = 256 KiB\nways = 16\nlatency = 14\nshared = 4\n" MEMORY
					"[pages]\nframes = random\n[noise]\npreset = cloud\n";
	struct walk walk = { .order = WALK_RANDOM, .arena = 3, .grid = { .stride = { 64 }, .count = { 4096 } } };
	struct machine *machines[] = { open_text(text, 1), open_text(text, 1), open_text(text, 2) };
	struct reading readings[3];

	(void)state;
	for (int turn = 0; turn < 3; turn++) {
		for (int i = 0; i < 3; i++)
			machines[i]->ops->walk(machines[i], &walk, 500, MACHINE_BURST, &readings[i]);
		assert_memory_equal(readings[0].ns, readings[1].ns, sizeof readings[0].ns);
		assert_memory_not_equal(readings[0].ns, readings[2].ns, sizeof readings[0].ns);
	}
	for (int i = 0; i < 3; i++)
		machines[i]->ops->close(machines[i]);
}

static void test_neighbour(void **state)
{
	static const char text[] =
		HEAD CACHE "[cache l2]\nsize = 256 KiB\nways = 16\nlatency = 14\nshared = %d\n"
			   "inclusion = %s\n" MEMORY STILL "neighbour.rate = 1e7\nneighbour.period = 10 us\n";
	static const struct {
		int line, shared;
		const char *inclusion;
		long lines;
		double low, high;
	} rows[] = {
		{ __LINE__, 1, "none", 4096, 29.9, 30.1 },
		{ __LINE__, 2, "none", 4096, 35, 110 },
		{ __LINE__, 2, "none", 512, 19.9, 20.1 },
		{ __LINE__, 2, "inclusive", 512, 20.3, 110 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char filled[512];
		struct walk walk = { .order = WALK_RANDOM, .grid = { .stride = { 64 }, .count = { rows[i].lines } } };
		struct machine *machine;
		double ns;

		snprintf(filled, sizeof filled, text, rows[i].shared, rows[i].inclusion);
		machine = open_text(filled, -1);
		ns = mean(machine, &walk, 4000);
		if (i == 0)
			ns += 10.0 / 8; /* an eighth of the lines are in the first level */
		if (ns < rows[i].low || ns > rows[i].high)
			fail_msg("row at line %d: %g ns", rows[i].line, ns);
		machine->ops->close(machine);
	}
}

/* The more misses are under way at once, the fewer lines neighbours bring in meanwhile. */
static void test_rush(void **state)
{
	static const char text[] =
		HEAD CACHE "misses = %d\n[cache l2]\nsize = 256 KiB\nways = 16\nlatency = 14\nshared = 2\n" MEMORY STILL
			   "neighbour.rate = 1e7\nneighbour.period = 10 us\n";
	static const int misses[] = { 1, 4, 40 };
	double last = INFINITY;

	(void)state;
	for (int i = 0; i < 3; i++) {
		char filled[512];
		struct walk walk = { .order = WALK_RANDOM,
				     .rush = 20000,
				     .grid = { .stride = { 64 }, .count = { 4096 } } };
		struct machine *machine;
		double ns = 0;

		snprintf(filled, sizeof filled, text, misses[i]);
		machine = open_text(filled, -1);
		for (int j = 0; j < 20; j++)
			ns += mean(machine, &walk, 4) / 20;
		if (ns > 0.9 * last)
			fail_msg("%d under way at once: %g ns, and with fewer %g", misses[i], ns, last);
		last = ns;
		machine->ops->close(machine);
	}
	assert_true(last > 29);
}

static void test_errors(void **state)
{
	static const struct {
		int line;
		const char *text, *message;
	} rows[] = {
		{ __LINE__, HEAD "[cache l1d]\nsize = 32 KB\n", ":5: size: '32 KB' has a wrong unit; allowed: a size" },
		{ __LINE__, HEAD "[cache l1d]\nsize = 0.3\n", ":5: size: '0.3' is out of range" },
		{ __LINE__, HEAD "[cache l1d]\nsizes = 1\n", ":5: sizes: unknown key in [cache]; allowed: size, ways" },
		{ __LINE__, HEAD "[cache l1d]\nways = all\n",
		  ":5: ways: 'all' is not understood; allowed: full | a whole" },
		{ __LINE__, HEAD "[cache l1d]\npolicy = mru\n",
		  ":5: policy: 'mru' is not understood; allowed: lru | fifo" },
		{ __LINE__, HEAD "[cache l1d]\npolicy = qlru-h00-m1-r0-u2\n",
		  ":5: policy: 'qlru-h00-m1-r0-u2' is not" },
		{ __LINE__, HEAD "[cache l1d]\npolicy = qlru-h01-m1-r0-u0\n", "is not understood" },
		{ __LINE__, HEAD "[cache l1d]\npolicy = qlru-h00-m1-r0-u0x\n", "is not understood" },
		{ __LINE__, HEAD "[cache l1d]\nindex = hash:0\n",
		  ":5: index: 'hash:0' is not understood; allowed: mod" },
		{ __LINE__, HEAD "[cache l1d]\ninclusion = yes\n", "allowed: none | inclusive | exclusive | victim" },
		{ __LINE__, HEAD CACHE CACHE, ":8: [cache l1d]: described twice" },
		{ __LINE__, HEAD "[tlb x]\nentries = 0\n",
		  ":5: entries: '0' is out of range; allowed: a whole number" },
		{ __LINE__, HEAD "[pages]\nframes = odd\n", "allowed: contiguous | random | coloured" },
		{ __LINE__, HEAD "[memory]\nsize = 1 GiB\n", ":4: latency: missing in [memory]" },
		{ __LINE__, HEAD MEMORY "[cache l1d]\nways = 8\n", ":7: size: missing in [cache l1d]" },
		{ __LINE__, HEAD MEMORY "[cache l1d]\nsize = 1 KiB\n", ":7: ways: missing in [cache l1d]" },
		{ __LINE__, HEAD MEMORY "[cache l1d]\nsize = 1 KiB\nways = 2\n",
		  ":7: latency: missing in [cache l1d]" },
		{ __LINE__, HEAD MEMORY "[cache l1d]\nsize = 1000\nways = 2\nlatency = 1\n",
		  ":7: size: 1000 bytes in" },
		{ __LINE__, HEAD MEMORY "[cache l1d]\nsize = 960\nways = 2\nlatency = 1\nline = 48\n",
		  ":7: line, sector:" },
		{ __LINE__, HEAD MEMORY CACHE "sector = 128\n", ":7: line, sector: 64 and 128 bytes" },
		{ __LINE__, HEAD MEMORY CACHE "index = hash:3\n", ":7: index: 64 sets in [cache l1d] do not divide" },
		{ __LINE__, HEAD MEMORY CACHE "inclusion = victim\n",
		  ":7: inclusion: exclusive or victim in [cache l1d]" },
		{ __LINE__, HEAD MEMORY CACHE "[cache l2]\nsize = 1 KiB\nways = 2\nlatency = 9\nline = 32\n",
		  ":11: line: 32 bytes in [cache l2]" },
		{ __LINE__, HEAD MEMORY "[tlb l1d]\nways = 4\n", ":7: entries: missing in [tlb l1d]" },
		{ __LINE__, HEAD MEMORY "[tlb l1d]\nentries = 4\nways = 4\n", ":7: penalty: missing in [tlb l1d]" },
		{ __LINE__, HEAD MEMORY "[tlb l1d]\nentries = 5\nways = 4\npenalty = 1\n",
		  ":7: entries: 5 in [tlb l1d]" },
		{ __LINE__, HEAD MEMORY "[tlb l1d]\nentries = 4\nways = 4\npenalty = 1\ncoalescing = 3\n",
		  ":7: coalescing: 3 in [tlb l1d]; allowed: powers of two" },
		{ __LINE__, HEAD MEMORY "[pages]\ntables = l2\n", ":8: tables: 'l2' is no cache for data" },
		{ __LINE__, HEAD MEMORY "[pages]\nsize = 3000\n", "size, huge, host: 3000, 0 and 0 bytes in [pages]" },
		{ __LINE__, HEAD MEMORY "[pages]\nhuge = 4 KiB\n",
		  "huge: 4096 bytes in [pages]; allowed: none | more" },
		{ __LINE__, HEAD MEMORY "[prefetch]\ninto = l9\n", ":8: into: 'l9' is no cache for data" },
		{ __LINE__, HEAD "[noise]\nneighbour.period = 1\n", ":5: neighbour.period: '1' is out of range" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char path[512], error[512] = "";
		struct description *description;
		FILE *file;

		temporary_path(path, sizeof path);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(rows[i].text, file);
		fclose(file);
		description = description_read(path, NULL, error, sizeof error);
		unlink(path);
		if (description || !strstr(error, rows[i].message) || strchr(error, '\n'))
			fail_msg("row at line %d: '%s'", rows[i].line, error);
	}
}

/* Lines that are scattered over memory are held as the law of chance has it. */
static void test_scattered(void **state)
{
	struct machine *machine = open_text(HEAD CACHE MEMORY STILL, -1);
	double time = 0;

	(void)state;
	for (uint64_t chance = 0; chance < 20; chance++) {
		struct walk walk = { .order = WALK_RANDOM, .arena = 1, .laps = 4 };

		walk.grid = (struct walk_grid){
			.stride = { 64 }, .count = { 512 }, .scattered = 16, .chance = chance << 20
		};
		time += mean(machine, &walk, 4000) / 20;
	}
	/* As many as it has room for. */
	assert_true(fabs(time - 20 - 96 * (1 - occupancy_held(8, 8, 1024, ABOVE_COPIED, 0))) < 1);
	machine->ops->close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scattered), cmocka_unit_test(test_orders),  cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_repeats), cmocka_unit_test(test_neighbour),
		cmocka_unit_test(test_errors),    cmocka_unit_test(test_rush),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

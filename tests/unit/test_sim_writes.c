/* SPDX-License-Identifier: MIT */
/*
 * test_sim_writes.c - the simulated memory: what stores do to the levels, what they cost, and buffers of victims
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "machine_file.h"
#include "memory/hierarchy.h"

#define HEAD "[machine]\nfrequency = 1 GHz\ntimer.cost = 0\n[noise]\njitter = 0\ntick.rate = 0\n"
#define L1(more) "[cache l1d]\nsize = 4 KiB\nways = 4\nlatency = 4\n" more
#define L2(more) "[cache l2]\nsize = 32 KiB\nways = 8\nlatency = 14\nbandwidth = 2\n" more
#define MEMORY "[memory]\nlatency = 100\nsize = 4 MiB\nbandwidth = 1 GB/s\n"

/* A step of a loose walk that stores to so many lines; no less than 1.5 cycles. */
static double stored(const char *text, long lines)
{
	struct machine *machine = open_text(text, -1);
	struct walk walk = { .order = WALK_RANDOM, .loose = true, .stores = true, .arena = 1 };
	struct reading reading;

	walk.grid.stride[0] = 64;
	walk.grid.count[0] = lines;
	assert_int_equal(machine->ops->walk(machine, &walk, 20000, 1, &reading), MACHINE_RAN);
	machine->ops->close(machine);
	return reading.ns[0] / 20000;
}

static void test_costs(void **state)
{
	static const struct {
		int line;
		const char *text;
		long lines;
		double low, high; /* cycles */
	} rows[] = {
		/* A few lines: words go together. What fits: at once, or a word of 8 bytes at a time. */
		{ __LINE__, HEAD L1("") L2("") MEMORY, 4, 1.5, 1.5 },
		{ __LINE__, HEAD L1("write = through\n") L2("") MEMORY, 4, 1.5, 1.5 },
		{ __LINE__, HEAD L1("") L2("") MEMORY, 32, 1.5, 1.5 },
		{ __LINE__, HEAD L1("write = through\n") L2("") MEMORY, 32, 3.5, 4.1 },
		{ __LINE__, HEAD L1("write = through\n") L2("write = through\n") MEMORY, 32, 7, 8.1 },
		/* Beyond: whole lines that were stored to go down, or words past the level. */
		{ __LINE__, HEAD L1("") L2("") MEMORY, 256, 20, 28 },
		{ __LINE__, HEAD L1("allocate = no\n") L2("") MEMORY, 256, 2.6, 4.1 },
		{ __LINE__, HEAD L1("") L2("") MEMORY, 8192, 55, 66 },
		{ __LINE__, HEAD L1("allocate = no\n") L2("allocate = no\n") MEMORY, 8192, 7, 8.1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double cycles = stored(rows[i].text, rows[i].lines);

		if (!(cycles > rows[i].low - 0.01 && cycles < rows[i].high + 0.01))
			fail_msg("row at line %d: %g cycles", rows[i].line, cycles);
	}
}

static struct description *described(const char *text)
{
	char path[] = "/tmp/xray-writes-XXXXXX", why[256] = "";
	FILE *file = fdopen(mkstemp(path), "w");
	struct description *description;

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	description = description_read(path, NULL, why, sizeof(why));
	unlink(path);
	return description;
}

/* Lines that were stored to are in a level that may keep them, and a level that writes through keeps none. */
static void test_kept(void **state)
{
	static const char *const writes[] = { "write = back\n", "write = through\n" };
	static const char *const inclusions[] = { "none", "inclusive", "exclusive", "victim" };

	(void)state;
	for (int combination = 0; combination < 32; combination++) {
		char text[1024];
		struct description *description;
		struct sim_hierarchy hierarchy;
		struct sim_random random;

		snprintf(text, sizeof(text), HEAD L1("%sallocate = %s\nvictim = %s\n") L2("%sinclusion = %s\n") MEMORY,
			 writes[combination & 1], combination & 2 ? "yes" : "no", combination & 16 ? "4" : "none",
			 writes[combination >> 1 & 1], inclusions[combination >> 2 & 3]);
		description = described(text);
		assert_non_null(description);
		assert_true(sim_hierarchy_start(&hierarchy, description, NULL, 5));
		sim_random_seed(&random, 9);
		for (int turn = 0; turn < 20000; turn++) {
			uint64_t address = sim_random_next(&random) % 1024 * 64;

			if (turn % 2)
				sim_hierarchy_load(&hierarchy, SIM_DATA, address, 0);
			else
				sim_hierarchy_store(&hierarchy, address);
		}
		for (int i = 0; i < 2; i++) {
			struct sim_level *level = hierarchy.levels[i];
			uint32_t held = 0;

			for (uint32_t line = 0; line < 1024; line++) {
				bool is_there = sim_cache_has(&level->cache, line) ||
						(level->buffer && sim_cache_has(level->buffer, line));

				held += sim_lines_remove(&level->dirty, line) && is_there;
			}
			assert_int_equal(level->dirty.count, 0);
			assert_true(level->through ? held == 0 : held > 0 || (i == 0 && !level->allocate));
		}
		sim_hierarchy_free(&hierarchy);
		description_free(description);
	}
}

/* One more than a set holds, round and round, is found in a buffer of one, and two more in one of two only. */
static void test_buffer(void **state)
{
	static const uint64_t places[] = { 0, 1024, 2048, 3072, 4096, 5120 };
	static const struct {
		const char *victim;
		long count;
		double cycles;
	} rows[] = { { "none", 4, 4 }, { "none", 5, 14 }, { "1", 4, 4 }, { "1", 5, 6 }, { "1", 6, 14 }, { "2", 6, 6 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char text[1024];
		struct walk walk = { .order = WALK_CYCLE, .places = places, .count = rows[i].count, .arena = 1 };
		struct machine *machine;
		struct reading reading;

		snprintf(text, sizeof(text), HEAD L1("victim = %s\n") L2("") MEMORY, rows[i].victim);
		machine = open_text(text, -1);
		assert_int_equal(machine->ops->walk(machine, &walk, 3000, 1, &reading), MACHINE_RAN);
		if (fabs(reading.ns[0] / 3000 - rows[i].cycles) > 0.01)
			fail_msg("buffer of %s, %ld places: %g cycles", rows[i].victim, rows[i].count,
				 reading.ns[0] / 3000);
		machine->ops->close(machine);
	}
}

static void test_lines(void **state)
{
	struct sim_lines lines = { NULL, 0, 0 };

	(void)state;
	assert_false(sim_lines_remove(&lines, 7));
	for (uint32_t turn = 0; turn < 2; turn++)
		for (uint32_t line = 0; line < 5000; line++)
			sim_lines_add(&lines, line * 1024);
	assert_int_equal(lines.count, 5000);
	for (uint32_t line = 0; line < 5000; line += 2)
		assert_true(sim_lines_remove(&lines, line * 1024));
	for (uint32_t line = 0; line < 5000; line++)
		assert_true(sim_lines_remove(&lines, line * 1024) == (line % 2 == 1));
	assert_int_equal(lines.count, 0);
	sim_lines_free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_buffer),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

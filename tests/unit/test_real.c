/* SPDX-License-Identifier: MIT */
/*
 * test_real.c - two lengths that share a compiled function each run what they ask for; walks that make no sense do no
 * harm
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>

#include "host/host.h"
#include "machine/machine.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	int line;
	const char *spec;
	enum nano_barrier barrier;
	int brief, full;
} rows[] = {
	{ __LINE__, "p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 4, 12 },
	{ __LINE__, "p1 = p1 + p2 : i64", NANO_BARRIER_SWITCH, 4, 12 },
	{ __LINE__, "for i=1..3 p1 = p1 + p{i+1} : f64", NANO_BARRIER_ASM, 16, 48 },
	{ __LINE__, "for i=1..3 p1 = p1 + p{i+1} : f64", NANO_BARRIER_SWITCH, 16, 48 },
	{ __LINE__, "p1 = p1 + p2 : i64", NANO_BARRIER_ASM, 4, 4 },
	{ __LINE__, "p1 = p1 + p2 : f64", NANO_BARRIER_NONE, 4, 12 },
};

static struct nano *parsed(size_t row, int unroll)
{
	char error[512] = "";
	struct nano *nano = nano_parse(rows[row].spec, rows[row].barrier, unroll, error, sizeof(error));

	if (!nano)
		fail_msg("row at line %d: %s", rows[row].line, error);
	return nano;
}

/* p1 starts at 1 and every statement adds 1 to it, so its end tells how many were run. */
static void check_laps(struct machine *machine, size_t row, const struct nano *nano)
{
	static const long laps[] = { 1, 2, 3, 1000 };
	struct reading reading;

	for (size_t i = 0; i < COUNT(laps); i++) {
		enum machine_status status = machine->ops->run(machine, nano, laps[i], 2, &reading);

		if (status == MACHINE_BLOCKED)
			skip();
		if (status != MACHINE_RAN || reading.value != (double)(1 + laps[i] * nano_body(nano)) ||
		    reading.spills > 0)
			fail_msg("row at line %d: %ld laps of %d: %g, %d spills, %s", rows[row].line, laps[i],
				 nano_body(nano), reading.value, reading.spills, reading.why);
	}
}

static void test_lengths(void **state)
{
	char error[256] = "";
	struct machine_real_options options = { .no_cache = true, .cpu = -1, .patience = 60 };
	struct machine *machine = machine_real(&options, error, sizeof(error));

	(void)state;
	assert_non_null(machine);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct nano *brief = parsed(i, rows[i].brief), *full = parsed(i, rows[i].full);

		nano_pair(brief, full);
		machine->ops->prepare(machine, (const struct nano *[]){ full }, 1);
		check_laps(machine, i, brief);
		check_laps(machine, i, full);
		check_laps(machine, i, brief);
		nano_free(brief);
		nano_free(full);
	}
	machine->ops->close(machine);
}

/* Under noise an engine may ask for a number of places that is none. */
static void test_no_number_of_places(void **state)
{
	struct machine_real_options options = { .no_cache = true, .cpu = -1, .patience = 1 };
	char error[256] = "";
	struct machine *machine = machine_real(&options, error, sizeof(error));
	struct walk walk = { .order = WALK_RANDOM };
	struct reading reading;

	(void)state;
	assert_non_null(machine);
	walk.grid.stride[0] = 4096;
	walk.grid.count[0] = LONG_MIN;
	assert_int_equal(machine->ops->walk(machine, &walk, 100, 1, &reading), MACHINE_RAN);
	machine->ops->close(machine);
}

/* Stores write over the pointers of a chain, which is written anew before it is followed again. */
static void test_stores(void **state)
{
	static const uint64_t places[] = { 0, 8, 4096, 64 };
	struct machine_real_options options = { .no_cache = true, .cpu = -1, .patience = 1 };
	char error[256] = "";
	struct machine *machine = machine_real(&options, error, sizeof(error));
	struct walk cycle = { .order = WALK_CYCLE, .places = places, .count = COUNT(places) };
	struct walk loose = { .order = WALK_RANDOM, .loose = true, .grid = { .stride = { 8 }, .count = { 2048 } } };
	struct walk beside = { .order = WALK_RANDOM, .stores = true, .has_hot = true, .grid = loose.grid };
	struct reading reading;

	(void)state;
	assert_non_null(machine);
	beside.hot = loose.grid;
	for (int i = 0; i < 4; i++) {
		loose.stores = i % 2;
		assert_int_equal(machine->ops->walk(machine, &cycle, 1000, 2, &reading), MACHINE_RAN);
		assert_int_equal(machine->ops->walk(machine, &loose, 1000, 2, &reading), MACHINE_RAN);
		assert_true(reading.ns[1] > 0);
		assert_int_equal(machine->ops->walk(machine, &cycle, 1000, 2, &reading), MACHINE_RAN);
		assert_int_equal(machine->ops->walk(machine, &beside, 1000, 2, &reading), MACHINE_RAN);
		assert_true(reading.ns[1] > 0);
	}
	loose.grid.count[0] = LONG_MIN;
	loose.grid.stride[0] = (uint64_t)1 << 40;
	assert_int_equal(machine->ops->walk(machine, &loose, 1000, 2, &reading), MACHINE_RAN);
	machine->ops->close(machine);
}

/* A chain through pages that share frames comes round only where each place keeps what was written there, and the
 * places that share memory hold the same. */
static void test_shared_frames(void **state)
{
	size_t order[] = { 2, 0, 3, 1 }, page = (size_t)host_page_bytes(), bytes = 600 * page;
	char error[256] = "";
	char *memory = host_memory_share(bytes, order, 4, error, sizeof(error));

	(void)state;
	if (!memory)
		skip();
	for (size_t i = 0; i < 4; i++)
		memory[i * page + 8] = (char)(i + 1);
	for (size_t i = 0; i < 600; i++)
		assert_int_equal(memory[i * page + 8], (char)(i % 4 + 1));
	host_memory_give_back(memory, bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lengths), cmocka_unit_test(test_no_number_of_places),
					    cmocka_unit_test(test_stores), cmocka_unit_test(test_shared_frames) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

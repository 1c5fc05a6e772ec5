/* SPDX-License-Identifier: MIT */
/*
 * test_coder.c - walks of code run what they say at the places they say, on memory that is never writable and
 * executable at once; ladders add up, and refusals have reasons
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/host.h"
#include "machine/machine.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define REFUSE_EXECUTION 65 /* PR_SET_MDWE, which old headers do not have */

enum { MEMORY = 64 << 20, ARENA = 2 << 20 };

/* No compiler is needed for random walks, so none is asked for its version. */
static struct machine *machine_with(const char *cc, uint64_t memory)
{
	struct machine_real_options options = {
		.cc = cc, .no_cache = true, .cpu = -1, .memory = memory, .patience = 60
	};
	char error[256] = "";
	struct machine *machine = machine_real(&options, error, sizeof(error));

	assert_non_null(machine);
	return machine;
}

static struct machine *machine_without_compiler(void)
{
	return machine_with("/nowhere/cc", MEMORY);
}

static struct walk code_of(long count, uint64_t stride, long body)
{
	return (struct walk){ .order = WALK_RANDOM,
			      .code = true,
			      .body = body,
			      .grid = { .base = 128, .stride = { stride }, .count = { count } } };
}

/* Skips the test where no code can be made. */
static struct reading taken(struct machine *machine, const struct walk *walk, enum machine_status wanted)
{
	struct reading reading;
	enum machine_status status = machine->ops->walk(machine, walk, 1000, 2, &reading);

	if (strstr(reading.why, "this kind of CPU") || strstr(reading.why, "does not let")) {
		machine->ops->close(machine);
		skip();
	}
	if (status != wanted)
		fail_msg("status %d, not %d: %s", status, wanted, reading.why);
	return reading;
}

/* Where code lies that is no file's; fails on memory that can be written and executed. */
static char *executable(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], *found = NULL;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		char *rights = strchr(line, ' ') + 1, *start = (char *)strtoull(line, NULL, 16);

		if (rights[1] == 'w' && rights[2] == 'x')
			fail_msg("writable and executable: %s", line);
		if (!found && rights[2] == 'x' && (!strpbrk(line, "/[") || strstr(line, "/memfd:xray")))
			found = start;
	}
	fclose(maps);
	return found;
}

static void test_all_kinds_of_pages(void **state)
{
	struct machine *machine = machine_without_compiler();

	(void)state;
	for (int pages = 0; pages < WALK_PAGE_KINDS; pages++) {
		struct walk walk = code_of(300, 4096 + 64, 64), other = code_of(100, 64, 0);

		walk.pages = other.pages = (enum walk_pages)pages;
		taken(machine, &walk, MACHINE_RAN);
		assert_non_null(executable());
		taken(machine, &other, MACHINE_RAN);
		taken(machine, &walk, MACHINE_RAN);
		assert_non_null(executable());
	}
	machine->ops->close(machine);
	assert_null(executable());
}

static void write_over(char *arena, uint64_t place, const char *bytes)
{
	char why[256] = "";

	assert_true(host_code_write(arena, ARENA, why, sizeof(why)));
	memcpy(arena + place, bytes, WALK_JUMP);
	assert_true(host_code_run(arena, ARENA, why, sizeof(why)));
}

/* Each of the places is broken in turn, and must be missed; then one beside them, which must not. */
static void check_all_are_run(const struct walk *walk, const uint64_t *places, int count)
{
	static const char broken[WALK_JUMP];
	struct machine *machine = machine_without_compiler();
	char *arena, kept[WALK_JUMP];

	taken(machine, walk, MACHINE_RAN);
	arena = executable();
	for (int i = 0; i <= count; i++) {
		uint64_t place = i < count ? places[i] : places[0] - WALK_JUMP;

		memcpy(kept, arena + place, sizeof(kept));
		write_over(arena, place, broken);
		taken(machine, walk, i < count ? MACHINE_FAULT : MACHINE_RAN);
		write_over(arena, place, kept);
		taken(machine, walk, MACHINE_RAN);
	}
	machine->ops->close(machine);
}

static void test_every_place_is_run(void **state)
{
	static const uint64_t places[] = { 128, 128 + 256, 128 + 512, 128 + 768 };
	struct walk walk = code_of(4, 256, 0), hot = walk;

	(void)state;
	check_all_are_run(&walk, places, 4);
	hot.has_hot = true;
	hot.hot = (struct walk_grid){ .stride = { 64 }, .count = { 1000 } };
	check_all_are_run(&hot, places, 4);
}

#if defined(__x86_64__)
static const struct {
	int line;
	uint64_t stride;
	long body, filler, instructions;
	bool has_hot;
} stubs[] = {
	{ __LINE__, 64, 0, 0, 3, false },
	{ __LINE__, 64, 16, 0, 10, false },
	{ __LINE__, 64, 64, 0, 58, false },
	{ __LINE__, 4096, 64, 1, 58, false },
	{ __LINE__, 4096, 512, 0, 506, false },
	/* No longer than to the next. */
	{ __LINE__, 32, 64, 0, 26, false },
	/* Longer instructions, and a shorter one for the rest; none is longer than nine bytes. */
	{ __LINE__, 64, 64, 2, 31, false },
	{ __LINE__, 64, 64, 8, 10, false },
	{ __LINE__, 64, 64, 100, 10, false },
	/* The jump that loads takes all of 16 bytes. */
	{ __LINE__, 64, 0, 0, 5, true },
	{ __LINE__, 64, 64, 0, 53, true },
};

static void test_what_is_written(void **state)
{
	struct machine *machine = machine_without_compiler();

	(void)state;
	for (size_t i = 0; i < COUNT(stubs); i++) {
		struct walk walk = code_of(10, stubs[i].stride, stubs[i].body);
		const unsigned char *place;
		long nothing = 0;

		walk.filler = stubs[i].filler;
		walk.has_hot = stubs[i].has_hot;
		walk.hot = (struct walk_grid){ .stride = { 64 }, .count = { 10 } };

		struct reading reading = taken(machine, &walk, MACHINE_RAN);

		place = (const unsigned char *)executable() + 128 + 9 * stubs[i].stride;
		while (place[nothing] == 0x90)
			nothing++;
		if (reading.value != (double)stubs[i].instructions ||
		    (stubs[i].filler < 2 && nothing != stubs[i].instructions - (stubs[i].has_hot ? 5 : 3)))
			fail_msg("row at line %d: %g instructions, %ld of them nothing", stubs[i].line, reading.value,
				 nothing);
	}
	machine->ops->close(machine);
}
#endif

static void test_refusals(void **state)
{
	struct machine *machine = machine_without_compiler();
	struct walk large = code_of(MEMORY / 4096 + 1, 4096, 0), hot = code_of(10, 64, 0), askew = code_of(10, 72, 0);
	struct walk grouped = code_of(10, 64, 0), none = code_of(-1, 64, 0);

	(void)state;
	assert_non_null(strstr(taken(machine, &large, MACHINE_BLOCKED).why, "64 MiB may be used"));
	hot.has_hot = true;
	hot.hot = (struct walk_grid){ .stride = { 4096 }, .count = { MEMORY / 4096 + 1 } };
	assert_non_null(strstr(taken(machine, &hot, MACHINE_BLOCKED).why, "64 MiB may be used"));
	taken(machine, &askew, MACHINE_REFUSED);
	grouped.grouped = WALK_GROUP;
	taken(machine, &grouped, MACHINE_REFUSED);
	/* Under noise an engine may ask for a number of places that is none. */
	taken(machine, &none, MACHINE_RAN);
	machine->ops->close(machine);
}

/* What a hardened system does: memory that was written never becomes code. */
static void test_forbidden(void **state)
{
	struct machine *machine = machine_without_compiler();
	int status = 0;
	pid_t child = fork();

	(void)state;
	if (child == 0) {
		struct walk walk = code_of(10, 64, 0);
		struct reading reading;

		if (prctl(REFUSE_EXECUTION, 1, 0, 0, 0) != 0)
			_exit(77);
		for (int pages = 0; pages < WALK_PAGE_KINDS; pages++) {
			walk.pages = (enum walk_pages)pages;
			if (machine->ops->walk(machine, &walk, 10, 1, &reading) != MACHINE_BLOCKED || !reading.why[0])
				_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	machine->ops->close(machine);
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

static void check_ladders(const char *cc)
{
	struct machine *machine = machine_with(cc, MEMORY);
	struct walk ladder = { .order = WALK_LADDER, .code = true };
	struct reading reading;

	for (ladder.body = 1; ladder.body <= 8; ladder.body += 7) {
		double bytes = 0;

		for (ladder.count = 1; ladder.count <= 1024; ladder.count += 341) {
			enum machine_status status =
				machine->ops->walk(machine, &ladder, 3 * ladder.count, 2, &reading);

			if (status == MACHINE_BLOCKED) {
				machine->ops->close(machine);
				skip();
			}
			if (ladder.count == 1)
				bytes = reading.value;
			if (status != MACHINE_RAN || bytes < 2 * (double)ladder.body ||
			    reading.value != bytes * (double)ladder.count)
				fail_msg("%ld cases: status %d, %g bytes, %s", ladder.count, status, reading.value,
					 reading.why);
		}
	}
	ladder = (struct walk){ .order = WALK_LADDER, .code = true, .count = 16385, .body = 4 };
	assert_non_null(strstr(taken(machine, &ladder, MACHINE_BLOCKED).why, "16384"));
	ladder = (struct walk){ .order = WALK_LADDER, .code = true, .count = 10, .body = 9 };
	taken(machine, &ladder, MACHINE_BLOCKED);
	machine->ops->close(machine);
}

static void test_ladders(void **state)
{
	(void)state;
	check_ladders("gcc");
}

static void test_ladders_of_clang(void **state)
{
	(void)state;
	check_ladders("clang");
}

static void test_ladder_without_compiler(void **state)
{
	struct machine *machine = machine_without_compiler();
	struct walk ladder = { .order = WALK_LADDER, .code = true, .count = 256, .body = 4 };

	(void)state;
	assert_non_null(strstr(taken(machine, &ladder, MACHINE_BLOCKED).why, "/nowhere/cc"));
	machine->ops->close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First, since cmocka catches faults itself from the second test on. */
		cmocka_unit_test(test_every_place_is_run),
		cmocka_unit_test(test_all_kinds_of_pages),
#if defined(__x86_64__)
		cmocka_unit_test(test_what_is_written),
#endif
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_forbidden),
		cmocka_unit_test(test_ladders),
		cmocka_unit_test(test_ladders_of_clang),
		cmocka_unit_test(test_ladder_without_compiler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

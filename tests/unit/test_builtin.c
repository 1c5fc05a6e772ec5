/* SPDX-License-Identifier: MIT */
/*
 * test_builtin.c - without a compiler, what is built in runs, is read back and says so; nothing else runs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "compile/builtin.h"
#include "timing/timing.h"

static struct machine *open_without(void)
{
	struct machine_real_options options = { .cc = "/nonexistent/cc", .no_cache = true, .cpu = -1, .patience = 1 };
	char error[256] = "";
	struct machine *machine = machine_real(&options, error, sizeof(error));

	if (!machine)
		fail_msg("%s", error);
	return machine;
}

static enum machine_status run_once(struct machine *machine, const char *spec, int unroll, struct reading *reading)
{
	char error[256] = "";
	struct nano *nano = nano_parse(spec, NANO_BARRIER_ASM, unroll, error, sizeof(error));
	enum machine_status status;

	assert_non_null(nano);
	status = machine->ops->run(machine, nano, 10, 1, reading);
	nano_free(nano);
	return status;
}

static void test_timer_runs(void **state)
{
	struct machine *machine = open_without();
	struct timer timer;
	struct reading reading;
	char why[256] = "";
	size_t bytes = 0;

	(void)state;
	assert_int_equal(timer_open(&timer, machine, 0, why, sizeof(why)), MACHINE_RAN);
	assert_non_null(strstr(why, "/nonexistent/cc does not run"));
	assert_non_null(builtin_find(timer.tick, &bytes));
	assert_in_range(bytes, 24, 4096);
	assert_int_equal(machine->ops->run(machine, timer.tick, 10, 1, &reading), MACHINE_RAN);
#if defined(__x86_64__) || defined(__aarch64__)
	assert_int_equal(reading.spills, 0);
#endif
	timer_close(&timer);
	machine->ops->close(machine);
}

static void test_rest_is_blocked(void **state)
{
	struct machine *machine = open_without();
	struct reading reading;

	(void)state;
	assert_int_equal(run_once(machine, "p1 = p1 + p2 : i64", 7, &reading), MACHINE_BLOCKED);
	assert_non_null(strstr(reading.why, "/nonexistent/cc does not run"));
	assert_int_equal(run_once(machine, "p1 = p1 & p2 : i64", 16, &reading), MACHINE_BLOCKED);
	assert_non_null(strstr(machine->identity.compiler, "none, built-in code"));
	machine->ops->close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timer_runs),
		cmocka_unit_test(test_rest_is_blocked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

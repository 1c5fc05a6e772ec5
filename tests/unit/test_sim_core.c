/* SPDX-License-Identifier: MIT */
/*
 * test_sim_core.c - cycles per lap of small loops on small described cores
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/core.h"

/* A core with plenty of everything; rows change what they are about. */
struct setup {
	double width, window, registers, add_latency, add_interval, mul_latency;
	bool fma, pool;
};

/* Four chains of additions, four of multiplications. */
#define MIXED \
	"p1 = p1 + p0 | p2 = p2 * p0 | p3 = p3 + p0 | p4 = p4 * p0 | " \
	"p5 = p5 + p0 | p6 = p6 * p0 | p7 = p7 + p0 | p8 = p8 * p0 : f64"

static const struct setup WIDE = { 8, INFINITY, 0, 4, 1, 6, false, false };
static const struct setup IN_ORDER = { 4, 0, 0, 4, 1, 6, false, false };

static void solve(const struct setup *setup, const char *spec, enum nano_barrier barrier, int unroll,
		  struct sim_lap *lap)
{
	struct description_op ops[] = {
		{ .op = "add,sub", .type = "f*", .latency = setup->add_latency, .interval = setup->add_interval },
		{ .op = "mul", .type = "f*", .latency = setup->mul_latency, .interval = 1 },
		{ .op = "add,mul", .type = "i*", .latency = 1, .interval = 0.25 },
		{ .op = "div", .type = "i64", .latency = 40, .interval = 20, .latency_small = 10, .interval_small = 5 },
		{ .op = "load", .type = "*", .latency = 3, .interval = 0.5 },
		{ .op = "store", .type = "*", .latency = 5, .interval = 1 },
		{ .op = "fma", .type = "f64", .latency = 5, .interval = 1 },
	};
	struct description description = {
		.frequency = 1e9,
		.core = { .width = setup->width, .window = setup->window, .spill = 5 },
		.registers = { { "int", 4 }, { "float", setup->registers } },
		.register_keys = setup->registers > 0 ? 2 : 0,
		.ops = ops,
		.op_count = sizeof ops / sizeof *ops,
		.noise = { [NOISE_SIBLING_ON] = 1 },
	};
	char error[512] = "";
	struct nano *nano = nano_parse(spec, barrier, unroll, error, sizeof error);

	for (int i = 0; i < description.op_count; i++)
		ops[i].present = i < description.op_count - 1 || setup->fma;
	if (setup->pool)
		for (int i = 0; i < 2; i++)
			strcpy(ops[i].pool, "fp");
	if (!nano)
		fail_msg("%s: %s", spec, error);
	sim_core_solve(&description, nano, 1, lap);
	nano_free(nano);
}

static void test_laps(void **state)
{
	static const struct setup narrow = { 2, INFINITY, 0, 4, 0.25, 6, false, false };
	static const struct setup window = { 8, 8, 0, 4, 0.25, 40, false, false };
	static const struct setup fused = { 8, INFINITY, 0, 4, 1, 6, true, false };
	static const struct setup pooled = { 8, INFINITY, 0, 4, 1, 6, false, true };
	static const struct setup half = { 8, INFINITY, 0, 0.5, 0.5, 6, false, false };
	static const struct {
		int line;
		const struct setup *setup;
		const char *spec;
		int unroll;
		double cycles; /* per lap */
	} rows[] = {
		{ __LINE__, &WIDE, "p1 = p1 + p0 : f64", 8, 32 },
		{ __LINE__, &WIDE, "p1 = p1 + p0 : f64", 1, 4 },
		{ __LINE__, &WIDE, "for i=1..2 p{i} = p{i} + p0 : f64", 8, 16 },
		{ __LINE__, &WIDE, "for i=1..4 p{i} = p{i} + p0 : f64", 8, 8 },
		{ __LINE__, &WIDE, "for i=1..8 p{i} = p{i} + p0 : f64", 8, 8 },
		{ __LINE__, &WIDE, "p1 = p1 * p0 + p2 : f64", 4, 40 },
		{ __LINE__, &fused, "p1 = p1 * p0 + p2 : f64", 4, 20 },
		{ __LINE__, &fused, "p1 = p2 + p1 * p0 : f32", 4, 40 },
		{ __LINE__, &WIDE, "p1 = *p1 : ptr", 4, 12 },
		{ __LINE__, &WIDE, "*p0 = p1 | p1 = *p0 : f64, p0 ptr", 4, 10 },
		{ __LINE__, &WIDE, "p1 = p1 / p2 : i64 where p1=70000", 1, 40 },
		{ __LINE__, &WIDE, "p1 = p1 / p2 : i64 where p1=65535", 1, 10 },
		{ __LINE__, &narrow, "for i=1..8 p{i} = p{i} + p0 : f64", 32, 17 }, /* (32 + 2) / 2 */
		{ __LINE__, &narrow, "for i=1..8 p{i} = p{i} + p0 : f64", 8, 5 },
		{ __LINE__, &window, "for i=1..6 p{i} = p0 * p0 : f64", 6, 40 },
		{ __LINE__, &WIDE, "p1 = p1 + p0 | p2 = p2 * p0 : f64", 2, 6 },
		{ __LINE__, &WIDE, MIXED, 8, 6 },
		{ __LINE__, &pooled, MIXED, 8, 8 },
		{ __LINE__, &half, "p1 = p1 + p0 : f64", 8, 4 },
		{ __LINE__, &WIDE, "p1 = p1 + p0 : i64", 1, 1 },
		{ __LINE__, &WIDE, "for i=1..4 p{i} = p{i} + p0 : i64", 4, 1.25 },
		{ __LINE__, &IN_ORDER, "p1 = p1 + p0 : f64", 8, 32 },
		{ __LINE__, &IN_ORDER, "for i=1..4 p{i} = p{i} + p0 : f64", 8, 8 },
		{ __LINE__, &IN_ORDER, "p1 = p0 * p0 | p1 = p0 + p0 : f64", 2, 2.75 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sim_lap lap;

		solve(rows[i].setup, rows[i].spec, NANO_BARRIER_ASM, rows[i].unroll, &lap);
		if (lap.status != MACHINE_RAN || fabs(lap.cycles - rows[i].cycles) > 1e-6)
			fail_msg("row at line %d: %s: %d %s %.9f cycles, not %g", rows[i].line, rows[i].spec,
				 lap.status, lap.why, lap.cycles, rows[i].cycles);
	}
}

/* add p0 p1 p2, mul p1, fma p0 and two cycles of a unit of its own. */
static void test_ports(void **state)
{
	struct description_op ops[] = {
		{ .op = "add", .type = "f64", .latency = 1, .parts = { { { 0, 1, 2 }, 3, 1 } }, .part_count = 1 },
		{ .op = "mul", .type = "f64", .latency = 1, .parts = { { { 1 }, 1, 1 } }, .part_count = 1 },
		{ .op = "fma",
		  .type = "f64",
		  .latency = 1,
		  .parts = { { { 0 }, 1, 1 }, { { 3 }, 1, 2 } },
		  .part_count = 2 },
	};
	struct description description = {
		.frequency = 1e9, .core = { .width = 8, .window = 200 }, .ops = ops, .op_count = 3
	};
	static const struct {
		int line;
		const char *spec;
		int unroll;
		double cycles;
	} rows[] = {
		{ __LINE__, "for i=1..6 p{i} = p0 + p9 : f64", 6, 2 },
		{ __LINE__, "p1 = p0 + p9 | p2 = p0 + p9 | p3 = p0 * p9 : f64", 3, 1 },
		{ __LINE__, "p1 = p0 + p9 | p2 = p0 * p9 | p3 = p0 * p9 : f64", 3, 2 },
		{ __LINE__, "p1 = fma(p0, p0, p9) | p2 = p0 + p9 : f64", 2, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char error[512] = "";
		struct nano *nano = nano_parse(rows[i].spec, NANO_BARRIER_ASM, rows[i].unroll, error, sizeof error);
		struct sim_lap lap;

		assert_non_null(nano);
		for (int op = 0; op < 3; op++)
			ops[op].present = 1;
		description.port_count = 4;
		for (int port = 0; port < 4; port++)
			snprintf(description.ports[port], sizeof description.ports[port], "p%c", "0123"[port]);
		sim_core_solve(&description, nano, 1, &lap);
		if (lap.status != MACHINE_RAN || fabs(lap.cycles - rows[i].cycles) > 1e-3)
			fail_msg("row at line %d: %s: %s %g cycles, not %g", rows[i].line, rows[i].spec, lap.why,
				 lap.cycles, rows[i].cycles);
		nano_free(nano);
	}
}

static void test_sibling(void **state)
{
	struct sim_lap lap;

	(void)state;
	solve(&WIDE, "p1 = p1 + p0 : f64", NANO_BARRIER_ASM, 8, &lap);
	assert_true(fabs(lap.sibling_cycles - 32) < 1e-6);
	solve(&WIDE, "for i=1..8 p{i} = p{i} + p0 : f64", NANO_BARRIER_ASM, 8, &lap);
	assert_true(fabs(lap.sibling_cycles - 16) < 1e-6);
}

static void test_registers(void **state)
{
	static const struct setup few = { 8, INFINITY, 4, 4, 1, 6, false, false };
	struct sim_lap fits, spills;

	(void)state;
	solve(&few, "for i=1..3 p{i} = p{i} + p0 : f64", NANO_BARRIER_ASM, 6, &fits);
	assert_int_equal(fits.status, MACHINE_RAN);
	assert_int_equal(fits.spills, 0);
	solve(&few, "for i=1..5 p{i} = p{i} + p0 : f64", NANO_BARRIER_ASM, 5, &spills);
	assert_int_equal(spills.status, MACHINE_REFUSED);
	assert_string_equal(spills.why, "6 variables do not fit in 4 registers");
	solve(&few, "for i=1..5 p{i} = p{i} + p0 : f64", NANO_BARRIER_NONE, 5, &spills);
	assert_int_equal(spills.status, MACHINE_RAN);
	assert_int_equal(spills.spills, 2);
	assert_true(fabs(spills.cycles - 9) < 1e-6); /* 4 for the addition and 5 through memory */
	solve(&few, "for i=1..5 p{i} = p{i} + p0 : f32x4", NANO_BARRIER_NONE, 5, &spills);
	assert_int_equal(spills.spills, 2);
	solve(&few, "p1 = p1 + p2 | p3 = p3 + p4 : i64, p3 i32, p4 i32", NANO_BARRIER_ASM, 2, &spills);
	assert_int_equal(spills.status, MACHINE_RAN);
}

static void test_values(void **state)
{
	static const struct setup fused = { 8, INFINITY, 0, 4, 1, 6, true, false };
	static const char spec[] = "p1 = p1 * p1 + p2 : f64 where p1=1.0000000001, p2=-1.0000000002";
	double x = 1.0000000001;
	volatile double product = x * x;
	struct sim_lap lap;

	(void)state;
	solve(&fused, spec, NANO_BARRIER_ASM, 1, &lap);
	assert_true(lap.value == fma(x, x, -1.0000000002));
	solve(&WIDE, spec, NANO_BARRIER_ASM, 1, &lap);
	assert_true(lap.value == product + -1.0000000002);
	assert_true(lap.value != fma(x, x, -1.0000000002));
	solve(&WIDE, "p1 = p1 * p1 : i32 where p1=65537", NANO_BARRIER_ASM, 1, &lap);
	assert_true(lap.value == 131073);
	solve(&WIDE, "p1 = p1 / p2 | p2 = p2 + p3 : i64 where p2=1, p3=-1", NANO_BARRIER_ASM, 2, &lap);
	assert_int_equal(lap.status, MACHINE_RAN);
	solve(&WIDE, "p2 = p2 + p3 | p1 = p1 / p2 : i64 where p2=1, p3=-1", NANO_BARRIER_ASM, 2, &lap);
	assert_int_equal(lap.status, MACHINE_FAULT);
	assert_string_equal(lap.why, "division by zero");
	solve(&WIDE, "*p0 = p2 | p1 = *p0 : f64, p0 ptr where p2=1.5", NANO_BARRIER_ASM, 2, &lap);
	assert_true(lap.value == 1.5);
}

static void test_absent(void **state)
{
	struct sim_lap lap;

	(void)state;
	solve(&WIDE, "p1 = fma(p1, p2, p3) : f64", NANO_BARRIER_ASM, 1, &lap);
	assert_int_equal(lap.status, MACHINE_ABSENT);
	assert_string_equal(lap.why, "this machine has no fma.f64");
	solve(&WIDE, "p1 = p1 / p2 : f32", NANO_BARRIER_ASM, 1, &lap);
	assert_int_equal(lap.status, MACHINE_ABSENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laps),      cmocka_unit_test(test_ports),  cmocka_unit_test(test_sibling),
		cmocka_unit_test(test_registers), cmocka_unit_test(test_values), cmocka_unit_test(test_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

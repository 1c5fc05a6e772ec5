/* SPDX-License-Identifier: MIT */
/*
 * test_ports.c - resources from mixes whose times are known, bundles from resources, mixes as specs
 */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "ports/ports.h"

/* Ports as bits; an operation takes one of them for a cycle. */
struct core {
	unsigned ports[PORTS_OPS];
	int ops;
	double width;
};

enum { MOST = 400, PORTS = 6 };

static double truth(const struct core *core, const int *n)
{
	double longest = 0;

	for (int op = 0; op < core->ops; op++)
		longest += n[op] / core->width;
	for (unsigned set = 1; set < 1u << PORTS; set++) {
		double work = 0;

		for (int op = 0; op < core->ops; op++)
			work += core->ports[op] & ~set ? 0 : n[op];
		longest = fmax(longest, work / __builtin_popcount(set));
	}
	return longest;
}

static int mixes_of(const struct core *core, double noise, struct ports_mix *mixes)
{
	double interval[PORTS_OPS];
	int count = 0;

	for (int op = 0; op < core->ops; op++) {
		mixes[count] = (struct ports_mix){ .n = { 0 } };
		mixes[count].n[op] = 1;
		interval[op] = truth(core, mixes[count++].n);
	}
	for (int a = 0; a < core->ops; a++)
		for (int b = a + 1; b < core->ops; b++)
			ports_pair(interval, a, b, &mixes[count++]);
	for (int i = 0; i < 80; i++)
		ports_random(interval, core->ops, i, &mixes[count++]);
	for (int i = 0; i < count; i++)
		mixes[i].cycles = truth(core, mixes[i].n) * (1 + noise * ((i * 7 % 11) / 5.0 - 1));
	return count;
}

/* add p0 p1 p2 p3, shift p0 p3, mul p1, fma p0 p1, load p4 p5, store p4. */
static const struct core CORE = { { 0xf, 9, 2, 3, 0x30, 0x10 }, 6, 4 };
static const struct core ONE_PORT = { { 1, 1, 1, 1 }, 4, 4 };
static const struct core ONE_OP = { { 3 }, 1, 4 };
static const struct core NARROW = { { 0xf, 0xf, 0xf }, 3, 1 };

static void test_fit(void **state)
{
	static const struct {
		int line;
		const struct core *core;
		double noise, median; /* of errors */
		int resources; /* at most */
	} rows[] = {
		{ __LINE__, &CORE, 0, 0.01, 9 },     { __LINE__, &CORE, 0.01, 0.03, 14 },
		{ __LINE__, &ONE_PORT, 0, 1e-3, 2 }, { __LINE__, &ONE_OP, 0, 1e-3, 2 },
		{ __LINE__, &NARROW, 0, 1e-3, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ports_mix mixes[MOST], mix;
		double interval[PORTS_OPS], errors[40];
		struct ports_model model;
		int count = mixes_of(rows[i].core, rows[i].noise, mixes);

		ports_fit(&model, rows[i].core->ops, mixes, count, rows[i].noise);
		for (int op = 0; op < rows[i].core->ops; op++)
			interval[op] = truth(rows[i].core, mixes[op].n);
		for (int k = 0; k < 40; k++) {
			ports_random(interval, rows[i].core->ops, 1000 + k, &mix);
			errors[k] = fabs(ports_predict(&model, mix.n) / truth(rows[i].core, mix.n) - 1);
		}
		if (stat_median(errors, 40) > rows[i].median || model.resources > rows[i].resources)
			fail_msg("row at line %d: %d resources, %g off", rows[i].line, model.resources,
				 stat_median(errors, 40));
	}
}

static void test_nothing_to_fit(void **state)
{
	struct ports_mix none[] = { { { 0 }, 1 }, { { 1 }, NAN }, { { 1 }, 0 }, { { 1 }, INFINITY } };
	struct ports_model model;
	struct ports_bundles bundles;

	(void)state;
	ports_fit(&model, 3, none, 0, 0);
	assert_int_equal(model.resources, 0);
	ports_fit(&model, 3, none, 4, 0);
	assert_int_equal(model.resources, 0);
	assert_true(ports_predict(&model, (int[PORTS_OPS]){ 1 }) == 0);
	ports_bundles(&model, &bundles);
	assert_int_equal(bundles.count, 0);
}

static void test_bundles(void **state)
{
	struct ports_mix mixes[MOST];
	struct ports_model model;
	struct ports_bundles bundles;
	bool both = false;

	(void)state;
	ports_fit(&model, CORE.ops, mixes, mixes_of(&CORE, 0, mixes), 0);
	ports_bundles(&model, &bundles);
	assert_true(bundles.count > 2);
	for (int i = 0; i < bundles.count; i++) {
		assert_true(truth(&CORE, bundles.n[i]) < 1.05);
		/* Two shifts leave no port for a multiply-add but p1; and loads are elsewhere. */
		both = both || (bundles.n[i][1] == 2 && bundles.n[i][4] == 2);
	}
	assert_true(both);

	ports_fit(&model, ONE_PORT.ops, mixes, mixes_of(&ONE_PORT, 0, mixes), 0);
	ports_bundles(&model, &bundles);
	assert_int_equal(bundles.count, 1);
	assert_true(bundles.n[0][0] == 1 && bundles.same[3] == 0);
}

static void test_alike(void **state)
{
	struct ports_mix a = { .n = { 1, 2 } }, b = { .n = { 2, 4 } }, c = { .n = { 2, 3 } };

	(void)state;
	assert_true(ports_alike(&a, &b));
	assert_false(ports_alike(&a, &c));
}

static void test_kernels(void **state)
{
	struct ports_op ops[PORTS_OPS] = {
		{ "fma.f64", "D = fma(D, C, C)", NULL, nano_type_find("f64", 3), 4, 0.5 },
		{ "add.f64", "D = D + C", "D = B + C", nano_type_find("f64", 3), 3, 0.5 },
		{ "store.i64", "*A = C", NULL, nano_type_find("i64", 3), 0, 1 },
	};
	struct ports_mix mix = { .n = { 1, 1, 1 } };
	struct ports_room roomy = { 13, 16, nano_type_find("f64x8", 5) }, few = { 13, 3, NULL };
	char text[KERNEL_TEXT], error[512], words[64];
	double waiting;
	struct nano *nano;

	(void)state;
	assert_true(ports_kernel(ops, &mix, &roomy, text, &waiting));
	nano = nano_parse(text, NANO_BARRIER_ASM, 1, error, sizeof error);
	if (!nano)
		fail_msg("%s", error);
	assert_int_equal(nano_count_op(nano, NANO_FMA), nano->count / 3);
	assert_int_equal(nano_count_op(nano, NANO_STORE), nano->count / 3);
	/* A multiply-add every cycle, of a chain that takes four: six chains, for some room. */
	assert_true(waiting > 0 && waiting < 0.7);
	nano_free(nano);
	assert_false(ports_kernel(ops, &mix, &few, text, &waiting));
	ports_words(ops, 3, mix.n, words, sizeof words);
	assert_string_equal(words, "1 fma.f64 + 1 add.f64 + 1 store.i64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fit),   cmocka_unit_test(test_nothing_to_fit), cmocka_unit_test(test_bundles),
		cmocka_unit_test(test_alike), cmocka_unit_test(test_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

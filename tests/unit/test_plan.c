/* SPDX-License-Identifier: MIT */
/*
 * test_plan.c - what a name selects, what comes before it, and whether the catalogue's needs make sense
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "session/session.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct plan planned(const char *const *names, int count, enum effort effort)
{
	char error[512] = "";
	struct plan plan;

	if (!plan_make(&plan, names, count, effort, error, sizeof(error)))
		fail_msg("%s", error);
	return plan;
}

static int place_of(const struct plan *plan, const char *name)
{
	int place = -1;

	for (int i = 0; i < plan->count; i++)
		if (strcmp(plan->steps[i].entry->name, name) == 0) {
			if (place >= 0)
				fail_msg("%s stands in the plan twice", name);
			place = i;
		}
	return place;
}

static void test_selects(void **state)
{
	static const struct {
		int line;
		const char *pattern, *name;
		bool selects;
	} rows[] = {
		{ __LINE__, "cpu.frequency", "cpu.frequency", true },
		{ __LINE__, "cpu", "cpu.frequency", true },
		{ __LINE__, "op.add", "op.add.i64.latency", true },
		{ __LINE__, "op.add.i64", "op.add.i64.latency", true },
		{ __LINE__, "op.add.i6", "op.add.i64.latency", false },
		{ __LINE__, "op.div", "op.div_small.i64.latency", false },
		{ __LINE__, "op.add.i64.latency.x", "op.add.i64.latency", false },
		{ __LINE__, "add", "op.add.i64.latency", false },
		{ __LINE__, "", "cpu.frequency", false },
		{ __LINE__, "*", "cpu.frequency", true },
		{ __LINE__, "op.*.f64.latency", "op.add.f64.latency", true },
		{ __LINE__, "op.*.f64.latency", "op.add.f64.interval", false },
		{ __LINE__, "op.*.f64.latency", "op.add.f64x2.latency", false },
		{ __LINE__, "*latency", "op.add.f64x2.latency", true },
		{ __LINE__, "op.*.f*", "op.add.f64x2.latency", true },
		{ __LINE__, "op.???.i64.*", "op.add.i64.latency", true },
		{ __LINE__, "op.???.i64.*", "op.or.i64.latency", false },
		{ __LINE__, "*.*.*.*.*", "op.add.i64.latency", false },
		{ __LINE__, "op.???.i64", "op.add.i64.latency", true },
		{ __LINE__, "op.???.i6", "op.add.i64.latency", false },
		{ __LINE__, "op.add.i[36][24].*", "op.add.i64.latency", true },
		{ __LINE__, "op.add.i[36][24].*", "op.add.f64.latency", false },
		{ __LINE__, "op.[", "op.add.f64.latency", false },
		{ __LINE__, "CPU.frequency", "cpu.frequency", false },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++)
		if (plan_selects(rows[i].pattern, rows[i].name) != rows[i].selects)
			fail_msg("row at line %d: '%s' and '%s'", rows[i].line, rows[i].pattern, rows[i].name);
}

/* What was asked for is exactly what a name selects; the rest of the plan is there because something needs it. */
static void test_asked(void **state)
{
	static const char *const patterns[] = {
		"cpu.frequency", "cpu", "op.add", "op.*.f64.latency", "cpu.registers.i64", "op.sqrt.f32x4.interval", "*"
	};

	(void)state;
	for (int i = 0; i < COUNT(patterns); i++) {
		struct plan plan = planned(&patterns[i], 1, EFFORT_DEFAULT);

		for (int j = 0; catalogue_at(j); j++) {
			const char *name = catalogue_at(j)->name;
			int place = place_of(&plan, name);
			bool asked = place >= 0 && plan.steps[place].asked;

			if (asked != plan_selects(patterns[i], name))
				fail_msg("%s: %s asked: %d", patterns[i], name, asked);
		}
		plan_free(&plan);
	}
}

static bool needed_by_some(const struct plan *plan, const char *name)
{
	char need[64];
	bool optional;

	for (int i = 0; i < plan->count; i++)
		for (int j = 0; catalogue_need(plan->steps[i].entry, j, need, sizeof(need), &optional); j++)
			if (strcmp(need, name) == 0)
				return true;
	return false;
}

static void check_order(const struct plan *plan)
{
	char need[64];
	bool optional;

	for (int i = 0; i < plan->count; i++) {
		const struct entry *entry = plan->steps[i].entry;

		assert_int_equal(place_of(plan, entry->name), i);
		/* A second opinion is asked for only once what it takes is there. */
		if (!plan->steps[i].asked && !entry->micro->second && !needed_by_some(plan, entry->name))
			fail_msg("%s is in the plan for no reason", entry->name);
		for (int j = 0; catalogue_need(entry, j, need, sizeof(need), &optional); j++) {
			int place = place_of(plan, need);

			if (optional && !catalogue_find(need))
				continue;
			if (strcmp(need, entry->name) != 0 && (place < 0 || place > i))
				fail_msg("%s stands at %d, its need %s at %d", entry->name, i, need, place);
		}
	}
}

static void test_order(void **state)
{
	static const char *const names[] = {
		"op.sqrt.f32x4.latency", "op.add.i64.inflight", "cpu.fma", "op.add", "op.add", "op.*.f64.latency"
	};
	struct plan plan;

	(void)state;
	for (int i = 0; i < COUNT(names); i++) {
		plan = planned(&names[i], 1, EFFORT_DEFAULT);
		check_order(&plan);
		plan_free(&plan);
	}
	plan = planned(names, COUNT(names), EFFORT_DEFAULT);
	check_order(&plan);
	plan_free(&plan);
	plan = planned(NULL, 0, EFFORT_FULL);
	check_order(&plan);
	plan_free(&plan);
}

static void test_effort(void **state)
{
	static const char *const named[] = { "op.add", "op.mul.f64x2.latency" };
	struct plan all = planned(NULL, 0, EFFORT_DEFAULT), quick = planned(NULL, 0, EFFORT_QUICK), some;
	int total = 0;

	(void)state;
	while (catalogue_at(total))
		total++;
	assert_int_equal(all.count, total);
	assert_true(quick.count > 20 && quick.count < all.count / 2);
	for (int i = 0; i < quick.count; i++) {
		const struct nano_type *type = quick.steps[i].entry->subject.type;

		if ((type && type->lanes > 1) || quick.steps[i].entry->micro->thorough)
			fail_msg("%s is in the quick plan", quick.steps[i].entry->name);
	}
	/* A prefix is thinned out, a full name is not. */
	some = planned(named, COUNT(named), EFFORT_QUICK);
	assert_true(place_of(&some, "op.add.i64.latency") >= 0);
	assert_true(place_of(&some, "op.add.i64x2.interval") < 0);
	assert_true(place_of(&some, "op.mul.f64x2.latency") >= 0);
	check_order(&some);
	assert_true(plan_is_quick(&quick));
	assert_false(plan_is_quick(&some));
	plan_free(&some);
	plan_free(&quick);
	plan_free(&all);
}

static void test_unknown(void **state)
{
	static const struct {
		int line;
		const char *name, *nearest;
	} rows[] = {
		{ __LINE__, "cpu.frequenzy", "'cpu.frequency'" },
		{ __LINE__, "op.add.i6.latency", "'op.add.i64.latency'" },
		{ __LINE__, "op.mull.f64.latency", "'op.mul.f64.latency'" },
		{ __LINE__, "cpu.register.i64", "'cpu.registers.i64'" },
		{ __LINE__, "", "'" },
		{ __LINE__, "*.nothing", "'" },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		const char *const names[] = { "cpu.frequency", rows[i].name };
		char error[512] = "";
		struct plan plan;

		if (plan_make(&plan, names, 2, EFFORT_DEFAULT, error, sizeof(error)) || !strstr(error, rows[i].name) ||
		    !strstr(error, rows[i].nearest))
			fail_msg("row at line %d: %s", rows[i].line, error);
	}
}

/* How many needs deep an entry is; a cycle shows as a depth that no list of micro-benchmarks has. */
static int depth(const struct entry *entry, int so_far)
{
	int deepest = so_far;
	char need[64];
	bool optional;

	if (so_far > 8)
		fail_msg("%s needs itself, or too much", entry->name);
	for (int i = 0; catalogue_need(entry, i, need, sizeof(need), &optional); i++) {
		const struct entry *needed = catalogue_find(need);

		/* A pointer is never added to, so what would like to know how long that takes does without. */
		if (!needed && optional && entry->subject.type && entry->subject.type->class == NANO_POINTER)
			continue;
		/* Loads of anything but pointers and some others have an interval and no latency. */
		if (!needed && optional && entry->subject.operation &&
		    !operation_has(entry->subject.operation->latency_types, entry->subject.type))
			continue;
		if (!needed)
			fail_msg("%s needs %s, which does not exist", entry->name, need);
		if (needed == entry && !optional)
			fail_msg("%s needs itself", entry->name);
		if (needed == entry)
			continue;

		int below = depth(needed, so_far + 1);

		deepest = below > deepest ? below : deepest;
	}
	return deepest;
}

static void test_catalogue(void **state)
{
	int deepest = 0;

	(void)state;
	for (int i = 0; catalogue_at(i); i++) {
		const struct entry *entry = catalogue_at(i);
		int below = depth(entry, 0);

		deepest = below > deepest ? below : deepest;
		assert_ptr_equal(catalogue_find(entry->name), entry);
		assert_string_equal(catalogue_nearest(entry->name, NULL), entry->name);
		assert_true(entry->micro->what && entry->micro->unit && entry->micro->story && entry->micro->run);
	}
	assert_in_range(deepest, 1, 8);
	assert_null(catalogue_find("op.OP.TYPE.latency"));
	assert_null(catalogue_at(-1));
}

/* What is left goes by what was seen of the same micro-benchmark, and else by what was seen of all. */
static void test_left(void **state)
{
	static const char *const names[] = { "op.add.i32.latency", "op.add.i64.latency", "op.add.i32.interval" };
	struct plan plan;
	char error[256];
	double before;

	(void)state;
	assert_true(plan_make(&plan, names, 3, EFFORT_DEFAULT, error, sizeof(error)));
	assert_true(plan.count >= 3);
	assert_true(isnan(plan_left(&plan, 0)));
	assert_float_equal(plan_left(&plan, plan.count), 0, 0);
	for (int i = 0; i < plan.count; i++)
		plan.steps[i].seconds = 2;
	before = plan_left(&plan, 1);
	assert_true(before >= 2 * (plan.count - 1));
	assert_float_equal(plan_left(&plan, plan.count - 1), 2, 1e-9);
	/* What was not reached yet says nothing. */
	plan.steps[plan.count - 1].seconds = 1000;
	assert_float_equal(plan_left(&plan, 1), before, 1e-9);
	plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_selects), cmocka_unit_test(test_asked),   cmocka_unit_test(test_order),
		cmocka_unit_test(test_effort),  cmocka_unit_test(test_unknown), cmocka_unit_test(test_catalogue),
		cmocka_unit_test(test_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_session.c - what is measured when: needs, second looks, and who gets his turn after one
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "session/session.h"
#include "machine_file.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static int looks[4]; /* at well, after, must, other */
static int clear_from; /* the look at which the well is clear */

static void look_into_well(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	if (++looks[0] < clear_from)
		lab_outcome(lab, UNCLEAR, "muddy");
	else
		lab_measured(lab, 1, 1, 1, 1, "seen");
}

static void want_after(struct lab *lab, const struct subject *subject)
{
	(void)lab;
	(void)subject;
}

static void look_after(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	looks[1]++;
	if (isnan(lab_fact(lab, "well")))
		lab_outcome(lab, BLOCKED, "the well is not known");
	else
		lab_measured(lab, 2, 2, 2, 1, "seen");
}

static void look_must(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	looks[2]++;
	lab_measured(lab, 3, 3, 3, 1, "seen");
}

static void look_other(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	looks[3]++;
	lab_outcome(lab, BLOCKED, "for reasons of its own");
}

static const struct micro
	well = { .name = "well", .unit = "", .run = look_into_well },
	after = { .name = "after", .unit = "", .needs = { "?well" }, .want = want_after, .run = look_after },
	must = { .name = "must", .unit = "", .needs = { "well" }, .want = want_after, .run = look_must },
	other = { .name = "other", .unit = "", .run = look_other };

static enum outcome outcome_of(const struct session_result *result, const char *name)
{
	const struct finding *finding = findings_get(result->findings, name);

	assert_non_null(finding);
	return finding->outcome;
}

static void test_turns(void **state)
{
	static const struct {
		int line, clear_from;
		int looks[4];
		enum outcome outcome; /* of all but the other */
	} rows[] = {
		{ __LINE__, 1, { 1, 1, 1, 1 }, MEASURED },
		{ __LINE__, 2, { 2, 2, 1, 1 }, MEASURED }, /* `after` was blocked for its want, `must` did not run */
		{ __LINE__, 3, { 2, 1, 0, 1 }, BLOCKED },
	};
	static const struct micro *const micros[] = { &well, &after, &must, &other };

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct entry entries[COUNT(micros)];
		struct step steps[COUNT(micros)];
		struct plan plan = { steps, COUNT(micros) };
		struct session_options options = { .barrier = NANO_BARRIER_ASM, .budget = INFINITY };
		struct session_hooks hooks = { .context = NULL };
		struct machine *machine = open_text(SMALL_MACHINE(""), 1);
		struct session_result result;

		for (int j = 0; j < COUNT(micros); j++) {
			entries[j] = (struct entry){ .micro = micros[j] };
			snprintf(entries[j].name, sizeof(entries[j].name), "%s", micros[j]->name);
			steps[j] = (struct step){ .entry = &entries[j], .asked = true };
			looks[j] = 0;
		}
		clear_from = rows[i].clear_from;
		result = session_run(machine, &plan, &options, &hooks);
		for (int j = 0; j < COUNT(micros); j++)
			if (looks[j] != rows[i].looks[j])
				fail_msg("row at line %d: %d looks at %s", rows[i].line, looks[j], micros[j]->name);
		assert_int_equal(outcome_of(&result, "well"), rows[i].outcome == MEASURED ? MEASURED : UNCLEAR);
		assert_int_equal(outcome_of(&result, "after"), rows[i].outcome);
		assert_int_equal(outcome_of(&result, "must"), rows[i].outcome);
		assert_int_equal(outcome_of(&result, "other"), BLOCKED);
		findings_free(result.findings);
		machine->ops->close(machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_turns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

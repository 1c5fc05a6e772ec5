/* SPDX-License-Identifier: MIT */
/*
 * test_team.c - teams: which are none, and that this machine lets the others work
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "machine/machine.h"

static const uint64_t places[] = { 0, 64, 128, 192 };
static const struct walk round_walk = { .order = WALK_CYCLE, .places = places, .count = 4 };

static void test_wrong(void **state)
{
	static const struct team_member idle = { .cpu = 0, .home = TEAM_ANYWHERE },
					at_work = { .cpu = 0, .home = TEAM_ANYWHERE, .length = 8 },
					walker = { .home = TEAM_ANYWHERE, .walk = &round_walk, .length = 8 };
	static const struct {
		int line;
		struct team team;
		const char *wrong;
	} rows[] = {
		{ __LINE__, { TEAM_STORE, &at_work, 0, 1e6, 64, 0, 0 }, "without members" },
		{ __LINE__, { TEAM_STORE, &at_work, 1, 0, 64, 0, 0 }, "before it begins" },
		{ __LINE__, { TEAM_STORE, &at_work, 1, 1e6, 4, 0, 0 }, "overlap" },
		{ __LINE__, { TEAM_STORE, &idle, 1, 1e6, 64, 0, 0 }, "without work" },
		{ __LINE__, { TEAM_STORE, &at_work, 1, 1e6, 64, 0, 0 }, NULL },
		{ __LINE__, { TEAM_PASS, &at_work, 1, 1e6, 0, 0, 0 }, "only two" },
		{ __LINE__, { TEAM_RUN, &at_work, 1, 1e6, 0, 0, 0 }, "without a loop" },
		{ __LINE__, { TEAM_WALK, &at_work, 1, 1e6, 0, 0, 0 }, "without a walk" },
		{ __LINE__, { TEAM_WALK, &walker, 1, 1e6, 0, 0, 0 }, NULL },
		{ __LINE__, { TEAM_WATCH, &idle, 1, 1e6, 0, 0, 0 }, "every gap" },
		{ __LINE__, { TEAM_WATCH, &idle, 1, 1e6, 0, 0, 5 }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *wrong = team_wrong(&rows[i].team);

		if (!wrong != !rows[i].wrong || (wrong && !strstr(wrong, rows[i].wrong)))
			fail_msg("row at line %d: %s", rows[i].line, wrong ? wrong : "nothing wrong");
	}
}

static void test_hash(void **state)
{
	struct team_member members[2] = { { .cpu = 0, .length = 8 }, { .cpu = 1, .length = 8 } };
	struct team team = { TEAM_PASS, members, 2, 1e6, 0, 0, 0 };
	uint64_t hash = team_hash(&team);

	(void)state;
	assert_true(hash == team_hash(&team));
	members[1].cpu = 2;
	assert_true(hash != team_hash(&team));
	members[1].cpu = 1;
	team.place = 1;
	assert_true(hash != team_hash(&team));
}

/* The last CPU of this machine, and no such CPU. */
static void test_real(void **state)
{
	struct machine_real_options options = { .cpu = -1, .no_cache = true, .patience = 60 };
	char error[256] = "";
	struct machine *machine = machine_real(&options, error, sizeof(error));
	struct team_part parts[2];
	struct team_reading reading = { .parts = parts };
	struct team_member members[2] = { { .home = TEAM_ANYWHERE, .walk = &round_walk, .length = 4096 },
					  { .cpu = TEAM_ANYWHERE, .walk = &round_walk, .length = 4096 } };
	struct team team = { TEAM_WALK, members, 2, 2e7, 0, 0, 0 };

	(void)state;
	assert_non_null(machine);
	members[0].cpu = members[1].home = machine->cpus[machine->identity.cpus - 1];
	assert_int_equal(machine->ops->team(machine, &team, &reading), MACHINE_RAN);
	assert_string_equal(reading.why, "");
	/* One that got no CPU has done nothing, and says so. */
	for (int i = 0; i < 2; i++)
		assert_true(parts[i].done > 0 || parts[i].late || reading.ns == 0);
	members[0].cpu = 1 << 20;
	assert_int_equal(machine->ops->team(machine, &team, &reading), MACHINE_BLOCKED);
	assert_non_null(strstr(reading.why, "CPU 1048576"));
	team.count = 0;
	assert_int_equal(machine->ops->team(machine, &team, &reading), MACHINE_BLOCKED);
	machine->ops->close(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_real),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

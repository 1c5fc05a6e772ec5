/* SPDX-License-Identifier: MIT */
/*
 * test_victims.c - a buffer behind the nearest level is counted, and does not count as part of its sets
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory_lab.h"

enum { LINE = 64 };

static struct conflicts look(double kib, int ways, int buffer, const char *policy)
{
	char more[128];
	struct memory_level levels[MEMORY_LEVELS + 1] = { { kib, ways, more, kib + buffer * LINE / 1024.0 },
							  { 512, 8, "", 0 } };
	struct conflicts conflicts;
	struct memory_lab bench;

	snprintf(more, sizeof(more), buffer ? "policy = %s\nvictim = %d\n" : "policy = %s\n", policy, buffer);
	memory_open(&bench, levels, "", 1);
	conflicts = *engine_conflicts(&bench.lab, 0);
	memory_close(&bench);
	return conflicts;
}

static void test_counted(void **state)
{
	static const struct {
		double kib;
		int ways;
		const char *policy;
	} shapes[] = { { 8, 1, "lru" }, { 16, 2, "random" }, { 32, 8, "tree-plru" } };
	static const int buffers[] = { 0, 4, 8, 16 };

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		for (int j = 0; j < 4; j++) {
			struct conflicts conflicts = look(shapes[i].kib, shapes[i].ways, buffers[j], shapes[i].policy);

			print_message("%g KiB and %d: %s, buffer %g\n", shapes[i].kib, buffers[j],
				      conflicts.counted ? "counted" : conflicts.why, conflicts.buffer);
			assert_true(conflicts.counted);
			assert_true(conflicts.buffer_low <= buffers[j] && buffers[j] <= conflicts.buffer_high);
			assert_true(conflicts.buffer_high - conflicts.buffer_low <= 1);
			if (conflicts.found)
				assert_true(conflicts.ways == shapes[i].ways);
		}
}

/* Strides that are powers of two do not show five sets. */
static void test_odd_sets(void **state)
{
	struct conflicts conflicts = look(6.25, 20, 4, "lru");

	(void)state;
	assert_true(conflicts.counted && conflicts.found);
	assert_true(conflicts.ways == 20 && conflicts.buffer == 4);
}

/* What a hashed index or frames in disorder leave of sets is no buffer. */
static void test_no_buffer(void **state)
{
	struct memory_level levels[MEMORY_LEVELS + 1] = { { 64, 2, "policy = lru\nindex = hash\n", 0 },
							  { 512, 8, "", 0 } };
	struct memory_lab bench;

	(void)state;
	memory_open(&bench, levels, "", 1);
	assert_true(engine_conflicts(&bench.lab, 0)->buffer == 0);
	memory_close(&bench);
	levels[0].more = "policy = lru\n";
	memory_open(&bench, levels, "[pages]\nframes = random\nhuge = none\n", 2);
	assert_true(engine_conflicts(&bench.lab, 0)->buffer == 0);
	memory_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_odd_sets),
		cmocka_unit_test(test_no_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

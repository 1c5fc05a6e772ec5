/* SPDX-License-Identifier: MIT */
/*
 * test_arena.c - memory that walks lie in: all of it together keeps to what may be used, is zero when new, and a piece
 * that takes the place of another brings what is in it
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "host/host.h"
#include "machine/arena.h"

enum { PIECE = HOST_MEMORY_PIECE };

static struct arena *reach(struct arenas *arenas, int number, enum walk_pages pages, uint64_t pieces, uint64_t memory)
{
	const struct walk walk = { .arena = number, .pages = pages };
	char why[128] = "";
	struct arena *arena = arenas_reach(arenas, &walk, pieces * PIECE, memory, why, sizeof(why));

	if (!arena)
		fail_msg("%s", why);
	return arena;
}

static void test_room(void **state)
{
	struct arenas arenas = { 0 };
	struct arena *first, *second, *third;

	(void)state;
	first = reach(&arenas, 0, WALK_BASE_PAGES, 3, 8 * PIECE);
	second = reach(&arenas, 1, WALK_BASE_PAGES, 3, 8 * PIECE);
	assert_true(first->start && second->start);
	/* The first one was used later than the second. */
	reach(&arenas, 0, WALK_BASE_PAGES, 3, 8 * PIECE);
	third = reach(&arenas, 2, WALK_BASE_PAGES, 4, 8 * PIECE);
	assert_true(first->start && third->start);
	assert_null(second->start);
	arenas_give_back(&arenas);
}

static void test_zero(void **state)
{
	struct arenas arenas = { 0 };
	struct arena *arena;

	(void)state;
	arena = reach(&arenas, 0, WALK_HUGE_PAGES, 4, 64 * PIECE);
	for (size_t i = 0; i < 4 * PIECE; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, arena->start + i, sizeof(word));
		if (word)
			fail_msg("byte %zu is not zero", i);
	}
	arenas_give_back(&arenas);
}

static void test_move(void **state)
{
	char why[64], *all = host_memory_take(2 * PIECE, HOST_PAGES_HUGE, why, sizeof(why)),
		      *other = host_memory_take(PIECE, HOST_PAGES_HUGE, why, sizeof(why));

	(void)state;
	assert_non_null(all);
	assert_non_null(other);
	memset(all, 1, 2 * PIECE);
	memset(other, 2, PIECE);
	assert_true(host_memory_move(other, all + PIECE));
	assert_int_equal(all[PIECE - 1], 1);
	assert_int_equal(all[PIECE], 2);
	assert_int_equal(all[2 * PIECE - 1], 2);
	host_memory_give_back(all, 2 * PIECE);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_room), cmocka_unit_test(test_zero),
					    cmocka_unit_test(test_move) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_walk.c - what every machine must agree on about an address walk
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nano/walk_draw.h"

struct seen {
	uint64_t places[64];
	int count;
};

static void see(void *context, uint64_t place)
{
	struct seen *seen = context;

	seen->places[seen->count++] = place;
}

static struct walk grid_of(long i, uint64_t si, long j, uint64_t sj)
{
	return (struct walk){ .order = WALK_RANDOM, .grid = { .base = 64, .stride = { si, sj }, .count = { i, j } } };
}

static void grid_has_all_its_places(void **state)
{
	struct walk walk = grid_of(3, 4096, 2, 128);
	struct seen seen = { .count = 0 };

	(void)state;
	walk_visit(&walk, see, &seen);
	assert_int_equal(walk_length(&walk), 6);
	assert_int_equal(seen.count, 6);
	assert_int_equal(seen.places[0], 64);
	assert_int_equal(seen.places[5], 64 + 2 * 4096 + 128);
	assert_int_equal(walk_extent(&walk), 64 + 2 * 4096 + 128 + 8);
}

static void draws_stay_in_the_grid(void **state)
{
	struct walk walk = grid_of(5, 4096, 3, 64);
	uint64_t random = 1;

	(void)state;
	walk.grid.count[2] = 1;
	for (int i = 0; i < 10000; i++) {
		uint64_t place = walk_draw(&walk.grid, random) - 64;

		assert_true(place / 4096 < 5 && place % 4096 / 64 < 3 && place % 64 == 0);
		random = random * 6364136223846793005u + 1442695040888963407u;
	}
	assert_int_equal(walk_draw(&walk.grid, UINT64_MAX), 64 + 4 * 4096 + 2 * 64);
	assert_int_equal(walk_draw(&walk.grid, 0), 64);
}

static void hot_places_count_for_the_extent(void **state)
{
	struct walk walk = grid_of(2, 64, 1, 0);
	struct seen seen = { .count = 0 };

	(void)state;
	walk.has_hot = true;
	walk.hot = (struct walk_grid){ .base = 1 << 20 };
	assert_int_equal(walk_extent(&walk), (1 << 20) + 8);
	walk_visit(&walk, see, &seen);
	assert_int_equal(seen.count, 3);
	assert_int_equal(seen.places[0], 1 << 20);
}

static void loose_walks_stay_within_their_grid(void **state)
{
	static const struct {
		long count, first;
		uint64_t apart;
	} rows[] = { { 1, 1, 0 }, { 3, 3, 0 }, { 4, 1, 64 }, { 7, 1, 64 }, { 8, 2, 128 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct walk walk = grid_of(rows[i].count, 64, 1, 0);

		assert_int_equal(walk_loose_grid(&walk.grid), rows[i].apart);
		assert_int_equal(walk.grid.count[0], rows[i].first);
	}
}

static void no_arena_holds_what_overflows(void **state)
{
	struct walk walk = { .order = WALK_RANDOM };

	(void)state;
	walk.grid.stride[0] = (uint64_t)1 << 63;
	walk.grid.count[0] = 3;
	assert_int_equal(walk_extent(&walk), UINT64_MAX);
	walk.grid.count[0] = -3; /* counts as one */
	assert_int_equal(walk_extent(&walk), 8);
}

static void questions_have_hashes_of_their_own(void **state)
{
	uint64_t places[] = { 0, 64, 128 }, others[] = { 0, 128, 64 };
	struct walk cycle = { .order = WALK_CYCLE, .places = places, .count = 3 }, other = cycle;
	struct walk grid = grid_of(3, 64, 1, 0), wider = grid_of(4, 64, 1, 0), huge = grid;

	(void)state;
	other.places = others;
	huge.pages = WALK_HUGE_PAGES;
	assert_true(walk_hash(&cycle) == walk_hash(&cycle));
	assert_true(walk_hash(&cycle) != walk_hash(&other));
	assert_true(walk_hash(&grid) != walk_hash(&wider));
	assert_true(walk_hash(&grid) != walk_hash(&huge));
	assert_true(walk_hash(&grid) != walk_hash(&cycle));
	for (int kind = 1; kind < 4; kind++) {
		struct walk one = grid, two = grid;

		one.stores = kind & 1;
		one.loose = kind & 2;
		two.stores = true;
		two.loose = !one.loose;
		assert_true(walk_hash(&one) != walk_hash(&grid) && walk_hash(&one) != walk_hash(&two));
		assert_true(walk_hash_places(&one) != walk_hash_places(&grid));
	}
	assert_int_equal(walk_extent(&cycle), 136);
}

enum { PAGE = 4096, PAGES = 5, BLOCK = 512, LINE = 64, DRAWS = 40000 };

static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/* Four places in one page, no two in one block; every place of the page as often as any other. */
static void groups_stay_in_a_page(void **state)
{
	const struct walk_grid grid = { .stride = { PAGE, BLOCK, LINE },
					.count = { PAGES, WALK_GROUPED_FROM, BLOCK / LINE } };
	static int seen[PAGES * PAGE / LINE];
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		uint64_t drawn = next_random(&random), places[WALK_GROUP];

		for (uint64_t j = 0; j < WALK_GROUP; j++) {
			places[j] = walk_draw_grouped(&grid, drawn, j);
			assert_true(places[j] < PAGES * PAGE);
			assert_int_equal(places[j] / PAGE, places[0] / PAGE);
			for (uint64_t k = 0; k < j; k++)
				assert_true(places[j] / BLOCK != places[k] / BLOCK);
			seen[places[j] / LINE]++;
		}
	}
	for (int i = 0; i < PAGES * PAGE / LINE; i++) {
		/* 500 on the average; five standard deviations either way. */
		assert_true(seen[i] > 388);
		assert_true(seen[i] < 612);
	}
}

/* Both of a pair in one page and half of it apart, give or take a block. */
static void pairs_lie_half_a_page_apart(void **state)
{
	const struct walk_grid grid = { .stride = { PAGE, BLOCK, LINE },
					.count = { PAGES, WALK_GROUPED_FROM, BLOCK / LINE } };
	static int seen[PAGES * PAGE / LINE];
	uint64_t random = 88172645463325252u;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		uint64_t drawn = next_random(&random);

		for (uint64_t j = 0; j < WALK_GROUP; j += WALK_PAIR) {
			uint64_t one = walk_draw_together(&grid, WALK_PAIR, drawn, j),
				 other = walk_draw_together(&grid, WALK_PAIR, drawn, j + 1);

			assert_int_equal(one / PAGE, other / PAGE);
			assert_int_equal(one / BLOCK ^ other / BLOCK, WALK_GROUPED_FROM / 2);
			seen[one / LINE]++;
			seen[other / LINE]++;
		}
	}
	for (int i = 0; i < PAGES * PAGE / LINE; i++) {
		assert_true(seen[i] > 388);
		assert_true(seen[i] < 612);
	}
}

/* Grouped or not, the places are the same, and they need not be touched again; the questions are not the same. */
static void groups_cover_what_single_places_do(void **state)
{
	struct walk dense = { .order = WALK_RANDOM, .grid = { .stride = { LINE }, .count = { PAGES * PAGE / LINE } } };
	struct walk grouped = { .order = WALK_RANDOM,
				.grouped = WALK_GROUP,
				.grid = { .stride = { PAGE, BLOCK, LINE },
					  .count = { PAGES, WALK_GROUPED_FROM, BLOCK / LINE } } };
	struct walk elsewhere = dense;

	(void)state;
	elsewhere.grid.base = PAGE;
	assert_int_equal(walk_length(&dense), walk_length(&grouped));
	assert_true(walk_hash_places(&dense) == walk_hash_places(&grouped));
	assert_true(walk_hash_places(&dense) != walk_hash_places(&elsewhere));
	assert_true(walk_hash(&dense) != walk_hash(&grouped));
}

/* Whatever the number of places to choose from, none is taken twice, and how many fall into a stretch of them is left
 * to chance: as spread as draws without putting back are. */
static void scattered_places_differ(void **state)
{
	enum { BITS = 12, ALL = 1 << BITS, TAKEN = ALL / 8, STRETCHES = 64, TRIALS = 200 };
	double squares = 0, mean = (double)TAKEN / STRETCHES, expected;

	(void)state;
	for (int bits = 1; bits <= BITS; bits++) {
		bool seen[ALL] = { false };

		for (uint64_t i = 0; i < UINT64_C(1) << bits; i++) {
			uint64_t at = walk_scatter(i, bits, 0x123456789abcdefu * (uint64_t)bits);

			assert_true(at < UINT64_C(1) << bits && !seen[at]);
			seen[at] = true;
		}
	}
	for (int trial = 0; trial < TRIALS; trial++) {
		int count[STRETCHES] = { 0 };

		for (uint64_t i = 0; i < TAKEN; i++)
			count[walk_scatter(i, BITS, (uint64_t)trial * 0x9e3779b97f4a7c15u) % STRETCHES]++;
		for (int i = 0; i < STRETCHES; i++)
			squares += (count[i] - mean) * (count[i] - mean) / STRETCHES / TRIALS;
	}
	expected = mean * (1 - 1.0 / 8) * (1 - 1.0 / STRETCHES);
	assert_true(squares > 0.9 * expected && squares < 1.1 * expected);
}

static void scattered_walks_reach_far(void **state)
{
	struct walk walk = grid_of(5, 4096, 2, 128), other;
	struct seen seen = { .count = 0 };

	(void)state;
	walk.grid.scattered = 10;
	other = walk;
	other.grid.chance = 1;
	assert_int_equal(walk_length(&walk), 10);
	assert_int_equal(walk_extent(&walk), 64 + 1023 * 4096 + 128 + 8);
	assert_true(walk_hash(&walk) != walk_hash(&other));
	assert_true(walk_hash_places(&walk) != walk_hash_places(&other));
	walk_visit(&walk, see, &seen);
	assert_int_equal(seen.count, 10);
	for (uint64_t random = 1, i = 0; i < 1000; i++) {
		uint64_t place = walk_draw_scattered(&walk.grid, random);
		bool visited = false;

		for (int j = 0; j < seen.count; j++)
			visited = visited || seen.places[j] == place;
		assert_true(visited);
		random = random * 6364136223846793005u + 1442695040888963407u;
	}
	assert_int_equal(walk_warming(&walk), 500);
	walk.laps = 4000;
	assert_int_equal(walk_warming(&walk), 40000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scattered_places_differ),
		cmocka_unit_test(scattered_walks_reach_far),
		cmocka_unit_test(loose_walks_stay_within_their_grid),
		cmocka_unit_test(no_arena_holds_what_overflows),
		cmocka_unit_test(grid_has_all_its_places),
		cmocka_unit_test(draws_stay_in_the_grid),
		cmocka_unit_test(hot_places_count_for_the_extent),
		cmocka_unit_test(questions_have_hashes_of_their_own),
		cmocka_unit_test(groups_stay_in_a_page),
		cmocka_unit_test(pairs_lie_half_a_page_apart),
		cmocka_unit_test(groups_cover_what_single_places_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

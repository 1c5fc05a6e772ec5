/* SPDX-License-Identifier: MIT */
/*
 * test_policies.c - the model of one set against the simulated machine's, and policies of simulated caches by timing
 *
 * POLICIES=all tries every policy in the machine files' language at 2, 4, 8, 12 and 16 ways, in two levels.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "describe/description_keys.h"
#include "memory/cache.h"
#include "memory_lab.h"
#include "policies/policies.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const int ways[] = { 2, 4, 8, 12, 16 };

static uint64_t draw(uint64_t *random)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return *random >> 33;
}

/* On random references, from an empty set on. Policies that the machine files do not know are left out. */
static void compare(const struct rule *rule, int n)
{
	struct sim_shape shape = { .sets = 1, .ways = (uint32_t)n };
	struct sim_cache cache;
	struct model model;
	char name[RULE_NAME];
	uint64_t random = (uint64_t)n;

	rule_name(rule, n, name, sizeof(name));
	if (rule->kind == RULE_RANDOM || !description_policy(name, &shape.policy))
		return;
	assert_true(sim_cache_start(&cache, &shape, 1));
	model_start(&model, rule, n, 1);
	for (int i = 0; i < 3000; i++) {
		uint32_t line = (uint32_t)(draw(&random) % (uint64_t)(n + n / 2 + 2)), slot;
		bool hit = sim_cache_touch(&cache, line) != SIM_NONE;

		if (!hit)
			sim_cache_insert(&cache, line, &slot);
		if (model_refer(&model, (int)line) != hit)
			fail_msg("%s, %d ways: reference %d differs", name, n, i);
	}
	sim_cache_free(&cache);
}

static void test_model(void **state)
{
	(void)state;
	for (int i = 0; i < COUNT(ways); i++) {
		struct rule rules[RULES_MOST];
		int n = rules_list(ways[i], rules), known = 0;

		assert_true(n > 100);
		for (int j = 0; j < n; j++) {
			compare(&rules[j], ways[i]);
			known += rules[j].kind != RULE_GROUPS;
		}
		assert_true(known > 100);
	}
}

static void test_names(void **state)
{
	static const struct {
		int line, ways, at;
		const char *name;
	} rows[] = {
		{ __LINE__, 2, 0, "lru" },       { __LINE__, 2, 1, "fifo" },        { __LINE__, 8, 2, "random" },
		{ __LINE__, 8, 3, "tree-plru" }, { __LINE__, 12, 4, "lru3-plru4" }, { __LINE__, 16, 4, "nru" },
		{ __LINE__, 12, 5, "nru" },      { __LINE__, 12, 6, "srrip" },
	};
	struct rule rules[RULES_MOST];

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		char name[RULE_NAME];

		assert_true(rules_list(rows[i].ways, rules) > rows[i].at);
		rule_name(&rules[rows[i].at], rows[i].ways, name, sizeof(name));
		if (strcmp(name, rows[i].name) != 0)
			fail_msg("row at line %d: '%s'", rows[i].line, name);
	}
	assert_int_equal(rules_list(1, rules), 0);
	assert_int_equal(rules_list(0, rules), 0);
	assert_int_equal(rules_list(RULE_WAYS + 1, rules), 0);
}

static void test_manners(void **state)
{
	static const struct {
		int line;
		struct rule rule;
		enum manner manner;
	} rows[] = {
		{ __LINE__, { .kind = RULE_LRU }, MANNER_LRU },
		{ __LINE__, { .kind = RULE_TREE }, MANNER_LRU },
		{ __LINE__, { .kind = RULE_FIFO }, MANNER_FIFO },
		{ __LINE__, { .kind = RULE_RANDOM }, MANNER_RANDOM },
		{ __LINE__, { .kind = RULE_AGES, .insert = 2, .rare = -1, .miss_only = true }, MANNER_SCAN },
		{ __LINE__, { .kind = RULE_AGES, .insert = 0, .rare = -1, .update = 1 }, MANNER_NRU },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++)
		if (rule_manner(&rows[i].rule, 8) != rows[i].manner)
			fail_msg("row at line %d: %s", rows[i].line, manner_word(rule_manner(&rows[i].rule, 8)));
}

/* No line more often than it has words, none too soon again, none that was never there. */
static void test_sequences(void **state)
{
	static const struct material materials[] = {
		{ 2, 8, 6, 0 },   { 2, 2, 4, 1 },   { 4, 1, 8, 0 },   { 8, 8, 16, 2 },
		{ 12, 4, 36, 0 }, { 16, 8, 32, 8 }, { 32, 8, 96, 0 },
	};
	uint64_t random = 1;

	(void)state;
	for (int i = 0; i < COUNT(materials); i++)
		for (int j = 0; j < 20; j++) {
			struct sequence sequence;
			int visits[RULE_LINES] = { 0 };

			sequence_draw(&sequence, &materials[i], &random);
			assert_in_range(sequence.length, sequence.lines, SEQUENCE_MOST);
			assert_in_range(sequence.lines, materials[i].ways + 1, materials[i].lines);
			for (int k = 0; k < sequence.length; k++) {
				visits[sequence.line[k]]++;
				for (int back = 1; back <= materials[i].gap; back++)
					assert_int_not_equal(
						sequence.line[k],
						sequence.line[(k + sequence.length - back) % sequence.length]);
			}
			for (int k = 0; k < sequence.lines; k++)
				assert_in_range(visits[k], 1, materials[i].visits);
		}
}

/* Round and round one line more than ways. */
static void test_predictions(void **state)
{
	struct sequence sequence;
	struct rule lru = { .kind = RULE_LRU }, fifo = { .kind = RULE_FIFO }, random = { .kind = RULE_RANDOM };

	(void)state;
	sequence_round(&sequence, 9);
	assert_true(sequence_predict(&sequence, &lru, 8).low == 9);
	assert_true(sequence_predict(&sequence, &lru, 16).high == 0);
	assert_true(sequence_predict(&sequence, &fifo, 8).low < 9);
	assert_true(sequence_predict(&sequence, &random, 8).low > 1 &&
		    sequence_predict(&sequence, &random, 8).high < 4);
}

/* What an inquiry makes of sets of which every other one follows another rule, at n ways. */
static struct verdict inquire(const struct rule *one, const struct rule *other, int n)
{
	struct material material = { n, 8, 3 * n, 0 };
	struct sequence next[ROUND_MOST];
	struct inquiry inquiry;
	struct verdict verdict;
	int count;

	assert_true(inquiry_open(&inquiry, &material));
	while ((count = inquiry_next(&inquiry, next)) > 0)
		for (int i = 0; i < count; i++) {
			struct prediction first = sequence_predict(&next[i], one, n),
					  second = sequence_predict(&next[i], other, n);

			inquiry_take(&inquiry, &next[i], (first.low + first.high + second.low + second.high) / 4, 0.1);
		}
	verdict = inquiry_verdict(&inquiry);
	inquiry_close(&inquiry);
	return verdict;
}

/* Policies that are not listed, and a cache of which every other set follows another rule: no name. What one of
 * them does may be said of it. */
static void test_unknown(void **state)
{
	static const struct {
		int line, ways;
		struct rule one, other;
	} rows[] = {
		{ __LINE__,
		  8,
		  { .kind = RULE_LRU },
		  { .kind = RULE_AGES, .insert = 2, .rare = -1, .miss_only = true } },
		{ __LINE__,
		  8,
		  { .kind = RULE_AGES, .insert = 3, .rare = 2, .miss_only = true },
		  { .kind = RULE_AGES, .insert = 3, .rare = 2, .miss_only = true } },
		{ __LINE__, 16, { .kind = RULE_GROUPS }, { .kind = RULE_GROUPS } },
	};

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct verdict verdict = inquire(&rows[i].one, &rows[i].other, rows[i].ways);

		if (verdict.certainty == CERTAIN_RULE ||
		    (verdict.certainty == CERTAIN_MANNER && verdict.manner != rule_manner(&rows[i].one, rows[i].ways)))
			fail_msg("row at line %d: %s, %.2f errors off, %d left", rows[i].line,
				 manner_word(verdict.manner), verdict.off, verdict.left);
	}
}

/* The rule's own policy, one that does the same, or its manner; nothing else. */
enum answer { RIGHT, ROUGHLY, OPEN, WRONG };
static enum answer judge(const struct policy *found, const char *truth, int n)
{
	struct rule rules[RULES_MOST];
	char name[RULE_NAME], steady[RULE_NAME];
	int count = rules_list(n, rules);
	enum answer answer = WRONG;

	/* What empty ways are filled with does not show. */
	snprintf(steady, sizeof(steady), "%s", truth);
	if (strstr(steady, "-r2"))
		memcpy(strstr(steady, "-r2"), "-r0", 3);
	if (found->certainty == CERTAIN_NOTHING)
		return found->why[0] ? OPEN : WRONG;
	if (strcmp(found->name, steady) == 0 || strstr(found->note, steady))
		answer = RIGHT;
	for (int i = 0; i < count; i++) {
		rule_name(&rules[i], n, name, sizeof(name));
		if (answer == WRONG && found->certainty == CERTAIN_MANNER && strcmp(name, steady) == 0 &&
		    strcmp(manner_word(rule_manner(&rules[i], n)), found->name) == 0)
			answer = ROUGHLY;
	}
	return answer;
}

static struct policy find(const char *name, int n, int depth, const char *noise, long seed)
{
	char text[96];
	struct memory_level levels[MEMORY_LEVELS] = { { depth ? 4 : 4.0 * n, depth ? 2 : n, "", 0 },
						      { 16.0 * n, n, "", 0 } };
	struct memory_lab bench;
	struct policy found;

	snprintf(text, sizeof(text), "policy = %s\n", name);
	levels[depth].more = text;
	memory_open(&bench, levels, noise, seed);
	for (int i = 0; i <= depth; i++)
		memory_know(&bench, levels, i);
	found = engine_policy(&bench.lab, depth);
	memory_close(&bench);
	return found;
}

static void try(const char *name, int n, int depth, const char *noise, int counts[WRONG + 1])
{
	struct policy found = find(name, n, depth, noise, 1);
	enum answer answer = judge(&found, name, n);

	counts[answer]++;
	if (answer == WRONG || (getenv("POLICIES") && answer != RIGHT))
		printf("%s%s, %d ways, level %d%s: '%s' %s%s\n", answer == WRONG ? "wrong: " : "", name, n, depth + 1,
		       noise[0] ? ", noisy" : "", found.name, found.note, found.why);
}

static void test_policies(void **state)
{
	static const struct {
		int line, ways, depth;
		const char *name;
	} rows[] = {
		{ __LINE__, 2, 0, "lru" },
		{ __LINE__, 4, 0, "fifo" },
		{ __LINE__, 8, 0, "tree-plru" },
		{ __LINE__, 12, 0, "srrip" },
		{ __LINE__, 8, 1, "random" },
		{ __LINE__, 8, 1, "qlru-h00-m1-r0-u1" },
		{ __LINE__, 4, 1, "qlru-h00-m1-r2-u1" },
	};
	int counts[WRONG + 1] = { 0 };

	(void)state;
	for (int i = 0; i < COUNT(rows); i++)
		try(rows[i].name, rows[i].ways, rows[i].depth, "", counts);
	assert_int_equal(counts[RIGHT], COUNT(rows));
}

/* Of a TLB, whose sets are taken for known. */
static void test_pages(void **state)
{
	static const struct memory_level caches[MEMORY_LEVELS] = { { 32, 8, "", 0 },
								   { 512, 8, "", 0 },
								   { 0, 0, "", 0 } };
	static const struct {
		int line;
		double entries, ways;
		const char *name;
	} rows[] = {
		{ __LINE__, 64, 4, "fifo" },
		{ __LINE__, 64, 8, "tree-plru" },
		{ __LINE__, 16, 16, "random" },
		{ __LINE__, 72, 12, "qlru-h11-m1-r1-u2" },
	};
	int counts[WRONG + 1] = { 0 };

	(void)state;
	for (int i = 0; i < COUNT(rows); i++) {
		struct paging paging = {
			.page = 4096, .system = 4096, .sharing = 1, .group = 1, .levels = 1, .chase = 4
		};
		struct memory_lab bench;
		struct policy found;
		char text[128];

		paging.pages = WALK_ON_4_FRAMES;
		paging.tlb[0].entries = rows[i].entries;
		paging.tlb[0].penalty = 9;
		paging.tlb[0].sets = (struct tlb_sets){ .tried = true,
							.found = true,
							.ways = rows[i].ways,
							.sets = rows[i].entries / rows[i].ways,
							.neighbours = 1 };
		snprintf(text, sizeof(text), "[tlb l1d]\nentries = %.0f\nways = %.0f\npenalty = 9\npolicy = %s\n",
			 rows[i].entries, rows[i].ways, rows[i].name);
		memory_open(&bench, caches, text, 1);
		found = engine_tlb_policy(&bench.lab, &paging);
		memory_close(&bench);
		counts[judge(&found, rows[i].name, (int)rows[i].ways)]++;
	}
	assert_int_equal(counts[RIGHT], COUNT(rows));
}

/* One new line in sixteen is treated otherwise: what does nearly the same without that is not named. */
static void test_rare(void **state)
{
	struct rule rule = { .kind = RULE_AGES, .hit3 = 1, .insert = 1, .rare = 2 };
	struct verdict verdict = inquire(&rule, &rule, 4);

	(void)state;
	if (verdict.certainty == CERTAIN_RULE)
		assert_int_equal(verdict.rule.rare, 2);
	assert_int_not_equal(verdict.certainty, CERTAIN_NOTHING);
}

static void test_all(void **state)
{
	static const char *const noises[] = { "", "[noise]\npreset = cloud\n" };
	int counts[WRONG + 1] = { 0 }, wrong = 0;

	(void)state;
	for (int i = 0; getenv("POLICIES") && i < COUNT(ways); i++) {
		struct rule rules[RULES_MOST];
		int n = rules_list(ways[i], rules), step = atoi(getenv("POLICIES"));

		for (int j = 0; j < n; j += j < 7 || step < 1 ? 1 : step)
			for (int k = 0; k < 2 * COUNT(noises); k++) {
				char name[RULE_NAME];
				struct description_policy known;

				rule_name(&rules[j], ways[i], name, sizeof(name));
				if (description_policy(name, &known))
					try(name, ways[i], k % 2, noises[k / 2], counts);
			}
		printf("%d ways: %d right, %d by manner, %d open\n", ways[i], counts[RIGHT], counts[ROUGHLY],
		       counts[OPEN]);
		wrong += counts[WRONG];
		memset(counts, 0, sizeof(counts));
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model),     cmocka_unit_test(test_names),       cmocka_unit_test(test_manners),
		cmocka_unit_test(test_sequences), cmocka_unit_test(test_predictions), cmocka_unit_test(test_policies),
		cmocka_unit_test(test_pages),     cmocka_unit_test(test_all),         cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_rare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

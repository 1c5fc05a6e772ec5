/* SPDX-License-Identifier: MIT */
/*
 * test_sim_policy.c - every replacement policy against a slow model of one set, on random references
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/cache.h"
#include "describe/description_keys.h"

static const char *const POLICIES[] = { "lru",
					"fifo",
					"tree-plru",
					"nru",
					"srrip",
					"qlru-h00-m1-r2-u1",
					"qlru-h00-m1-r0-u1",
					"qlru-h11-m1-r0-u0",
					"qlru-h11-m1-r1-u2",
					"qlru-h21-m2-r0-u0-umo",
					"qlru-h20-m3-r1-u3",
					"qlru-h10-m0-r0-u1-umo" };

enum { NAMES = sizeof POLICIES / sizeof *POLICIES, WAYS_MOST = 64 };

/* One set as it is told: lines in their ways, when each came and was last used, a mark, the tree as it would be drawn.
 */
struct model {
	int ways;
	long line[WAYS_MOST], came[WAYS_MOST], used[WAYS_MOST]; /* line -1: empty */
	int mark[WAYS_MOST]; /* age, or nru's bit */
	int arrow[2 * WAYS_MOST]; /* of the tree's nodes: 1 points to the right */
	long now;
};

static void model_start(struct model *model, int ways, bool ages)
{
	memset(model, 0, sizeof *model);
	model->ways = ways;
	for (int i = 0; i < ways; i++) {
		model->line[i] = -1;
		model->mark[i] = ages ? 3 : 0;
	}
}

static int span_of(const struct model *model)
{
	int span = 1;

	while (span < model->ways)
		span *= 2;
	return span;
}

static void model_point_away(struct model *model, int way)
{
	for (int node = way + span_of(model); node > 1; node /= 2)
		model->arrow[node / 2] = node % 2 == 0;
}

static int model_follow(const struct model *model)
{
	int span = span_of(model), node = 1;

	while (node < span) {
		int right = 2 * node + 1, leaf = right;

		while (leaf < span)
			leaf *= 2;
		node = model->arrow[node] && leaf - span < model->ways ? right : 2 * node;
	}
	return node - span;
}

static int find_mark(const struct model *model, int mark)
{
	for (int i = 0; i < model->ways; i++)
		if (model->mark[i] == mark)
			return i;
	return -1;
}

static void model_age(struct model *model, int update, int but)
{
	int most = 0;

	if (update % 2 == 0)
		but = -1;
	if (update >= 2 && find_mark(model, 3) >= 0)
		return;
	for (int i = 0; i < model->ways; i++)
		if (i != but && model->mark[i] > most)
			most = model->mark[i];
	for (int i = 0; i < model->ways; i++)
		if (i != but)
			model->mark[i] += update >= 2 ? 1 : 3 - most;
}

static int model_victim(struct model *model, const struct description_policy *policy)
{
	int oldest = 0;

	if (policy->kind == POLICY_AGES && policy->miss_only)
		model_age(model, policy->update, -1);
	for (int i = 0; i < model->ways; i++) {
		int way = policy->replace == 2 ? model->ways - 1 - i : i;

		if (model->line[way] < 0)
			return way;
	}
	for (int i = 0; i < model->ways; i++) {
		const long *when = policy->kind == POLICY_LRU ? model->used : model->came;

		if (when[i] < when[oldest])
			oldest = i;
	}
	if (policy->kind == POLICY_TREE)
		return model_follow(model);
	if (policy->kind == POLICY_NRU) {
		if (find_mark(model, 0) < 0)
			memset(model->mark, 0, sizeof model->mark);
		return find_mark(model, 0);
	}
	if (policy->kind == POLICY_AGES)
		return find_mark(model, 3) < 0 ? 0 : find_mark(model, 3);
	return oldest;
}

/* True: a hit. */
static bool model_refer(struct model *model, const struct description_policy *policy, long line)
{
	int way = 0;
	bool hit;

	while (way < model->ways && model->line[way] != line)
		way++;
	hit = way < model->ways;
	if (!hit) {
		way = model_victim(model, policy);
		model->line[way] = line;
		model->came[way] = ++model->now;
	}
	model->used[way] = ++model->now;
	if (policy->kind == POLICY_TREE)
		model_point_away(model, way);
	if (policy->kind == POLICY_NRU)
		model->mark[way] = 1;
	if (policy->kind == POLICY_AGES) {
		int after[] = { 0, 0, policy->hit2, policy->hit3 };

		model->mark[way] = hit ? after[model->mark[way]] : policy->insert;
		if (!policy->miss_only)
			model_age(model, policy->update, way);
	}
	return hit;
}

static void model_lose(struct model *model, const struct description_policy *policy, long line)
{
	for (int way = 0; way < model->ways; way++)
		if (model->line[way] == line) {
			model->line[way] = -1;
			model->mark[way] = policy->kind == POLICY_AGES ? 3 : 0;
		}
}

static bool refer(struct sim_cache *cache, uint32_t line)
{
	uint32_t slot;

	if (sim_cache_touch(cache, line) != SIM_NONE)
		return true;
	sim_cache_insert(cache, line, &slot);
	return false;
}

static void compare(const char *name, uint32_t sets, uint32_t ways, bool fixed)
{
	struct sim_shape shape = { .sets = sets, .ways = ways, .fixed = fixed };
	struct model *models = calloc(sets, sizeof *models);
	struct sim_random random;
	struct sim_cache cache;

	assert_true(models && description_policy(name, &shape.policy));
	assert_true(sim_cache_start(&cache, &shape, 1));
	sim_random_seed(&random, sets * 100 + ways);
	for (uint32_t i = 0; i < sets; i++)
		model_start(&models[i], (int)ways, shape.policy.kind == POLICY_AGES);
	for (int i = 0; i < 8000; i++) {
		uint32_t line = (uint32_t)(sim_random_next(&random) % (sets * (ways + ways / 2 + 2)));
		struct model *model = &models[line % sets];

		if (sim_random_next(&random) % 16 == 0) {
			sim_cache_remove(&cache, line);
			model_lose(model, &shape.policy, line);
		} else if (model_refer(model, &shape.policy, line) != refer(&cache, line)) {
			fail_msg("%s, %u sets of %u ways%s: reference %d differs", name, sets, ways,
				 fixed ? ", fixed" : "", i);
		}
	}
	sim_cache_free(&cache);
	free(models);
}

static void test_models(void **state)
{
	static const uint32_t ways[] = { 1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 33, 48, 64 };
	static const uint32_t sets[] = { 1, 3, 16, 96, 1000 };

	(void)state;
	for (int policy = 0; policy < NAMES; policy++)
		for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
			for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
				for (int fixed = 0; fixed < 2; fixed++)
					compare(POLICIES[policy], sets[s], ways[w], fixed);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_models) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

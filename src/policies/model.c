/* SPDX-License-Identifier: MIT */
/*
 * model.c - one set that follows a rule
 */
#include <string.h>

#include "rules.h"

enum { OLDEST = 3, RARELY = 16, FOUR = 4 };

static uint64_t draw(struct model *model)
{
	model->random ^= model->random << 13;
	model->random ^= model->random >> 7;
	model->random ^= model->random << 17;
	return model->random >> 11;
}

void model_start(struct model *model, const struct rule *rule, int ways, uint64_t seed)
{
	memset(model, 0, sizeof(*model));
	model->rule = *rule;
	model->ways = ways;
	model->random = seed * 0x9e3779b97f4a7c15u | 1;
	memset(model->where, -1, sizeof(model->where));
	for (int i = 0; i < ways; i++)
		model->age[i] = rule->kind == RULE_AGES ? OLDEST : 0;
	model->aged[model->age[0]] = (uint8_t)ways;
	for (int i = 0; i < ways / FOUR; i++)
		model->group[i] = (uint8_t)(ways / FOUR - 1 - i);
}

static bool is_ordered(const struct model *model)
{
	return model->rule.kind == RULE_LRU || model->rule.kind == RULE_FIFO;
}

static int span_of(int ways)
{
	int span = 1;

	while (span < ways)
		span *= 2;
	return span;
}

/* Turns the arrows on the way to a leaf away from it; a group's tree has its nodes at 4 times its number. */
static void turn_away(uint64_t *tree, int span, int leaf)
{
	for (int node = leaf + span; node > 1; node /= 2)
		*tree = node & 1 ? *tree & ~(UINT64_C(1) << node / 2) : *tree | UINT64_C(1) << node / 2;
}

static int follow(uint64_t tree, int ways)
{
	int span = span_of(ways), node = 1, first = 0;

	for (int half = span / 2; half; half /= 2) {
		bool right = tree >> node & 1 && first + half < ways;

		first += right ? half : 0;
		node = 2 * node + right;
	}
	return first;
}

static uint64_t tree_of_group(const struct model *model, int group)
{
	return model->tree >> FOUR * group & 0xf;
}

static void use_group(struct model *model, int way)
{
	int group = way / FOUR, at = 0;
	uint64_t tree = tree_of_group(model, group), mask = UINT64_C(0xf) << FOUR * group;

	turn_away(&tree, FOUR, way % FOUR);
	model->tree = (model->tree & ~mask) | tree << FOUR * group;
	while (model->group[at] != group)
		at++;
	memmove(model->group + 1, model->group, (size_t)at);
	model->group[0] = (uint8_t)group;
}

static int oldest_but(const struct model *model, int but)
{
	int age = OLDEST;

	while (age > 0 && model->aged[age] == (but >= 0 && model->age[but] == age))
		age--;
	return age;
}

static void set_age(struct model *model, int way, int age)
{
	model->aged[model->age[way]]--;
	model->aged[age]++;
	model->age[way] = (uint8_t)age;
}

/* u0 to u3, after a reference to `way`; -1: before a line goes. */
static void grow_old(struct model *model, int way)
{
	int but = model->rule.update % 2 ? way : -1, by;

	if (model->rule.update < 2)
		by = OLDEST - oldest_but(model, but);
	else
		by = oldest_but(model, -1) < OLDEST;
	for (int i = 0; by && i < model->ways; i++)
		if (i != but)
			set_age(model, i, model->age[i] + by);
}

static void use(struct model *model, int way, bool hit)
{
	const struct rule *rule = &model->rule;

	switch (rule->kind) {
	case RULE_TREE:
		turn_away(&model->tree, span_of(model->ways), way);
		break;
	case RULE_GROUPS:
		use_group(model, way);
		break;
	case RULE_MARKS:
		set_age(model, way, 1);
		break;
	case RULE_AGES:
		if (!hit)
			set_age(model, way, rule->rare >= 0 && draw(model) % RARELY == 0 ? rule->rare : rule->insert);
		else
			set_age(model, way, model->age[way] == 3 ? rule->hit3 : model->age[way] == 2 ? rule->hit2 : 0);
		if (!rule->miss_only)
			grow_old(model, way);
		break;
	default:
		break;
	}
}

static int leftmost(const struct model *model, int age)
{
	const uint8_t *found = memchr(model->age, age, (size_t)model->ways);

	return found ? (int)(found - model->age) : -1;
}

static int victim(struct model *model)
{
	int way;

	if (model->rule.kind == RULE_AGES && model->rule.miss_only)
		grow_old(model, -1);
	if (model->filled < model->ways)
		return model->filled;
	switch (model->rule.kind) {
	case RULE_RANDOM:
		return (int)(draw(model) % (uint64_t)model->ways);
	case RULE_TREE:
		return follow(model->tree, model->ways);
	case RULE_GROUPS:
		way = model->group[model->ways / FOUR - 1];
		return FOUR * way + follow(tree_of_group(model, way), FOUR);
	case RULE_MARKS:
		for (int i = 0; !model->aged[0] && i < model->ways; i++)
			model->age[i] = 0;
		if (!model->aged[0])
			model->aged[0] = (uint8_t)model->ways;
		model->aged[1] = (uint8_t)(model->ways - model->aged[0]);
		return leftmost(model, 0);
	default:
		way = leftmost(model, OLDEST);
		return way < 0 ? 0 : way;
	}
}

/* Lines move down by one from the first place to this one, and the line comes first. */
static void to_front(struct model *model, int from, int line)
{
	for (int i = from; i > 0; i--) {
		model->line[i] = model->line[i - 1];
		model->where[model->line[i]] = (short)i;
	}
	model->line[0] = (uint8_t)line;
	model->where[line] = 0;
}

static bool refer_in_order(struct model *model, int line)
{
	int at = model->where[line];

	if (at >= 0) {
		if (model->rule.kind == RULE_LRU)
			to_front(model, at, line);
		return true;
	}
	if (model->filled < model->ways)
		model->filled++;
	else
		model->where[model->line[model->ways - 1]] = -1;
	to_front(model, model->filled - 1, line);
	return false;
}

bool model_refer(struct model *model, int line)
{
	int way = model->where[line];
	bool hit = way >= 0;

	if (is_ordered(model))
		return refer_in_order(model, line);
	if (!hit) {
		way = victim(model);
		if (way == model->filled)
			model->filled++;
		else
			model->where[model->line[way]] = -1;
		model->line[way] = (uint8_t)line;
		model->where[line] = (short)way;
	}
	use(model, way, hit);
	return hit;
}

bool model_same(const struct model *one, const struct model *other)
{
	size_t ways = (size_t)one->ways;

	return one->filled == other->filled && one->tree == other->tree && one->random == other->random &&
	       memcmp(one->line, other->line, ways) == 0 && memcmp(one->age, other->age, ways) == 0 &&
	       memcmp(one->group, other->group, ways / FOUR) == 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * rules.c - which policies there are, and what they are called
 */
#include <stdio.h>

#include "rules.h"

enum { AGES = 4 };

static int add(struct rule *rules, int n, struct rule rule)
{
	if (n < RULES_MOST)
		rules[n++] = rule;
	return n;
}

static bool is_odd_fours(int ways)
{
	return ways % 4 == 0 && (ways & (ways - 1));
}

/* srrip, and nru, which have names of their own. */
static bool is_named(const int hits[2], int insert, int update, bool miss_only)
{
	return hits[0] == 0 && miss_only && update == 0 && (insert == 0 || insert == 2);
}

/* Of r0, r1 and r2 only r1 differs, where u2 or u3 leaves a set without a line 3 old; u1 is u0 where ages grow before a
 * line goes, since none was just used, and so is u3 u2. */
static int add_ages(struct rule *rules, int n, int insert)
{
	static const int hits[][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 0 }, { 2, 1 } };

	for (size_t i = 0; i < sizeof(hits) / sizeof(hits[0]); i++)
		for (int update = 0; update < 4; update++)
			for (int miss_only = 0; miss_only < 2; miss_only++)
				if (!is_named(hits[i], insert, update, miss_only) && (!miss_only || update % 2 == 0))
					n = add(rules, n,
						(struct rule){ .kind = RULE_AGES,
							       .hit3 = hits[i][0],
							       .hit2 = hits[i][1],
							       .insert = insert,
							       .rare = -1,
							       .replace = update >= 2,
							       .update = update,
							       .miss_only = miss_only });
	return n;
}

int rules_list(int ways, struct rule rules[RULES_MOST])
{
	int n = 0;

	if (ways < 2 || ways > RULE_WAYS)
		return 0;
	for (enum rule_kind kind = RULE_LRU; kind <= RULE_MARKS; kind++)
		if (kind != RULE_GROUPS || is_odd_fours(ways))
			n = add(rules, n, (struct rule){ .kind = kind, .rare = -1 });
	n = add(rules, n, (struct rule){ .kind = RULE_AGES, .insert = 2, .rare = -1, .miss_only = true }); /* srrip */
	for (int insert = 0; insert <= 3; insert++)
		n = add_ages(rules, n, insert);
	return n;
}

int rules_add_rare(const struct rule *rule, struct rule rules[RULES_MOST], int n)
{
	struct rule other = *rule;

	/* Marks are ages of which two are used. */
	if (rule->kind == RULE_MARKS)
		other = (struct rule){ .kind = RULE_AGES, .rare = -1, .miss_only = true };
	if (other.kind != RULE_AGES || other.rare >= 0)
		return n;
	for (other.rare = 0; other.rare < AGES; other.rare++)
		if (other.rare != other.insert)
			n = add(rules, n, other);
	return n;
}

void rule_name(const struct rule *rule, int ways, char *name, size_t size)
{
	static const char *const names[] = { "lru", "fifo", "random", "tree-plru", "", "nru" };
	char rare[2] = "";

	if (rule->kind == RULE_GROUPS) {
		snprintf(name, size, "lru%d-plru4", ways / 4);
	} else if (rule->kind != RULE_AGES) {
		snprintf(name, size, "%s", names[rule->kind]);
	} else if (rule->miss_only && rule->insert == 2 && rule->rare < 0 && rule->update == 0 && rule->hit3 == 0) {
		snprintf(name, size, "srrip");
	} else {
		if (rule->rare >= 0)
			rare[0] = (char)('0' + rule->rare);
		snprintf(name, size, "qlru-h%d%d-m%s%d%s-r%d-u%d%s", rule->hit3, rule->hit2, rare[0] ? "r" : "",
			 rule->insert, rare, rule->replace, rule->update, rule->miss_only ? "-umo" : "");
	}
}

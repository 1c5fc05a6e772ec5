/* SPDX-License-Identifier: MIT */
/*
 * rules.h - replacement policies as rules, and one set that follows one
 *
 * Nothing here is measured, and nothing is shared with the simulated machine: these are what measurements are compared
 * with. The names are those of docs/machine-file.md.
 */
#ifndef XRAY_POLICIES_RULES_H
#define XRAY_POLICIES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rule_kind {
	RULE_LRU,
	RULE_FIFO,
	RULE_RANDOM,
	RULE_TREE,
	RULE_GROUPS, /* least recently used group of four, and within it a tree: for ways that are no power of two */
	RULE_MARKS,
	RULE_AGES
};

struct rule {
	enum rule_kind kind;
	int hit3, hit2; /* of ages: what a hit makes of a line 3 old, and of one 2 old */
	int insert; /* age of a new line */
	int rare; /* age of one new line in sixteen; -1: of none */
	int replace, update;
	bool miss_only; /* ages grow before a line goes, not after every reference */
};

enum { RULES_MOST = 160, RULE_NAME = 32, RULE_WAYS = 64, RULE_LINES = 240 };

/* The rules that may be told apart in a set of so many ways, simplest first; how many. What fills empty ways in another
 * order is not among them, since none are empty for long. */
int rules_list(int ways, struct rule rules[RULES_MOST]);
/* What sets a rule of the list apart from those that do nearly the same: one new line in sixteen is treated otherwise.
 * Adds them to n others; how many there are then. */
int rules_add_rare(const struct rule *rule, struct rule rules[RULES_MOST], int n);
void rule_name(const struct rule *rule, int ways, char *name, size_t size);

struct model {
	struct rule rule;
	int ways, filled;
	uint8_t line[RULE_WAYS]; /* in each way; of lru and fifo in the order in which they go, the next one last */
	short where[RULE_LINES]; /* a line is; -1: nowhere */
	uint8_t age[RULE_WAYS];
	uint8_t aged[4]; /* how many are so old */
	uint8_t group[RULE_WAYS / 4]; /* groups in the order of their use, the last one first */
	uint64_t tree; /* bits of nodes, the root is 1; set: points to the right */
	uint64_t random;
};

/* An empty set. */
void model_start(struct model *model, const struct rule *rule, int ways, uint64_t seed);
/* Refers to a line below RULE_LINES. True: a hit. */
bool model_refer(struct model *model, int line);
/* Will both do the same from now on? Both follow the same rule. */
bool model_same(const struct model *one, const struct model *other);

#endif

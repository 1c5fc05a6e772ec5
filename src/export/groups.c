/* SPDX-License-Identifier: MIT */
/*
 * groups.c - which CPUs go together: texts and trees of CPU numbers as one group for each CPU
 */
#include <ctype.h>

#include "sheet.h"

enum { MOST_CPUS = 65536 };

struct member {
	int cpu, group;
};

static int by_cpu(const void *one, const void *other)
{
	const struct member *left = one, *right = other;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

/* Sorts the members by CPU and names each group after its first one. False when a CPU is there twice. */
static bool settle(struct groups *groups, struct member *members, int count)
{
	*groups = (struct groups){ .cpus = calloc((size_t)count, sizeof(int)),
				   .group = calloc((size_t)count, sizeof(int)),
				   .count = count };
	if (!groups->cpus || !groups->group)
		return false;
	qsort(members, (size_t)count, sizeof(*members), by_cpu);
	for (int i = 0; i < count; i++) {
		int first = 0;

		if (i > 0 && members[i].cpu == members[i - 1].cpu)
			return false;
		while (members[first].group != members[i].group)
			first++;
		groups->cpus[i] = members[i].cpu;
		groups->group[i] = first;
		groups->groups += first == i;
	}
	return true;
}

/* Numbers, and what stands between them. A tree's groups at `depth` begin at a bracket that is so deep, or are a single
 * CPU that is less deep; a text's begin after each blank. */
static int collect(const char *text, int depth, struct member *members, int most)
{
	int count = 0, group = 0, deep = 0;

	while (*text && count < most) {
		char *end;

		if (isdigit((unsigned char)*text)) {
			group += deep < depth;
			members[count++] = (struct member){ (int)strtol(text, &end, 10), group };
			text = end;
			continue;
		}
		deep += (*text == '[') - (*text == ']');
		group += *text == ' ' || (*text == '[' && deep <= depth) || (*text == ']' && deep < depth);
		text++;
	}
	return count;
}

static bool read_groups(struct groups *groups, const char *text, int depth)
{
	size_t most = strlen(text) / 2 + 1; /* a digit and what follows it */
	struct member *members = most <= (size_t)MOST_CPUS * 4 ? calloc(most, sizeof(*members)) : NULL;
	int count = members ? collect(text, depth, members, (int)most) : 0;
	bool read = count > 0 && count <= MOST_CPUS && settle(groups, members, count);

	free(members);
	if (!read)
		groups_free(groups);
	return read;
}

bool groups_read(struct groups *groups, const char *text)
{
	*groups = (struct groups){ 0 };
	return text[strspn(text, "0123456789, ")] == '\0' && read_groups(groups, text, 0);
}

bool groups_of_tree(struct groups *groups, const char *tree, int depth)
{
	int levels = 0;

	*groups = (struct groups){ 0 };
	return !tree_wrong(tree, &levels) && depth < levels && read_groups(groups, tree, depth + 1);
}

bool groups_within(const struct groups *fine, const struct groups *coarse)
{
	if (fine->count != coarse->count)
		return false;
	for (int i = 0; i < fine->count; i++)
		if (fine->cpus[i] != coarse->cpus[i] || coarse->group[i] != coarse->group[fine->group[i]])
			return false;
	return true;
}

int groups_largest(const struct groups *groups)
{
	int largest = 0;

	for (int i = 0; i < groups->count; i++) {
		int members = 0;

		for (int j = i; groups->group[i] == i && j < groups->count; j++)
			members += groups->group[j] == i;
		largest = members > largest ? members : largest;
	}
	return largest;
}

void groups_free(struct groups *groups)
{
	free(groups->cpus);
	free(groups->group);
	*groups = (struct groups){ 0 };
}

/* SPDX-License-Identifier: MIT */
/*
 * description_memory.c - the memory of a machine file: pages, caches, TLBs, prefetchers
 *
 * Its keys as a table, the names of policies and indices, and what can only be judged when the whole file is read.
 */
#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "description_keys.h"

#define MEMORY(section, name, member, ...) \
	{ \
		section, name, offsetof(struct description, memory.member), __VA_ARGS__ \
	}
#define CACHE(name, member, ...) \
	{ \
		"cache", name, offsetof(struct description_cache, member), __VA_ARGS__ \
	}
#define TLB(name, member, ...) \
	{ \
		"tlb", name, offsetof(struct description_tlb, member), __VA_ARGS__ \
	}

static const struct description_word yes_no[] = { { "yes", 1 }, { "no", 0 }, { NULL, 0 } };
static const struct description_word none[] = { { "none", 0 }, { NULL, 0 } };
static const struct description_word never[] = { { "never", 0 }, { NULL, 0 } };
static const struct description_word full[] = { { "full", 0 }, { NULL, 0 } };
static const struct description_word all[] = { { "all", 0 }, { NULL, 0 } };
static const struct description_word streams[] = { { "yes", 4 }, { "no", 0 }, { NULL, 0 } };
static const struct description_word writes[] = { { "back", 0 }, { "through", 1 }, { NULL, 0 } };
static const struct description_word frames[] = {
	{ "contiguous", FRAMES_CONTIGUOUS }, { "random", FRAMES_RANDOM }, { "coloured", FRAMES_COLOURED }, { NULL, 0 }
};
static const struct description_word inclusions[] = { { "none", INCLUSION_NONE },
						      { "inclusive", INCLUSION_INCLUSIVE },
						      { "exclusive", INCLUSION_EXCLUSIVE },
						      { "victim", INCLUSION_VICTIM },
						      { NULL, 0 } };
static const struct description_word holders[] = {
	{ "data", HOLDS_DATA }, { "code", HOLDS_CODE }, { "both", HOLDS_BOTH }, { NULL, 0 }
};

static const struct description_word users[] = {
	{ "loads", USED_BY_LOADS }, { "stores", USED_BY_STORES }, { "both", USED_BY_BOTH }, { NULL, 0 }
};

static const struct description_key keys[] = {
	MEMORY("pages", "size", page, FORM_SIZE, 512, 0x1p30, NULL),
	MEMORY("pages", "huge", huge, FORM_SIZE, 1024, 0x1p34, none),
	MEMORY("pages", "frames", frames, FORM_NUMBER, 0, -1, frames),
	MEMORY("pages", "colours", colours, FORM_COUNT, 1, 65536, NULL),
	MEMORY("pages", "host", host, FORM_SIZE, 512, 0x1p34, none),
	MEMORY("pages", "tables", tables, FORM_LEVEL, 0, 0, NULL),
	MEMORY("pages", "promotion", promotion, FORM_TIME, 1, 1e12, never),
	MEMORY("memory", "latency", latency, FORM_CYCLES, 0.01, 1e6, NULL),
	MEMORY("memory", "size", size, FORM_SIZE, 65536, 0x1p36, NULL),
	MEMORY("memory", "bandwidth", bandwidth, FORM_FLOW, 1e5, 1e14, NULL),
	MEMORY("memory", "misses", misses, FORM_COUNT, 1, 1e6, NULL),
	MEMORY("prefetch", "next-line", next_line, FORM_NUMBER, 0, -1, yes_no),
	MEMORY("prefetch", "adjacent", adjacent, FORM_NUMBER, 0, -1, yes_no),
	MEMORY("prefetch", "stream", stream, FORM_COUNT, 0, 64, streams),
	MEMORY("prefetch", "stride", stride, FORM_NUMBER, 0, -1, yes_no),
	MEMORY("prefetch", "temporal", temporal, FORM_NUMBER, 0, -1, yes_no),
	MEMORY("prefetch", "into", into, FORM_LEVEL, 0, 0, NULL),
	CACHE("size", size, FORM_SIZE, 64, 0x1p34, NULL),
	CACHE("ways", ways, FORM_COUNT, 1, 65536, full),
	CACHE("line", line, FORM_SIZE, 8, 4096, NULL),
	CACHE("sector", sector, FORM_SIZE, 8, 4096, NULL),
	CACHE("latency", latency, FORM_CYCLES, 0.01, 1e6, NULL),
	CACHE("policy", policy, FORM_POLICY, 0, 0, NULL),
	CACHE("index", index, FORM_INDEX, 0, 0, NULL),
	CACHE("inclusion", inclusion, FORM_NUMBER, 0, -1, inclusions),
	CACHE("write", through, FORM_NUMBER, 0, -1, writes),
	CACHE("allocate", allocate, FORM_NUMBER, 0, -1, yes_no),
	CACHE("holds", holds, FORM_NUMBER, 0, -1, holders),
	CACHE("shared", shared, FORM_ROW, 1, 65536, NULL),
	CACHE("bandwidth", bandwidth, FORM_WIDTH, 1e-3, 1e6, NULL),
	CACHE("misses", misses, FORM_COUNT, 1, 1e6, NULL),
	CACHE("victim", victim, FORM_COUNT, 1, 64, none),
	TLB("entries", entries, FORM_COUNT, 1, 1048576, NULL),
	TLB("ways", ways, FORM_COUNT, 1, 65536, full),
	TLB("penalty", penalty, FORM_CYCLES, 0, 1e5, NULL),
	TLB("policy", policy, FORM_POLICY, 0, 0, NULL),
	TLB("index", index, FORM_INDEX, 0, 0, NULL),
	TLB("pages", pages, FORM_PAGES, 512, 0x1p34, all),
	TLB("holds", holds, FORM_NUMBER, 0, -1, holders),
	TLB("for", use, FORM_NUMBER, 0, -1, users),
	TLB("covers", covers, FORM_SIZE, 512, 0x1p40, none),
	TLB("coalescing", coalescing, FORM_COUNT, 1, 64, NULL),
	{ NULL, NULL, 0, FORM_TEXT, 0, 0, NULL },
};

const struct description_key *description_memory_keys(void)
{
	return keys;
}

static bool digit(char c, char most, int *value)
{
	*value = c - '0';
	return c >= '0' && c <= most;
}

/* qlru-h00-m1-r2-u1, also -umo at the end and mr31 for m: the second digit in one case of 16. */
static bool ages_policy(const char *name, struct description_policy *policy)
{
	struct description_policy ages = { .kind = POLICY_AGES, .rare = -1 };
	char hit[2], insert[2], replace, update;
	bool sometimes = false;
	int end = 0;

	if (sscanf(name, "qlru-h%c%c-m%c-r%c-u%c%n", &hit[0], &hit[1], &insert[0], &replace, &update, &end) != 5) {
		sometimes = true;
		if (sscanf(name, "qlru-h%c%c-mr%c%c-r%c-u%c%n", &hit[0], &hit[1], &insert[0], &insert[1], &replace,
			   &update, &end) != 6)
			return false;
	}
	ages.miss_only = !strcmp(name + end, "-umo");
	if ((name[end] && !ages.miss_only) || !digit(hit[0], '2', &ages.hit3) || !digit(hit[1], '1', &ages.hit2) ||
	    !digit(insert[0], '3', &ages.insert) || !digit(replace, '2', &ages.replace) ||
	    !digit(update, '3', &ages.update) || (sometimes && !digit(insert[1], '3', &ages.rare)))
		return false;
	/* Only R1 knows what to do when no line is 3 old, and only U0 and U1 see to it that one is. */
	if (ages.hit2 > ages.hit3 || (ages.replace != 1 && ages.update > 1))
		return false;
	*policy = ages;
	return true;
}

bool description_policy(const char *name, struct description_policy *policy)
{
	static const struct {
		const char *name;
		struct description_policy policy;
	} known[] = {
		{ "lru", { .kind = POLICY_LRU } },
		{ "fifo", { .kind = POLICY_FIFO } },
		{ "random", { .kind = POLICY_RANDOM } },
		{ "tree-plru", { .kind = POLICY_TREE } },
		{ "nru", { .kind = POLICY_NRU } },
		{ "srrip", { .kind = POLICY_AGES, .insert = 2, .rare = -1, .miss_only = true } },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(known[i].name, name)) {
			*policy = known[i].policy;
			return true;
		}
	return ages_policy(name, policy);
}

bool description_index(const char *name, double *slices)
{
	int count, end = 0;

	if (!strcmp(name, "mod") || !strcmp(name, "hash")) {
		*slices = *name == 'm' ? 0 : -1;
		return true;
	}
	if (sscanf(name, "hash:%4d%n", &count, &end) != 1 || name[end] || count < 1 || count > 1024)
		return false;
	*slices = count;
	return true;
}

void description_memory_defaults(struct description *description)
{
	description->memory.page = 4096;
	description->memory.colours = 16;
	description->memory.size = 0x1p30;
}

/* By a word of the name: l1i, i, icache, itlb, il1, instructions or code, and the same of data; other l1s hold data,
 * everything else both. */
static double holds_by_name(const char *name)
{
	static const struct {
		const char *pattern;
		enum description_holds holds;
	} known[] = {
		{ "(^|[^a-z])(l[0-9.]*)?i(l[0-9.]+|[-_ ]?(cache|tlb)[0-9]*|nst[a-z]*)?($|[^a-z0-9])|code", HOLDS_CODE },
		{ "(^|[^a-z])(l[0-9.]*)?d(l[0-9.]+|[-_ ]?(cache|tlb)[0-9]*)?($|[^a-z0-9])|data|^l1", HOLDS_DATA },
	};
	double holds = HOLDS_BOTH;

	for (size_t i = 0; i < sizeof known / sizeof *known && holds == HOLDS_BOTH; i++) {
		regex_t words;

		if (regcomp(&words, known[i].pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
			continue;
		if (regexec(&words, name, 0, NULL, 0) == 0)
			holds = known[i].holds;
		regfree(&words);
	}
	return holds;
}

bool description_add_memory(struct description *description, const char *kind, const char *name, int at, char *wrong,
			    size_t size)
{
	bool cache = !strcmp(kind, "cache");
	const int count = cache ? description->cache_count : description->tlb_count;

	if (!strcmp(kind, "memory")) {
		description->memory.present = true;
		description->memory.at = at;
	}
	if (!cache && strcmp(kind, "tlb"))
		return true;
	for (int i = 0; i < count; i++)
		if (!strcmp(cache ? description->caches[i].name : description->tlbs[i].name, name)) {
			snprintf(wrong, size, "described twice; allowed: once");
			return false;
		}
	if (count == (cache ? (int)DESCRIPTION_CACHES : (int)DESCRIPTION_TLBS) ||
	    strlen(name) >= sizeof description->caches[0].name) {
		snprintf(wrong, size,
			 "too many, or the name is too long; allowed: %d sections, names of %zu characters",
			 cache ? DESCRIPTION_CACHES : DESCRIPTION_TLBS, sizeof description->caches[0].name - 1);
		return false;
	}
	if (cache) {
		struct description_cache *added = &description->caches[description->cache_count++];

		*added = (struct description_cache){ .at = at, .ways = -1, .line = 64, .allocate = 1 };
		added->shared = description_row_of(1);
		snprintf(added->name, sizeof added->name, "%s", name);
		added->holds = holds_by_name(name);
	} else {
		struct description_tlb *added = &description->tlbs[description->tlb_count++];

		*added = (struct description_tlb){ .at = at, .ways = -1, .penalty = -1, .coalescing = 1 };
		snprintf(added->name, sizeof added->name, "%s", name);
		added->holds = holds_by_name(name);
	}
	return true;
}

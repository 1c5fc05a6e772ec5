/* SPDX-License-Identifier: MIT */
/*
 * system.c - what the kernel says about caches, nodes and pages
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "claims.h"

enum { MOST_CACHES = 16 };

static bool attribute(int index, const char *name, char *value, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
	return host_line(path, value, size);
}

/* 48K, 1280K, 32M */
static double bytes(const char *text)
{
	char *end;
	double number = strtod(text, &end);

	return number * (*end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1);
}

/* 0-3,8-11: how many */
static double members(const char *list)
{
	double count = 0;

	for (const char *at = list; at && *at; at = strchr(at, ','), at += at != NULL) {
		long first, last;
		int read = sscanf(at, "%ld-%ld", &first, &last);

		count += read == 2 ? (double)(last - first + 1) : read;
	}
	return count;
}

static bool property(int index, const char *name, double *value)
{
	static const struct {
		const char *name, *file;
	} known[] = { { "size", "size" },
		      { "reach", "size" },
		      { "ways", "ways_of_associativity" },
		      { "line", "coherency_line_size" } };
	char text[512];

	if (strcmp(name, "sharing") == 0 && attribute(index, "shared_cpu_list", text, sizeof(text))) {
		*value = members(text);
		return *value > 0;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0 && attribute(index, known[i].file, text, sizeof(text))) {
			*value = bytes(text);
			return *value > 0;
		}
	return false;
}

/* Is it the cache that NAME stands for in cache.NAME.*: l1i is code's, l1d and the others are not. */
static bool is_named(int index, const char *name)
{
	char type[64], level[64];
	bool code = name[0] != '\0' && name[strlen(name) - 1] == 'i';

	return attribute(index, "type", type, sizeof(type)) && attribute(index, "level", level, sizeof(level)) &&
	       code == (strcmp(type, "Instruction") == 0) && atoi(name) == atoi(level);
}

static bool is_unified(int index, double *value)
{
	char type[64];

	*value = attribute(index, "type", type, sizeof(type)) && strcmp(type, "Unified") == 0;
	return type[0] != '\0';
}

bool claim_of_cache(const char *parameter, double *value)
{
	char level[16] = "", name[16] = "", type[64];
	int levels = 0, last = 0;

	sscanf(parameter, "cache.l%15[0-9di].%15s", level, name);
	for (int i = 0; i < MOST_CACHES && attribute(i, "type", type, sizeof(type)); i++) {
		if (is_named(i, level))
			return strcmp(name, "unified") == 0 ? is_unified(i, value) : property(i, name, value);
		if (strcmp(type, "Instruction") != 0) {
			levels++;
			last = i;
		}
	}
	/* Memory fills lines of the last level. */
	if (strcmp(parameter, "line.constructive") == 0 && levels > 0)
		return property(last, "line", value);
	if (strcmp(parameter, "cache.levels") != 0 || levels == 0)
		return false;
	*value = levels;
	return true;
}

bool claim_of_nodes(const char *parameter, double *value)
{
	char text[256];

	if (strcmp(parameter, "numa.nodes") != 0 ||
	    !host_line("/sys/devices/system/node/has_memory", text, sizeof(text)))
		return false;
	*value = members(text);
	return *value > 0;
}

/* Huge pages are there unless the kernel was told never to make any. */
bool claim_of_pages(const char *parameter, double *value, const char **source)
{
	static const char directory[] = "/sys/kernel/mm/transparent_hugepage";
	char path[96], text[128];
	bool known;

	if (strcmp(parameter, "page.size") == 0) {
		*source = "sysconf";
		*value = (double)host_page_bytes();
		return *value > 0;
	}
	*source = "sysfs";
	snprintf(path, sizeof(path), "%s/enabled", directory);
	known = host_line(path, text, sizeof(text));
	if (strcmp(parameter, "page.promotion") == 0) {
		*value = known && strstr(text, "[always]") != NULL;
		return known;
	}
	if (strcmp(parameter, "page.huge") != 0 || !known || strstr(text, "[never]"))
		return false;
	snprintf(path, sizeof(path), "%s/hpage_pmd_size", directory);
	if (!host_line(path, text, sizeof(text)))
		return false;
	*value = strtod(text, NULL);
	return *value > 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * claims.c - what sysfs says about the caches of the first CPU: shown, never used for an answer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

enum { MOST_CACHES = 16 };

static bool attribute(int index, const char *name, char *value, size_t size)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
	file = fopen(path, "r");
	value[0] = '\0';
	if (!file)
		return false;
	if (fgets(value, (int)size, file))
		value[strcspn(value, "\n")] = '\0';
	fclose(file);
	return value[0] != '\0';
}

/* 48K, 1280K, 32M */
static double bytes(const char *text)
{
	char *end;
	double number = strtod(text, &end);

	return number * (*end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1);
}

static bool property(int index, const char *name, double *value)
{
	static const struct {
		const char *name, *file;
	} known[] = { { "size", "size" },
		      { "reach", "size" },
		      { "ways", "ways_of_associativity" },
		      { "line", "coherency_line_size" } };
	char text[64];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i].name) == 0 && attribute(index, known[i].file, text, sizeof(text))) {
			*value = bytes(text);
			return *value > 0;
		}
	return false;
}

bool claim_of_cache(const char *parameter, double *value)
{
	char level[16], name[16], text[64];
	int levels = 0, last = 0;

	for (int i = 0; i < MOST_CACHES && attribute(i, "type", text, sizeof(text)); i++) {
		if (strcmp(text, "Instruction") == 0 || !attribute(i, "level", text, sizeof(text)))
			continue;
		levels++;
		last = i;
		if (sscanf(parameter, "cache.l%15[0-9d].%15s", level, name) == 2 && atoi(level) == atoi(text))
			return property(i, name, value);
	}
	/* Memory fills lines of the last level. */
	if (strcmp(parameter, "line.constructive") == 0 && levels > 0)
		return property(last, "line", value);
	if (strcmp(parameter, "cache.levels") != 0 || levels == 0)
		return false;
	*value = levels;
	return true;
}

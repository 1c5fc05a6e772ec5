/* SPDX-License-Identifier: MIT */
/*
 * likwid.c - the lines about caches of LIKWID's topology file
 *
 * LIKWID makes room for as many levels as the file says and believes every line, so levels are whole, from the first
 * one on, and end before the first that is not known in all.
 */
#include "sheet.h"

struct level {
	double size, ways, line;
	int threads;
};

static bool shared_by(struct sheet *sheet, const char *name, int *threads)
{
	struct groups groups;
	char sharing[64];
	const char *text;

	snprintf(sharing, sizeof(sharing), "cache.%s.sharing", name);
	text = sheet_text(sheet, sharing);
	if (!text || !groups_read(&groups, text))
		return false;
	*threads = groups_largest(&groups);
	groups_free(&groups);
	return true;
}

/* All of it is asked for, so that all that lacks is named. */
static bool find_level(struct sheet *sheet, const char *name, struct level *level)
{
	bool size = sheet_level(sheet, "cache", name, "size", &level->size);
	bool ways = sheet_level(sheet, "cache", name, "ways", &level->ways);
	bool line = sheet_level(sheet, "cache", name, "line", &level->line);

	return shared_by(sheet, name, &level->threads) && size && ways && line;
}

static const char *type_of(struct sheet *sheet, int number, const char *name)
{
	double unified;

	if (number == 1)
		return "DATACACHE";
	return sheet_level(sheet, "cache", name, "unified", &unified) && unified != 0 ? "UNIFIEDCACHE" : "DATACACHE";
}

/* Nothing lies above the first level. */
static void put_inclusion(struct sheet *sheet, int number, const char *level)
{
	char name[64];
	const char *inclusion;

	snprintf(name, sizeof(name), "cache.%s.inclusion", level);
	inclusion = number > 1 ? sheet_text(sheet, name) : NULL;
	if (inclusion)
		fprintf(sheet->out, "cpuid_topology cacheLevels %d inclusive = %d\n", number,
			strcmp(inclusion, "inclusive") == 0);
}

void write_likwid(struct sheet *sheet)
{
	int levels = sheet_depth(sheet), known = 0;

	for (int i = 1; i <= levels; i++) {
		const char *name = sheet_level_name(i);
		struct level level;

		if (!find_level(sheet, name, &level))
			break;

		double sets = level.size / (level.ways * level.line);

		if (sets < 1 || sets != floor(sets)) {
			sheet_omit(sheet, name, "size, ways and line do not come to a whole number of sets");
			break;
		}
		fprintf(sheet->out, "cpuid_topology cacheLevels %d type = %s\n", i, type_of(sheet, i, name));
		fprintf(sheet->out, "cpuid_topology cacheLevels %d associativity = %.0f\n", i, level.ways);
		fprintf(sheet->out, "cpuid_topology cacheLevels %d sets = %.0f\n", i, sets);
		fprintf(sheet->out, "cpuid_topology cacheLevels %d lineSize = %.0f\n", i, level.line);
		fprintf(sheet->out, "cpuid_topology cacheLevels %d size = %.0f\n", i, level.size);
		fprintf(sheet->out, "cpuid_topology cacheLevels %d threads = %d\n", i, level.threads);
		put_inclusion(sheet, i, name);
		known = i;
	}
	if (levels > 0 && known < levels)
		sheet_omit(sheet, known > 0 ? "further levels" : "levels",
			   "LIKWID needs size, ways, line and sharing of a level, and every level before it");
	if (known > 0)
		fprintf(sheet->out, "cpuid_topology numCacheLevels = %d\n", known);
}

/* SPDX-License-Identifier: MIT */
/*
 * environment.c - variables that libraries look for: glibc's tunables, OpenBLAS'
 *
 * NAME=value and nothing else, so that $(xray export glibc) can stand behind env.
 */
#include "sheet.h"

static const double KIB = 1024;

/* How many CPUs share a cache of the level, as many as share the one that most do. */
static int sharers(struct sheet *sheet, const char *level)
{
	struct groups groups;
	char name[64];
	const char *text;
	int most = 0;

	snprintf(name, sizeof(name), "cache.%s.sharing", level);
	text = sheet_text(sheet, name);
	if (text && groups_read(&groups, text)) {
		most = groups_largest(&groups);
		groups_free(&groups);
	}
	return most;
}

/* glibc counts a thread's part of the last level. */
static bool shared_part(struct sheet *sheet, double *bytes)
{
	int levels = sheet_levels(sheet), most;
	double size;

	if (levels < 2) {
		if (levels == 1)
			sheet_omit(sheet, "x86_shared_cache_size", "the only level is the first");
		return false;
	}
	most = sharers(sheet, sheet_level_name(levels));
	if (!sheet_level(sheet, "cache", sheet_level_name(levels), "size", &size) || most == 0)
		return false;
	*bytes = floor(size / most);
	return true;
}

/* The variable before the first tunable, a colon before the others. */
static void put_tunable(FILE *out, const char *name, double bytes)
{
	fprintf(out, "%sglibc.cpu.%s=%.0f", ftell(out) > 0 ? ":" : "GLIBC_TUNABLES=", name, bytes);
}

void write_glibc(struct sheet *sheet)
{
	double bytes;

	if (sheet_number(sheet, "cache.l1d.size", &bytes))
		put_tunable(sheet->out, "x86_data_cache_size", bytes);
	if (shared_part(sheet, &bytes))
		put_tunable(sheet->out, "x86_shared_cache_size", bytes);
	if (sheet_number(sheet, "memory.streaming", &bytes))
		put_tunable(sheet->out, "x86_non_temporal_threshold", bytes);
	if (ftell(sheet->out) > 0)
		fputc('\n', sheet->out);
}

void write_openblas(struct sheet *sheet)
{
	double value;

	if (sheet_number(sheet, "cache.l2.size", &value)) {
		if (fmod(value, KIB) == 0)
			fprintf(sheet->out, "OPENBLAS_L2_SIZE=%.0f\n", value / KIB);
		else
			sheet_omit(sheet, "cache.l2.size", "no whole number of KiB, which is what OpenBLAS takes");
	}
	if (sheet_number(sheet, "contexts.fp", &value))
		fprintf(sheet->out, "OPENBLAS_NUM_THREADS=%.0f\n", value);
}

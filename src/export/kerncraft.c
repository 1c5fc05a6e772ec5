/* SPDX-License-Identifier: MIT */
/*
 * kerncraft.c - a machine file of Kerncraft, as far as times tell it
 *
 * Kerncraft says INFORMATION_REQUIRED for what a machine file lacks; here such keys are left out, and named. Sizes are
 * in plain bytes: Kerncraft's k is a thousand.
 */
#include "sheet.h"

static const char FORMAT_VERSION[] = "0.8.3"; /* the first whose keys these are */

struct level {
	double size, ways, line;
	struct groups groups; /* none when it is not known who shares it */
};

static bool find_level(struct sheet *sheet, const char *name, struct level *level)
{
	bool size = sheet_level(sheet, "cache", name, "size", &level->size);
	bool ways = sheet_level(sheet, "cache", name, "ways", &level->ways);
	bool line = sheet_level(sheet, "cache", name, "line", &level->line);
	char sharing[64];
	const char *text;

	if (!size || !ways || !line || fmod(level->size, level->ways * level->line) != 0)
		return false;
	snprintf(sharing, sizeof(sharing), "cache.%s.sharing", name);
	text = sheet_text(sheet, sharing);
	if (text && !groups_read(&level->groups, text))
		sheet_omit(sheet, sharing, "is no list of CPUs that belong together");
	return true;
}

/* The names that Kerncraft's simulator of caches has; others it does not know. */
static void put_policy(struct sheet *sheet, const char *level)
{
	static const char *const ours[] = { "lru", "fifo", "mru", "random" };
	static const char *const theirs[] = { "LRU", "FIFO", "MRU", "RR" };
	char name[64];
	const char *policy;

	snprintf(name, sizeof(name), "cache.%s.policy", level);
	policy = sheet_text(sheet, name);
	for (size_t i = 0; policy && i < sizeof(ours) / sizeof(ours[0]); i++)
		if (strcmp(policy, ours[i]) == 0) {
			fprintf(sheet->out, ", replacement_policy: %s", theirs[i]);
			return;
		}
	if (policy)
		sheet_omit(sheet, name, "a policy that Kerncraft does not know");
}

/* "back, allocate", "through, no allocate". */
static void put_write(struct sheet *sheet, const char *level)
{
	char name[64];
	const char *write;

	snprintf(name, sizeof(name), "cache.%s.write", level);
	write = sheet_text(sheet, name);
	if (write && strchr(write, ','))
		fprintf(sheet->out, ", write_back: %s, write_allocate: %s",
			strncmp(write, "back", 4) == 0 ? "true" : "false",
			strstr(write, "no allocate") ? "false" : "true");
	else if (write)
		sheet_omit(sheet, name, "half of it is not known");
}

static void put_sharers(struct sheet *sheet, const struct groups *groups)
{
	int threads = groups_largest(groups);
	double smt;

	if (threads == 0)
		return;
	fprintf(sheet->out, "  groups: %d\n  threads per group: %d\n", groups->groups, threads);
	if (sheet_number(sheet, "smp.smt", &smt) && fmod(threads, smt) == 0)
		fprintf(sheet->out, "  cores per group: %.0f\n", threads / smt);
}

static void put_level(struct sheet *sheet, int number, int levels, const struct level *level)
{
	fprintf(sheet->out, "- level: L%d\n  cache per group: {sets: %.0f, ways: %.0f, cl_size: %.0f", number,
		level->size / (level->ways * level->line), level->ways, level->line);
	put_policy(sheet, sheet_level_name(number));
	put_write(sheet, sheet_level_name(number));
	if (number < levels)
		fprintf(sheet->out, ", load_from: L%d, store_to: L%d", number + 1, number + 1);
	fprintf(sheet->out, "}\n  size per group: %.0f B\n", level->size);
	put_sharers(sheet, &level->groups);
}

static void put_bandwidth(FILE *out, const char *level, double rate)
{
	fprintf(out, "    %s:\n      1: {threads per core: 1, cores: [1], threads: [1], results: {load: [%.0f B/s]}}\n",
		level, rate);
}

/* What one CPU reads from each level that stands in the file, and from memory: Kerncraft's kernel `load`. */
static void put_benchmarks(struct sheet *sheet, int levels)
{
	double rates[5], memory = 0;
	bool any = sheet_number(sheet, "memory.bandwidth", &memory);

	for (int i = 0; i < levels; i++) {
		rates[i] = 0;
		any = sheet_level(sheet, "cache", sheet_level_name(i + 1), "bandwidth", &rates[i]) || any;
	}
	if (levels == 0 || !any)
		return;
	if (memory > 0)
		fputs("- level: MEM\n  size per group: null\n", sheet->out);
	fputs("benchmarks:\n  kernels:\n    load:\n      FLOPs per iteration: 0\n"
	      "      read streams: {bytes: 8 B, streams: 1}\n      read+write streams: {bytes: 0 B, streams: 0}\n"
	      "      write streams: {bytes: 0 B, streams: 0}\n  measurements:\n",
	      sheet->out);
	for (int i = 0; i < levels; i++) {
		char level[16];

		snprintf(level, sizeof(level), "L%d", i + 1);
		if (rates[i] > 0)
			put_bandwidth(sheet->out, level, rates[i]);
	}
	if (memory > 0)
		put_bandwidth(sheet->out, "MEM", memory);
}

/* Levels name the next one, so they end before the first that is not known. */
static void put_hierarchy(struct sheet *sheet)
{
	struct level found[5] = { 0 };
	int levels = sheet_depth(sheet), known = 0;

	while (known < levels && find_level(sheet, sheet_level_name(known + 1), &found[known]))
		known++;
	if (known > 0)
		fprintf(sheet->out, "cacheline size: %.0f B\nmemory hierarchy:\n", found[0].line);
	for (int i = 0; i < known; i++) {
		put_level(sheet, i + 1, known, &found[i]);
		groups_free(&found[i].groups);
	}
	put_benchmarks(sheet, known);
	if (known < levels)
		sheet_omit(sheet, "memory hierarchy", "ends before the first level without size, ways and line");
}

/* How many lanes start in a cycle; 0 when that is not known. */
static double rate_of(struct sheet *sheet, const char *operation, const char *type)
{
	struct widest widest;

	if (!sheet_widest(sheet, operation, type, "interval", &widest))
		return 0;
	return nearbyint(widest.lanes / widest.value * 100) / 100;
}

struct flops {
	double add, mul, fma; /* in a cycle; 0: not known */
};

static struct flops find_flops(struct sheet *sheet, const char *type)
{
	return (struct flops){ .add = rate_of(sheet, "add", type),
			       .mul = rate_of(sheet, "mul", type),
			       .fma = 2 * rate_of(sheet, "fma", type) };
}

static bool has_flops(const struct flops *flops)
{
	return flops->add > 0 || flops->mul > 0 || flops->fma > 0;
}

static void put_rate(FILE *out, const char *key, double rate, const char **between)
{
	if (rate > 0) {
		fprintf(out, "%s%s: %g", *between, key, rate);
		*between = ", ";
	}
}

static void put_flops(FILE *out, const char *key, const struct flops *flops)
{
	const char *between = "{";

	if (!has_flops(flops))
		return;
	fprintf(out, "  %s: ", key);
	put_rate(out, "ADD", flops->add, &between);
	put_rate(out, "MUL", flops->mul, &between);
	put_rate(out, "FMA", flops->fma, &between);
	if (flops->add > 0 && flops->mul > 0 && flops->fma > 0)
		put_rate(out, "total", fmax(flops->fma, fmax(flops->add, flops->mul)), &between);
	fputs("}\n", out);
}

/* A scalar of YAML in double quotes. */
static void put_quoted(FILE *out, const char *text)
{
	char room[256];

	fputc('"', out);
	for (text = plain(text, room, sizeof(room)); *text; text++)
		fprintf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
	fputs("\"\n", out);
}

void write_kerncraft(struct sheet *sheet)
{
	struct flops single = find_flops(sheet, "f32"), twice = find_flops(sheet, "f64");
	double value;

	fprintf(sheet->out, "kerncraft version: %s\nmodel name: ", FORMAT_VERSION);
	put_quoted(sheet->out, sheet->context->cpu);
	if (sheet_number(sheet, "cpu.frequency", &value))
		fprintf(sheet->out, "clock: %.0f Hz\n", value);
	if (sheet_number(sheet, "smp.smt", &value))
		fprintf(sheet->out, "threads per core: %.0f\n", value);
	if (has_flops(&single) || has_flops(&twice))
		fputs("FLOPs per cycle:\n", sheet->out);
	put_flops(sheet->out, "SP", &single);
	put_flops(sheet->out, "DP", &twice);
	put_hierarchy(sheet);
}

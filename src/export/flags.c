/* SPDX-License-Identifier: MIT */
/*
 * flags.c - options of compilers: GCC's --param, Eigen's macros, Polly's -mllvm
 *
 * One line, so that $(xray export gcc) can stand in a command.
 */
#include "sheet.h"

static const double KIB = 1024;

/* A blank between options, a line's end after the last. */
static void put_flag(struct sheet *sheet, const char *flag, double value)
{
	fprintf(sheet->out, "%s%s%.0f", ftell(sheet->out) > 0 ? " " : "", flag, value);
}

static void end_line(struct sheet *sheet)
{
	if (ftell(sheet->out) > 0)
		fputc('\n', sheet->out);
}

/* GCC counts caches in KiB. */
static void put_kib(struct sheet *sheet, const char *flag, const char *name)
{
	double bytes;

	if (!sheet_number(sheet, name, &bytes))
		return;
	if (fmod(bytes, KIB) == 0)
		put_flag(sheet, flag, bytes / KIB);
	else
		sheet_omit(sheet, name, "no whole number of KiB, which is what GCC takes");
}

/* GCC warns of interference sizes that do not fit its line: what shares a line must not be further apart than one. */
static void put_interference(struct sheet *sheet, double line)
{
	double bytes;

	if (sheet_number(sheet, "line.destructive", &bytes)) {
		if (bytes >= line)
			put_flag(sheet, "--param=destructive-interference-size=", bytes);
		else
			sheet_omit(sheet, "line.destructive", "less than cache.l1d.line, which GCC warns of");
	}
	if (sheet_number(sheet, "line.constructive", &bytes)) {
		if (bytes <= line)
			put_flag(sheet, "--param=constructive-interference-size=", bytes);
		else
			sheet_omit(sheet, "line.constructive", "more than cache.l1d.line, which GCC warns of");
	}
}

void write_gcc(struct sheet *sheet)
{
	double line, loads;

	put_kib(sheet, "--param=l1-cache-size=", "cache.l1d.size");
	put_kib(sheet, "--param=l2-cache-size=", "cache.l2.size");
	if (sheet_number(sheet, "cache.l1d.line", &line)) {
		put_flag(sheet, "--param=l1-cache-line-size=", line);
		put_interference(sheet, line);
	} else {
		sheet_omit(sheet, "line.destructive", "GCC compares it with cache.l1d.line");
		sheet_omit(sheet, "line.constructive", "GCC compares it with cache.l1d.line");
	}
	if (sheet_number(sheet, "memory.parallelism", &loads))
		put_flag(sheet, "--param=simultaneous-prefetches=", loads);
	end_line(sheet);
}

/* Eigen asks CPUID first, and takes the macros where it must not: that needs all three. Levels that the machine lacks
 * are as large as the last one. */
void write_eigen(struct sheet *sheet)
{
	static const char *const flags[] = { "-DEIGEN_DEFAULT_L1_CACHE_SIZE=", "-DEIGEN_DEFAULT_L2_CACHE_SIZE=",
					     "-DEIGEN_DEFAULT_L3_CACHE_SIZE=" };
	int levels = sheet_levels(sheet), given = 0;
	double size = NAN;

	for (int i = 1; i <= 3; i++) {
		bool exists = levels == 0 || i <= levels;

		if (exists && !sheet_level(sheet, "cache", sheet_level_name(i), "size", &size))
			size = NAN;
		if (isfinite(size)) {
			given++;
			put_flag(sheet, flags[i - 1], size);
		}
	}
	if (levels > 0 && given == 3)
		fputs(" -DEIGEN_NO_CPUID", sheet->out);
	end_line(sheet);
}

static void put_polly(struct sheet *sheet, const char *flag, const char *name)
{
	char whole[96];
	double value;

	snprintf(whole, sizeof(whole), "-mllvm -polly-target-%s=", flag);
	if (sheet_number(sheet, name, &value))
		put_flag(sheet, whole, value);
}

static const double WHOLE = 0.05; /* how far from a whole number a rate may be that is one */

/* The widest vectors of f64: Polly counts multiply-adds that start in a cycle, in whole numbers. */
static void put_vectors(struct sheet *sheet)
{
	static const char latency_flag[] = "-mllvm -polly-target-latency-vector-fma=";
	static const char rate_flag[] = "-mllvm -polly-target-throughput-vector-fma=";
	struct widest latency, interval;

	if (sheet_widest(sheet, "fma", "f64", "latency", &latency)) {
		put_flag(sheet, latency_flag, nearbyint(latency.value));
		put_flag(sheet, "-mllvm -polly-target-vector-register-bitwidth=", latency.lanes * 64.0);
	}
	if (sheet_widest(sheet, "fma", "f64", "interval", &interval)) {
		double rate = nearbyint(1 / interval.value);

		if (rate >= 1 && fabs(rate * interval.value - 1) <= WHOLE)
			put_flag(sheet, rate_flag, rate);
		else
			sheet_omit(sheet, "op.fma.f64.interval",
				   "no whole number starts in a cycle, which is what Polly takes");
	}
}

void write_polly(struct sheet *sheet)
{
	put_polly(sheet, "1st-cache-level-size", "cache.l1d.size");
	put_polly(sheet, "1st-cache-level-associativity", "cache.l1d.ways");
	put_polly(sheet, "first-level-cache-line-size", "cache.l1d.line");
	put_polly(sheet, "2nd-cache-level-size", "cache.l2.size");
	put_polly(sheet, "2nd-cache-level-associativity", "cache.l2.ways");
	put_vectors(sheet);
	end_line(sheet);
}

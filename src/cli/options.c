/* SPDX-License-Identifier: MIT */
/*
 * options.c - the option table: parsing, help and the man page all come from it
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "cli.h"

enum kind { FLAG, TEXT, NUMBER, INTEGER, SIZE, LADDER };

static const struct option {
	const char *name, *value, *help;
	enum kind kind;
	size_t offset;
} table[] = {
#define OPTION(name, value, kind, field, help) \
	{ \
		name, value, help, kind, offsetof(struct options, field) \
	}
	OPTION("json", NULL, FLAG, json, "print the findings as JSON (docs/findings.schema.json)"),
	OPTION("evidence", NULL, FLAG, evidence, "with --json: add every point each finding was decided from"),
	OPTION("machine", "FILE", TEXT, machine, "measure a described or recorded machine, not this one"),
	OPTION("record", "FILE", TEXT, record, "write every timing to FILE, so that --machine FILE replays it"),
	OPTION("budget", "SECONDS", NUMBER, budget, "a hard bound for the whole run"),
	OPTION("memory", "BYTES", SIZE, memory, "how much memory walks may take: 64M, 1G (a quarter of what is free)"),
	OPTION("csv", "DIR", TEXT, csv, "write the curves that were taken to DIR, one file for each parameter"),
	OPTION("html", "FILE", TEXT, html, "write the report as a page that needs no network ('-': to stdout, alone)"),
	OPTION("from", "FILE", TEXT, from, "measure nothing: show what a document kept with --json --evidence says"),
	OPTION("quick", NULL, FLAG, quick, "scalar types, the nearest two caches, fewer walks"),
	OPTION("full", NULL, FLAG, full,
	       "everything, with more patience for noise; a report with a row for each finding"),
	OPTION("cpu", "N", INTEGER, cpu, "the CPU to run on (the quietest)"),
	OPTION("cc", "CC", TEXT, cc, "the compiler (gcc, or else clang or cc)"),
	OPTION("cflags", "FLAGS", TEXT, cflags, "its flags (-O2)"),
	OPTION("barrier", "asm|switch", TEXT, barrier, "how generated code is kept from being optimised (asm)"),
	OPTION("ladder", "S,T,I,B", LADDER, ladder,
	       "the numbers of cache.l1i.straight (8,2,5,4); xray explain tells them"),
	OPTION("seed", "N", INTEGER, seed, "seed of a simulated machine"),
	OPTION("no-cache", NULL, FLAG, no_cache, "keep no compiled code"),
	OPTION("verbose", NULL, FLAG, verbose, "tell each point tried and each decision on stderr"),
	OPTION("help", NULL, FLAG, help, "this text"),
	OPTION("version", NULL, FLAG, version, "the version"),
#undef OPTION
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]) };

static const struct option *find(const char *name, size_t length)
{
	for (int i = 0; i < OPTIONS; i++)
		if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
			return &table[i];
	return NULL;
}

/* 65536, 64K, 64M, 1G; at least a page, since nothing can be walked in less. */
static bool store_size(const char *text, double *place)
{
	static const char units[] = "KMG";
	char *end;
	const char *unit;

	*place = strtod(text, &end);
	unit = *end ? strchr(units, *end) : NULL;
	if (end == text || (*end && (!unit || end[1])))
		return false;
	if (unit)
		*place = ldexp(*place, 10 * (int)(unit - units + 1));
	return *place >= 4096 && *place < 1e18;
}

static const char LADDER_RANGES[] = ": whole S from 2 to 64, T above 0, whole I from 1 to 99, whole B from 1 to 8";

/* Four numbers with commas between them; the second alone may be a fraction. */
static bool store_ladder(const char *text, struct ladder_options *place)
{
	double number[4];
	char *end;

	for (int i = 0; i < 4; i++, text = end + 1) {
		number[i] = strtod(text, &end);
		if (end == text || *end != (i < 3 ? ',' : '\0') || !isfinite(number[i]))
			return false;
		if (i != 1 && number[i] != floor(number[i]))
			return false;
	}
	if (number[0] < 2 || number[0] > 64 || number[1] <= 0 || number[2] < 1 || number[2] > 99 || number[3] < 1 ||
	    number[3] > 8)
		return false;
	*place = (struct ladder_options){
		.S = (int)number[0], .T = number[1], .I = (int)number[2], .B = (int)number[3]
	};
	return true;
}

static bool store(struct options *options, const struct option *option, const char *text)
{
	char *place = (char *)options + option->offset, *end = NULL;

	errno = 0;
	switch (option->kind) {
	case FLAG:
		*(bool *)place = true;
		return true;
	case TEXT:
		*(const char **)place = text;
		return true;
	case SIZE:
		return store_size(text, (double *)place);
	case LADDER:
		return store_ladder(text, (struct ladder_options *)(void *)place);
	case NUMBER:
		*(double *)place = strtod(text, &end);
		return *text && !*end && errno == 0 && *(double *)place >= 0;
	default:
		*(long *)place = strtol(text, &end, 10);
		return *text && !*end && errno == 0 && *(long *)place >= 0;
	}
}

static bool parse_one(struct options *options, char **argv, int argc, int *at)
{
	const char *word = argv[*at] + 2, *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *option = find(word, length);

	if (!option) {
		fprintf(stderr, "xray: unknown option --%.*s (xray --help lists them)\n", (int)length, word);
		return false;
	}
	if (option->kind == FLAG && equals) {
		fprintf(stderr, "xray: --%s takes no value\n", option->name);
		return false;
	}

	const char *value = equals ? equals + 1 : option->kind == FLAG ? "" : *at + 1 < argc ? argv[++*at] : NULL;

	if (!value || !store(options, option, value)) {
		fprintf(stderr, "xray: --%s needs %s%s%s%s\n", option->name, option->value, value ? ", not " : "",
			value ? value : "", option->kind == LADDER ? LADDER_RANGES : "");
		return false;
	}
	return true;
}

bool options_parse(struct options *options, int argc, char **argv)
{
	int words = 0;

	*options = (struct options){ .budget = INFINITY, .cpu = -1, .seed = -1 };
	options->words = (const char *const *)(argv + 1);
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) == 0 && argv[i][2]) {
			if (!parse_one(options, argv, argc, &i))
				return false;
		} else if (argv[i][0] == '-' && argv[i][1]) {
			fprintf(stderr, "xray: unknown option %s (xray --help lists them)\n", argv[i]);
			return false;
		} else {
			argv[1 + words++] = argv[i];
		}
	}
	options->word_count = words;
	if (options->barrier && strcmp(options->barrier, "asm") != 0 && strcmp(options->barrier, "switch") != 0) {
		fprintf(stderr, "xray: --barrier needs asm or switch, not %s\n", options->barrier);
		return false;
	}
	if (options->quick && options->full) {
		fprintf(stderr, "xray: --quick and --full exclude each other\n");
		return false;
	}
	return true;
}

void options_print(FILE *out, bool man)
{
	for (int i = 0; i < OPTIONS; i++) {
		char form[48];

		snprintf(form, sizeof(form), "--%s%s%s", table[i].name, table[i].value ? " " : "",
			 table[i].value ? table[i].value : "");
		if (man)
			fprintf(out, ".TP\n.B %s\n%s\n", form, table[i].help);
		else
			fprintf(out, "  %-22s %s\n", form, table[i].help);
	}
}

bool options_at(int index, struct cli_word *word)
{
	if (index >= OPTIONS)
		return false;
	*word = (struct cli_word){ .value = table[index].value, .help = table[index].help };
	snprintf(word->name, sizeof(word->name), "%s", table[index].name);
	return true;
}

enum nano_barrier options_barrier(const struct options *options)
{
	return options->barrier && strcmp(options->barrier, "switch") == 0 ? NANO_BARRIER_SWITCH : NANO_BARRIER_ASM;
}

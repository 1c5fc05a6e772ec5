/* SPDX-License-Identifier: MIT */
/*
 * description.c - reads a machine file
 *
 * inih splits lines; sections, line numbers and everything that may be wrong with a value are handled here, by a
 * table of keys, because a person who writes a machine file needs to hear where it is wrong and what would be right.
 */
#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../nano/nano.h"
#include "description.h"
#include "description_keys.h"

struct parse {
	const char *path;
	FILE *file;
	int line, read_error;
	bool failed;
	char *error;
	size_t size;
	const struct description_section *section;
	bool machine;
	struct description *description;
};

static void fail(struct parse *parse, int line, const char *format, ...)
{
	va_list arguments;
	int used;

	if (parse->failed)
		return;
	parse->failed = true;
	if (line)
		used = snprintf(parse->error, parse->size, "%s:%d: ", parse->path, line);
	else
		used = snprintf(parse->error, parse->size, "%s: ", parse->path);
	if (used < 0 || (size_t)used >= parse->size)
		return;
	va_start(arguments, format);
	vsnprintf(parse->error + used, parse->size - (size_t)used, format, arguments);
	va_end(arguments);
}

static void open_section(struct parse *parse, const char *line)
{
	char name[128], wrong[256] = "", *argument;

	line += 1 + strspn(line + 1, " \t");
	snprintf(name, sizeof name, "%.*s", (int)strcspn(line, "]"), line);
	while (*name && strchr(" \t", name[strlen(name) - 1]))
		name[strlen(name) - 1] = '\0';
	argument = name + strcspn(name, " \t");
	if (*argument)
		*argument++ = '\0';
	argument += strspn(argument, " \t");

	parse->section = description_section(name);
	if (!parse->section) {
		char allowed[256];

		description_list_sections(allowed, sizeof allowed);
		fail(parse, parse->line, "[%s]: unknown section; allowed: %s", name, allowed);
	} else if (parse->section->named != !!*argument) {
		fail(parse, parse->line, "[%s]: allowed: [%s%s]", name, name, parse->section->named ? " NAME" : "");
	} else if (!strcmp(name, "op") &&
		   !description_add_op(parse->description, argument, parse->line, wrong, sizeof wrong)) {
		fail(parse, parse->line, "[op %s]: %s", argument, wrong);
	} else if (!description_add_memory(parse->description, name, argument, parse->line, wrong, sizeof wrong) ||
		   !description_add_cpus(parse->description, name, argument, parse->line, wrong, sizeof wrong)) {
		fail(parse, parse->line, "[%s %s]: %s", name, argument, wrong);
	} else if (!strcmp(name, "machine")) {
		parse->machine = true;
	} else {
		description_add_code(parse->description, name, parse->line);
	}
}

/* inih tells its handler neither the line number nor that a section began: both are seen here, on the way in.
 * Taking leading blanks (and a byte order mark) away keeps an indented line from counting as the continuation of a
 * value. */
static char *read_line(char *line, int size, void *user)
{
	struct parse *parse = user;
	size_t blanks;

	if (!fgets(line, size, parse->file)) {
		parse->read_error = ferror(parse->file) ? errno : 0;
		return NULL;
	}
	parse->line++;
	if (!strchr(line, '\n') && !feof(parse->file)) {
		int c = getc(parse->file);

		if (c != EOF)
			fail(parse, parse->line, "line too long; allowed: %d characters", size - 2);
		while (c != EOF && c != '\n')
			c = getc(parse->file);
	}
	blanks = strspn(line, parse->line == 1 ? "\xef\xbb\xbf \t" : " \t");
	memmove(line, line + blanks, strlen(line + blanks) + 1);
	/* inih knows ; behind a value, and only that. */
	for (char *at = strchr(line, '#'); at; at = strchr(at + 1, '#'))
		if (at > line && strchr(" \t", at[-1]))
			at[0] = '\0';
	if (*line == '[' && strchr(line, ']'))
		open_section(parse, line);
	else if (*line == '[')
		fail(parse, parse->line, "no ] behind the name of a section; allowed: [section] or [section NAME]");
	return line;
}

static void set_registers(struct parse *parse, const char *name, const char *value)
{
	struct description *description = parse->description;
	const char *file = name + strlen("registers.");
	struct description_registers *registers = NULL;
	char wrong[160];

	if (strcmp(file, "int") && strcmp(file, "float") && strcmp(file, "vector") &&
	    !nano_type_find(file, strlen(file))) {
		fail(parse, parse->line,
		     "%s: unknown register file; allowed: registers.int, registers.float, registers.vector or registers.TYPE",
		     name);
		return;
	}
	for (int i = 0; i < description->register_keys; i++)
		if (!strcmp(description->registers[i].key, file))
			registers = &description->registers[i];
	if (!registers) {
		if (description->register_keys == DESCRIPTION_REGISTER_KEYS) {
			fail(parse, parse->line, "%s: too many register files; allowed: %d", name,
			     DESCRIPTION_REGISTER_KEYS);
			return;
		}
		registers = &description->registers[description->register_keys++];
		snprintf(registers->key, sizeof registers->key, "%s", file);
	}
	if (!description_value(description_registers_key(), value, description->frequency, &registers->count, wrong,
			       sizeof wrong))
		fail(parse, parse->line, "%s: %s", name, wrong);
}

/* What the offsets of the section's keys count from. */
static void *base_of(const struct parse *parse)
{
	struct description *description = parse->description;

	if (!strcmp(parse->section->name, "op"))
		return &description->ops[description->op_count - 1];
	if (!strcmp(parse->section->name, "cache"))
		return &description->caches[description->cache_count - 1];
	if (!strcmp(parse->section->name, "tlb"))
		return &description->tlbs[description->tlb_count - 1];
	if (!strcmp(parse->section->name, "group"))
		return &description->cpus.groups[description->cpus.group_count - 1];
	return description;
}

static int take(void *user, const char *section, const char *name, const char *value)
{
	struct parse *parse = user;
	struct description *description = parse->description;
	const struct description_key *key;
	char text[256], *where;

	(void)section;
	if (parse->failed)
		return 0;
	if (!parse->section) {
		fail(parse, parse->line, "%s: outside of any section; allowed: [machine] first", name);
		return 0;
	}
	if (!strcmp(parse->section->name, "core") && !strncmp(name, "registers.", strlen("registers."))) {
		set_registers(parse, name, value);
		return !parse->failed;
	}
	key = description_key(parse->section, name);
	if (!key) {
		description_list_keys(parse->section, text, sizeof text);
		fail(parse, parse->line, "%s: unknown key in [%s]; allowed: %s", name, parse->section->name, text);
		return 0;
	}
	where = (char *)base_of(parse) + key->offset;
	if (!description_value(key, value, description->frequency, where, text, sizeof text))
		fail(parse, parse->line, "%s: %s", name, text);
	else if (key->form == FORM_LEVEL)
		((struct description_level *)(void *)where)->at = parse->line;
	return !parse->failed;
}

static void finish(struct parse *parse)
{
	struct description *description = parse->description;
	const char *base = strrchr(parse->path, '/');
	char wrong[256];
	int at;

	if (!parse->machine)
		fail(parse, 0, "no [machine] section; a machine file needs at least [machine] with a frequency");
	if (description->frequency <= 0)
		fail(parse, 0, "[machine] frequency: missing; allowed: a frequency such as 1500 MHz or 2.2 GHz");
	if (!description_ops_check(description, &at, wrong, sizeof wrong) ||
	    !description_memory_check(description, &at, wrong, sizeof wrong) ||
	    !description_code_check(description, &at, wrong, sizeof wrong) ||
	    !description_cpus_check(description, &at, wrong, sizeof wrong))
		fail(parse, at, "%s", wrong);
	if (!*description->name)
		snprintf(description->name, sizeof description->name, "%s", base ? base + 1 : parse->path);
	description_fill_noise(description);
}

static void set_defaults(struct description *description)
{
	description->seed = 1;
	description->timer_quantum = 1;
	description->timer_cost = 20;
	description->compiler = description->readback = 1;
	description->core =
		(struct description_core){ .width = 4, .window = INFINITY, .spill = 5, .smt = description_row_of(1) };
	description_memory_defaults(description);
	description_code_defaults(description);
	description_cpus_defaults(description);
	description->counters = (struct description_counters){ .noise = 0.01, .spikes = 0.1 };
	for (int i = 0; i < NOISE_TERMS; i++)
		description->noise[i] = NAN;
}

static bool choose_preset(struct description *description, const char *name, char *wrong, size_t size)
{
	return description_value(description_key(description_section("noise"), "preset"), name, 0, &description->preset,
				 wrong, size);
}

struct description *description_read(const char *path, const char *noise, char *error, size_t size)
{
	struct parse parse = { .path = path, .error = error, .size = size };
	char wrong[160];
	int line;

	parse.description = calloc(1, sizeof *parse.description);
	if (!parse.description) {
		fail(&parse, 0, "out of memory");
		return NULL;
	}
	set_defaults(parse.description);
	parse.file = fopen(path, "r");
	if (!parse.file) {
		fail(&parse, 0, "%s", strerror(errno));
	} else {
		line = ini_parse_stream(read_line, &parse, take, &parse);
		if (parse.read_error)
			fail(&parse, 0, "%s", strerror(parse.read_error));
		else if (line)
			fail(&parse, line > 0 ? line : 0,
			     "not a line of a machine file; allowed: [section] or key = value");
		fclose(parse.file);
	}
	if (noise && !choose_preset(parse.description, noise, wrong, sizeof wrong))
		fail(&parse, 0, "noise: %s", wrong);
	finish(&parse);
	if (parse.failed) {
		description_free(parse.description);
		return NULL;
	}
	/* Without memory for it everything is looked up each time. */
	parse.description->memo = description_memo_new();
	return parse.description;
}

void description_free(struct description *description)
{
	if (!description)
		return;
	free(description->ops);
	free(description->memo);
	free(description);
}

/* SPDX-License-Identifier: MIT */
/*
 * variables.c - all numbers under their own names: C macros, shell variables, CMake variables
 *
 * cache.l1d.size is XRAY_CACHE_L1D_SIZE everywhere, in the unit that xray list says; a yes is 1, a no is 0.
 */
#include <ctype.h>

#include "sheet.h"

static bool is_number(const struct finding *finding)
{
	return strcmp(finding->unit, "text") != 0 && strcmp(finding->unit, "tree") != 0 &&
	       strcmp(finding->unit, "matrix") != 0;
}

static void put_name(FILE *out, const char *name)
{
	fputs("XRAY_", out);
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) ? toupper((unsigned char)*name) : '_', out);
}

/* A number that C, the shell and CMake read alike. */
static void put_number(FILE *out, const char *unit, double value)
{
	bool real = strcmp(unit, "cycles") == 0 || strcmp(unit, "ns") == 0;

	fprintf(out, real && value != floor(value) ? "%.4f" : "%.0f", value);
}

struct syntax {
	const char *before, *between, *behind;
	bool says_unit; /* in a comment of C */
};

static void put_all(struct sheet *sheet, const struct syntax *syntax)
{
	for (int i = 0; i < findings_count(sheet->findings); i++) {
		const struct finding *finding = findings_at(sheet->findings, i);
		double value;

		if (!is_number(finding) || !sheet_takes(sheet, finding->name) ||
		    !sheet_number(sheet, finding->name, &value))
			continue;
		fputs(syntax->before, sheet->out);
		put_name(sheet->out, finding->name);
		fputs(syntax->between, sheet->out);
		put_number(sheet->out, finding->unit, value);
		if (syntax->says_unit)
			fprintf(sheet->out, " /* %s */", finding->unit);
		fputs(syntax->behind, sheet->out);
	}
}

void write_header(struct sheet *sheet)
{
	static const struct syntax syntax = { "#define ", " ", "\n", true };

	fputs("#ifndef XRAY_MACHINE_H\n#define XRAY_MACHINE_H\n\n", sheet->out);
	put_all(sheet, &syntax);
	fputs("\n#endif\n", sheet->out);
}

void write_env(struct sheet *sheet)
{
	static const struct syntax syntax = { "", "=", "\n", false };

	put_all(sheet, &syntax);
}

void write_cmake(struct sheet *sheet)
{
	static const struct syntax syntax = { "set(", " ", ")\n", false };

	put_all(sheet, &syntax);
}

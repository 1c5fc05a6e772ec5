/* SPDX-License-Identifier: MIT */
/*
 * csv.c - the curves: every point a finding was decided from, one file each
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "report.h"

static void put_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void put_number(FILE *out, double number)
{
	fputc(',', out);
	if (isfinite(number))
		fprintf(out, "%.9g", number);
}

static bool write_one(FILE *out, const struct finding *finding)
{
	fprintf(out, "what,x,value,low,high,verdict\n");
	for (int i = 0; i < finding->evidence_count; i++) {
		const struct evidence *evidence = &finding->evidence[i];

		put_text(out, evidence->what);
		put_number(out, evidence->x);
		put_number(out, evidence->value);
		put_number(out, evidence->low);
		put_number(out, evidence->high);
		fputc(',', out);
		put_text(out, evidence->verdict);
		fputc('\n', out);
	}
	return fflush(out) == 0 && !ferror(out);
}

bool report_csv(const char *directory, const struct findings *findings, char *error, size_t size)
{
	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		char path[4096];
		FILE *out;
		bool written;

		if (finding->evidence_count == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s.csv", directory, finding->name);
		out = fopen(path, "w");
		written = out && write_one(out, finding);
		if (!written)
			snprintf(error, size, "%.400s: %s", path, strerror(errno));
		if (out && fclose(out) != 0)
			written = false;
		if (!written)
			return false;
	}
	return true;
}

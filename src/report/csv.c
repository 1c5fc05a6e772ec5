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

/* Labels in the first row and column, the unit in their corner. */
static bool write_matrix(FILE *out, const struct finding *finding)
{
	const struct matrix *matrix = finding->matrix;

	fputs(matrix->unit, out);
	for (int i = 0; i < matrix->size; i++)
		fprintf(out, ",%d", matrix->labels[i]);
	fputc('\n', out);
	for (int i = 0; i < matrix->size; i++) {
		fprintf(out, "%d", matrix->labels[i]);
		for (int j = 0; j < matrix->size; j++)
			put_number(out, matrix->cells[(size_t)i * (size_t)matrix->size + (size_t)j]);
		fputc('\n', out);
	}
	return fflush(out) == 0 && !ferror(out);
}

static bool write_file(const char *path, bool (*writer)(FILE *out, const struct finding *finding),
		       const struct finding *finding, char *error, size_t size)
{
	FILE *out = fopen(path, "w");
	bool written = out && writer(out, finding);

	if (!written)
		snprintf(error, size, "%.400s: %s", path, strerror(errno));
	if (out && fclose(out) != 0)
		written = false;
	return written;
}

bool report_csv(const char *directory, const struct findings *findings, char *error, size_t size)
{
	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);
		bool matrix = finding->outcome == MEASURED && strcmp(finding->unit, "matrix") == 0;
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s.csv", directory, finding->name);
		if (finding->evidence_count > 0 && !write_file(path, write_one, finding, error, size))
			return false;
		snprintf(path, sizeof(path), "%s/%s.matrix.csv", directory, finding->name);
		if (matrix && !write_file(path, write_matrix, finding, error, size))
			return false;
	}
	return true;
}

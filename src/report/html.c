/* SPDX-License-Identifier: MIT */
/*
 * html.c - one page that shows everything and needs nothing: the document and what draws it, in one file
 *
 * The page's own text lies in html/ as people write it; the Makefile makes strings of it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_text.h"
#include "report.h"

/* A page of a machine with hundreds of CPUs has to open at once: points of evidence in it, rows of a matrix. */
enum { MOST_POINTS = 10000, MOST_ROWS = 128 };

static const double CELL_STEPS = 1000; /* a cell in a picture needs four digits */

static double rounded(double value)
{
	double step = isfinite(value) && value != 0 ? pow(10, floor(log10(fabs(value)))) / CELL_STEPS : 1;

	return isfinite(value) ? round(value / step) * step : value;
}

/* The mean of the cells of one block that were measured. */
static double block_mean(const struct matrix *matrix, int row, int column, int wide)
{
	double sum = 0;
	int count = 0;

	for (int i = row; i < row + wide && i < matrix->size; i++)
		for (int j = column; j < column + wide && j < matrix->size; j++) {
			double cell = matrix->cells[(size_t)i * (size_t)matrix->size + (size_t)j];

			if (isfinite(cell)) {
				sum += cell;
				count++;
			}
		}
	return count ? sum / count : NAN;
}

/* Blocks of neighbours in place of cells, where there are too many; NULL without memory. */
static struct matrix *reduced(const struct matrix *matrix)
{
	int wide = (matrix->size + MOST_ROWS - 1) / MOST_ROWS, size = (matrix->size + wide - 1) / wide;
	struct matrix *small = matrix_new(matrix->unit, size);

	for (int i = 0; small && i < size; i++) {
		small->labels[i] = matrix->labels[i * wide];
		for (int j = 0; j < size; j++)
			small->cells[(size_t)i * (size_t)size + (size_t)j] =
				rounded(block_mean(matrix, i * wide, j * wide, wide));
	}
	return small;
}

static void reduce_matrix(struct finding *finding)
{
	struct matrix *whole = finding->matrix, *small = whole ? reduced(whole) : NULL;
	size_t length = strlen(finding->note);

	if (!small)
		return;
	if (small->size < whole->size)
		snprintf(finding->note + length, sizeof(finding->note) - length,
			 "%smeans of %d x %d cells; --json has all %d x %d", length ? "; " : "",
			 (whole->size + small->size - 1) / small->size, (whole->size + small->size - 1) / small->size,
			 whole->size, whole->size);
	finding->matrix = small;
	matrix_free(whole);
}

/* How many points each finding may keep, so that all of them together are not too many. */
static int share_of_points(const struct findings *findings)
{
	for (int share = MOST_POINTS;; share /= 2) {
		int sum = 0;

		for (int i = 0; i < findings_count(findings); i++) {
			int count = findings_at(findings, i)->evidence_count;

			sum += count < share ? count : share;
		}
		if (sum <= MOST_POINTS || share < 2)
			return share;
	}
}

/* Every so many-th point, the first and the last among them. */
static void thin(struct finding *finding, int most)
{
	int count = finding->evidence_count;

	if (count <= most || most < 2)
		return;
	for (int i = 0; i < most; i++)
		finding->evidence[i] = finding->evidence[(size_t)i * (size_t)(count - 1) / (size_t)(most - 1)];
	finding->evidence_count = most;
}

static struct findings *fit_for_page(const struct findings *findings, int share)
{
	struct findings *fit = findings_new();

	for (int i = 0; fit && i < findings_count(findings); i++) {
		struct finding copy = finding_copy(findings_at(findings, i));

		reduce_matrix(&copy);
		thin(&copy, share);
		findings_put_take(fit, &copy);
	}
	return fit;
}

/* JSON inside a script: no '<' may stand there as itself, or a text that holds </script> or <!-- would end it. */
static void put_safely(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<')
			fputs("\\u003c", out);
		else
			fputc(*text, out);
}

static bool put_document(FILE *out, const struct report_context *context, const struct findings *findings)
{
	struct findings *fit = fit_for_page(findings, share_of_points(findings));
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	bool written = fit && memory && report_line(memory, context, fit);

	if (memory && fclose(memory) != 0)
		written = false;
	if (written)
		put_safely(out, text);
	free(text);
	findings_free(fit);
	return written;
}

/* What the page says that the document does not: how many points there were where not all were kept. */
static void put_extra(FILE *out, const struct findings *findings)
{
	const char *before = "";
	int share = share_of_points(findings);

	fputs("{\"thinned\":{", out);
	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);

		if (finding->evidence_count > share) {
			fprintf(out, "%s\"%s\":%d", before, finding->name, finding->evidence_count);
			before = ",";
		}
	}
	fputs("}}", out);
}

bool report_html(FILE *out, const struct report_context *context, const struct findings *findings)
{
	const char *at = page_page_html;
	bool written = true;

	/* The page names what goes where: @style@, @script@, @document@, @extra@. */
	for (const char *mark; (mark = strchr(at, '@')); at = strchr(mark + 1, '@') + 1) {
		fwrite(at, 1, (size_t)(mark - at), out);
		if (strncmp(mark, "@style@", 7) == 0)
			fprintf(out, "%s%s", page_style_css, page_narrow_css);
		else if (strncmp(mark, "@script@", 8) == 0)
			for (size_t i = 0; i < sizeof(page_scripts) / sizeof(page_scripts[0]); i++)
				fputs(page_scripts[i], out);
		else if (strncmp(mark, "@document@", 10) == 0)
			written = put_document(out, context, findings) && written;
		else
			put_extra(out, findings);
	}
	fputs(at, out);
	return fflush(out) == 0 && written && !ferror(out);
}

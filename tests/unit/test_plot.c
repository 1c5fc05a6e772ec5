/* SPDX-License-Identifier: MIT */
/*
 * test_plot.c - dots, axes, and which evidence is drawn
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/plot/plot.h"
#include "../../src/report/line.h"
#include "notebook.h"

static void dots(void **state)
{
	static const struct {
		int line;
		bool utf8;
		double x, y;
		const char *cell; /* of a raster of one */
	} rows[] = {
		{ __LINE__, true, 0, 0, "\xE2\xA1\x80" }, { __LINE__, true, 1, 0, "\xE2\xA2\x80" },
		{ __LINE__, true, 0, 1, "\xE2\xA0\x81" }, { __LINE__, true, 1, 1, "\xE2\xA0\x88" },
		{ __LINE__, false, 0.5, 0.5, "*" },       { __LINE__, false, 1.01, 0.5, " " },
		{ __LINE__, true, NAN, 0.5, " " },        { __LINE__, true, 0.5, -0.01, " " },
	};
	struct raster raster;
	char cell[4];

	(void)state;
	assert_false(raster_open(&raster, 0, 4, true));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(raster_open(&raster, 1, 1, rows[i].utf8));
		raster_point(&raster, rows[i].x, rows[i].y);
		raster_cell(&raster, 0, 0, cell);
		if (strcmp(cell, rows[i].cell) != 0)
			fail_msg("row at line %d: '%s'", rows[i].line, cell);
		raster_close(&raster);
	}
}

static void lines_and_posts(void **state)
{
	struct raster raster;
	char text[32] = "", cell[4];

	(void)state;
	assert_true(raster_open(&raster, 4, 2, false));
	raster_point(&raster, 0, 0);
	raster_point(&raster, 1, 0);
	raster_line(&raster, (double[]){ 0, 0 }, (double[]){ 1, 0 });
	raster_post(&raster, 1);
	raster_post(&raster, -1);
	raster_post(&raster, 4);
	for (int row = 0; row < 2; row++)
		for (int column = 0; column < 4; column++) {
			raster_cell(&raster, column, row, cell);
			strcat(text, cell);
		}
	assert_string_equal(text, " |  *..*");
	assert_int_equal(raster_column(&raster, 0), 0);
	assert_int_equal(raster_column(&raster, 1), 3);
	assert_int_equal(raster_column(&raster, 1.5), -1);
	raster_close(&raster);
}

static void ticks(void **state)
{
	static const struct {
		int line;
		double low, high;
		bool octaves;
		int most, count;
		double first, last;
	} rows[] = {
		{ __LINE__, 1024, 8192, true, 4, 4, 1024, 8192 },
		{ __LINE__, 1000, 9000, true, 4, 4, 1024, 8192 },
		{ __LINE__, 1024, 1048576, true, 6, 6, 1024, 1048576 },
		{ __LINE__, 1024, 1048576, true, 5, 4, 1024, 524288 },
		{ __LINE__, 0, 10, false, 4, 3, 0, 10 },
		{ __LINE__, 0.2, 0.9, false, 4, 4, 0.2, 0.8 },
		{ __LINE__, -3, 3, false, 4, 3, -2, 2 },
		{ __LINE__, 5, 5, false, 4, 1, 5, 5 },
		{ __LINE__, 1, 8, true, 0, 0, 0, 0 },
	};
	double places[AXIS_TICKS];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct axis axis = { rows[i].low, rows[i].high, rows[i].octaves, "" };
		int count = axis_ticks(&axis, rows[i].most, places);

		if (count > rows[i].most || (rows[i].most > 0 && count == 0))
			fail_msg("row at line %d: %d ticks", rows[i].line, count);
		for (int j = 0; j < count; j++)
			if (places[j] < axis.low - 1e-9 || places[j] > axis.high + 1e-9)
				fail_msg("row at line %d: %g", rows[i].line, places[j]);
		if (rows[i].count != count || (count && (fabs(places[0] - rows[i].first) > 1e-9 ||
							 fabs(places[count - 1] - rows[i].last) > 1e-9)))
			fail_msg("row at line %d: %d from %g to %g", rows[i].line, count, places[0],
				 places[count > 0 ? count - 1 : 0]);
	}
}

static void places(void **state)
{
	struct axis line = { 10, 20, false, "" }, octaves = { 1, 16, true, "" }, point = { 3, 3, false, "" };

	(void)state;
	assert_float_equal(axis_place(&line, 15), 0.5, 1e-9);
	assert_float_equal(axis_place(&octaves, 4), 0.5, 1e-9);
	assert_true(axis_place(&octaves, 32) > 1);
	assert_true(isnan(axis_place(&octaves, 0)));
	assert_float_equal(axis_place(&point, 3), 0.5, 1e-9);
	assert_true(isnan(axis_place(&point, 4)));
	assert_false(axis_over((const double[]){ 0, 100 }, 2, 6, "").octaves);
	assert_false(axis_over((const double[]){ 1, 6 }, 2, 6, "").octaves);
	assert_true(axis_over((const double[]){ 1, 7 }, 2, 6, "").octaves);
}

/* Points at 1, 2, 4 ... KiB, of 4 cycles up to the edge and 20 beyond; the first one was looked at twice. And one of
 * another curve, whose words begin alike. */
static void add_curve(struct findings *findings, const char *name, const char *what, int count, double edge)
{
	struct finding finding = finding_blank(name, "bytes");

	finding.outcome = MEASURED;
	finding.value = finding.low = finding.high = edge;
	finding.evidence_count = count + 2;
	finding.evidence = calloc((size_t)count + 2, sizeof(*finding.evidence));
	for (int i = 0; i <= count; i++) {
		struct evidence *point = &finding.evidence[i];

		*point = (struct evidence){ .x = ldexp(1024, i % count), .low = NAN, .high = NAN };
		point->value = point->x > edge ? 20 : i == count ? 3 : 4;
		snprintf(point->what, sizeof(point->what), "%s", what);
	}
	finding.evidence[count + 1] = (struct evidence){ .x = 1536, .value = 99, .low = NAN, .high = NAN };
	snprintf(finding.evidence[count + 1].what, sizeof(finding.evidence->what), "%s, page by page", what);
	findings_put_take(findings, &finding);
}

static void curves(void **state)
{
	struct findings *findings = findings_new();
	struct curve curve;

	(void)state;
	add_curve(findings, "cache.levels", "cycles by bytes", 8, 32768);
	add_curve(findings, "cache.l1d.line", "share of conflicts left, by shift", 3, 2048);
	measured(findings, "cache.l1d.size", "bytes", POINT(32768));
	measured(findings, "cache.l1d.latency", "cycles", POINT(4));
	measured(findings, "smp.cpus", "count", POINT(4));

	/* A curve of another's, in order, each x once, with the lowest of its looks. */
	assert_true(curve_of(&curve, findings, findings_get(findings, "cache.l1d.size")));
	assert_string_equal(curve.from, "cache.levels");
	assert_true(curve.marked);
	assert_int_equal(curve.count, 8);
	assert_float_equal(curve.x[0], 1024, 0);
	assert_float_equal(curve.y[0], 3, 0);
	assert_float_equal(curve.y[7], 20, 0);
	curve_free(&curve);
	/* Cycles are no place on an axis of bytes. */
	assert_true(curve_of(&curve, findings, findings_get(findings, "cache.l1d.latency")));
	assert_false(curve.marked);
	curve_free(&curve);
	/* Its own; three points are no curve; none at all. */
	assert_true(curve_of(&curve, findings, findings_get(findings, "cache.levels")));
	assert_null(curve.from);
	curve_free(&curve);
	assert_false(curve_of(&curve, findings, findings_get(findings, "cache.l1d.line")));
	assert_false(curve_of(&curve, findings, findings_get(findings, "smp.cpus")));
	findings_free(findings);
}

static char *drawing(const struct findings *findings, const char *name, int width, bool utf8)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool drawn = plot_draw(out, findings, findings_get(findings, name), width, utf8);

	fclose(out);
	if (!drawn)
		assert_string_equal(text, "");
	return text;
}

static void drawn(void **state)
{
	struct findings *findings = findings_new();
	char *text;

	(void)state;
	add_curve(findings, "cache.levels", "cycles by bytes", 8, 16384);
	measured(findings, "cache.l1d.size", "bytes", POINT(32768));
	claim(findings, "cache.l1d.size", 65536, "sysfs");
	for (int width = 0; width < 140; width += 7)
		for (int utf8 = 0; utf8 < 2; utf8++) {
			int lines = 0;

			text = drawing(findings, "cache.l1d.size", width, utf8);
			for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
				lines++;
				if (line_columns(line) > width && strstr(line, "cycles by") == NULL)
					fail_msg("%d columns, not %d: %s", line_columns(line), width, line);
			}
			assert_true(lines <= PLOT_LINES);
			assert_true(width < 30 || lines > 12);
			free(text);
		}
	text = drawing(findings, "cache.l1d.size", 50, false);
	assert_non_null(strstr(text, "^ 32 KiB"));
	assert_non_null(strstr(text, "? 64 KiB, says sysfs") ? text : strstr(text, "64 KiB, says sysfs ?"));
	free(text);
	findings_free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dots),   cmocka_unit_test(lines_and_posts), cmocka_unit_test(ticks),
		cmocka_unit_test(places), cmocka_unit_test(curves),          cmocka_unit_test(drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * test_json.c - the findings as a document: its shape, there and back, and what must not get in
 */
#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <unistd.h>

#include "notebook.h"

static void worded(struct findings *findings, const char *name, const char *unit, double value, const char *text)
{
	struct finding finding = finding_blank(name, unit);

	finding.outcome = MEASURED;
	finding.value = finding.low = finding.high = value;
	finding.text = strdup(text);
	finding.confidence = 0.9;
	findings_put_take(findings, &finding);
}

/* Cells in rows; the median is the caller's. */
static void between(struct findings *findings, const char *name, double median, int size, const double *cells)
{
	struct finding finding = finding_blank(name, "matrix");

	finding.outcome = MEASURED;
	finding.value = median;
	finding.matrix = matrix_new("ns", size);
	assert_non_null(finding.matrix);
	memcpy(finding.matrix->cells, cells, sizeof(*cells) * (size_t)size * (size_t)size);
	matrix_range(finding.matrix, &finding.low, &finding.high);
	finding.confidence = 0.9;
	findings_put_take(findings, &finding);
}

static char *json_of(const struct findings *findings, bool with_evidence)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_true(report_json(out, &CONTEXT, findings, with_evidence));
	fclose(out);
	return text;
}

static struct findings *load_text(const char *text, char *error, size_t size)
{
	char path[] = "/tmp/xray-test-XXXXXX";
	int file = mkstemp(path);
	struct report_saved saved;
	struct findings *loaded;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	loaded = report_load_saved(&saved, path, error, size) ? saved.findings : NULL;
	unlink(path);
	saved.findings = NULL;
	report_saved_free(&saved);
	return loaded;
}

static struct findings *round_trip(const struct findings *findings)
{
	char error[256] = "";
	char *text = json_of(findings, true);
	struct findings *back = load_text(text, error, sizeof(error));

	assert_string_equal(error, "");
	assert_non_null(back);
	free(text);
	return back;
}

static void json_shape(void **state)
{
	struct findings *findings = notebook();
	char *text = json_of(findings, false);
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *all, *one;

	(void)state;
	assert_non_null(document);
	all = json_object_get(document, "findings");
	assert_int_equal(json_object_size(all), findings_count(findings));
	one = json_object_get(all, "cache.l1d.size");
	assert_true(json_is_integer(json_object_get(one, "value")));
	assert_true(json_is_true(json_object_get(one, "agrees")));
	assert_null(json_object_get(one, "evidence"));
	assert_null(json_object_get(one, "reason"));
	one = json_object_get(all, "cpu.frequency");
	assert_true(json_is_false(json_object_get(one, "agrees")));
	one = json_object_get(all, "cpu.fma.f64");
	assert_true(json_is_true(json_object_get(one, "value")));
	assert_null(json_object_get(one, "low"));
	assert_null(json_object_get(one, "claimed"));
	one = json_object_get(all, "smp.cores");
	assert_string_equal(json_string_value(json_object_get(one, "reason")), "needs a second CPU");
	assert_null(json_object_get(one, "value"));
	assert_non_null(strstr(text, "\"confidence\": 0.999,"));
	json_decref(document);
	free(text);
	findings_free(findings);
}

static void there_and_back(void **state)
{
	struct findings *findings = notebook(), *back;
	struct finding finding = *findings_get(findings, "cache.l1d.latency");
	char *before, *after;

	(void)state;
	finding.relative = 5;
	finding.evidence = calloc(1, sizeof(*finding.evidence));
	finding.evidence_count = 1;
	finding.evidence[0] = (struct evidence){ "chase", NAN, 4.5, 4, INFINITY, "" };
	findings_put_take(findings, &finding);
	back = round_trip(findings);
	before = text_of(&CONTEXT, findings, false);
	after = text_of(&CONTEXT, back, false);
	assert_string_equal(before, after);
	finding = *findings_get(back, "cache.l1d.latency");
	assert_true(finding.value == 5 && finding.low == 4.9 && finding.relative == 5 && finding.confidence == 0.999);
	assert_true(finding.samples == 412 && finding.seconds == 0.31);
	assert_string_equal(finding.method, "by hand");
	assert_int_equal(finding.evidence_count, 1);
	assert_string_equal(finding.evidence[0].what, "chase");
	assert_true(isnan(finding.evidence[0].x) && isnan(finding.evidence[0].high) &&
		    finding.evidence[0].value == 4.5);
	free(before);
	free(after);
	findings_free(back);
	findings_free(findings);
}

/* A notebook with every shape that is no number. */
static struct findings *shapes(void)
{
	static const double cells[] = { NAN, 51.2, 51.25, NAN };
	struct findings *findings = findings_new();
	char longer[2001] = "";

	for (size_t i = 0; i + 1 < sizeof(longer); i += 2)
		memcpy(longer + i, "µ", 3);
	worded(findings, "smp.siblings", "text", 3, "0-1 2-3 \"4\" \\ 測");
	worded(findings, "smp.long", "text", 1, longer);
	worded(findings, "comm.tree", "tree", 4, "[[[[0,1],[2,3]],[[4,5],[6]]],7,[2147483647]]");
	worded(findings, "comm.flat", "tree", 1, "[0]");
	worded(findings, "comm.broken", "tree", 1, "[0],\"x\":[");
	between(findings, "comm.latency", 51.225, 2, cells);
	findings_get(findings, "comm.latency")->matrix->labels[1] = 2147483647;
	between(findings, "comm.one", 5, 1, (const double[]){ 5 });
	between(findings, "comm.none", 5, 1, (const double[]){ NAN });
	return findings;
}

static void same_matrix(const struct matrix *one, const struct matrix *other)
{
	assert_int_equal(one->size, other->size);
	assert_string_equal(one->unit, other->unit);
	for (int i = 0; i < one->size; i++)
		assert_int_equal(one->labels[i], other->labels[i]);
	for (int i = 0; i < one->size * one->size; i++)
		assert_true(one->cells[i] == other->cells[i] || (isnan(one->cells[i]) && isnan(other->cells[i])));
}

static void shapes_there_and_back(void **state)
{
	struct findings *findings = shapes(), *back = round_trip(findings);
	char *before = json_of(findings, true), *after = json_of(back, true);

	(void)state;
	assert_string_equal(before, after);
	assert_int_equal(findings_count(back), findings_count(findings));
	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *one = findings_at(findings, i), *other = findings_get(back, one->name);

		assert_int_equal(one->outcome, other->outcome);
		assert_string_equal(one->reason, other->reason);
		if (one->outcome != MEASURED)
			continue;
		assert_true(one->value == other->value && one->low == other->low && one->high == other->high);
		if (one->text)
			assert_string_equal(one->text, other->text);
		if (one->matrix)
			same_matrix(one->matrix, other->matrix);
	}
	assert_int_equal(findings_get(back, "comm.broken")->outcome, FAILED);
	assert_int_equal(findings_get(back, "comm.none")->outcome, FAILED);
	free(before);
	free(after);
	findings_free(findings);
	findings_free(back);
}

static void shapes_in_json(void **state)
{
	struct findings *findings = shapes();
	char *text = json_of(findings, false);
	json_t *all, *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *cells, *value;

	(void)state;
	assert_non_null(document);
	all = json_object_get(document, "findings");
	assert_true(json_is_string(json_object_get(json_object_get(all, "smp.siblings"), "value")));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "smp.siblings"), "number")), 3);
	assert_null(json_object_get(json_object_get(all, "comm.tree"), "low"));
	assert_true(json_number_value(json_object_get(json_object_get(all, "comm.tree"), "confidence")) == 0.9);
	value = json_object_get(json_object_get(all, "comm.tree"), "value");
	assert_int_equal(json_array_size(value), 3);
	assert_true(json_is_array(json_array_get(value, 0)) && json_is_integer(json_array_get(value, 1)));
	value = json_object_get(json_object_get(all, "comm.latency"), "value");
	assert_string_equal(json_string_value(json_object_get(value, "unit")), "ns");
	cells = json_object_get(value, "cells");
	assert_true(json_is_null(json_array_get(json_array_get(cells, 0), 0)));
	assert_true(json_real_value(json_array_get(json_array_get(cells, 1), 0)) == 51.25);
	assert_true(json_number_value(json_object_get(json_object_get(all, "comm.latency"), "high")) == 51.25);
	assert_true(json_is_null(json_object_get(json_object_get(document, "context"), "quota")));
	json_decref(document);
	free(text);
	findings_free(findings);
}

/* The other reader of the schema; tests/run says where it is. */
static void shapes_fit_the_schema(void **state)
{
	struct report_context limited = CONTEXT;
	struct findings *findings = shapes();
	char command[4096];
	const char *top = getenv("TOP");
	FILE *validator;

	(void)state;
	if (!top || system("python3 -c ''") != 0) {
		findings_free(findings);
		skip();
	}
	limited.quota = 0.5;
	snprintf(command, sizeof(command), "python3 '%s/tests/cli/schema.py'", top);
	validator = popen(command, "w");
	assert_non_null(validator);
	assert_true(report_json(validator, &limited, findings, true));
	assert_int_equal(pclose(validator), 0);
	findings_free(findings);
}

static void empty_there_and_back(void **state)
{
	struct findings *findings = findings_new(), *back = round_trip(findings);

	(void)state;
	assert_int_equal(findings_count(back), 0);
	findings_free(back);
	findings_free(findings);
}

static void no_nan_in_json(void **state)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct findings *findings = findings_new();
		struct finding finding = finding_blank("a", "cycles");
		json_t *document;
		char *text;

		finding.outcome = MEASURED;
		finding.value = 4;
		finding.low = finding.high = finding.confidence = finding.relative = finding.claimed = bad[i];
		finding.seconds = bad[i];
		finding.evidence = calloc(1, sizeof(*finding.evidence));
		finding.evidence_count = 1;
		finding.evidence[0] = (struct evidence){ "e", bad[i], bad[i], bad[i], bad[i], "" };
		findings_put_take(findings, &finding);
		measured(findings, "b", "bytes", POINT(bad[i]));
		text = json_of(findings, true);
		assert_null(strstr(text, "nan"));
		assert_null(strstr(text, "inf"));
		document = json_loads(text, 0, NULL);
		assert_non_null(document);
		json_decref(document);
		free(text);
		findings_free(findings);
	}
}

static void reasons_survive(void **state)
{
	static const struct {
		int line;
		const char *reason, *back;
	} rows[] = {
		{ __LINE__, "say \"no\" \\ twice", "say \"no\" \\ twice" },
		{ __LINE__, "tab\there\nand\x01\x1b[31m", "tab\there\nand\x01\x1b[31m" },
		{ __LINE__, "größer als 4 µs, 測定 😀", "größer als 4 µs, 測定 😀" },
		{ __LINE__, "cut \xE6\xB8", "cut \xEF\xBF\xBD\xEF\xBF\xBD" },
		{ __LINE__, "\xFF\xC3\xA9", "\xEF\xBF\xBD\xC3\xA9" },
		{ __LINE__, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct findings *findings = findings_new(), *back;
		char *text;

		other(findings, "a", UNCLEAR, rows[i].reason);
		back = round_trip(findings);
		text = text_of(&CONTEXT, findings, false);
		if (strcmp(findings_get(back, "a")->reason, rows[i].back) != 0 || strchr(text, '\033'))
			fail_msg("row at line %d: '%s'", rows[i].line, findings_get(back, "a")->reason);
		free(text);
		findings_free(back);
		findings_free(findings);
	}
}

static void bad_files_are_refused(void **state)
{
#define DOCUMENT(findings) "{\"schema\": 1, \"findings\": " findings "}"
#define SHAPE(unit, value) \
	"{\"a\": {\"unit\": \"" unit "\", \"outcome\": \"measured\", \"number\": 1, \"value\": " value "}}"
#define TEXT(text) SHAPE("text", "\"" text "\"")
#define MATRIX(unit, labels, cells) \
	SHAPE("matrix", "{\"unit\": \"" unit "\", \"labels\": " labels ", \"cells\": " cells "}")
	static const struct {
		int line;
		const char *text, *error;
	} rows[] = {
		{ __LINE__, "", ":1: " },
		{ __LINE__, "{\n\"schema\": }", ":2: " },
		{ __LINE__, "[]", "not a document" },
		{ __LINE__, "{\"schema\": 2, \"findings\": {}}", "not a document" },
		{ __LINE__, DOCUMENT("[]"), "not a document" },
		{ __LINE__, DOCUMENT("{\"a\": 1}"), "a: the unit" },
		{ __LINE__, DOCUMENT("{\"a\": {\"unit\": \"ell\"}}"), "a: the unit" },
		{ __LINE__, DOCUMENT("{\"a\": {\"unit\": \"ns\", \"outcome\": \"sure\"}}"), "a: the outcome" },
		{ __LINE__, DOCUMENT("{\"a\": {\"unit\": \"ns\", \"outcome\": \"measured\"}}"), "without a value" },
		{ __LINE__, DOCUMENT(TEXT("")), "without a value" },
		{ __LINE__, DOCUMENT("{\"a\": {\"unit\": \"text\", \"outcome\": \"measured\", \"value\": \"b\"}}"),
		  "without a value" },
		{ __LINE__, DOCUMENT(SHAPE("tree", "\"[0]\"")), "without a value" },
		{ __LINE__, DOCUMENT(SHAPE("tree", "[]")), "the tree is not" },
		{ __LINE__, DOCUMENT(SHAPE("tree", "[0, [1.5]]")), "the tree is not" },
		{ __LINE__, DOCUMENT(SHAPE("tree", "[0, [0]]")), "twice" },
		{ __LINE__, DOCUMENT(SHAPE("matrix", "[1]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ells", "[0]", "[[1]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("tree", "[0]", "[[1]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[]", "[]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[0, 1]", "[[1, 2]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[0, 1]", "[[1, 2], [1]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[0, 1]", "[[1, 2], [1, 2, 3]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[0]", "[[\"x\"]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[2147483648]", "[[1]]")), "the matrix is malformed" },
		{ __LINE__, DOCUMENT(MATRIX("ns", "[0]", "[[null]]")), "the matrix is empty" },
	};
	char error[256];
	struct report_saved saved;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (load_text(rows[i].text, error, sizeof(error)) || !strstr(error, rows[i].error))
			fail_msg("row at line %d: '%s'", rows[i].line, error);
	}
	assert_false(report_load_saved(&saved, "/nonexistent/x.json", error, sizeof(error)));
	assert_non_null(strstr(error, "/nonexistent/x.json"));
}

static void a_full_disk_is_noticed(void **state)
{
	struct findings *findings = notebook();
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full) {
		findings_free(findings);
		skip();
	}
	assert_false(report_json(full, &CONTEXT, findings, true));
	fclose(full);
	findings_free(findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_shape),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(shapes_there_and_back),
		cmocka_unit_test(shapes_in_json),
		cmocka_unit_test(shapes_fit_the_schema),
		cmocka_unit_test(empty_there_and_back),
		cmocka_unit_test(no_nan_in_json),
		cmocka_unit_test(reasons_survive),
		cmocka_unit_test(bad_files_are_refused),
		cmocka_unit_test(a_full_disk_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

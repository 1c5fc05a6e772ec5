/* SPDX-License-Identifier: MIT */
/*
 * load.c - a document written by json.c back into a notebook
 */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "saved.h"
#include "units.h"

enum { SCHEMA = 1 };

static void copy(char *to, size_t size, const json_t *object, const char *key)
{
	const char *string = json_string_value(json_object_get(object, key));

	snprintf(to, size, "%s", string ? string : "");
}

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (json_is_boolean(value))
		return json_is_true(value);
	return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool read_outcome(const json_t *object, enum outcome *outcome)
{
	const char *word = json_string_value(json_object_get(object, "outcome"));

	for (int i = MEASURED; word && i <= FAILED; i++) {
		if (strcmp(word, outcome_word(i)) == 0) {
			*outcome = i;
			return true;
		}
	}
	return false;
}

static bool read_evidence(const json_t *array, struct finding *finding)
{
	size_t count = json_array_size(array);

	if (count == 0)
		return true;
	finding->evidence = calloc(count, sizeof(*finding->evidence));
	if (!finding->evidence)
		return false;
	for (size_t i = 0; i < count; i++) {
		const json_t *object = json_array_get(array, i);
		struct evidence *point = &finding->evidence[i];

		copy(point->what, sizeof(point->what), object, "what");
		copy(point->verdict, sizeof(point->verdict), object, "verdict");
		point->x = number(object, "x");
		point->value = number(object, "value");
		point->low = number(object, "low");
		point->high = number(object, "high");
	}
	finding->evidence_count = (int)count;
	return true;
}

static void read_numbers(const json_t *object, struct finding *finding)
{
	double seconds = number(object, "seconds");

	finding->value = number(object, json_object_get(object, "number") ? "number" : "value");
	finding->low = number(object, "low");
	finding->high = number(object, "high");
	if (strcmp(finding->unit, "bool") == 0 || units_worded(finding))
		finding->low = finding->high = finding->value;
	finding->confidence = number(object, "confidence");
	finding->relative = number(object, "relative");
	finding->claimed = number(json_object_get(object, "claimed"), "value");
	finding->seconds = isnan(seconds) ? 0 : seconds;
	finding->samples = (int)json_integer_value(json_object_get(object, "samples"));
}

static bool read_row(const json_t *row, double *cells, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		const json_t *cell = json_array_get(row, i);

		if (!json_is_number(cell) && !json_is_null(cell))
			return false;
		cells[i] = json_is_number(cell) ? json_number_value(cell) : NAN;
	}
	return json_array_size(row) == size;
}

static bool read_cells(const json_t *labels, const json_t *rows, struct matrix *matrix)
{
	size_t size = json_array_size(labels);

	for (size_t i = 0; i < size; i++) {
		const json_t *label = json_array_get(labels, i);

		if (!json_is_integer(label) || json_integer_value(label) < 0 || json_integer_value(label) > INT_MAX)
			return false;
		matrix->labels[i] = (int)json_integer_value(label);
		if (!read_row(json_array_get(rows, i), matrix->cells + i * size, size))
			return false;
	}
	return json_array_size(rows) == size;
}

static const char *read_matrix(const json_t *value, struct finding *finding)
{
	const char *unit = json_string_value(json_object_get(value, "unit"));
	const json_t *labels = json_object_get(value, "labels"), *rows = json_object_get(value, "cells");
	size_t size = json_array_size(labels);
	double low, high;

	unit = unit ? units_literal(unit) : NULL;
	if (!unit || (strcmp(unit, "ns") != 0 && strcmp(unit, "bytes/s") != 0) || size == 0 ||
	    size != json_array_size(rows))
		return "the matrix is malformed";
	finding->matrix = matrix_new(unit, (int)size);
	if (!finding->matrix)
		return "out of memory";
	if (!read_cells(labels, rows, finding->matrix))
		return "the matrix is malformed";
	return matrix_range(finding->matrix, &low, &high) ? NULL : "the matrix is empty";
}

/* Texts, trees and matrices. NULL, or what is wrong. */
static const char *read_shape(const json_t *value, struct finding *finding)
{
	bool tree = strcmp(finding->unit, "tree") == 0;
	int levels;

	if (finding->outcome != MEASURED)
		return NULL;
	if (strcmp(finding->unit, "matrix") == 0)
		return read_matrix(value, finding);
	if (!units_worded(finding))
		return NULL;
	if (tree ? !json_is_array(value) : !json_string_length(value))
		return "measured, but without a value";
	finding->text = tree ? json_dumps(value, JSON_COMPACT) : strdup(json_string_value(value));
	if (!finding->text)
		return "out of memory";
	return tree ? tree_wrong(finding->text, &levels) : NULL;
}

static void drop(struct finding *finding)
{
	free(finding->evidence);
	free(finding->text);
	matrix_free(finding->matrix);
}

/* NULL, or what is wrong with it. */
static const char *read_finding(const char *name, const json_t *object, struct findings *findings)
{
	const char *unit = json_string_value(json_object_get(object, "unit"));
	struct finding finding = finding_blank(name, unit ? units_literal(unit) : NULL);
	const char *wrong;

	if (strlen(name) >= sizeof(finding.name))
		return "the name is too long";
	if (!finding.unit)
		return "the unit is not known";
	if (!read_outcome(object, &finding.outcome))
		return "the outcome is none of the five words";
	read_numbers(object, &finding);
	if (finding.outcome == MEASURED && isnan(finding.value))
		return "measured, but without a value";

	copy(finding.reason, sizeof(finding.reason), object, "reason");
	copy(finding.note, sizeof(finding.note), object, "note");
	copy(finding.method, sizeof(finding.method), object, "method");
	copy(finding.claimed_source, sizeof(finding.claimed_source), json_object_get(object, "claimed"), "source");
	wrong = read_shape(json_object_get(object, "value"), &finding);
	if (!wrong && !read_evidence(json_object_get(object, "evidence"), &finding))
		wrong = "out of memory";
	if (wrong) {
		drop(&finding);
		return wrong;
	}
	findings_put_take(findings, &finding);
	return NULL;
}

static bool read_document(json_t *document, struct report_saved *saved, char *error, size_t size)
{
	json_t *all = json_object_get(document, "findings"), *object;
	const char *name;

	if (json_integer_value(json_object_get(document, "schema")) != SCHEMA || !json_is_object(all)) {
		snprintf(error, size, ": not a document of xray findings, schema %d", SCHEMA);
		return false;
	}
	json_object_foreach (all, name, object) {
		const char *wrong = read_finding(name, object, saved->findings);

		if (wrong) {
			snprintf(error, size, ": %s: %s", name, wrong);
			return false;
		}
	}
	json_decref(saved->owned);
	saved->owned = json_incref(document);
	saved->context = saved_context(document);
	return true;
}

/* False at the end of the file, or with a message. */
static bool read_next(FILE *file, struct report_saved *saved, int *documents, char *error, size_t size)
{
	json_error_t where;
	json_t *document;
	int c;
	bool read;

	while ((c = fgetc(file)) == '\n' || c == ' ')
		;
	if (c == EOF && *documents > 0)
		return false;
	ungetc(c, file);
	document = json_loadf(file, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &where);
	if (!document) {
		if (*documents == 0 || !feof(file))
			snprintf(error, size, ":%d: %s", where.line, where.text);
		return false;
	}
	read = read_document(document, saved, error, size);
	json_decref(document);
	(*documents)++;
	return read;
}

bool report_load_saved(struct report_saved *saved, const char *path, char *error, size_t size)
{
	FILE *file = fopen(path, "r");
	char wrong[256] = "";
	int documents = 0;

	*saved = (struct report_saved){ .findings = findings_new() };
	if (!file || !saved->findings) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
	} else {
		while (read_next(file, saved, &documents, wrong, sizeof(wrong)))
			;
		if (wrong[0])
			snprintf(error, size, "%s%s", path, wrong);
	}
	if (file)
		fclose(file);
	if (file && saved->findings && !wrong[0])
		return true;
	report_saved_free(saved);
	return false;
}

bool report_load_next(FILE *file, struct report_saved *saved, char *error, size_t size)
{
	int documents = 0;

	*saved = (struct report_saved){ .findings = findings_new() };
	if (saved->findings && read_next(file, saved, &documents, error, size))
		return true;
	report_saved_free(saved);
	return false;
}

void report_saved_free(struct report_saved *saved)
{
	findings_free(saved->findings);
	json_decref(saved->owned);
	*saved = (struct report_saved){ 0 };
}

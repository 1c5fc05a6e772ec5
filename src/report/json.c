/* SPDX-License-Identifier: MIT */
/*
 * json.c - the findings as the document of docs/findings.schema.json
 *
 * What is not a number is left out: JSON has no NaN, and a made-up number would be a lie.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "report.h"
#include "units.h"

enum { SCHEMA = 1, DIGITS = 9, LONGEST_UTF8 = 4 };

static const double LARGEST_WHOLE = 0x1p53; /* every whole number up to here is exact in a double */

/* Bytes that are not UTF-8, as a cut-off reason or a compiler may leave them, become U+FFFD. */
static json_t *repaired(const char *bytes)
{
	json_t *whole = json_string("");
	size_t left = strlen(bytes);

	while (whole && left > 0) {
		json_t *letter = NULL, *longer;
		size_t length = 0;

		while (!letter && length < LONGEST_UTF8 && length < left)
			letter = json_stringn(bytes, ++length);
		if (!letter) {
			letter = json_string("\xEF\xBF\xBD");
			length = 1;
		}
		longer = json_sprintf("%s%s", json_string_value(whole), json_string_value(letter));
		json_decref(letter);
		json_decref(whole);
		whole = longer;
		bytes += length;
		left -= length;
	}
	return whole;
}

static json_t *text(const char *bytes)
{
	const char *given = bytes ? bytes : "";
	json_t *string = json_string(given);

	return string ? string : repaired(given);
}

static json_t *text_if_any(const char *bytes)
{
	return bytes[0] ? text(bytes) : NULL;
}

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : NULL;
}

static json_t *quantity(const char *unit, double value)
{
	bool counted = strcmp(unit, "count") == 0 || strcmp(unit, "bytes") == 0;

	if (!isfinite(value))
		return NULL;
	if (strcmp(unit, "bool") == 0)
		return json_boolean(value != 0);
	if (counted && value == floor(value) && fabs(value) <= LARGEST_WHOLE)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *matrix_object(const struct matrix *matrix)
{
	json_t *labels = json_array(), *cells = json_array();

	for (int i = 0; i < matrix->size; i++) {
		const double *values = &matrix->cells[(size_t)i * (size_t)matrix->size];
		json_t *row = json_array();

		for (int j = 0; j < matrix->size; j++)
			json_array_append_new(row, real_or_null(values[j]));
		json_array_append_new(labels, json_integer(matrix->labels[i]));
		json_array_append_new(cells, row);
	}
	return json_pack("{s:s, s:o, s:o}", "unit", matrix->unit, "labels", labels, "cells", cells);
}

/* The notebook sees to it that a measured text, tree or matrix is there, and well formed. */
static json_t *value_of(const struct finding *finding)
{
	if (strcmp(finding->unit, "matrix") == 0)
		return matrix_object(finding->matrix);
	if (strcmp(finding->unit, "tree") == 0)
		return json_loads(finding->text, 0, NULL);
	if (strcmp(finding->unit, "text") == 0)
		return text(finding->text);
	return quantity(finding->unit, finding->value);
}

static json_t *evidence_array(const struct finding *finding)
{
	json_t *array = json_array();

	for (int i = 0; i < finding->evidence_count; i++) {
		const struct evidence *point = &finding->evidence[i];
		json_t *object = json_pack("{s:o, s:o*, s:o*, s:o*, s:o*, s:o*}", "what", text(point->what), "x",
					   real(point->x), "value", real(point->value), "low", real(point->low), "high",
					   real(point->high), "verdict", text_if_any(point->verdict));

		if (json_array_append_new(array, object) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *measured_object(const struct finding *finding)
{
	const char *unit = units_of(finding);
	bool shaped = units_worded(finding) || strcmp(finding->unit, "matrix") == 0;
	bool ranged = strcmp(unit, "bool") != 0 && !units_worded(finding);
	json_t *claimed = NULL, *agrees = NULL;

	if (isfinite(finding->claimed)) {
		claimed = json_pack("{s:o, s:o}", "value", quantity(unit, finding->claimed), "source",
				    text(finding->claimed_source));
		agrees = json_boolean(finding_agrees(finding));
	}
	return json_pack("{s:s, s:o, s:s, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*, s:o*}", "outcome",
			 outcome_word(finding->outcome), "value", value_of(finding), "unit", finding->unit, "number",
			 shaped ? quantity(unit, finding->value) : NULL, "low",
			 ranged ? quantity(unit, finding->low) : NULL, "high",
			 ranged ? quantity(unit, finding->high) : NULL, "confidence", real(finding->confidence),
			 "relative", real(finding->relative), "claimed", claimed, "agrees", agrees, "note",
			 text_if_any(finding->note));
}

static json_t *finding_object(const struct finding *finding, bool with_evidence)
{
	json_t *object, *rest;

	if (finding->outcome == MEASURED)
		object = measured_object(finding);
	else
		object = json_pack("{s:s, s:s, s:o}", "outcome", outcome_word(finding->outcome), "unit", finding->unit,
				   "reason", text(finding->reason));
	rest = json_pack("{s:o, s:f, s:i}", "method", text(finding->method), "seconds",
			 isfinite(finding->seconds) ? finding->seconds : 0, "samples", finding->samples);
	if (rest && with_evidence && json_object_set_new(rest, "evidence", evidence_array(finding)) != 0) {
		json_decref(rest);
		rest = NULL;
	}
	if (!object || !rest || json_object_update(object, rest) != 0) {
		json_decref(object);
		object = NULL;
	}
	json_decref(rest);
	return object;
}

static json_t *findings_object(const struct findings *findings, bool with_evidence)
{
	json_t *object = json_object();

	for (int i = 0; i < findings_count(findings); i++) {
		const struct finding *finding = findings_at(findings, i);

		if (json_object_set_new(object, finding->name, finding_object(finding, with_evidence)) != 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *context_object(const struct report_context *context)
{
	json_t *pinned = context->cpu_used >= 0 ? json_integer(context->cpu_used) : json_null();

	json_t *quota = report_has_quota(context) ? json_real(context->quota) : json_null();

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:{s:I}, s:o, s:o, s:o*}", "date",
			 text(context->date), "host", text(context->host), "cpu", text(context->cpu), "hypervisor",
			 text(context->hypervisor), "kernel", text(context->kernel), "compiler",
			 text(context->compiler), "cpus", context->cpus, "pinned", pinned, "quota", quota, "pages",
			 "base", (json_int_t)context->page_bytes, "noise", text(context->noise), "command",
			 text(context->command), "seconds", real(context->seconds));
}

static bool write(FILE *out, const struct report_context *context, const struct findings *findings, bool with_evidence,
		  size_t form)
{
	json_t *document = json_pack("{s:i, s:{s:s, s:o}, s:o, s:o}", "schema", SCHEMA, "tool", "name", "xray",
				     "version", text(context->version), "context", context_object(context), "findings",
				     findings_object(findings, with_evidence));
	bool written = document &&
		       json_dumpf(document, out, form | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS)) == 0 &&
		       fputc('\n', out) != EOF;

	json_decref(document);
	return fflush(out) == 0 && written && !ferror(out);
}

bool report_json(FILE *out, const struct report_context *context, const struct findings *findings, bool with_evidence)
{
	return write(out, context, findings, with_evidence, JSON_INDENT(2));
}

bool report_line(FILE *out, const struct report_context *context, const struct findings *findings)
{
	return write(out, context, findings, true, JSON_COMPACT);
}

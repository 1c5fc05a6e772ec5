/* SPDX-License-Identifier: MIT */
/*
 * load.c - a document written by json.c back into a notebook
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
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

	finding->value = number(object, "value");
	finding->low = number(object, "low");
	finding->high = number(object, "high");
	if (strcmp(finding->unit, "bool") == 0)
		finding->low = finding->high = finding->value;
	finding->confidence = number(object, "confidence");
	finding->relative = number(object, "relative");
	finding->claimed = number(json_object_get(object, "claimed"), "value");
	finding->seconds = isnan(seconds) ? 0 : seconds;
	finding->samples = (int)json_integer_value(json_object_get(object, "samples"));
}

/* NULL, or what is wrong with it. */
static const char *read_finding(const char *name, const json_t *object, struct findings *findings)
{
	const char *unit = json_string_value(json_object_get(object, "unit"));
	struct finding finding = finding_blank(name, unit ? units_literal(unit) : NULL);

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
	if (!read_evidence(json_object_get(object, "evidence"), &finding))
		return "out of memory";
	findings_put_take(findings, &finding);
	return NULL;
}

static bool read_document(json_t *document, struct findings *findings, char *error, size_t size)
{
	json_t *all = json_object_get(document, "findings"), *object;
	const char *name;

	if (json_integer_value(json_object_get(document, "schema")) != SCHEMA || !json_is_object(all)) {
		snprintf(error, size, ": not a document of xray findings, schema %d", SCHEMA);
		return false;
	}
	json_object_foreach (all, name, object) {
		const char *wrong = read_finding(name, object, findings);

		if (wrong) {
			snprintf(error, size, ": %s: %s", name, wrong);
			return false;
		}
	}
	return true;
}

/* False at the end of the file, or with a message. */
static bool read_next(FILE *file, struct findings *findings, int *documents, char *error, size_t size)
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
	read = read_document(document, findings, error, size);
	json_decref(document);
	(*documents)++;
	return read;
}

struct findings *report_load(const char *path, char *error, size_t size)
{
	FILE *file = fopen(path, "r");
	struct findings *findings = findings_new();
	char wrong[256] = "";
	int documents = 0;

	if (!file || !findings) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
	} else {
		while (read_next(file, findings, &documents, wrong, sizeof(wrong)))
			;
		if (wrong[0])
			snprintf(error, size, "%s%s", path, wrong);
	}
	if (!file || wrong[0]) {
		findings_free(findings);
		findings = NULL;
	}
	if (file)
		fclose(file);
	return findings;
}

/* SPDX-License-Identifier: MIT */
/*
 * findings.c - the notebook, kept as one array in the order of first put
 */
#include "findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double NOMINAL = 0.05; /* how far a claimed clock or latency may be off and still be the same */

struct findings {
	struct finding *list;
	int count, room;
};

const char *outcome_word(enum outcome outcome)
{
	static const char *const words[] = { "measured", "unclear", "absent", "blocked", "failed" };

	return words[outcome];
}

struct findings *findings_new(void)
{
	return calloc(1, sizeof(struct findings));
}

static void drop_owned(struct finding *finding)
{
	free(finding->evidence);
	free(finding->text);
	matrix_free(finding->matrix);
}

void findings_free(struct findings *findings)
{
	if (!findings)
		return;
	for (int i = 0; i < findings->count; i++)
		drop_owned(&findings->list[i]);
	free(findings->list);
	free(findings);
}

static struct finding *find(const struct findings *findings, const char *name)
{
	for (int i = 0; i < findings->count; i++)
		if (strcmp(findings->list[i].name, name) == 0)
			return &findings->list[i];
	return NULL;
}

static struct finding *append(struct findings *findings)
{
	if (findings->count == findings->room) {
		int room = findings->room ? 2 * findings->room : 64;
		struct finding *list = realloc(findings->list, (size_t)room * sizeof(*list));

		if (!list)
			return NULL;
		findings->list = list;
		findings->room = room;
	}
	return &findings->list[findings->count++];
}

static bool has_unit(const struct finding *finding, const char *unit)
{
	return strcmp(finding->unit, unit) == 0;
}

/* NULL, or why a measured finding cannot be what it says. */
static const char *defect(const struct finding *finding)
{
	bool tree = has_unit(finding, "tree");
	double low, high;
	int levels;

	if (!isfinite(finding->value))
		return "the measured value is not a number";
	if ((tree || has_unit(finding, "text")) && (!finding->text || !finding->text[0]))
		return "the measured text is empty";
	if (has_unit(finding, "matrix") && (!finding->matrix || !matrix_range(finding->matrix, &low, &high)))
		return "no cell of the measured matrix is a number";
	return tree ? tree_wrong(finding->text, &levels) : NULL;
}

/* Such a value is a defect of whoever measured it, and is kept as one. */
static void check(struct finding *finding)
{
	const char *wrong = finding->outcome == MEASURED ? defect(finding) : NULL;

	if (!wrong)
		return;
	finding->outcome = FAILED;
	snprintf(finding->reason, sizeof(finding->reason), "%s", wrong);
}

void findings_put_take(struct findings *findings, const struct finding *finding)
{
	struct finding *place = find(findings, finding->name), old = { 0 };

	if (place)
		old = *place;
	else
		place = append(findings);
	/* Without memory for it the finding is dropped: whoever needs it will see that it was never measured. */
	if (!place) {
		old = *finding;
	} else {
		/* What was looked up, changed a little and put again still has what is its own. */
		if (old.evidence == finding->evidence)
			old.evidence = NULL;
		if (old.text == finding->text)
			old.text = NULL;
		if (old.matrix == finding->matrix)
			old.matrix = NULL;
		*place = *finding;
		check(place);
	}
	drop_owned(&old);
}

const struct finding *findings_get(const struct findings *findings, const char *name)
{
	return find(findings, name);
}

int findings_count(const struct findings *findings)
{
	return findings->count;
}

const struct finding *findings_at(const struct findings *findings, int index)
{
	return &findings->list[index];
}

bool finding_agrees(const struct finding *finding)
{
	static const char *const exact[] = { "count", "bool", "bytes" };

	if (finding->outcome != MEASURED || isnan(finding->claimed))
		return false;
	if (has_unit(finding, "text") || has_unit(finding, "tree"))
		return finding->value == finding->claimed;
	for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++)
		if (has_unit(finding, exact[i]))
			return finding->low <= finding->claimed && finding->claimed <= finding->high;
	return fabs(finding->value - finding->claimed) <= NOMINAL * fabs(finding->claimed);
}

struct finding finding_blank(const char *name, const char *unit)
{
	struct finding blank = {
		.unit = unit,
		.outcome = FAILED,
		.value = NAN,
		.low = NAN,
		.high = NAN,
		.confidence = NAN,
		.relative = NAN,
		.claimed = NAN,
	};

	snprintf(blank.name, sizeof(blank.name), "%s", name);
	return blank;
}

struct finding finding_copy(const struct finding *finding)
{
	struct finding copy = *finding;
	size_t bytes = sizeof(*copy.evidence) * (size_t)finding->evidence_count;

	copy.evidence = bytes ? malloc(bytes) : NULL;
	if (copy.evidence)
		memcpy(copy.evidence, finding->evidence, bytes);
	else
		copy.evidence_count = 0;
	copy.text = finding->text ? strdup(finding->text) : NULL;
	copy.matrix = finding->matrix ? matrix_copy(finding->matrix) : NULL;
	return copy;
}

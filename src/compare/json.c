/* SPDX-License-Identifier: MIT */
/*
 * json.c - what changed, for programs
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "compare.h"

enum { SCHEMA = 1, DIGITS = 9 };

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : NULL;
}

/* NULL for none. A finding is in its own document in full; here is what was compared. */
static json_t *side(const struct finding *finding)
{
	bool measured = finding && finding->outcome == MEASURED;

	if (!finding)
		return NULL;
	return json_pack("{s:s, s:s, s:o*, s:o*, s:o*, s:s*, s:s*}", "outcome", outcome_word(finding->outcome), "unit",
			 finding->unit, "value", measured ? real(finding->value) : NULL, "low",
			 measured ? real(finding->low) : NULL, "high", measured ? real(finding->high) : NULL, "text",
			 measured ? finding->text : NULL, "reason", measured ? NULL : finding->reason);
}

static json_t *differences(const struct comparison *comparison)
{
	json_t *object = json_object();

	for (int i = 0; i < comparison->count; i++) {
		const struct difference *difference = &comparison->list[i];
		const struct finding *one = difference->before ? difference->before : difference->after;

		json_object_set_new(object, one->name,
				    json_pack("{s:s, s:o*, s:o*, s:o*, s:o*, s:o*, s:s*}", "verdict",
					      verdict_word(difference->verdict), "before", side(difference->before),
					      "after", side(difference->after), "ratio", real(difference->ratio),
					      "least", real(difference->least), "confidence",
					      real(difference->confidence), "how",
					      difference->how[0] ? difference->how : NULL));
	}
	return object;
}

static json_t *contexts(const struct compared *compared)
{
	struct context_row rows[CONTEXT_ROWS];
	int count = compare_contexts(compared->contexts[0], compared->contexts[1], rows);
	json_t *object = json_object();

	for (int i = 0; i < count; i++)
		json_object_set_new(object, rows[i].word,
				    json_pack("{s:s, s:s}", "before", rows[i].before, "after", rows[i].after));
	return object;
}

static json_t *summary(const struct comparison *comparison)
{
	json_t *object = json_object();

	for (int i = 0; i < VERDICTS; i++)
		json_object_set_new(object, verdict_word(i), json_integer(comparison->counts[i]));
	return object;
}

bool compare_json(FILE *out, const struct compared *compared)
{
	json_t *document = json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "schema", SCHEMA, "before", compared->files[0],
				     "after", compared->files[1], "summary", summary(compared->comparison), "context",
				     contexts(compared), "differences", differences(compared->comparison));
	bool written = document && json_dumpf(document, out,
					      JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS)) == 0;

	json_decref(document);
	return fputc('\n', out) != EOF && fflush(out) == 0 && written && !ferror(out);
}

/* SPDX-License-Identifier: MIT */
/*
 * finding.c - is one finding another than it was?
 */
#include "compare.h"

#include <math.h>
#include <string.h>

/* How much of what both intervals say of their errors has to lie between them, too. */
static const double APART = 0.25;
/* What times vary by from day to day beyond their intervals, which know of one run only. Cycles hardly; a clock, and
 * with it all in ns and bytes/s, goes up and down with the heat and the neighbours. */
static const double CYCLES_DRIFT = 0.02, CLOCK_DRIFT = 0.05;

const char *verdict_word(enum compare_verdict verdict)
{
	static const char *const words[VERDICTS] = { "same",    "changed",     "unsure",    "clearer",
						     "unknown", "only-before", "only-after" };

	return words[verdict];
}

static bool has_unit(const struct finding *finding, const char *unit)
{
	return strcmp(finding->unit, unit) == 0;
}

static double drift_of(const struct finding *finding)
{
	if (has_unit(finding, "count") || has_unit(finding, "bool"))
		return 0;
	return has_unit(finding, "cycles") || has_unit(finding, "bytes") ? CYCLES_DRIFT : CLOCK_DRIFT;
}

/* An end that is not known is where the value is. */
static double end_of(double end, double value)
{
	return isfinite(end) ? end : value;
}

static double ratio_of(double before, double after)
{
	return before > 0 && after > 0 ? after / before : NAN;
}

static void compare_numbers(struct difference *difference)
{
	const struct finding *before = difference->before, *after = difference->after;
	bool more = after->value > before->value;
	double from = more ? end_of(before->high, before->value) : end_of(before->low, before->value);
	double to = more ? end_of(after->low, after->value) : end_of(after->high, after->value);
	double gap = more ? to - from : from - to;
	double errors = fabs(from - before->value) + fabs(after->value - to);
	double drift = drift_of(before) * fmax(fabs(before->value), fabs(after->value));

	if (!has_unit(before, "bool")) {
		difference->ratio = ratio_of(before->value, after->value);
		difference->least = gap > 0 ? ratio_of(from, to) : 1;
	}
	difference->verdict = gap > APART * errors && fabs(after->value - before->value) > drift ? CHANGED : SAME;
}

static void compare_measured(struct difference *difference)
{
	const struct finding *before = difference->before, *after = difference->after;
	char *how = difference->how;
	size_t size = sizeof(difference->how);

	difference->confidence = before->confidence * after->confidence;
	if (strcmp(before->unit, after->unit) != 0) {
		difference->verdict = CHANGED;
		snprintf(how, size, "in %s and in %s", before->unit, after->unit);
	} else if (has_unit(before, "matrix")) {
		difference->verdict = compare_matrices(before->matrix, after->matrix, how, size);
	} else if (has_unit(before, "tree")) {
		difference->verdict = compare_trees(before->text, after->text, how, size);
	} else if (has_unit(before, "text")) {
		difference->verdict = compare_texts(before->text, after->text, how, size);
	} else {
		compare_numbers(difference);
	}
}

static bool is_known(const struct finding *finding)
{
	return finding->outcome == MEASURED || finding->outcome == ABSENT;
}

struct difference compare_findings(const struct finding *before, const struct finding *after)
{
	struct difference difference = {
		.before = before, .after = after, .ratio = NAN, .least = NAN, .confidence = NAN
	};

	if (!before || !after)
		difference.verdict = before ? ONLY_BEFORE : ONLY_AFTER;
	else if (!is_known(before))
		difference.verdict = is_known(after) ? CLEARER : UNKNOWN;
	else if (!is_known(after))
		difference.verdict = UNSURE;
	else if (before->outcome != after->outcome)
		difference.verdict = CHANGED;
	else if (before->outcome == MEASURED)
		compare_measured(&difference);
	return difference;
}

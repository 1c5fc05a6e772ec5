/* SPDX-License-Identifier: MIT */
/*
 * explore.c - times operations alone, in pairs and in mixes, fits resources, and tries these on other mixes
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trials.h"

static const double ENOUGH = 0.6; /* of the mixes must have run, undisturbed */
static const double MOST_ERROR = 0.04; /* of a time: resources whose parts are no larger are not told apart */
static const double HOPELESS = 0.1; /* median error of mixes not seen before */
static const double CYCLE = 1.05; /* cycles: longer is more than one */

enum { FEWEST_UNSEEN = 10, TRIES = 3, LOOKS_AGAIN = 5 };

static void fit(struct work *work)
{
	struct ports_mix mixes[TRIALS + PORTS_OPS] = { 0 };
	double errors[TRIALS + PORTS_OPS] = { 0 };
	int count = work->survey->count;

	for (int op = 0; op < count; op++) {
		mixes[op].n[op] = 1;
		mixes[op].cycles = work->alone[op];
	}

	for (int i = 0; i < work->count; i++)
		if (work->trials[i].purpose != CONTROL && trials_good(&work->trials[i])) {
			errors[count] = work->trials[i].error;
			mixes[count++] = work->trials[i].mix;
		}
	work->survey->fitted = count;
	ports_fit(&work->survey->model, work->survey->count, mixes, count,
		  count ? fmin(stat_median(errors, count), MOST_ERROR) : 0);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Compares with what was timed, and notes all of it. */
static void judge(struct work *work)
{
	struct ports_survey *survey = work->survey;
	double errors[TRIALS];

	survey->unseen = 0;
	for (int i = 0; i < work->count; i++) {
		const struct trial *trial = &work->trials[i];
		double predicted = ports_predict(&survey->model, trial->mix.n);
		bool good = trials_good(trial);
		char words[160];

		if (good && trial->purpose == CONTROL)
			errors[survey->unseen++] = fabs(predicted / trial->mix.cycles - 1);
		ports_words(survey->ops, survey->count, trial->mix.n, words, sizeof words);
		lab_note(work->lab, words, predicted, trial->ran ? trial->mix.cycles : NAN,
			 !trial->ran                       ? "did not run"
			 : !trial->alone                   ? "core shared"
			 : trial->error >= TRIALS_UNSTEADY ? "several rhythms"
			 : !good                           ? "waits for its chains"
			 : trial->purpose == BUNDLE        ? "bundle"
			 : trial->purpose == CONTROL       ? "not seen before"
							   : "fitted");
	}
	qsort(errors, (size_t)survey->unseen, sizeof *errors, by_size);
	survey->median = survey->unseen ? stat_median(errors, survey->unseen) : NAN;
	survey->worst = survey->unseen ? errors[survey->unseen - 1] : NAN;
}

static int size_of(const int *n)
{
	int all = 0;

	for (int op = 0; op < PORTS_OPS; op++)
		all += n[op];
	return all;
}

/* What running it says: YES, it takes a cycle, NO, it takes longer, or nothing. */
static enum stat_verdict run_bundle(struct work *work, const int *n, struct trial *trial)
{
	double cycles;

	if (!trial)
		return STAT_UNDECIDED;
	for (int tries = 0; tries < TRIES && !(trial->alone && trial->error < TRIALS_UNSTEADY); tries++)
		trials_time(work, trial);
	if (!trial->ran)
		return STAT_UNDECIDED;
	/* Another one that is so many times this one may have run before. */
	cycles = trial->mix.cycles * size_of(n) / size_of(trial->mix.n);
	if (!trial->alone || trial->error >= TRIALS_UNSTEADY)
		return STAT_UNDECIDED;
	return cycles <= CYCLE ? STAT_YES : trials_good(trial) ? STAT_NO : STAT_UNDECIDED;
}

static bool holds(const int *outer, const int *inner)
{
	for (int op = 0; op < PORTS_OPS; op++)
		if (outer[op] < inner[op])
			return false;
	return true;
}

/* Adds one that ran, in place of any that it holds. */
static void keep(struct ports_bundles *bundles, const int *n)
{
	int kept = 0;

	for (int i = 0; i < bundles->count; i++) {
		if (holds(bundles->n[i], n))
			return;
		if (!holds(n, bundles->n[i]))
			memmove(bundles->n[kept++], bundles->n[i], sizeof bundles->n[i]);
	}
	bundles->count = kept;
	if (kept < PORTS_BUNDLES)
		memcpy(bundles->n[bundles->count++], n, sizeof bundles->n[0]);
}

/* Runs some bundles; how many take longer than a cycle. */
static int run_bundles(struct work *work, const struct ports_bundles *bundles)
{
	struct trial *trials[PORTS_BUNDLES];
	int refuted = 0;

	for (int i = 0; i < bundles->count; i++) {
		struct ports_mix mix = { .cycles = NAN };

		memcpy(mix.n, bundles->n[i], sizeof mix.n);
		trials[i] = trials_add(work, &mix, BUNDLE);
	}
	lab_prepare(work->lab);
	for (int i = 0; i < bundles->count; i++) {
		enum stat_verdict fits = run_bundle(work, bundles->n[i], trials[i]);

		refuted += fits == STAT_NO;
		if (fits == STAT_YES)
			keep(&work->survey->bundles, bundles->n[i]);
	}
	return refuted;
}

/* Where there is room left: pairs that were timed, as many times as a cycle has room for. */
static void keep_pairs(struct work *work)
{
	for (int i = 0; i < work->count; i++) {
		const struct trial *trial = &work->trials[i];
		int times = trial->ran ? (int)fmin(CYCLE / trial->mix.cycles, PORTS_BUNDLES) : 0, n[PORTS_OPS];

		if (trial->purpose != PAIR || !trial->alone || trial->error >= TRIALS_UNSTEADY || !times)
			continue;
		for (int op = 0; op < PORTS_OPS; op++)
			n[op] = times * trial->mix.n[op];
		keep(&work->survey->bundles, n);
	}
}

/* Those that take longer than a cycle say what the resources lack, and others follow; all that are kept did run. */
static void check(struct work *work)
{
	struct ports_bundles bundles = { .count = 0 };
	int refuted = 1;

	for (int round = 0; round < TRIALS_CHECKS && refuted && !timer_over(work->lab->timer); round++) {
		ports_bundles(&work->survey->model, &bundles);
		refuted = run_bundles(work, &bundles);
		if (refuted)
			fit(work);
	}
	memcpy(work->survey->bundles.same, bundles.same, sizeof bundles.same);
	keep_pairs(work);
}

static void conclude(struct work *work)
{
	struct ports_survey *survey = work->survey;
	struct lab *lab = work->lab;
	int alone = 0, ran = 0;
	char reason[200];

	for (int i = 0; i < work->count; i++) {
		ran += work->trials[i].ran;
		alone += work->trials[i].ran && work->trials[i].alone;
	}
	if (alone < ENOUGH * ran) {
		snprintf(reason, sizeof reason, "two speeds: something else uses this core, beside %d of %d mixes",
			 ran - alone, ran);
		lab_outcome(lab, UNCLEAR, reason);
	} else if (survey->unseen < FEWEST_UNSEEN) {
		snprintf(
			reason, sizeof reason,
			"only %d mixes to try the resources on ran alone, steadily and without waiting for their chains",
			survey->unseen);
		lab_outcome(lab, UNCLEAR, reason);
	} else if (survey->median > HOPELESS) {
		snprintf(reason, sizeof reason,
			 "%d resources explain what was fitted, but %d other mixes are %.0f %% off at the median",
			 survey->model.resources, survey->unseen, 100 * survey->median);
		lab_outcome(lab, UNCLEAR, reason);
	}
}

/* At those that were not alone, or not steady; neighbours come and go. False when there are none. */
static bool look_again(struct work *work)
{
	bool any = false;

	for (int i = 0; i < work->count && !timer_over(work->lab->timer); i++) {
		struct trial *trial = &work->trials[i];

		if (!trial->ran || (trial->alone && trial->error <= TRIALS_UNSTEADY))
			continue;
		any = any || !trial->alone;
		trials_time(work, trial);
	}
	return any;
}

bool ports_explore(struct lab *lab, const struct ports_candidate *candidates, int count, struct ports_survey *survey)
{
	struct work *work = calloc(1, sizeof *work);

	if (!work) {
		lab_outcome(lab, FAILED, "out of memory");
		return false;
	}
	*survey = (struct ports_survey){ .count = 0 };
	work->lab = lab;
	work->survey = survey;
	trials_alone(work, candidates, count);
	if (survey->count < 2) {
		lab_outcome(lab, UNCLEAR, "fewer than two operations can be timed");
	} else {
		trials_plan(work);
		for (int i = 0; i < work->count && !timer_over(lab->timer); i++)
			trials_time(work, &work->trials[i]);
		for (int again = 0; again < LOOKS_AGAIN && look_again(work); again++)
			;
		fit(work);
		check(work);
		judge(work);
		conclude(work);
	}
	for (int i = 0; i < work->count; i++)
		free(work->trials[i].text);
	free(work);
	return !lab->settled;
}

char *ports_text(const struct ports_survey *survey)
{
	const struct ports_bundles *bundles = &survey->bundles;
	char *text = NULL, words[256];
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int i = 0; i < bundles->count; i++) {
		ports_words(survey->ops, survey->count, bundles->n[i], words, sizeof words);
		fprintf(out, "%s%s", i ? "; " : "", words);
	}
	for (int op = 0; op < survey->count; op++)
		if (bundles->same[op] != op)
			fprintf(out, "; %s as %s", survey->ops[op].name, survey->ops[bundles->same[op]].name);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

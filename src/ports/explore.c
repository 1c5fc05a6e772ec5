/* SPDX-License-Identifier: MIT */
/*
 * explore.c - times operations alone, in pairs and in mixes, fits resources, and tries these on other mixes
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"

enum {
	PAIRS = PORTS_OPS * (PORTS_OPS - 1) / 2,
	FITTED = 80, /* mixes, beside what is alone and in pairs */
	UNSEEN = 40,
	MOST = PORTS_OPS + PAIRS + FITTED + UNSEEN,
	INTEGERS = 14, /* registers, where they were not counted: what most machines have */
	FLOATS = 16,
	ROOMY = 32, /* more make no difference */
	SPARED = 1, /* of the integers', for the loop */
	WIDE = 32 /* bytes of a vector whose instruction set has targets of their own */
};

static const double PRECISION = 0.004; /* half-width an estimate tries to reach */
static const double CREDIT = 4e6; /* ns for each mix */
static const double WAITS = 1.03; /* times what its chains take: it may have waited for those */
static const double UNSTEADY = 0.05; /* of a time: its loop has several rhythms, and the two lengths differ in them */
static const double ENOUGH = 0.6; /* of the mixes must have run, undisturbed */
static const double MOST_ERROR = 0.04; /* of a time: resources whose parts are no larger are not told apart */
static const double HOPELESS = 0.1; /* median error of mixes not seen before */

enum { FEWEST_UNSEEN = 10 };

/* What a mix is for. */
enum purpose { ALONE, PAIR, TRAINING, CONTROL };

struct trial {
	struct ports_mix mix;
	enum purpose purpose;
	double waiting; /* cycles that its chains take */
	double error; /* relative */
	bool ran, alone; /* alone: with nobody beside us */
	char *text;
};

struct work {
	struct lab *lab;
	struct ports_survey *survey;
	struct ports_room room;
	struct trial trials[MOST];
	int count;
	double interval[PORTS_OPS], alone[PORTS_OPS]; /* cycles: to plan with; as timed */
};

static int registers_of(const struct lab *lab, const char *type, int otherwise)
{
	char name[64];
	double found;

	snprintf(name, sizeof name, "cpu.registers.%s", type);
	found = lab_fact(lab, name);
	return isnan(found) ? otherwise : (int)fmin(found, ROOMY);
}

/* Cycles of an operation alone; NAN when this machine has none, or it cannot be timed. */
static double cycles_of(struct lab *lab, const char *text)
{
	struct estimate estimate = lab_try(lab, text, NANO_BARRIER_ASM, NAN);

	return estimate.status == MACHINE_RAN ? estimate.ticks / lab->cycle : NAN;
}

/* What mixes are planned with: hardware likes whole numbers, and plans that do not change with every breath are
 * compiled once. */
static double planned(double interval)
{
	return interval < 1 ? 1 / round(1 / interval) : round(4 * interval) / 4;
}

/* Operations that run here, with their times. */
static void take_alone(struct work *work, const struct ports_candidate *candidates, int count)
{
	struct ports_survey *survey = work->survey;

	for (int i = 0; i < count && survey->count < PORTS_OPS; i++) {
		struct ports_op op = candidates[i].op;

		op.interval = cycles_of(work->lab, candidates[i].copies);
		op.latency = candidates[i].chain[0] ? cycles_of(work->lab, candidates[i].chain) : 0;
		if (!(op.interval > 0) || isnan(op.latency))
			continue;
		if (op.type->lanes * op.type->lane_bytes >= WIDE && op.type->class == NANO_FLOAT)
			work->room.lent = op.type;
		work->alone[survey->count] = op.interval;
		work->interval[survey->count] = op.interval = planned(op.interval);
		op.latency = round(op.latency);
		survey->ops[survey->count++] = op;
	}
}

/* False when the registers do not hold it. */
static bool add_trial(struct work *work, const struct ports_mix *mix, enum purpose purpose)
{
	struct trial *trial = &work->trials[work->count];
	char text[KERNEL_TEXT];

	for (int i = 0; i < work->count; i++)
		if (ports_alike(mix, &work->trials[i].mix))
			return true;
	*trial = (struct trial){ .mix = *mix, .purpose = purpose };
	if (!ports_kernel(work->survey->ops, mix, &work->room, text, &trial->waiting))
		return false;
	trial->text = strdup(text);
	if (!trial->text)
		return false;
	lab_want(work->lab, trial->text, NANO_BARRIER_ASM);
	work->count++;
	return true;
}

/* As even as the registers allow. */
static void add_pair(struct work *work, int a, int b)
{
	static const int fewer[][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 4, 1 }, { 1, 4 } };
	struct ports_mix mix;
	bool added;

	ports_pair(work->interval, a, b, &mix);
	added = add_trial(work, &mix, PAIR);
	for (size_t i = 0; !added && i < sizeof fewer / sizeof *fewer; i++) {
		mix = (struct ports_mix){ .n = { 0 } };
		mix.n[a] = fewer[i][0];
		mix.n[b] = fewer[i][1];
		added = add_trial(work, &mix, PAIR);
	}
}

static void plan(struct work *work)
{
	int ops = work->survey->count, index = 0, before;
	struct ports_mix mix;

	for (int a = 0; a < ops; a++) {
		mix = (struct ports_mix){ .n = { 0 } };
		mix.n[a] = 1;
		add_trial(work, &mix, ALONE);
		for (int b = a + 1; b < ops; b++)
			add_pair(work, a, b);
	}
	before = work->count;
	for (; work->count < before + FITTED + UNSEEN && index < 4 * MOST; index++) {
		ports_random(work->interval, ops, index, &mix);
		add_trial(work, &mix, (work->count - before) % 3 == 2 ? CONTROL : TRAINING);
	}
	lab_prepare(work->lab);
}

static void time_trial(struct work *work, struct trial *trial)
{
	struct lab *lab = work->lab;
	struct probe *probe = lab_probe(lab, trial->text, NANO_BARRIER_ASM);
	struct estimate estimate;
	int all = 0;

	if (!probe)
		return;
	lab->timer->credit += CREDIT;
	estimate = timing_of(lab->timer, probe, PRECISION);
	lab->finding.samples += estimate.rounds;
	if (estimate.status != MACHINE_RAN)
		return;
	for (int op = 0; op < PORTS_OPS; op++)
		all += trial->mix.n[op];
	/* A second look may be the one that nobody disturbs. */
	if (!trial->ran || !estimate.shared || estimate.ticks * all / lab->cycle < trial->mix.cycles)
		trial->mix.cycles = estimate.ticks * all / lab->cycle;
	trial->ran = true;
	trial->error = (estimate.high - estimate.low) / 2 / estimate.ticks;
	trial->alone = !estimate.shared;
	lab->share = fmax(lab->share, estimate.share);
}

static bool is_good(const struct trial *trial)
{
	return trial->ran && trial->alone && trial->error < UNSTEADY && trial->mix.cycles > trial->waiting * WAITS;
}

static void fit(struct work *work)
{
	struct ports_mix mixes[MOST + PORTS_OPS] = { 0 };
	double errors[MOST + PORTS_OPS] = { 0 };
	int count = work->survey->count;

	for (int op = 0; op < count; op++) {
		mixes[op].n[op] = 1;
		mixes[op].cycles = work->alone[op];
	}

	for (int i = 0; i < work->count; i++)
		if (work->trials[i].purpose != CONTROL && is_good(&work->trials[i])) {
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
	double errors[MOST];

	survey->unseen = 0;
	for (int i = 0; i < work->count; i++) {
		const struct trial *trial = &work->trials[i];
		double predicted = ports_predict(&survey->model, trial->mix.n);
		bool good = is_good(trial);
		char words[160];

		if (good && trial->purpose == CONTROL)
			errors[survey->unseen++] = fabs(predicted / trial->mix.cycles - 1);
		ports_words(survey->ops, survey->count, trial->mix.n, words, sizeof words);
		lab_note(work->lab, words, predicted, trial->ran ? trial->mix.cycles : NAN,
			 !trial->ran                 ? "did not run"
			 : !trial->alone             ? "core shared"
			 : !good                     ? "waits for its chains"
			 : trial->purpose == CONTROL ? "not seen before"
						     : "fitted");
	}
	qsort(errors, (size_t)survey->unseen, sizeof *errors, by_size);
	survey->median = survey->unseen ? stat_median(errors, survey->unseen) : NAN;
	survey->worst = survey->unseen ? errors[survey->unseen - 1] : NAN;
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
		snprintf(reason, sizeof reason, "registers hold only %d mixes to try the resources on", survey->unseen);
		lab_outcome(lab, UNCLEAR, reason);
	} else if (survey->median > HOPELESS) {
		snprintf(reason, sizeof reason,
			 "%d resources explain what was fitted, but %d other mixes are %.0f %% off at the median",
			 survey->model.resources, survey->unseen, 100 * survey->median);
		lab_outcome(lab, UNCLEAR, reason);
	}
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
	work->room = (struct ports_room){ .integers = registers_of(lab, "i64", INTEGERS) - SPARED,
					  .floats = registers_of(lab, "f64", FLOATS) };
	take_alone(work, candidates, count);
	if (survey->count < 2) {
		lab_outcome(lab, UNCLEAR, "fewer than two operations can be timed");
	} else {
		plan(work);
		for (int i = 0; i < work->count && !timer_over(lab->timer); i++)
			time_trial(work, &work->trials[i]);
		for (int i = 0; i < work->count && !timer_over(lab->timer); i++)
			if (work->trials[i].ran && (!work->trials[i].alone || work->trials[i].error > UNSTEADY))
				time_trial(work, &work->trials[i]);
		fit(work);
		judge(work);
		conclude(work);
	}
	for (int i = 0; i < work->count; i++)
		free(work->trials[i].text);
	free(work);
	return !lab->settled;
}

char *ports_text(const struct ports_survey *survey, const struct ports_bundles *bundles)
{
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

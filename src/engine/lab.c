/* SPDX-License-Identifier: MIT */
/*
 * lab.c - where a micro-benchmark works: it times, remembers facts, and writes one finding
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "../timing/shelf.h"

static const double PRECISION = 0.0015; /* half-width an estimate tries to reach */

void lab_open(struct lab *lab, struct timer *timer, struct findings *findings, enum nano_barrier barrier)
{
	*lab = (struct lab){
		.timer = timer,
		.findings = findings,
		.barrier = barrier,
		.cycle = NAN,
		.shelf = shelf_new(),
		.ladder = { .S = 8, .I = 5, .B = 4, .T = 2 },
	};
}

void lab_close(struct lab *lab)
{
	shelf_free(lab->shelf);
}

void lab_start(struct lab *lab, const char *name, const char *unit)
{
	lab->finding = finding_blank(name, unit);
	lab->settled = lab->shared = false;
	lab->share = 0;
	lab->evidence_room = 0;
}

void lab_finish(struct lab *lab)
{
	lab_outcome(lab, FAILED, "the micro-benchmark came to no conclusion");
	if (lab->noted)
		lab->noted(lab->noted_context, &lab->finding, NULL);
	findings_put_take(lab->findings, &lab->finding);
	lab->finding.evidence = NULL;
	lab->finding.evidence_count = 0;
	lab->finding.text = NULL;
	lab->finding.matrix = NULL;
}

struct probe *lab_probe(struct lab *lab, const char *text, enum nano_barrier barrier)
{
	struct shelved *shelved = shelf_get(lab->shelf, text, barrier);

	return shelved ? shelved->probe : NULL;
}

void lab_want(struct lab *lab, const char *text, enum nano_barrier barrier)
{
	struct shelved *shelved = shelf_get(lab->shelf, text, barrier);

	if (shelved)
		shelved->wanted = true;
}

void lab_prepare(struct lab *lab)
{
	shelf_prepare(lab->shelf, lab->timer->machine);
}

void lab_forget(struct lab *lab)
{
	shelf_forget(lab->shelf);
}

void lab_note(struct lab *lab, const char *what, double x, double value, const char *verdict)
{
	struct finding *finding = &lab->finding;

	if (finding->evidence_count == lab->evidence_room) {
		int room = lab->evidence_room ? 2 * lab->evidence_room : 8;
		struct evidence *more = realloc(finding->evidence, sizeof(*more) * (size_t)room);

		if (!more)
			return;
		finding->evidence = more;
		lab->evidence_room = room;
	}

	struct evidence *evidence = &finding->evidence[finding->evidence_count++];

	*evidence = (struct evidence){ .x = x, .value = value, .low = NAN, .high = NAN };
	snprintf(evidence->what, sizeof(evidence->what), "%s", what);
	snprintf(evidence->verdict, sizeof(evidence->verdict), "%s", verdict);
	if (lab->noted)
		lab->noted(lab->noted_context, finding, evidence);
}

struct estimate lab_try(struct lab *lab, const char *text, enum nano_barrier barrier, double x)
{
	struct shelved *shelved = shelf_get(lab->shelf, text, barrier);

	if (!shelved)
		return (struct estimate){ .status = MACHINE_FAULT, .why = "bad spec", .ticks = NAN };
	if (!shelved->measured) {
		shelved->estimate = timing_of(lab->timer, shelved->probe, PRECISION);
		shelved->measured = true;
	}

	struct estimate *estimate = &shelved->estimate;
	bool ran = estimate->status == MACHINE_RAN;
	double unit = isnan(lab->cycle) ? 1 : 1 / lab->cycle;

	lab->finding.samples += estimate->rounds;
	if (!ran)
		estimate->ticks = NAN;
	lab_note(lab, text, x, ran ? estimate->ticks * unit : NAN,
		 ran ? (estimate->shared ? "core shared" : "") : "did not run");
	if (ran && lab->finding.evidence_count) {
		struct evidence *evidence = &lab->finding.evidence[lab->finding.evidence_count - 1];

		evidence->low = estimate->low * unit;
		evidence->high = estimate->high * unit;
		lab->shared = lab->shared || estimate->shared;
		lab->share = fmax(lab->share, estimate->share);
	}
	return *estimate;
}

struct estimate lab_time(struct lab *lab, const char *text, enum nano_barrier barrier, double x)
{
	struct estimate estimate = lab_try(lab, text, barrier, x);

	if (estimate.status != MACHINE_RAN)
		lab_status(lab, &estimate);
	return estimate;
}

enum stat_verdict lab_slower(struct lab *lab, const char *base, const char *other, double factor)
{
	static const char *const words[] = { "undecided", "no slower", "slower" };
	struct probe *a = lab_probe(lab, base, lab->barrier), *b = lab_probe(lab, other, lab->barrier);
	enum stat_verdict verdict = a && b ? timing_slower(lab->timer, a, b, factor) : STAT_UNDECIDED;

	lab_note(lab, other, factor, NAN, words[verdict]);
	return verdict;
}

double lab_fact(const struct lab *lab, const char *name)
{
	const struct finding *finding = findings_get(lab->findings, name);

	return finding && finding->outcome == MEASURED ? finding->value : NAN;
}

void lab_measured(struct lab *lab, double value, double low, double high, double confidence, const char *method)
{
	struct finding *finding = &lab->finding;

	if (lab->settled)
		return;
	lab->settled = true;
	finding->outcome = MEASURED;
	finding->value = value;
	finding->low = low;
	finding->high = high;
	finding->confidence = confidence;
	snprintf(finding->method, sizeof(finding->method), "%s", method);
}

void lab_measured_matrix(struct lab *lab, struct matrix *matrix, double confidence, const char *method,
			 const char *none)
{
	double low, high;

	lab->finding.matrix = matrix;
	if (!matrix)
		lab_outcome(lab, FAILED, "out of memory");
	else if (matrix_range(matrix, &low, &high))
		lab_measured(lab, stat_median(matrix->cells, matrix->size * matrix->size), low, high, confidence,
			     method);
	else
		lab_outcome(lab, UNCLEAR, none);
}

void lab_told(struct lab *lab, const char *text, double confidence, const char *method)
{
	if (lab->settled)
		return;
	lab->finding.text = strdup(text);
	if (lab->finding.text)
		lab_measured(lab, 1, 1, 1, confidence, method);
	else
		lab_outcome(lab, FAILED, "out of memory");
}

void lab_outcome(struct lab *lab, enum outcome outcome, const char *reason)
{
	if (lab->settled)
		return;
	lab->settled = true;
	lab->finding.outcome = outcome;
	snprintf(lab->finding.reason, sizeof(lab->finding.reason), "%s", reason);
}

void lab_status(struct lab *lab, const struct estimate *estimate)
{
	enum outcome outcome = estimate->status == MACHINE_ABSENT                                           ? ABSENT
			       : estimate->status == MACHINE_FAULT                                          ? FAILED
			       : estimate->status == MACHINE_REFUSED || estimate->status == MACHINE_BLOCKED ? BLOCKED
													    : UNCLEAR;

	/* Samples that were all disturbed are the machine's unrest, not a fault. */
	if (outcome == FAILED && estimate->discarded > 0)
		outcome = UNCLEAR;
	lab_outcome(lab, outcome, estimate->why);
}

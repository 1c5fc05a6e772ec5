/* SPDX-License-Identifier: MIT */
/*
 * past.c - the smallest copy that stores past the caches make quicker
 *
 * Copies of more and more bytes, with such stores and without, by turns. A store that goes past the caches need not
 * read the line that it writes, and puts nobody's lines out; but the line is gone from the caches when it is wanted
 * again.
 */
#include <math.h>
#include <stdio.h>

#include "traffic.h"

enum { SIZES = 24, TURNS = 3, NOISY_TURNS = 5, SAMPLES = 4, STEPS = 1024, MOST_STEPS = 16384 };

static const double CLEARLY = 0.93, BY_FAR = 0.85; /* of the other's time */
static const double HARDLY = 0.02; /* the same: so near to what counts it may do so, or not */
static const double FIRST = 0.25; /* of what the nearest level holds */
static const double BEYOND = 4; /* times what the last level holds */
static const double FINER = 1.15; /* sizes that the answer lies between */

/* Of a sample: all of them go once round, as far as there is time for that, since where some sets of a cache hold a
 * stretch and others do not, its parts differ. */
static long steps_of(const struct walk *walk)
{
	long each = walk_length(walk) / SAMPLES;

	return (each < STEPS ? STEPS : each > MOST_STEPS ? MOST_STEPS : each) / WALK_PIECES * WALK_PIECES;
}

static double mean(const double *values, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i];
	return sum / count;
}

/* The quicker of a few looks at each, by turns: time with over time without. NaN: they do not run. */
static double compare(struct lab *lab, enum walk_stream stream, double span, long vector, char *why, size_t size)
{
	struct machine *machine = lab->timer->machine;
	struct walk walks[2] = { traffic_walk(stream, span), traffic_walk(stream, span) };
	double least[2] = { INFINITY, INFINITY };
	int turns = lab->timer->noise == NOISE_QUIET ? TURNS : NOISY_TURNS;

	walks[1].past = true;
	for (int i = 0; i < 2 * turns; i++) {
		int which = (i + i / 2) % 2;
		struct reading reading;

		walks[which].vector = vector;
		if (timer_over(lab->timer) || machine->ops->walk(machine, &walks[which], steps_of(&walks[which]),
								 SAMPLES, &reading) != MACHINE_RAN) {
			snprintf(why, size, "%s",
				 timer_over(lab->timer) ? "there was no time left for it" : reading.why);
			return NAN;
		}
		lab->finding.samples += SAMPLES;
		least[which] = fmin(least[which], mean(reading.ns, SAMPLES));
	}
	lab_note(lab,
		 stream == WALK_COPY ? "bytes copied; time past the caches, relative"
				     : "bytes written; time past the caches, relative",
		 span / (stream == WALK_COPY ? 2 : 1), least[1] / least[0],
		 least[1] < CLEARLY * least[0] ? "wins" : "");
	return least[1] / least[0];
}

/* Where such stores begin to win, bytes written. INFINITY: they never do. */
struct past {
	double low, high; /* from high on all larger ones win; low is the largest that does not */
	double before, after; /* the same, but for sizes that win hardly enough, or lack hardly anything */
	double earliest, latest; /* the smallest that wins; from there on all larger ones win by far */
	double last; /* ratio of the largest */
};

static void look_at(struct past *past, double bytes, double ratio)
{
	past->last = ratio;
	past->before = ratio >= CLEARLY + HARDLY ? bytes : past->before;
	past->after = ratio < CLEARLY - HARDLY ? fmin(past->after, bytes) : INFINITY;
	if (ratio < CLEARLY) {
		past->high = fmin(past->high, bytes);
		past->earliest = fmin(past->earliest, bytes);
	} else {
		past->low = bytes;
		past->high = INFINITY;
	}
	past->latest = ratio < BY_FAR ? fmin(past->latest, bytes) : INFINITY;
}

/* False and why when it cannot be told. */
static bool bracket(struct lab *lab, enum walk_stream stream, long vector, struct past *past, char *why, size_t size)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	double far = lab->timer->noise == NOISE_QUIET ? 0 : TRAFFIC_FAR, room = (double)lab->timer->machine->memory / 2,
	       most = fmin(fmax(far, BEYOND * traffic_above(hierarchy, hierarchy->levels)), room),
	       bytes = fmax(FIRST * hierarchy->level[0].reach, TRAFFIC_SPAN), halves = stream == WALK_COPY ? 2 : 1;

	*past = (struct past){ .high = INFINITY, .after = INFINITY, .earliest = INFINITY, .latest = INFINITY };
	for (int i = 0; i < SIZES && ldexp(bytes, i) * halves <= most; i++) {
		double span = floor(ldexp(bytes, i) * halves / TRAFFIC_SPAN) * TRAFFIC_SPAN,
		       ratio = compare(lab, stream, span, vector, why, size);

		if (isnan(ratio))
			return false;
		look_at(past, span / halves, ratio);
	}
	while (isfinite(past->high) && past->low > 0 && past->high > FINER * past->low) {
		double span = floor(sqrt(past->low * past->high) * halves / TRAFFIC_SPAN) * TRAFFIC_SPAN, ratio;

		if (span / halves <= past->low || span / halves >= past->high)
			break;
		ratio = compare(lab, stream, span, vector, why, size);
		if (isnan(ratio))
			return false;
		*(ratio < CLEARLY ? &past->high : &past->low) = span / halves;
		if (fabs(ratio - CLEARLY) >= HARDLY)
			*(ratio < CLEARLY ? &past->after : &past->before) = span / halves;
	}
	return true;
}

void traffic_past(struct lab *lab)
{
	char size[TRAFFIC_WORD];
	struct walk widest =
		traffic_walk(WALK_COPY, fmax(TRAFFIC_SPAN, traffic_span(0, lab->hierarchy->level[0].reach, 1)));
	struct flow flow = traffic_stream(lab, &widest, false);
	struct past copied, written;
	char why[256] = "";

	if (!flow.vector) {
		lab_outcome(lab, BLOCKED, flow.why);
		return;
	}
	if (!bracket(lab, WALK_COPY, flow.vector, &copied, why, sizeof(why)) ||
	    !bracket(lab, WALK_WRITE, flow.vector, &written, why, sizeof(why))) {
		lab_outcome(lab, BLOCKED, why);
		return;
	}
	if (fabs(copied.last - CLEARLY) < HARDLY) {
		lab_outcome(lab, UNCLEAR, "stores past the caches make the largest copies hardly quicker");
		return;
	}
	if (isinf(copied.high)) {
		lab_outcome(lab, ABSENT, "stores past the caches never made a copy quicker");
		return;
	}
	traffic_size(written.high, size);
	if (isinf(written.high))
		snprintf(lab->finding.note, sizeof(lab->finding.note), "copies; writes alone are never quicker");
	else
		snprintf(lab->finding.note, sizeof(lab->finding.note), "copies; writes alone from %s on", size);
	/* Sizes that win by little may be those of another day's losses, and the other way round. */
	lab_measured(lab, copied.high, fmin(copied.before, copied.earliest),
		     fmax(copied.after * FINER, isinf(copied.latest) ? 0 : copied.latest),
		     lab->timer->noise != NOISE_QUIET                           ? 0.7
		     : copied.before < copied.low || copied.after > copied.high ? 0.8
										: 0.9,
		     "copies with and without");
}

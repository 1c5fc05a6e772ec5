/* SPDX-License-Identifier: MIT */
/*
 * streams.c - bytes that one CPU reads, writes or copies in a second
 *
 * All that disturbs a stream makes it slower, so that the quickest looks count; but where memory is part of it, a look
 * is a mean over what memory does, and a lucky one is no better. Widths of vectors are tried by turns, and the quickest
 * is looked at again.
 */
#include <math.h>
#include <stdio.h>

#include "traffic.h"

enum { WIDTHS_TRIED = 3, TRIES = 2, LOOKS = 4, NOISY_LOOKS = 16, SAMPLES = 8, STEPS = 256, DEEP_STEPS = 4096 };

static const double LUCKY = 0.1, USUAL = 0.4; /* quantiles of samples */
static const double BEST = 0.1; /* of looks */
static const double GRAIN = 0.01; /* what an interval is at least wider by, relative */
static const double PAUSE = 2e6; /* ns: others come and go */
static const double SLOWER = 0.08; /* relative: then it was not all memory */
static const double FURTHEST = 0x1p30; /* bytes to begin with */
static const double TWICE_LEAST = 1.6, TWICE_MOST = 2.5;

struct walk traffic_walk(enum walk_stream stream, double span)
{
	return (struct walk){
		.order = WALK_STREAM, .pages = WALK_HUGE_PAGES, .stream = stream, .span = (uint64_t)span, .vector = 16
	};
}

/* ns of so many steps; NaN and why when they are not to be had. */
static double look(struct lab *lab, const struct walk *walk, long steps, bool deep, char *why, size_t size)
{
	struct machine *machine = lab->timer->machine;
	struct reading reading;

	if (timer_over(lab->timer)) {
		snprintf(why, size, "there was no time left for it");
		return NAN;
	}
	if (machine->ops->walk(machine, walk, steps, SAMPLES, &reading) != MACHINE_RAN) {
		snprintf(why, size, "%s", reading.why);
		return NAN;
	}
	lab->finding.samples += SAMPLES;
	return stat_quantile(reading.ns, SAMPLES, deep ? USUAL : LUCKY) - lab->timer->cost;
}

/* Steps that take as long as a timing should. */
static long enough_steps(struct lab *lab, const struct walk *walk, bool deep, char *why, size_t size)
{
	long steps = STEPS;
	double ns = look(lab, walk, steps, deep, why, size);

	while (ns < lab->timer->sample && steps < 1 << 24) {
		double times = fmax(1.2, fmin(16, 1.1 * lab->timer->sample / fmax(ns, 1)));

		steps = (long)(times * (double)steps) / WALK_PIECES * WALK_PIECES + WALK_PIECES;
		ns = look(lab, walk, steps, deep, why, size);
	}
	return deep && steps < DEEP_STEPS ? DEEP_STEPS : steps;
}

/* The width whose steps take the shortest; 0: none runs. */
static long quickest_width(struct lab *lab, struct walk *walk, long *steps, bool deep, char *why, size_t size)
{
	static const long widths[WIDTHS_TRIED] = { 16, 32, 64 };
	double least = INFINITY, ns[WIDTHS_TRIED] = { INFINITY, INFINITY, INFINITY };
	long best = 0;
	char wrong[256];

	*steps = enough_steps(lab, walk, deep, why, size);
	for (int i = 0; i < WIDTHS_TRIED * TRIES; i++) {
		int width = i % WIDTHS_TRIED;

		walk->vector = widths[width];
		if (!isnan(ns[width]))
			ns[width] = fmin(ns[width], look(lab, walk, *steps, deep, width ? wrong : why,
							 width ? sizeof(wrong) : size));
		if (ns[width] < least) {
			least = ns[width];
			best = widths[width];
		}
	}
	return best;
}

static double bytes_of(const struct walk *walk, long steps)
{
	return (double)steps * WALK_PIECE * (walk->stream == WALK_COPY ? 2 : 1);
}

struct flow traffic_stream(struct lab *lab, const struct walk *asked, bool deep)
{
	struct flow flow = { .rate = NAN };
	struct walk walk = *asked;
	struct machine *machine = lab->timer->machine;
	double times[NOISY_LOOKS], doubled;
	int looks = lab->timer->noise == NOISE_QUIET ? LOOKS : NOISY_LOOKS, n = 0;
	long steps;

	flow.vector = walk.vector = quickest_width(lab, &walk, &steps, deep, flow.why, sizeof(flow.why));
	for (int i = 0; flow.vector && i < looks; i++) {
		double ns = look(lab, &walk, steps, deep, flow.why, sizeof(flow.why));

		if (ns > 0)
			times[n++] = ns;
		if (lab->timer->noise != NOISE_QUIET && i % 4 == 3)
			machine->ops->wait(machine, PAUSE);
	}
	if (n < looks)
		return flow;
	/* The control: what is not done takes no longer when there is twice as much of it. */
	doubled = look(lab, &walk, 2 * steps, deep, flow.why, sizeof(flow.why));
	flow.rate = bytes_of(&walk, steps) / stat_quantile(times, n, BEST) * 1e9;
	flow.low = fmin(bytes_of(&walk, steps) / stat_median(times, n) * 1e9, flow.rate * (1 - GRAIN));
	flow.high = fmax(bytes_of(&walk, steps) / stat_quantile(times, n, 0) * 1e9, flow.rate * (1 + GRAIN));
	lab_note(lab, "twice as long a stream took so many times as long", NAN, doubled / stat_median(times, n), "");
	if (!(doubled > TWICE_LEAST * stat_quantile(times, n, 0)) ||
	    (doubled > TWICE_MOST * stat_median(times, n) && lab->timer->noise == NOISE_QUIET)) {
		flow.rate = NAN;
		snprintf(flow.why, sizeof(flow.why), "twice as long a stream does not take twice as long");
	}
	return flow;
}

/* Further and further out, until twice as much memory is no slower: what the caches hold is not always known. */
static struct flow deep_stream(struct lab *lab, enum walk_stream stream, double *span)
{
	double most = (double)lab->timer->machine->memory / 2;
	struct walk walk = traffic_walk(stream, *span);
	struct flow flow = traffic_stream(lab, &walk, true);

	while (flow.rate > 0) {
		struct flow further;

		walk.span *= 2;
		if ((double)walk.span > most) {
			flow.rate = NAN;
			snprintf(flow.why, sizeof(flow.why), "the largest stretches are still slower than others");
			break;
		}
		further = traffic_stream(lab, &walk, true);
		lab_note(lab, "a stream over twice as many bytes; bytes/s", (double)walk.span, further.rate, "");
		if (further.rate > (1 - SLOWER) * flow.rate)
			break;
		flow = further;
		*span = (double)walk.span;
	}
	return flow;
}

void traffic_bandwidth(struct lab *lab, int depth, enum walk_stream stream)
{
	char size[TRAFFIC_WORD];
	const struct hierarchy *hierarchy = lab->hierarchy;
	bool memory = depth == hierarchy->levels;
	double span = memory ? traffic_span_deep(lab, 4, FURTHEST) : traffic_span_of(lab, depth, INFINITY), leak;
	struct walk walk = traffic_walk(stream, span);
	struct flow flow;

	if (!(span > 0))
		return;
	flow = memory ? deep_stream(lab, stream, &span) : traffic_stream(lab, &walk, false);
	if (isnan(flow.rate)) {
		lab_outcome(lab, flow.vector ? UNCLEAR : BLOCKED, flow.why);
		return;
	}
	leak = traffic_leak(traffic_above(hierarchy, depth), span);
	traffic_size(span, size);
	snprintf(lab->finding.note, sizeof(lab->finding.note), "%.3g bytes a cycle, vectors of %ld bytes, %s",
		 flow.rate * hierarchy->cycle / 1e9, flow.vector, size);
	lab_measured(lab, flow.rate, flow.low * (1 - leak), flow.high, lab->timer->noise == NOISE_QUIET ? 0.95 : 0.8,
		     "streams");
}

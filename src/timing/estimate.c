/* SPDX-License-Identifier: MIT */
/*
 * estimate.c - from bursts of samples to a number that is believed
 *
 * The median of several blocks is the estimate. A block is thrown away when the core was never its own or the tick
 * changed meanwhile: for what happened beside the samples, never for their value.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

enum { FEWEST_BLOCKS = 3, MOST_BLOCKS = 31, BRIEF = 16, CROWDED_BRIEF = 60 };

static const double LONGEST = 5300; /* samples for one estimate: 8 ms with a good clock; waiting not counted */
static const double WAIT_SHARE = 0.33;
static const double RHYTHM = 1.02; /* a loop that settles into another rhythm takes 4 % more on Zen 4; scatter less */
static const double LUCKY = 1.01;
/* Of the value, by the noise: code placement, the tick's own error, and blocks that agree by chance. */
static const double SYSTEMATIC[] = { [NOISE_QUIET] = 0.002, [NOISE_NOISY] = 0.004, [NOISE_HOSTILE] = 0.05 };

static bool goes_on_from_itself(const struct nano *nano)
{
	const struct nano_statement *first = &nano->statements[0];

	for (int i = first->first_node; i <= first->root; i++)
		if (nano->nodes[i].kind == NANO_VARIABLE &&
		    (first->target < 0 || nano->nodes[i].variable == first->target))
			return true;
	return false;
}

/* As short as will do, since compiling takes longer than timing. Many copies at a time may hide the loop's overhead in
 * a long body and not in a short one, and then the difference of the two would be too small: they start longer. Without
 * a barrier the question is a comparison, and one length answers it. */
static void choose_lengths(const struct nano *nano, int *brief, int *full)
{
	bool crowded = (nano->count >= 4 || !goes_on_from_itself(nano)) && nano->barrier != NANO_BARRIER_NONE;

	*brief = crowded ? CROWDED_BRIEF : BRIEF;
	*brief = (*brief + nano->count - 1) / nano->count * nano->count;
	*full = nano->barrier == NANO_BARRIER_NONE ? *brief : crowded ? 2 * *brief : 3 * *brief;
}

struct probe *probe_new(const char *text, enum nano_barrier barrier, char *error, size_t size)
{
	struct probe *probe = calloc(1, sizeof(*probe));
	struct nano *nano = nano_parse(text, barrier, 1, error, size);
	int brief, full;

	if (probe && nano) {
		choose_lengths(nano, &brief, &full);
		probe->brief = nano_parse(text, barrier, brief, error, size);
		probe->full = nano_parse(text, barrier, full, error, size);
	}
	nano_free(nano);
	if (probe && probe->brief && probe->full) {
		nano_pair(probe->brief, probe->full);
		return probe;
	}
	probe_free(probe);
	return NULL;
}

void probe_free(struct probe *probe)
{
	if (!probe)
		return;
	nano_free(probe->brief);
	nano_free(probe->full);
	free(probe);
}

/* Waits a little longer each time, while there is time left for that. False when it is used up. */
static bool wait_for_core(struct timer *timer, double *pause)
{
	const double longest = 3.2e7;

	if (fmin(timer->wait_left, timer->credit) < *pause)
		return false;
	timer->machine->ops->wait(timer->machine, *pause);
	timer->wait_left -= *pause;
	*pause = fmin(2 * *pause, longest);
	return true;
}

static bool enough(const double *ticks, int n, double precision)
{
	if (n < FEWEST_BLOCKS)
		return false;

	struct stat_interval interval = stat_median_interval(ticks, n, 0.99);

	return interval.high - interval.low < 2 * precision * stat_median(ticks, n);
}

static bool size_probe(struct timer *timer, struct probe *probe, struct estimate *estimate)
{
	struct reading reading = { 0 };
	enum machine_status status = MACHINE_RAN;

	if (probe->laps == 0)
		probe->laps = sample_size(timer, probe->full, &status, &reading);
	/* The shorter length may fail where the longer one does not; it is the one that is asked first elsewhere. */
	if (status == MACHINE_RAN)
		status = timer->machine->ops->run(timer->machine, probe->brief, 1, 1, &reading);
	estimate->value = reading.value;
	estimate->status = status;
	snprintf(estimate->why, sizeof(estimate->why), "%s", reading.why);
	return status == MACHINE_RAN;
}

/* Values of the blocks taken with the core to ourselves, or beside a neighbour. */
struct series {
	double brief[MOST_BLOCKS], full[MOST_BLOCKS]; /* ticks of a lap */
	double ticks[MOST_BLOCKS], tick[MOST_BLOCKS], shares[MOST_BLOCKS], crowds[MOST_BLOCKS], held[MOST_BLOCKS];
	int n;
};

static void add_block(struct series *series, const struct timer *timer, const struct probe *probe,
		      const struct block *block)
{
	int n = series->n;
	double tick = block->tick.second / (double)timer->tick_laps, laps = (double)probe->laps;

	if (n == MOST_BLOCKS)
		return;
	series->tick[n] = tick;
	series->brief[n] = block->brief.second / laps / tick;
	series->full[n] = block->full.second / laps / tick;
	series->ticks[n] = (series->full[n] - series->brief[n]) / (nano_body(probe->full) - nano_body(probe->brief));
	series->shares[n] = block->share;
	series->held[n] = block->held;
	series->crowds[n] = block->crowd.second / (double)timer->crowd_laps;
	series->n++;
}

double timing_margin(const struct timer *timer)
{
	return SYSTEMATIC[timer->noise] + timer->granularity / timer->sample;
}

/* A loop may settle into one of several rhythms and keep to it for some blocks, the two lengths each for itself: Zen
 * 4's small divisions take 9.0 cycles or 9.5. What the hardware can do is the quickest of each.
 *
 * A statement with the loop's overhead in it takes more than the difference of the two lengths says. Part of that
 * overhead may have been hidden in one of them, and the truth is somewhere about. */
static void conclude(struct estimate *estimate, const struct timer *timer, const struct probe *probe,
		     const struct series *series)
{
	struct stat_interval interval = stat_median_interval(series->ticks, series->n, 0.999);
	double brief = stat_lowest_cluster(series->brief, series->n, RHYTHM);
	double full = stat_lowest_cluster(series->full, series->n, RHYTHM);
	double apart = (full - brief) / (nano_body(probe->full) - nano_body(probe->brief));
	double whole = full / nano_body(probe->full), margin, overhead;

	estimate->status = MACHINE_RAN;
	estimate->ticks = apart > LUCKY * whole ? whole : apart;
	estimate->ns = estimate->ticks * stat_median(series->tick, series->n);
	estimate->rounds = series->n;
	estimate->held = stat_median(series->held, series->n);
	margin = timing_margin(timer) * fabs(estimate->ticks);
	overhead = fmax(0, whole - estimate->ticks);
	estimate->low = fmin(interval.low, estimate->ticks) - margin - overhead / 2;
	estimate->high = fmax(interval.high, estimate->ticks + overhead) + margin;
}

/* Nothing in it was disturbed each time. */
static bool block_is_whole(const struct block *block)
{
	return fmax(fmax(block->tick.second, block->crowd.second), fmax(block->brief.second, block->full.second)) <
	       LOW_NONE.second;
}

struct estimate timing_of(struct timer *timer, struct probe *probe, double precision)
{
	struct estimate estimate = { .share = timer->share };
	struct series alone = { .n = 0 }, shared = { .n = 0 };
	int tries = 0, patience = MOST_BLOCKS * (2 + 2 * (int)timer->noise);
	double pause = 1e6;

	if (!size_probe(timer, probe, &estimate))
		return estimate;

	double begin = timer->machine->ops->clock(timer->machine), waited = 0, now = begin;
	double longest = fmin(LONGEST * timer->sample, timer->credit);

	while (tries++ < patience && !enough(alone.ticks, alone.n, precision) && alone.n < MOST_BLOCKS &&
	       !timer_over(timer)) {
		struct block block = block_take(timer, probe, now + longest / FEWEST_BLOCKS);
		double left = timer->wait_left;

		now = timer->machine->ops->clock(timer->machine);
		if (!block.ran || (alone.n + shared.n >= FEWEST_BLOCKS && now - begin - waited > longest))
			break;
		if (!block.steady || !block_is_whole(&block)) {
			estimate.discarded++;
			continue;
		}
		add_block(block.alone ? &alone : &shared, timer, probe, &block);
		timer->tick_least = fmin(timer->tick_least, block.tick.second / (double)timer->tick_laps);
		timer->tick_most = fmax(timer->tick_most, block.tick.second / (double)timer->tick_laps);
		if (!block.alone && wait_for_core(timer, &pause))
			waited += left - timer->wait_left;
	}

	timer_charge(timer, begin);

	const struct series *used = alone.n >= FEWEST_BLOCKS || shared.n == 0 ? &alone : &shared;

	if (used->n == 0) {
		estimate.status = MACHINE_FAULT;
		snprintf(estimate.why, sizeof(estimate.why), "no undisturbed sample in %d tries", tries);
		return estimate;
	}
	estimate.shared = used == &shared;
	estimate.discarded += used == &shared ? alone.n : shared.n;
	conclude(&estimate, timer, probe, used);
	/* Waiting earns its keep: it may take a third of the time that measuring does. */
	timer->wait_left += WAIT_SHARE * (now - begin - waited);
	wide_settle(wide_of(timer, probe->full), estimate.held);
	/* A core that was never alone so far shows itself here as a crowd faster than any before. */
	if (used->n >= FEWEST_BLOCKS && stat_median(used->shares, used->n) * SHARE_SLACK < timer->share) {
		timer->share = stat_median(used->shares, used->n);
		timer->crowd_least = stat_median(used->crowds, used->n);
	}
	return estimate;
}

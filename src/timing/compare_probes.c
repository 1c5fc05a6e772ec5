/* SPDX-License-Identifier: MIT */
/*
 * compare_probes.c - which of two nano-benchmarks is slower: paired, in ABBA order, stopping as soon as it is sure
 *
 * A pair measured within microseconds shares its clock, its neighbours and its luck, so the sign of the difference says
 * more than either time. Wald's sequential test on the signs needs five to nine pairs when the answer is clear.
 */
#include <math.h>

#include "sample.h"

enum { MOST_PAIRS = 60 };

static bool size(struct timer *timer, struct probe *probe)
{
	struct reading reading;
	enum machine_status status = MACHINE_RAN;

	if (probe->laps == 0)
		probe->laps = sample_size(timer, probe->full, &status, &reading);
	return status == MACHINE_RAN;
}

static double per_statement(const struct probe *probe, const struct low *low)
{
	return low->second / (double)probe->laps / nano_body(probe->full);
}

enum stat_verdict timing_slower(struct timer *timer, struct probe *base, struct probe *other, double factor)
{
	struct stat_sprt test = stat_sprt_start(0.2, 0.8, 1e-3, 1e-3);
	enum stat_verdict verdict = STAT_UNDECIDED;
	int patience = MOST_PAIRS * (1 + (int)timer->noise);

	if (!size(timer, base) || !size(timer, other))
		return STAT_UNDECIDED;

	double begin = timer->machine->ops->clock(timer->machine);

	for (int i = 0; i < patience && verdict == STAT_UNDECIDED && !timer_over(timer); i++) {
		struct low a = LOW_NONE, b = LOW_NONE;
		int disturbed = 0;

		if (!sample_burst(timer, base->full, base->laps, &a, &disturbed) ||
		    !sample_burst(timer, other->full, other->laps, &b, &disturbed) ||
		    !sample_burst(timer, other->full, other->laps, &b, &disturbed) ||
		    !sample_burst(timer, base->full, base->laps, &a, &disturbed))
			return STAT_UNDECIDED;
		if (disturbed == 0)
			verdict = stat_sprt_add(&test, per_statement(other, &b) > per_statement(base, &a) * factor);
	}
	timer_charge(timer, begin);
	return verdict;
}

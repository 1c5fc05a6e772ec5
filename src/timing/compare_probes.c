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

static double per_statement(struct timer *timer, struct probe *probe, bool *ok)
{
	struct reading reading;
	double ns = sample_lap(timer, probe->full, &probe->full_laps, &reading);

	*ok = *ok && isfinite(ns) && !reading.disturbed;
	return ns / nano_body(probe->full);
}

enum stat_verdict timing_slower(struct timer *timer, struct probe *base, struct probe *other, double factor)
{
	struct stat_sprt test = stat_sprt_start(0.2, 0.8, 1e-3, 1e-3);
	enum stat_verdict verdict = STAT_UNDECIDED;
	int patience = MOST_PAIRS * (1 + (int)timer->noise);

	for (int i = 0; i < patience && verdict == STAT_UNDECIDED && !(timer->stop && timer->stop()); i++) {
		bool ok = true;
		double a = per_statement(timer, base, &ok), b = per_statement(timer, other, &ok);

		b += per_statement(timer, other, &ok);
		a += per_statement(timer, base, &ok);
		if (isnan(a) || isnan(b))
			return STAT_UNDECIDED;
		if (ok)
			verdict = stat_sprt_add(&test, b > a * factor);
	}
	return verdict;
}

int probe_spills(struct timer *timer, const struct probe *probe)
{
	struct reading reading;

	return timer->machine->ops->run(timer->machine, probe->full, 1, &reading) == MACHINE_RAN ? reading.spills : -1;
}

/* SPDX-License-Identifier: MIT */
/*
 * op_inflight.c - how many operations of a kind can be on their way at a time
 */
#include "micro.h"

/* Closer than this below a whole number, the last chain's delay is smaller than the errors of both times. */
static const double TOLERANCE = 0.005;

static bool instance(int index, struct subject *subject)
{
	for (int i = 0; (subject->operation = operation_at(i)); i++)
		for (int j = 0; (subject->type = nano_type_at(j)); j++)
			if (operation_has(subject->operation->latency_types & subject->operation->interval_types, subject->type) &&
			    index-- == 0)
				return true;
	return false;
}

static const struct finding *fact(const struct lab *lab, const struct subject *subject, const char *property)
{
	char name[64];

	snprintf(name, sizeof(name), "op.%s.%s.%s", subject->operation->name, subject->type->name, property);
	return findings_get(lab->findings, name);
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct finding *latency = fact(lab, subject, "latency"), *interval = fact(lab, subject, "interval");
	double ratio = latency->value / interval->value, slack = TOLERANCE * ratio;
	double value = fmax(1, floor(ratio + slack));
	double error = ratio * ((latency->high - latency->low) / latency->value + (interval->high - interval->low) / interval->value) / 2;

	lab_note(lab, "latency / interval", NAN, ratio, "");
	/* The slack swallows ratios a hair below a whole number. One that may lie on either side of the slack's edge cannot
	 * be told; nor can a whole number whose error is much more than the slack. */
	double above = ratio + slack - value, below = value + 1 - (ratio + slack);

	if (below < error || (above < error && error > 3 * slack && value > 1)) {
		char reason[160];

		snprintf(reason, sizeof(reason), "%.2f intervals in a latency: %.0f or %.0f", ratio, below < error ? value : value - 1,
			 below < error ? value + 1 : value);
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	lab_measured(lab, value, value, value, 0.99, "latency / interval");
}

const struct micro micro_op_inflight = {
	.name = "op.OP.TYPE.inflight",
	.what = "operations of a kind on their way at a time",
	.unit = "count",
	.story = "Idea     k chains take no longer than one while k operations start within one latency.\n"
		 "Answer   The largest such k: the whole part of latency / interval.\n"
		 "Assumes  What latency and interval assume.\n"
		 "Fails as unclear when the ratio is too close to a whole number to say which side it is on.",
	.needs = { "op.OP.TYPE.latency", "op.OP.TYPE.interval" },
	.instance = instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * op_inflight.c - how many operations of a kind can be on their way at a time
 */
#include "micro.h"

static const double TOLERANCE = 0.0025; /* closer than this to a whole number, it is one */
static const double WIDEST = 0.06;

static bool instance(int index, struct subject *subject)
{
	for (int i = 0; (subject->operation = operation_at(i)); i++)
		for (int j = 0; (subject->type = nano_type_at(j)); j++)
			if (!subject->operation->spread &&
			    operation_has(subject->operation->latency_types & subject->operation->interval_types,
					  subject->type) &&
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

/* Upwards; below, an interval reaches down to what it may be without a neighbour nobody saw. */
static double relative_error(const struct finding *finding)
{
	return (finding->high - finding->value) / finding->value;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct finding *latency = fact(lab, subject, "latency"), *interval = fact(lab, subject, "interval");
	double ratio = latency->value / interval->value, nearest = round(ratio);
	/* That a divider may be quicker at another time is in the numbers that are named, not in this one. */
	double off = operation_phases(subject->operation, subject->type, interval->value) > 0
			     ? fmin(relative_error(interval), relative_error(latency))
			     : relative_error(interval);
	double error = ratio * (relative_error(latency) + off);
	bool whole = fabs(ratio - nearest) <= fmin(fmax(TOLERANCE * ratio, error / 2), WIDEST);
	double value = fmax(1, whole ? nearest : floor(ratio));
	double least = fmin(value, fmax(1, floor(latency->low / interval->high))),
	       most = fmax(value, floor(latency->high / interval->low));

	lab_note(lab, "latency / interval", NAN, ratio, "");
	/* Hardware likes whole numbers, so one that is hit is the answer; but an interval 1 % longer makes it one less,
	 * and all the numbers that the errors allow are named. Both are in cycles, and how long one is makes no
	 * difference. */
	if (error - 2 * ratio * lab->cycle_error > fmax(1, 0.25 * ratio)) {
		char reason[160];

		snprintf(reason, sizeof(reason), "%.2f intervals in a latency, give or take %.2f", ratio, error);
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	lab_measured(lab, value, least, most, least == most ? 0.99 : whole ? 0.8 : 0.7, "latency / interval");
}

const struct micro micro_op_inflight = {
	.name = "op.OP.TYPE.inflight",
	.what = "operations of a kind on their way at a time",
	.unit = "count",
	.story =
		"Idea     k chains take no longer than one while k operations start within one latency.\n"
		"Answer   The largest such k: the whole part of latency / interval.\n"
		"Assumes  What latency and interval assume.\n"
		"Fails as a range of numbers, without confidence, when the ratio is too close to a whole one to say which side it is on.",
	.needs = { "op.OP.TYPE.latency", "op.OP.TYPE.interval" },
	.instance = instance,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * op_interval.c - cycles between the starts of independent operations
 */
#include "micro.h"

enum { ANNOUNCED = 2, MOST_IN_FLIGHT = 48 }; /* steps that nearly every operation needs; the most chains of any step */

static const double HALVED = 0.5;
static const double AS_OFTEN = 0.05; /* of an add's interval, more or less */
static const double ROOMY = 0.8; /* of the most that were seen under way */
static const double NOT_ONE_NUMBER = 0.25; /* width of the interval, of the value */

static bool instance(int index, struct subject *subject)
{
	for (int i = 0; (subject->operation = operation_at(i)); i++)
		for (int j = 0; (subject->type = nano_type_at(j)); j++)
			if (operation_has(subject->operation->interval_types, subject->type) && index-- == 0)
				return true;
	return false;
}

static void write_chain(const void *of, int copies, char *text, size_t size)
{
	const struct subject *subject = of;

	operation_write(operation_chain(subject->operation, subject->type), subject->type, copies, text, size);
}

static void write_renewed(const void *of, int copies, char *text, size_t size)
{
	const struct subject *subject = of;

	operation_write(subject->operation->renewed, subject->type, copies, text, size);
}

static void want(struct lab *lab, const struct subject *subject)
{
	char text[512];

	if (!operation_chain(subject->operation, subject->type)) {
		write_renewed(subject, 8, text, sizeof(text));
		lab_want(lab, text, NANO_BARRIER_ASM);
		return;
	}
	for (int i = 0; i < ANNOUNCED; i++) {
		write_chain(subject, engine_saturate_step(i), text, sizeof(text));
		lab_want(lab, text, lab->barrier);
	}
}

/* With more operations on their way than chains were ever tried, the core's window may be the limit and not the units.
 * One that starts as often as an add does is at the core's width, and leaves the window no say; where one starts more
 * often, adds are not at the width. Nor has it a say where clearly more of another operation were on their way. */
static bool is_crammed(struct lab *lab, const struct subject *subject, double interval)
{
	double add = cycles(lab, timer_add(lab->timer)), under_way;
	char name[64];

	snprintf(name, sizeof(name), "op.%s.%s.latency", subject->operation->name, subject->type->name);
	under_way = lab_fact(lab, name) / interval;
	lab->in_flight = fmax(lab->in_flight, under_way);
	return under_way > MOST_IN_FLIGHT && under_way > ROOMY * lab->in_flight &&
	       fabs(interval - add) > AS_OFTEN * add;
}

static void run(struct lab *lab, const struct subject *subject)
{
	bool chained = operation_chain(subject->operation, subject->type) != NULL;
	struct saturation found = engine_saturate(lab, chained ? write_chain : NULL, write_renewed, subject);
	char reason[200];

	if (lab->settled)
		return;
	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return;
	}
	if (!found.saturated) {
		snprintf(reason, sizeof(reason),
			 "registers hold only %d chains, which do not fill the units: below %.3g cycles", found.copies,
			 cycles(lab, found.high));
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	if (found.renewed && is_crammed(lab, subject, cycles(lab, found.ticks))) {
		snprintf(
			reason, sizeof(reason),
			"%.3g cycles or less: so many are on their way that the core may hold no more, whatever its units do",
			cycles(lab, found.ticks));
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	if (lab->shared) {
		snprintf(reason, sizeof(reason),
			 "two speeds: something else uses this core, beside it an operation takes %.3g cycles",
			 cycles(lab, found.ticks));
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}

	double value = cycles(lab, found.ticks);

	if (found.high - found.low > NOT_ONE_NUMBER * found.ticks) {
		snprintf(reason, sizeof(reason),
			 "not one number: between %.3g and %.3g cycles from one moment to the next",
			 fmax(cycles(lab, found.low), 0), cycles(lab, found.high));
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	double spread =
		fmax(subject->operation->spread, operation_phases(subject->operation, subject->type, value)) * value;
	/* Neighbours come and go as far as the crowd can see. One may be there all the time, or use none of the crowd's
	 * units: then half of the unit is his, and alone it would be twice as quick. */
	double unseen = lab->timer->noise == NOISE_QUIET ? 0 : HALVED * value;

	lab_measured(lab, value, fmin(cycles_low(lab, found.low), value - fmax(spread, unseen)),
		     fmax(cycles_high(lab, found.high), value + spread), subject->operation->spread ? 0.8 : 0.99,
		     found.renewed ? "saturate, renewed" : "saturate");
	lab->finding.relative = value / lab_fact(lab, "op.add.i32.latency");
}

const struct micro micro_op_interval = {
	.name = "op.OP.TYPE.interval",
	.what = "cycles between starts of independent operations",
	.unit = "cycles",
	.story =
		"Idea     k independent chains take max(latency / k, interval) per operation.\n"
		"Answer   The least time per operation as k grows until k operations take longer than one alone.\n"
		"         Operations without a chain of their own (sqrt of a number that stays irrational, loads, stores),\n"
		"         and those whose chains do not fit the registers, are repeated without reading what they wrote.\n"
		"Assumes  Nobody else on the core: a chain of adds and a crowd of adds beside every sample watch for that.\n"
		"Fails as unclear when a neighbour stays, when the registers hold too few chains, or when\n"
		"         so many operations are on their way at a time that the core's window may be the limit.",
	.needs = { "?cpu.frequency", "?op.add.i32.latency", "?op.OP.TYPE.latency" },
	.instance = instance,
	.want = want,
	.run = run,
};

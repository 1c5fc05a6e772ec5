/* SPDX-License-Identifier: MIT */
/*
 * op_latency.c - cycles from an operation's start until its result can be used
 */
#include "micro.h"

/* Width of the interval, of the value: beyond, the operation has no latency to speak of (a store that is forwarded by
 * renaming takes whatever the predictor makes of it). */
static const double NOT_ONE_NUMBER = 0.2;
static const double UNSTEADY = 0.07; /* of a latency: nearer than this to a whole number, it may be that one */
static const double NEARLY_WHOLE = 0.02, MIXTURE = 0.05; /* cycles from a whole number */
/* Where neighbours come and go: of a latency that is no whole number, and of one so long that the unit must be a
 * divider, what it may be when nobody is on the unit. */
static const double HALVED = 0.5, WAITED = 0.8, DIVIDER = 10 /* cycles */;
static const double ROOM = 0.52; /* a statement of two chains to one of a single chain: 0.5 when it has room */
static const double FILLED = 0.9; /* the same, when it has none */
static const double SLACK = 0.02; /* of what is the difference of two long chains */
static const double WAITED_FOR = 0.5; /* of the chain: more, and it may have waited for that */

enum { BOUND_COPIES = 8 };

struct answer {
	double value, low, high; /* cycles */
	double whole; /* of the chain, another operation's part included */
};

static bool instance(int index, struct subject *subject)
{
	for (int i = 0; (subject->operation = operation_at(i)); i++)
		for (int j = 0; (subject->type = nano_type_at(j)); j++)
			if (operation_has(subject->operation->latency_types, subject->type) && index-- == 0)
				return true;
	return false;
}

static void write(const struct subject *subject, int copies, char *text, size_t size)
{
	const struct operation *operation = subject->operation;
	const char *pattern = operation_chain(operation, subject->type);

	if (operation->latency && copies == 1)
		pattern = operation->latency;
	else if (operation->by_turns && subject->type->class == NANO_INT)
		pattern = operation->by_turns;
	operation_write(pattern, subject->type, copies, text, size);
}

static void write_adds(const struct subject *subject, int copies, char *text, size_t size)
{
	operation_write("for i=1..$K p{i} = p{i} + p0 : $T", subject->type, copies, text, size);
}

static void want(struct lab *lab, const struct subject *subject)
{
	char text[512];

	write(subject, 1, text, sizeof(text));
	lab_want(lab, text, lab->barrier);
	if (subject->operation->also) {
		write_adds(subject, 2, text, sizeof(text));
		lab_want(lab, text, lab->barrier);
	}
}

/* With a neighbour on the core, a chain that fills half of its unit or more may have waited for him. Two chains that
 * take no longer than one show that it has room to spare. */
static bool waited_for_neighbour(struct lab *lab, const struct subject *subject)
{
	char one[512], two[512];

	if (!lab->shared || subject->operation->latency)
		return lab->shared;
	write(subject, 1, one, sizeof(one));
	write(subject, 2, two, sizeof(two));

	enum stat_verdict fills = lab_slower(lab, one, two, ROOM);

	return fills != STAT_NO;
}

/* Cycles of the operation that is part of the chain, too. False when it is not known; the finding then says so. */
static bool find_extra(struct lab *lab, const struct subject *subject, double *extra)
{
	char name[64], reason[128];

	*extra = 0;
	if (!subject->operation->also)
		return true;
	snprintf(name, sizeof(name), "op.%s.%s.latency", subject->operation->also, subject->type->name);
	*extra = lab_fact(lab, name);
	if (isfinite(*extra))
		return true;
	snprintf(reason, sizeof(reason), "needs %s, which was not measured", name);
	lab_outcome(lab, BLOCKED, reason);
	return false;
}

/* A unit may take new work later than the add is done. A chain of adds then takes longer than their latency, and that
 * would be too much to take off: the operation once more, with no other add, must take as long again. */
static bool is_off_by_add(struct lab *lab, const struct subject *subject, const struct answer *answer)
{
	const struct operation *operation = subject->operation;
	char one[512], two[512];
	struct estimate again;
	double more;

	if (!operation->also)
		return false;
	write_adds(subject, 1, one, sizeof(one));
	write_adds(subject, 2, two, sizeof(two));
	if (lab_slower(lab, one, two, FILLED) == STAT_NO)
		return false;
	operation_write(operation->again, subject->type, 1, two, sizeof(two));
	again = lab_try(lab, two, lab->barrier, NAN);
	more = cycles(lab, again.ticks * (2 * operation->parts - 1)) - answer->whole;
	/* What two long chains differ by may be their errors alone. */
	return answer->value < SLACK * answer->whole + MIXTURE ||
	       !(fabs(more - answer->value) <= fmax(SLACK, operation->spread) * answer->value + MIXTURE);
}

/* Cycles that the chain's other part takes for itself each time, 0 when there is none. */
static double bound_by(struct lab *lab, const struct subject *subject)
{
	char text[512];

	if (!subject->operation->bound)
		return 0;

	struct estimate estimate = { .status = MACHINE_REFUSED };

	/* As many as find a register. */
	for (int copies = BOUND_COPIES; copies > 0 && estimate.status == MACHINE_REFUSED; copies /= 2) {
		operation_write(subject->operation->bound, subject->type, copies, text, sizeof(text));
		estimate = lab_try(lab, text, NANO_BARRIER_ASM, NAN);
	}
	return estimate.status == MACHINE_RAN ? cycles(lab, estimate.ticks) : 0;
}

/* Why the answer is none; false when it is one. */
static bool is_doubtful(struct lab *lab, const struct subject *subject, const struct estimate *estimate,
			const struct answer *answer, char *reason, size_t size)
{
	double bound = bound_by(lab, subject);

	/* Nothing takes less than a cycle, unless several adds share one (Pentium 4), so what takes one did not wait.
	 */
	bool least = lab->add >= 1 && fabs(answer->value - 1) <= NEARLY_WHOLE;

	if (!least && waited_for_neighbour(lab, subject))
		snprintf(reason, size,
			 "two speeds: something else uses this core, beside it the operation takes %.3g cycles",
			 answer->value);
	else if (estimate->high - estimate->low > NOT_ONE_NUMBER * estimate->ticks)
		snprintf(reason, size, "not one number: between %.3g and %.3g cycles from one moment to the next",
			 fmax(answer->low, 0), answer->high);
	else if (is_off_by_add(lab, subject, answer))
		snprintf(reason, size,
			 "%.3g cycles or more: the add in its chain keeps its unit busy for longer than it takes",
			 fmax(answer->value, 0));
	else if (bound > WAITED_FOR * answer->whole)
		snprintf(reason, size, "below %.3g cycles: a load starts only every %.3g, and the chain waits for that",
			 fmax(answer->value, 0), bound);
	else
		return false;
	return true;
}

/* An operation takes a whole number of cycles each time. A mean that is none comes of two kinds of times, or of
 * somebody who came to the unit or left it meanwhile, and then it does not come again. */
static bool is_whole(const struct answer *answer)
{
	return fabs(answer->value - round(answer->value)) <= MIXTURE;
}

static void widen(const struct lab *lab, const struct operation *operation, struct answer *answer)
{
	double spread = operation->spread * answer->value, below = floor(answer->value), above = ceil(answer->value);
	bool steady = lab->timer->noise == NOISE_QUIET || fabs(answer->value - round(answer->value)) < NEARLY_WHOLE;

	if (lab->shared)
		answer->low = fmin(answer->low, answer->value * 0.5 / ROOM);
	/* A clock that steps all the time moves between the chain and the tick, too, and more often one way. */
	if (!steady && below > (1 - UNSTEADY) * answer->value)
		answer->low = fmin(answer->low, below - NEARLY_WHOLE);
	if (!steady && above < (1 + UNSTEADY) * answer->value)
		answer->high = fmax(answer->high, above);
	answer->low = fmin(answer->low, answer->value - spread);
	answer->high = fmax(answer->high, answer->value + spread);
	/* It takes now this and now that (an adder with a short cut for its own results does: 2 or 4), and the next run
	 * may see another mixture. */
	if (answer->value > 1 && !is_whole(answer)) {
		answer->low = fmin(answer->low, fmax(answer->value - 1, 1 - NEARLY_WHOLE));
		/* Or somebody was on the unit for some of the time, or for all of it, unseen. */
		if (lab->timer->noise != NOISE_QUIET)
			answer->low = fmin(answer->low, fmax(answer->value * HALVED, 1 - NEARLY_WHOLE));
		answer->high = fmax(answer->high, answer->value + 1);
	}
	if (answer->value > DIVIDER && lab->timer->noise != NOISE_QUIET)
		answer->low = fmin(answer->low, answer->value * WAITED);
	/* A tick that was held up all the time makes a cycle less than one. Where several adds share one (Pentium 4),
	 * what takes as long as an add does take less. */
	bool with_others = lab->add < 1 && fabs(answer->value - lab->add) < NEARLY_WHOLE;

	if (answer->value < 1 && !steady && !with_others && lab->timer->noise == NOISE_HOSTILE)
		answer->high = fmax(answer->high, 1);
}

static struct answer answer_of(const struct lab *lab, const struct estimate *estimate, int parts, double extra)
{
	struct answer answer = { .whole = cycles(lab, estimate->ticks * parts) };

	answer.value = answer.whole - extra;
	answer.low = cycles_low(lab, estimate->low * parts) - extra;
	answer.high = fmax(cycles_high(lab, estimate->high * parts) - extra, answer.value);
	return answer;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct operation *operation = subject->operation;
	int parts = operation->latency ? operation->parts : 1;
	double extra, add;
	struct answer answer;
	struct estimate estimate;
	char text[512], reason[160];

	write(subject, 1, text, sizeof(text));
	estimate = lab_time(lab, text, lab->barrier, 1);
	if (lab->settled)
		return;
	if (isnan(lab->cycle)) {
		lab_outcome(lab, BLOCKED, "the core's cycle is not known");
		return;
	}
	if (!find_extra(lab, subject, &extra))
		return;
	answer = answer_of(lab, &estimate, parts, extra);
	if (lab->timer->noise != NOISE_QUIET && !is_whole(&answer)) {
		struct estimate again = lab_time(lab, text, lab->barrier, 1);
		struct answer other = answer_of(lab, &again, parts, extra);

		if (lab->settled)
			return;
		if (is_whole(&other)) {
			estimate = again;
			answer = other;
		}
	}
	if (is_doubtful(lab, subject, &estimate, &answer, reason, sizeof(reason))) {
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	widen(lab, operation, &answer);
	/* Zen 5 forwards a store to a load by renaming: no time, and a difference of times falls on either side of it.
	 */
	answer.value = fmax(answer.value, 0);
	answer.low = fmax(answer.low, 0);
	/* A spread is what was seen on other machines, not on this one. */
	lab_measured(lab, answer.value, answer.low, answer.high, operation->spread ? 0.8 : 0.99,
		     operation->also ? "chain less its add" : "dependent chain");
	add = lab_fact(lab, "op.add.i32.latency");
	lab->finding.relative = strcmp(lab->finding.name, "op.add.i32.latency") == 0 ? 1 : answer.value / add;
}

const struct micro micro_op_latency = {
	.name = "op.OP.TYPE.latency",
	.what = "cycles until the result of an operation can be used",
	.unit = "cycles",
	.story =
		"Idea     Operations that each need the one before take one latency each.\n"
		"Answer   Time per operation of one chain, in core cycles; two lengths of the loop are timed, and their\n"
		"         difference has no loop in it. `relative` is in units of a 32-bit integer add.\n"
		"Assumes  Operands that make the operation work: no denormals, no overflow; div divides numbers that fill\n"
		"         their type, div_small numbers of one digit. sqrt is chained through an add, whose latency is taken\n"
		"         off, and so is store: a store and the load that reads it back. load is a chain of pointers.\n"
		"Fails as blocked when the compiler makes something else of the statement; absent when there is no such\n"
		"         instruction.",
	.needs = { "?cpu.frequency", "?op.add.i32.latency", "?op.add.TYPE.latency" },
	.instance = instance,
	.want = want,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * cpu_registers.c - variables of a type that this compiler keeps in registers at a time
 */
#include "micro.h"

enum { FEWEST = 3, MOST = 256 };

static const double SPILL = 0.2; /* of an add: what a spilled variable takes at the least */
static const double TOLD = 0.003; /* no less can be told */

/* Rings of a type, and why one of them did not run. */
struct rings {
	const struct subject *subject;
	struct estimate *failed;
};

static bool instance(int index, struct subject *subject)
{
	subject->type = nano_type_at(index);
	return subject->type && subject->type->class != NANO_POINTER;
}

/* X-Ray's chain goes from each variable to the next; BlackjackBench's jumps half way round, so that half the variables
 * are busy at a time and spills find nothing to hide behind. */
static void write(const struct nano_type *type, int n, bool half_way, char *text, size_t size)
{
	snprintf(text, size, "for i=0..%d p{i} = p{i} + p{(i+%d)%%%d} : %s where p*=0", n - 1,
		 half_way ? n - n / 2 : n - 1, n, type->name);
}

static struct probe *chain(struct lab *lab, const struct subject *subject, int n, bool half_way)
{
	char text[256];

	write(subject->type, n, half_way, text, sizeof(text));
	return lab_probe(lab, text, NANO_BARRIER_NONE);
}

static void want_chain(struct lab *lab, const struct subject *subject, int n)
{
	char text[256];

	write(subject->type, n, false, text, sizeof(text));
	lab_want(lab, text, NANO_BARRIER_NONE);
}

static void want(struct lab *lab, const struct subject *subject)
{
	for (int n = FEWEST; n <= FEWEST * 16; n *= 2)
		want_chain(lab, subject, n);
}

static void want_range(struct lab *lab, int low, int high, const void *of)
{
	const struct rings *rings = of;

	for (int n = low + 1; n < high; n++)
		want_chain(lab, rings->subject, n);
	lab_prepare(lab);
}

/* Runs it once. Its loads and stores that were not asked for, or -1 where they cannot be read. */
static bool runs(struct lab *lab, const struct rings *rings, const struct probe *probe, int *spills)
{
	struct reading reading = { .why = "bad spec" };
	enum machine_status status =
		probe ? lab->timer->machine->ops->run(lab->timer->machine, probe->full, 1, 1, &reading) : MACHINE_FAULT;

	*spills = reading.spills;
	if (status == MACHINE_RAN)
		return true;
	rings->failed->status = status;
	snprintf(rings->failed->why, sizeof(rings->failed->why), "%s", reading.why);
	return false;
}

/* Do n variables fit? The code says so where it can be read; else the time does: one spilled variable puts a store and
 * a load, a few cycles, into a chain of n adds of as many each. Half as many variables, which are known to fit, are as
 * burdened with the loop's own. */
static enum stat_verdict fits(struct lab *lab, int n, const void *of)
{
	const struct rings *rings = of;
	struct probe *probe = chain(lab, rings->subject, n, false);
	int spills, fewer = n / 2 > FEWEST ? n / 2 : FEWEST;

	if (!runs(lab, rings, probe, &spills))
		return STAT_UNDECIDED;
	if (spills >= 0) {
		lab_note(lab, "loads and stores in the loop", n, spills, spills ? "spills" : "fits");
		return spills ? STAT_NO : STAT_YES;
	}
	if (n == FEWEST)
		return STAT_YES;

	enum stat_verdict slower = timing_slower(lab->timer, chain(lab, rings->subject, fewer, false), probe,
						 1 + fmin(0.05, fmax(TOLD, SPILL / n)));

	lab_note(lab, "slower per add than with half as many", n, slower == STAT_YES, "");
	return slower == STAT_UNDECIDED ? STAT_UNDECIDED : slower == STAT_YES ? STAT_NO : STAT_YES;
}

/* The control: twice as many variables must cost time in one pattern or the other, else they were never spilled. */
static enum stat_verdict more_cost_time(struct lab *lab, const struct subject *subject, int n)
{
	enum stat_verdict cost = STAT_NO;

	for (int half_way = 0; half_way < 2 && cost != STAT_YES; half_way++) {
		struct probe *within = chain(lab, subject, n, half_way), *beyond = chain(lab, subject, 2 * n, half_way);
		enum stat_verdict slower =
			within && beyond ? timing_slower(lab->timer, within, beyond, 1.02) : STAT_UNDECIDED;

		if (slower == STAT_YES)
			lab_note(lab, half_way ? "half-way chain, twice as many" : "chain, twice as many", 2 * n, 1,
				 "slower");
		if (slower != STAT_NO)
			cost = slower;
	}
	return cost;
}

static bool found_already(const struct lab *lab, const struct nano_type *type)
{
	char name[64];

	snprintf(name, sizeof(name), "cpu.registers.%s", type->name);
	return isfinite(lab_fact(lab, name));
}

/* Integers by themselves have registers of their own on most machines. Trying the number of another kind of type first
 * would do no harm, but seldom any good. */
static bool alike(const struct nano_type *one, const struct nano_type *other)
{
	return (one->class == NANO_INT && one->lanes == 1) == (other->class == NANO_INT && other->lanes == 1);
}

/* Types often share a number of registers, so those already found are tried before searching. -1: none of them. */
static int same_as_another(struct lab *lab, const struct rings *rings)
{
	int tried[8], count = 0;

	for (int i = 0; nano_type_at(i) && count < 8; i++) {
		char name[64];
		bool seen = !alike(nano_type_at(i), rings->subject->type);

		snprintf(name, sizeof(name), "cpu.registers.%s", nano_type_at(i)->name);

		double other = lab_fact(lab, name);
		int n = isfinite(other) ? (int)other : 0;

		for (int j = 0; j < count; j++)
			seen = seen || tried[j] == n;
		if (n < FEWEST || seen)
			continue;
		tried[count++] = n;
		if (fits(lab, n, rings) == STAT_YES && fits(lab, n + 1, rings) == STAT_NO)
			return n;
	}
	return -1;
}

static int search(struct lab *lab, const struct rings *rings)
{
	int n = same_as_another(lab, rings);

	if (n > 0)
		return n;
	rings->failed->status = MACHINE_RAN;
	n = engine_climb(lab, FEWEST, MOST, fits, want_range, rings);
	/* The others will try this number first: what they need for it is compiled in one go. */
	for (int i = 0; n > 0 && 2 * n <= MOST && nano_type_at(i); i++) {
		struct subject other = { .type = nano_type_at(i) };

		if (other.type->class == NANO_POINTER || found_already(lab, other.type) ||
		    !alike(other.type, rings->subject->type))
			continue;
		want_chain(lab, &other, n);
		want_chain(lab, &other, n + 1);
		want_chain(lab, &other, 2 * n);
	}
	lab_prepare(lab);
	return n;
}

static void run(struct lab *lab, const struct subject *subject)
{
	static const char *const notes[] = {
		[STAT_UNDECIDED] = "whether spills cost time was not told", [STAT_NO] = "spills cost no time here"
	};
	struct estimate failed = { .status = MACHINE_RAN };
	struct rings rings = { subject, &failed };
	int spills, n = runs(lab, &rings, chain(lab, subject, FEWEST, false), &spills) ? search(lab, &rings) : -1;

	if (n < 0 && failed.status != MACHINE_RAN) {
		lab_status(lab, &failed);
	} else if (n < 0) {
		lab_outcome(lab, UNCLEAR, "the time per add does not tell where spilling begins");
	} else if (n >= MOST) {
		lab_outcome(lab, UNCLEAR, "no spilling up to 256 variables");
	} else {
		enum stat_verdict cost = more_cost_time(lab, subject, n);

		if (cost != STAT_YES)
			snprintf(lab->finding.note, sizeof(lab->finding.note), "%s", notes[cost]);
		lab_measured(lab, n, n, n, 0.999, "climb, chain of adds");
	}
}

const struct micro micro_cpu_registers = {
	.name = "cpu.registers.TYPE",
	.what = "variables of a type this compiler keeps in registers",
	.unit = "count",
	.story =
		"Idea     A loop of n variables, each added to its neighbour, runs from registers while they last; one more\n"
		"         and the compiler spills to memory.\n"
		"Answer   The largest n without loads and stores in the loop; where the code cannot be read back, without a\n"
		"         slower add. Twice as many must cost time, in X-Ray's chain or BlackjackBench's half-way one.\n"
		"Assumes  This compiler and these flags: the number is theirs as much as the machine's.\n"
		"Fails as unclear when the time does not tell.",
	.instance = instance,
	.want = want,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * period.c - the core's cycle, from chains of operations whose latencies are whole numbers of it
 *
 * X-Ray takes one integer add for one cycle, and read 4324 MHz on a 2200 MHz Pentium 4, whose adders run at twice the
 * core's clock. Here the add is one witness of several. The cycle is the longest time of which every chain is a whole
 * multiple, except that operations exactly as quick as an add may all take a fraction of it (the double-pumped case, or
 * adds done while renaming). An add of several cycles shows as other chains falling between multiples of it.
 */
#include <math.h>

#include "period.h"

enum {
	MOST_ADDS_PER_CYCLE = 8,
	MOST_CYCLES_PER_ADD = 4,
	WITNESSES_FASTER = 8, /* even by chance: 2^-8 */
	WITNESSES_BESIDE_OTHERS = 12, /* where some chain is no whole number of anything */
	REFUTERS = 2,
	ON_GRID = 2, /* of fixed latency, to one that is no whole number of anything */
	REFUTERS_OF_ALL = 3 /* even where all chains of fixed latency are for it */
};

static const double SAME = 0.02; /* relative: as quick as an add */
static const double LOOSE = 4;
static const double FEW = 12; /* adds */
static const double LONGEST = 48; /* cycles: beyond, a whole number is not told from its neighbour */
static const double USUAL = 0.004; /* error of a ratio */

/* How often adds take so many cycles, to one that takes a cycle: POWER's take two. */
static const double SELDOM[MOST_CYCLES_PER_ADD + 1] = { [2] = 0.05, [3] = 0.005, [4] = 0.002 };
/* With an add of one cycle, how often a chain lies at a given place between multiples of it all the same: of fixed
 * latency hardly ever, of one that varies now and then. */
static const double ODD_FIXED = 0.02, ODD_VARYING = 0.1;
static const double BEYOND_DOUBT = 0.98, BELIEVED = 0.9;

static double error_of(const struct chain *chain)
{
	return fmax(USUAL, chain->error);
}

/* Is it a whole number of units? `scale` 1 for what the errors of two good times allow; more is looser. */
static bool whole_within(const struct chain *chain, double unit, double scale)
{
	double ratio = chain->ticks / unit, nearest = round(ratio), slack = scale * fmax(0.02, error_of(chain) * ratio);

	return nearest >= 1 && fabs(ratio - nearest) <= fmin(slack, 0.2);
}

static bool whole(const struct chain *chain, double unit)
{
	return whole_within(chain, unit, 1);
}

static bool is_too_long(const struct chain *chain, double unit)
{
	return chain->ticks / unit > LONGEST * USUAL / error_of(chain);
}

/* Is every chain but the add's equals a whole multiple of m adds, and are there enough of them to believe it? One that
 * may vary and is no whole number of adds either says nothing, but then more must speak for it, and all have been
 * asked. */
static bool adds_share_a_cycle(const struct chain *chains, int count, int m, bool fixed_only, double scale)
{
	double add = chains[0].ticks;
	int witnesses = 0, others = 0;

	for (int i = 1; i < count; i++) {
		double adds = chains[i].ticks / add;

		if (!chains[i].sure)
			return false;
		if (isnan(adds) || fabs(adds - 1) < SAME || is_too_long(&chains[i], m * add) ||
		    (fixed_only && !chains[i].fixed))
			continue;
		if (chains[i].fixed || whole(&chains[i], add)) {
			if (!whole_within(&chains[i], m * add, scale))
				return false;
			witnesses += !chains[i].akin;
		} else {
			others++;
		}
	}
	if (others > 0)
		return witnesses >= WITNESSES_BESIDE_OTHERS && chains[count - 1].akin;
	return witnesses >= WITNESSES_FASTER;
}

/* Weight of the chains, surely what they seem, that are whole numbers of adds but far from multiples
 * of m of them. */
static int refuters(const struct chain *chains, int count, int m)
{
	double add = chains[0].ticks;
	int found = 0;

	for (int i = 1; i < count; i++) {
		double adds = chains[i].ticks / add;

		/* An odd number is told from an even one however coarse the clock. Beside others the add's own error
		 * may be a hundredth, and every chain seem that much short. */
		if (!chains[i].sure || adds < 1 + SAME || adds > LONGEST ||
		    !whole_within(&chains[i], add, adds <= FEW ? LOOSE : 1) || whole_within(&chains[i], m * add, LOOSE))
			continue;
		/* No error turns an odd number of a few adds into an even one. */
		found += chains[i].fixed && adds <= FEW ? 2 : 1;
	}
	return found;
}

/* With enough chains to show that adds share a cycle, not showing it is not enough: a chain or two must speak against
 * it. With fewer, an add is taken for a cycle unless some chain is not what it seems. */
static bool surely_one(const struct chain *chains, int count)
{
	int others = 0;
	bool sure = true;

	for (int i = 1; i < count; i++) {
		double adds = chains[i].ticks / chains[0].ticks;

		sure = sure && chains[i].sure;
		others += isfinite(adds) && fabs(adds - 1) >= SAME && !chains[i].akin;
	}
	if (sure && others < WITNESSES_FASTER)
		return true;
	for (int m = 2; m <= MOST_ADDS_PER_CYCLE; m++)
		if (refuters(chains, count, m) < REFUTERS)
			return false;
	return true;
}

/* Another operation of the same unit that takes as long says nothing new; nor does one that takes whatever its operands
 * make of it, when one like it was a whole number of cycles already. */
static bool is_echo(const struct chain *chains, int i, double cycle)
{
	for (int j = 1; j < i; j++)
		if (chains[j].unit == chains[i].unit &&
		    (chains[i].fixed ? fabs(chains[i].ticks / chains[j].ticks - 1) < SAME : whole(&chains[j], cycle)))
			return true;
	return false;
}

/* How much likelier the chains are with adds of m cycles than with adds of one: then all lie on a grid m times as
 * fine, at any of m places alike, of which only one is a multiple of the add. `between` counts those that are none. */
static double odds_of_slower(const struct chain *chains, int count, int m, int *between)
{
	double cycle = chains[0].ticks / m, odds = SELDOM[m];

	int astray = 0, on_grid = 0, odd_places = 0;

	*between = 0;
	for (int i = 1; i < count; i++) {
		double cycles = chains[i].ticks / cycle, odd = chains[i].fixed ? ODD_FIXED : ODD_VARYING;

		if (isnan(cycles) || is_too_long(&chains[i], cycle) || fabs(cycles / m - 1) < SAME)
			continue;
		if (!whole(&chains[i], cycle)) {
			astray += chains[i].fixed;
			continue;
		}
		on_grid += chains[i].fixed;
		if (!chains[i].sure)
			continue;
		odd_places += lround(cycles) % 2 != 0;

		bool multiple = whole_within(&chains[i], m * cycle, LOOSE), echo = is_echo(chains, i, cycle);

		*between += !multiple && !(echo && chains[i].fixed);
		if (!echo)
			odds *= 1.0 / m / (multiple ? 1 - odd : odd);
	}
	/* Four places of which every other one is empty are two, and errors of measurement have driven chains off
	 * those. */
	return on_grid < ON_GRID * astray || (m == 4 && odd_places == 0) ? 0 : odds;
}

/* Several cycles per add where that is likelier than all else; of one, how likely that is. Two chains between adds, or
 * doubt for another reason, ask for all the others before anything is believed; that an add takes one against a chain
 * between, only beyond doubt. */
static struct period cycles_per_add(const struct chain *chains, int count)
{
	double all = 1, most = 0, likely;
	int between = 0, slower = 1, cycles;
	bool asked = chains[count - 1].akin;

	for (int m = 2; m <= MOST_CYCLES_PER_ADD; m++) {
		int its;
		double odds = odds_of_slower(chains, count, m, &its);

		all += odds;
		if (odds > most) {
			most = odds;
			slower = m;
			between = its;
		}
	}
	cycles = most > 1 ? slower : 1;
	likely = fmax(most, 1) / all;
	if (likely < BELIEVED || (cycles == 1 && between > 0 && (likely < BEYOND_DOUBT || (!asked && between > 1))))
		likely = 0.5;
	return (struct period){ chains[0].ticks / cycles, cycles, fmin(likely, 0.999),
				cycles > 1 ? "several cycles per add" : "one add per cycle" };
}

/* Of those that are not exactly as quick as an add, and so on any grid. */
static int chains_in_step(const struct chain *chains, int count, int *fixed)
{
	int fitting = 0;

	*fixed = 0;
	for (int i = 1; i < count; i++) {
		double cycles = chains[i].ticks / chains[0].ticks;

		if (isnan(cycles) || !chains[i].fixed || chains[i].akin || fabs(cycles - 1) < SAME ||
		    is_too_long(&chains[i], chains[0].ticks))
			continue;
		(*fixed)++;
		fitting += whole_within(&chains[i], chains[0].ticks, LOOSE);
	}
	return fitting;
}

struct period period_find(const struct chain *chains, int count)
{
	double add = chains[0].ticks;
	int fixed, fitting = chains_in_step(chains, count, &fixed);

	/* Beside a neighbour the yardstick itself may be twice as long. */
	if (!chains[0].sure)
		return (struct period){ add, 1, 0.5, "one add per cycle or several" };
	for (int m = MOST_ADDS_PER_CYCLE; m >= 2; m--)
		if (adds_share_a_cycle(chains, count, m, false, 1))
			return (struct period){ add * m, 1.0 / m, 0.99, "several adds per cycle" };
	/* Operations whose time depends on their operands may take no whole number of cycles, and times have errors:
	 * neither refutes several adds per cycle against all other chains, but leaves it open. */
	for (int m = MOST_ADDS_PER_CYCLE; m >= 2; m--)
		if (refuters(chains, count, m) < REFUTERS_OF_ALL &&
		    (adds_share_a_cycle(chains, count, m, true, 1) ||
		     adds_share_a_cycle(chains, count, m, false, LOOSE)))
			return (struct period){ add, 1, 0.5, "one add per cycle or several" };
	struct period period = cycles_per_add(chains, count);

	/* Where hardly anything fits, an add of one cycle is a belief, not a finding. */
	if (period.adds <= 1 && (2 * fitting < fixed || !surely_one(chains, count)))
		period.confidence = 0.5;
	return period;
}

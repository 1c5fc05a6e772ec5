/* SPDX-License-Identifier: MIT */
/*
 * cpu_frequency.c - the clock the core runs at, now
 */
#include "micro.h"

enum { BURSTS = 8, PER_BURST = 6, AWAKE = 20, ATTEMPTS = 9, LATER = 10, RISES = 6 };

static const double OFTEN = 0.3; /* of the looks */
static const double MOVES = 1.01;
static const double NEAR_WHOLE = 0.03, NEAR_ADD = 0.02;
static const double WANDERS = 0.7; /* confidence */
/* A chain is the difference of two times, of which the longer is a sample: a grain is half as much again of it, and two
 * chains are compared. */
static const double GRAINS = 3;
static const double PAUSE = 1.5e7; /* ns between bursts: a clock that steps does so for tens of milliseconds */
/* Times that before one more attempt: more attempts beside loud neighbours, and a cycle of half the length passes. */
static const double PATIENCE[] = { [NOISE_QUIET] = 1, [NOISE_NOISY] = 1, [NOISE_HOSTILE] = 3 };

static const double ABOVE[] = { [NOISE_QUIET] = 0.01, [NOISE_NOISY] = 0.02, [NOISE_HOSTILE] = 0.06 };

static const struct witness {
	const char *spec;
	int parts;
	enum { FIXED, VARYING, AKIN } kind; /* akin: fixed, and another has spoken for its unit */
	char unit; /* its name */
	const char *twice; /* two such chains side by side */
} witnesses[] = {
	{ "p1 = p1 + p2 : i64", 1, FIXED, 'a', "for i=1..2 p{i} = p{i} + p0 : i64" },
	{ "p1 = p1 + p2 : i32", 1, FIXED, 'a', NULL },
	{ "p1 = p1 - p2 : i64", 1, FIXED, 'a', NULL },
	{ "p1 = p1 ^ p2 : i64", 1, FIXED, 'a', NULL },
	{ "p1 = p1 << 3 : i64", 1, FIXED, 'h', NULL },
	{ "p1 = p1 << 3 : i32", 1, AKIN, 'h', NULL },
	{ "p1 = p2 < p0 | p2 = p1 < p0 : i64", 1, AKIN, 'c', NULL },
	{ "p1 = p1 * p2 : i64", 1, FIXED, 'm', "for i=1..2 p{i} = p{i} * p0 : i64" },
	{ "p1 = p1 * p2 : i32", 1, FIXED, 'm', NULL },
	{ "p1 = *p1 : ptr", 1, FIXED, 'l', "for i=1..2 p{i} = *p{i} : ptr" },
	{ "p1 = p1 + p2 : f64", 1, FIXED, 'A', "for i=1..2 p{i} = p{i} + p0 : f64" },
	{ "p1 = p1 * p2 : f64", 1, FIXED, 'M', "for i=1..2 p{i} = p{i} * p0 : f64" },
	{ "p1 = p1 + p2 : f32", 1, FIXED, 'A', NULL },
	{ "p1 = p1 * p2 : f32", 1, FIXED, 'M', NULL },
	{ "*p0 = p1 | p1 = *p0 : i64, p0 ptr", 2, VARYING, 's', NULL },
	{ "p1 = p1 / p2 : f64", 1, VARYING, 'D', NULL },
	{ "p1 = p1 / p2 : f32", 1, VARYING, 'D', NULL },
	{ "p1 = p1 / p2 : i64", 1, VARYING, 'd', NULL },
	{ "p1 = p1 / p2 : i32", 1, VARYING, 'd', NULL },
	{ "p1 = sqrt(p1) : f64", 1, VARYING, 'D', NULL },
	{ "p1 = sqrt(p1) : f32", 1, VARYING, 'D', NULL },
	/* From here on asked only when those above leave it open. */
	{ "p1 = p1 & p2 : i64", 1, AKIN, 'a', NULL },
	{ "p1 = p1 | p2 : i64", 1, AKIN, 'a', NULL },
	{ "p1 = p2 < p0 | p2 = p1 < p0 : i32", 1, AKIN, 'c', NULL },
	{ "p1 = p1 - p2 : f64", 1, AKIN, 'A', NULL },
	{ "p1 = p1 - p2 : f32", 1, AKIN, 'A', NULL },
	{ "p1 = fma(p1, p0, p2) : f64 where p0=0.5, p2=0.6", 1, AKIN, 'M',
	  "for i=1..2 p{i} = fma(p{i}, p0, p3) : f64 where p0=0.5, p3=0.6" },
	{ "p1 = fma(p1, p0, p2) : f32 where p0=0.5, p2=0.6", 1, AKIN, 'M', NULL },
};

enum { WITNESSES = sizeof(witnesses) / sizeof(witnesses[0]), ASKED_LATER = 7 };

static void want(struct lab *lab, const struct subject *subject)
{
	(void)subject;
	for (int i = 0; i < WITNESSES; i++) {
		lab_want(lab, witnesses[i].spec, lab->barrier);
		/* Asked only beside a neighbour, but there may be one where there is no compiler. */
		if (witnesses[i].twice)
			lab_want(lab, witnesses[i].twice, lab->barrier);
	}
}

/* Hz now and then, over an eighth of a second. */
static int clock_rates(struct lab *lab, double *rates)
{
	struct timer *timer = lab->timer;
	int n = 0;

	for (int i = 0; i < BURSTS && !timer_over(timer); i++) {
		/* A core that slept may take a moment to reach its clock again. */
		for (int j = 0; j < AWAKE; j++)
			timing_tick(timer);
		for (int j = 0; j < PER_BURST; j++) {
			double ns = timing_tick(timer);

			if (isfinite(ns) && !timing_lags(timer, ns))
				rates[n++] = 1e9 / (ns * lab->cycle);
		}
		timer->machine->ops->wait(timer->machine, PAUSE);
	}
	return n;
}

/* Was it quicker in the last third than in the first? */
static bool rises(const double *rates, int n)
{
	return n >= BURSTS && stat_median(rates + n - n / 3, n / 3) > MOVES * stat_median(rates, n / 3);
}

/* A core that slept for long, or is short of power, may take most of a second to reach its clock. */
static int clock_rates_at_last(struct lab *lab, double *rates)
{
	int seen = clock_rates(lab, rates);

	for (int i = 0; i < RISES && rises(rates, seen); i++)
		seen = clock_rates(lab, rates);
	if (rises(rates, seen))
		lab_outcome(lab, UNCLEAR, "the clock rises all the time");
	return seen;
}

static void conclude(struct lab *lab, const struct period *period, const double *rates, int n)
{
	/* What moves a clock makes it fall: of two rates the higher one is the machine's, if it was seen often enough.
	 */
	double rate = stat_quantile(rates, n, 1 - OFTEN);
	/* A neighbour who holds up the chain makes the clock seem slower, not quicker. */
	double above = 1 + ABOVE[lab->timer->noise];
	double low = fmin(stat_quantile(rates, n, 0.1), rate * 0.995),
	       high = fmax(stat_quantile(rates, n, 0.9), rate * above);
	double near = 0, moved = stat_quantile(rates, n, 0.9) - stat_quantile(rates, n, 0.1);

	for (int i = 0; i < n; i++)
		near += fabs(rates[i] / rate - 1) < 0.01;
	if (n < BURSTS || high - low > 0.1 * rate) {
		char reason[200];

		snprintf(reason, sizeof(reason), "the clock does not hold still: between %.0f and %.0f MHz", low / 1e6,
			 high / 1e6);
		lab_outcome(lab, UNCLEAR, reason);
		return;
	}
	/* A clock that moves within a quarter of a second moves further within minutes: as far again, say. */
	if (moved > (MOVES - 1) * rate) {
		low -= moved;
		high += moved;
	}
	/* Where few looks saw about the same it wanders, and the range says more than the rate. */
	lab_measured(lab, rate, low, high, near < OFTEN * n ? WANDERS : period->confidence, period->how);
}

/* Beside a neighbour a unit may take twice as long, and every latency on it is even; a chain with room to spare on its
 * unit does not notice him. */
static bool is_sure(struct lab *lab, const struct witness *witness, const struct estimate *estimate)
{
	if (estimate->status == MACHINE_ABSENT || (!estimate->shared && isfinite(estimate->ticks)))
		return true;
	return estimate->shared && witness->twice && lab_slower(lab, witness->spec, witness->twice, 0.55) == STAT_NO;
}

/* All that is as quick as an add says what one takes; by itself it may be off by as much as the clock's grain is
 * coarse.
 */
static double add_of_all(const struct chain *chains, int count)
{
	double alike[WITNESSES];
	int n = 0;

	for (int i = 0; i < count; i++)
		if (chains[i].sure && fabs(chains[i].ticks / chains[0].ticks - 1) < NEAR_ADD)
			alike[n++] = chains[i].ticks;
	return n ? stat_median(alike, n) : chains[0].ticks;
}

/* False when the add itself does not run; the finding then says why. */
static bool time_chains(struct lab *lab, struct chain *chains, int count)
{
	for (int i = 0; i < count; i++) {
		struct estimate estimate = i ? lab_try(lab, witnesses[i].spec, lab->barrier, NAN)
					     : lab_time(lab, witnesses[i].spec, lab->barrier, NAN);

		chains[i] = (struct chain){ estimate.ticks * witnesses[i].parts,
					    witnesses[i].kind != VARYING,
					    is_sure(lab, &witnesses[i], &estimate),
					    witnesses[i].kind == AKIN,
					    witnesses[i].unit,
					    GRAINS * lab->timer->granularity / lab->timer->sample };
		if (i == 0)
			lab->cycle_error = (estimate.high - estimate.low) / 2 / estimate.ticks;
	}
	chains[0].ticks = add_of_all(chains, count);
	return !lab->settled;
}

/* The add alone may be off by a hundredth or two beside others; each chain of fixed latency says what a cycle is. */
static double cycle_of_all(const struct chain *chains, int count, double cycle)
{
	double said[WITNESSES];
	int n = 0;

	for (int i = 0; i < count; i++) {
		double cycles = chains[i].ticks / cycle, nearest = round(cycles);

		if (chains[i].fixed && nearest >= 1 && fabs(cycles / nearest - 1) < NEAR_WHOLE)
			said[n++] = chains[i].ticks / nearest;
	}
	return n ? stat_median(said, n) : cycle;
}

static void run(struct lab *lab, const struct subject *subject)
{
	struct timer *timer = lab->timer;
	struct chain chains[WITNESSES];
	struct period period = { .confidence = 0 };
	double rates[2 * BURSTS * PER_BURST];
	int seen, count = 0, several = 0;

	(void)subject;
	lab->cycle = NAN;
	/* Everything else counts in cycles, so a neighbour is waited for here if anywhere. */
	for (int i = 0; i < ATTEMPTS && period.confidence < 0.9 && !timer_over(timer); i++) {
		count = i ? WITNESSES : WITNESSES - ASKED_LATER;
		if (i) {
			timer->machine->ops->wait(timer->machine,
						  PATIENCE[timer->noise] * (several ? LATER : i) * PAUSE);
			lab_forget(lab);
		}
		if (!time_chains(lab, chains, count))
			return;
		period = period_find(chains, count);
		/* A neighbour who is there all the time may make every latency even: it must hold later on, too. */
		if (period.adds < 1 && period.confidence >= 0.9 && several++ == 0)
			period.confidence = 0;
	}
	if (period.confidence < 0.9) {
		lab_outcome(lab, UNCLEAR, "the latencies have no common cycle: an add may not take one");
		return;
	}
	lab->cycle = cycle_of_all(chains, count, period.cycle);
	lab->add = period.adds;
	seen = clock_rates_at_last(lab, rates);
	/* A step of the clock may last for most of that time. */
	if (stat_quantile(rates, seen, 0.9) > MOVES * stat_quantile(rates, seen, 0.1))
		seen += clock_rates(lab, rates + seen);
	conclude(lab, &period, rates, seen);
}

const struct micro micro_cpu_frequency = {
	.name = "cpu.frequency",
	.what = "clock the core runs at",
	.unit = "Hz",
	.story =
		"Idea     A chain of dependent integer adds runs at one add per cycle, usually. Chains of other operations\n"
		"         take whole numbers of cycles, too; together they tell a cycle from an add.\n"
		"Answer   The longest time of which the latencies are whole multiples, as a rate, seen over an eighth of a\n"
		"         second; operations exactly as quick as the add may share a cycle.\n"
		"Assumes  Latencies are whole numbers of core cycles.\n"
		"Fails as unclear when the clock steps about or the latencies have no common measure.",
	.want = want,
	.builtin = true,
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * timing.h - a number: how often to run, which sample to believe, how sure to be
 *
 * Time is counted in ticks: one tick is one lap of a chain of dependent operations, timed right beside every sample, so
 * that a change of the core's clock cancels. How many ticks a core cycle has is found out by a micro-benchmark, not
 * assumed here.
 */
#ifndef XRAY_TIMING_H
#define XRAY_TIMING_H

#include "../machine/machine.h"
#include "../statistics/statistics.h"

enum noise_level { NOISE_QUIET, NOISE_NOISY, NOISE_HOSTILE };

/* A crowd on the units of floats and vectors; one for each width. */
struct wide {
	struct nano *crowd;
	long laps; /* 0: it does not run */
	double least; /* a lap in ticks at its best, as far as is known */
	bool asked;
};

enum { WIDTHS = 3, RATIOS = 64 };

struct timer {
	struct machine *machine;
	double granularity, cost; /* of the clock, ns */
	double sample; /* how long one timing should last, ns */
	enum noise_level noise;
	char audit[160]; /* the noise audit in words */
	double wait_left; /* ns that may still be spent waiting for a neighbour to leave the core */
	double credit; /* ns that estimates may still take before they hurry; INFINITY: they never do */
	double share; /* ratio of the crowd to the tick with the core all to ourselves, as far as is known */
	double crowd_least; /* ns of a lap: the quickest seen */
	double tick_least, tick_most; /* ns: the range of ticks that estimates were taken with */
	struct nano *tick,
		*crowd; /* a chain that a busy SMT sibling does not slow down; many chains of adds that it does */
	struct nano *tock; /* a chain on other units than the tick's, to see when that is held up; NULL: none runs */
	long tick_laps, crowd_laps, tock_laps;
	double tock_ratio; /* a lap of the tock in ticks with nobody in the way, as far as is known */
	double ratios[RATIOS]; /* the last of them */
	int ratio_count;
	struct probe *load; /* a chain of loads, to go by when others hold up the tick; NULL: not learnt */
	double load_ticks; /* of a lap of its full length; NaN: not known */
	struct wide wide[WIDTHS];
	long samples;
	bool (*stop)(void *context); /* asks the outside whether to give up; may be NULL */
	void *stop_context;
	double deadline; /* on the machine's clock; INFINITY: none */
};

/* Time to give up: stopped from outside, or past the deadline. */
bool timer_over(const struct timer *timer);

/* Calibrates the clock, warms the core up until it is stable and audits the noise. On anything but MACHINE_RAN `why`
 * says what is missing; the clock is calibrated all the same. With MACHINE_RAN it is empty, or says why nothing can be
 * compiled: then the timer, and little else, runs on built-in code. */
enum machine_status timer_open(struct timer *timer, struct machine *machine, double wait_ns, char *why, size_t size);
void timer_close(struct timer *timer);
/* The audit fell into a quiet moment: from now on the machine is noisy. False when it was known to be. */
bool timer_doubt(struct timer *timer);
const char *noise_word(enum noise_level level);

/* One statement sequence in two lengths; the difference between them has no loop overhead in it. */
struct probe {
	struct nano *brief, *full;
	long laps; /* of either in one timing; 0: not sized yet */
};

/* NULL and a message when the text is not a spec. */
struct probe *probe_new(const char *text, enum nano_barrier barrier, char *error, size_t size);
void probe_free(struct probe *probe);

struct estimate {
	enum machine_status status;
	char why[256];
	double ticks, low, high; /* per statement */
	double ns; /* per statement */
	double value; /* p1's first lane afterwards */
	int rounds, discarded; /* blocks used and thrown away */
	bool shared; /* a neighbour was on the core in every block to be had: throughput is not the core's own */
	double share; /* timer.share when this was taken */
	double held; /* times as long as at its best: other work on the units of floats and vectors; 1: none, or not
			theirs */
};

/* Blocks of bursts of tick, crowd, brief and full, until the interval's half-width is below `precision` of the value,
 * or patience ends. */
struct estimate timing_of(struct timer *timer, struct probe *probe, double precision);
/* Relative: what every such interval is wider by on either side, whatever the blocks say. */
double timing_margin(const struct timer *timer);

/* One look at an address walk. */
struct stroll {
	enum machine_status status;
	char why[256];
	double ticks, ns; /* per step; NaN when it did not run */
	double value; /* as the reading has it */
	bool shared; /* a neighbour was on the core, or the clock moved, each time */
};
struct stroll timing_walk(struct timer *timer, const struct walk *walk, long steps);
/* Lowest ns a step of some walks in a circle, by turns, so many of them, in timings of whole rounds and at least so
 * many steps. What others do only ever adds, and each is left alone in some turn. False when they do not run. */
bool timing_walks_by_turns(struct timer *timer, const struct walk *walks, int count, int turns, long least, double *ns);

/* ns of a tick now, the median of a burst; NaN when it was disturbed. */
double timing_tick(struct timer *timer);

/* Was a tick of so many ns held up, going by a look at the tock? */
bool timing_lags(struct timer *timer, double tick);
/* From now on address walks are counted in what a chain of loads says is a tick, too. `cycle` is in ticks. */
void timing_learn_load(struct timer *timer, double cycle);

/* Ticks between the starts of integer adds that nobody hinders. */
double timer_add(const struct timer *timer);

/* Does a statement of `other` take more than `factor` times as long as one of `base`? Alternating order, sequential
 * test; STAT_UNDECIDED when it cannot tell within its patience or one of them does not run. */
enum stat_verdict timing_slower(struct timer *timer, struct probe *base, struct probe *other, double factor);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the thinking: the lab a micro-benchmark works in, and the control engines it may use
 */
#ifndef XRAY_ENGINE_H
#define XRAY_ENGINE_H

#include "../curve/period.h"
#include "../findings/findings.h"
#include "../timing/timing.h"

struct coding;
struct counting;
struct hierarchy;
struct paging;
struct probe_shelf;
struct teamwork;

/* The numbers of the I-cache paper's experiment, under its names. */
struct ladder_options {
	int S, I, B;
	double T;
};

/* Machine, facts, time and the finding being made, handed down; no globals. */
struct lab {
	struct timer *timer;
	struct findings *findings;
	enum nano_barrier barrier; /* the user's choice for chains */
	double cycle, cycle_error; /* ticks in a core cycle, NaN until cpu.frequency found it; its relative error */
	double add; /* cycles that an add takes, where the cycle is known */
	double in_flight; /* the most operations that were seen under way at once */
	struct finding finding; /* under way */
	struct ladder_options ladder;
	bool brief; /* fewer walks, for answers that may be less exact */
	bool settled; /* it has an outcome; later ones are ignored */
	bool shared; /* an estimate it used was taken with a neighbour on the core */
	double share; /* the highest timer.share its estimates were taken with; 0 when there were none */
	int evidence_room;
	struct probe_shelf *shelf;
	struct hierarchy *hierarchy; /* of memory, once it was explored */
	struct paging *paging, *huge_paging, *code_paging; /* the same for translation */
	struct coding *coding; /* and for code */
	struct counting *counting; /* by counters, where there are any */
	struct teamwork *teamwork; /* and for several CPUs */
	/* Hears each note, and NULL for one when the finding is made; may be NULL. */
	void (*noted)(void *context, const struct finding *finding, const struct evidence *evidence);
	void *noted_context;
	int fresh; /* generations of arenas for code that were used up */
};

void lab_open(struct lab *lab, struct timer *timer, struct findings *findings, enum nano_barrier barrier);
void lab_close(struct lab *lab);

/* Begins and ends a finding. lab_finish puts it into the findings. */
void lab_start(struct lab *lab, const char *name, const char *unit);
void lab_finish(struct lab *lab);

/* The shelf keeps one probe per text and barrier, with what was already measured on it. */
struct probe *lab_probe(struct lab *lab, const char *text, enum nano_barrier barrier);
/* Says that this will be needed; lab_prepare then makes everything said so far ready in one go. */
void lab_want(struct lab *lab, const char *text, enum nano_barrier barrier);
void lab_prepare(struct lab *lab);
/* Forgets estimates, so that what is asked again is measured again. */
void lab_forget(struct lab *lab);

/* Times a spec, in ticks per statement, and notes it as evidence. lab_try leaves a failure to the caller, lab_time
 * turns it into the finding's outcome. Either way ticks is NaN then. */
struct estimate lab_try(struct lab *lab, const char *text, enum nano_barrier barrier, double x);
struct estimate lab_time(struct lab *lab, const char *text, enum nano_barrier barrier, double x);

/* timing_slower of two specs, with the user's barrier; noted as evidence. */
enum stat_verdict lab_slower(struct lab *lab, const char *base, const char *other, double factor);

/* An earlier finding's value; NaN when it was not measured. */
double lab_fact(const struct lab *lab, const char *name);

void lab_note(struct lab *lab, const char *what, double x, double value, const char *verdict);

/* Outcomes; the first one counts. */
void lab_measured(struct lab *lab, double value, double low, double high, double confidence, const char *method);
/* The same of unit matrix, which the finding takes over: the median cell, the smallest and the largest. UNCLEAR with
 * `none` where no cell is known, FAILED where there is no matrix. */
void lab_measured_matrix(struct lab *lab, struct matrix *matrix, double confidence, const char *method,
			 const char *none);
/* The same of unit text, in words. */
void lab_told(struct lab *lab, const char *text, double confidence, const char *method);
void lab_outcome(struct lab *lab, enum outcome outcome, const char *reason);
/* The outcome that fits a status other than MACHINE_RAN. */
void lab_status(struct lab *lab, const struct estimate *estimate);

/* --- saturate.c: independent copies of an operation, more and more of them, until the time per operation falls no
 * more. spec writes the text for k copies into text; renewed, or NULL, writes one whose copies depend on nothing they
 * wrote. */
struct saturation {
	enum machine_status status; /* MACHINE_RAN, or that of the first failing probe */
	double ticks, low, high; /* per operation */
	int copies; /* how many it took */
	bool saturated; /* false: there were never enough copies to fill the units */
	bool renewed; /* reached only with copies that forget their past */
};
struct saturation engine_saturate(struct lab *lab, void (*spec)(const void *of, int copies, char *text, size_t size),
				  void (*renewed)(const void *of, int copies, char *text, size_t size), const void *of);
/* The copies tried first, 0 at the end: for lab_want. */
int engine_saturate_step(int index);

/* --- walks.c */
enum { ENGINE_WALK_STEPS = 2048 * MACHINE_BURST }; /* of one look */
/* Cycles a step, from so many looks; NaN when it does not run. */
double engine_walk(struct lab *lab, const struct walk *walk, int looks);
/* The same of a WALK_CYCLE, in whole rounds and few of them: for questions that are asked a hundred times. */
double engine_walk_round(struct lab *lab, const struct walk *walk, int looks);
/* Cycles a step of a chain of pointers in the nearest level, in an order that nothing foresees. */
double engine_chase(struct lab *lab);
/* Whether walks as large as the caches that cores share take longer at one time than at another. */
bool engine_others_in_caches(struct lab *lab);
/* ns of a cycle now. What disturbs a tick makes it longer; NaN is one that was lost. */
double engine_cycle(struct lab *lab);

/* --- served.c: what a level holds, going by references that do not go to memory, and what the next level takes more.
 * For machines that others use, too. Not found where memory is not clearly slower than the next level, or is next. */
struct serving {
	double guess; /* bytes that it holds, within a factor of two */
	double line; /* bytes */
	double latency, above_step, above_reach; /* cycles; what it takes more than the level above; what that holds */
	double memory_ns; /* that a load from memory takes more than one of the level */
	double cycle; /* ns */
};
struct served {
	bool found;
	double reach, low, high; /* bytes */
	double step; /* cycles */
	double shape; /* lines of a set, by its end */
};
struct served engine_served(struct lab *lab, const struct serving *level);

/* --- climb.c: the largest n for which holds(n) is STAT_YES, by doubling from `start` and bisecting; -1 when a step
 * could not be decided or `start` fails, limit when nothing up to there fails. between, or NULL, hears the range before
 * it is bisected. */
int engine_climb(struct lab *lab, int start, int limit,
		 enum stat_verdict (*holds)(struct lab *lab, int n, const void *of),
		 void (*between)(struct lab *lab, int low, int high, const void *of), const void *of);

#endif

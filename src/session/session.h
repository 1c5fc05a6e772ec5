/* SPDX-License-Identifier: MIT */
/*
 * session.h - the day's work: which parameters, in which order, within which time
 */
#ifndef XRAY_SESSION_H
#define XRAY_SESSION_H

#include "../micro/micro.h"

enum effort { EFFORT_QUICK, EFFORT_DEFAULT, EFFORT_FULL };

/* --- plan.c */
struct plan {
	struct step {
		const struct entry *entry;
		bool asked; /* false: only another one's need */
		double share; /* lab.share when it was measured */
		double seconds; /* that it took; 0 before it was measured */
	} * steps;
	int count;
};

/* Every entry that a name, prefix or glob selects (all of them without names), each after its needs. False and a
 * message naming the nearest known name when one selects nothing. */
bool plan_make(struct plan *plan, const char *const *names, int count, enum effort effort, char *error, size_t size);
void plan_free(struct plan *plan);
/* Seconds that the steps from `done` on may take, going by those before; NaN before the first. */
double plan_left(const struct plan *plan, int done);
/* Nothing in it is beyond EFFORT_QUICK. */
bool plan_is_quick(const struct plan *plan);
/* A NAME of the command line against a parameter's name. */
bool plan_selects(const char *pattern, const char *name);
/* Of these findings those that were asked for, in the catalogue's order, without those that only others needed. Copies;
 * NULL without memory. */
struct findings *plan_asked(const struct plan *plan, const struct findings *all);

/* --- open.c */
struct session_machine {
	const char *file; /* a description or a recording; NULL: this machine */
	long seed; /* of a description; below 0: its own */
	struct machine_real_options real; /* of this machine; its memory of the others, too, and patience is set here */
	double budget; /* as in session_options */
};
/* NULL and a message. */
struct machine *session_open(const struct session_machine *wanted, char *error, size_t size);

/* --- session.c */
struct session_hooks {
	void *context;
	/* Before each step; done of total, and the seconds the rest may take (NaN: unknown). NULL entry: compiling. */
	void (*progress)(void *context, const struct entry *entry, int done, int total, double left);
	/* After each finding that was asked for. */
	void (*found)(void *context, const struct finding *finding);
	/* What others say of it; NULL when nobody is to be asked (simulated and recorded machines). */
	bool (*claim)(const char *parameter, double *value, const char **source);
	/* Shall it end, with what is found so far? May be NULL. */
	bool (*stop)(void *context);
	/* Hears what is noted and decided, of all that is measured: lab.noted. */
	void (*noted)(void *context, const struct finding *finding, const struct evidence *evidence);
};

struct session_options {
	enum nano_barrier barrier;
	double budget; /* seconds; INFINITY: no bound */
	bool patient; /* wait longer for neighbours to leave the core */
	bool brief; /* fewer walks */
	struct ladder_options ladder; /* of cache.l1i.straight; S of 0: as lab_open has them */
};

struct session_result {
	struct findings *findings; /* all of them, needs included; the caller's */
	char noise[160];
	char counters[256]; /* why there are none, where a second opinion of theirs was in the plan; else empty */
	double seconds;
	bool interrupted;
};

struct session_result session_run(struct machine *machine, struct plan *plan, const struct session_options *options,
				  const struct session_hooks *hooks);

#endif

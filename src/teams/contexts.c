/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - how many threads can do one kind of work at once without any of them being slower
 *
 * BlackjackBench's: one thread, two, three, and so on, not tied to a CPU, and the first step of the time that the
 * slowest of them takes. Beside it the same with threads that are each put onto a CPU, one of each core first.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "teams.h"

enum { PLACES = 64, STRIDE = 64, STEPS = 4096, ALL = 24, TURNS = 3 };

static const double PIECE = 3e4; /* ns */
static const double A_WHILE = 2e7, LONGER = 6e7; /* ns; where threads have to share a CPU, in which they take turns */
static const double SLOWER = 1.25; /* times as long: a step */

static const char *const specs[] = {
	[TEAMS_INT] = "p1 = p1 / p2 : i64 where p1=1, p2=1", [TEAMS_FP] = "p1 = p1 / p2 : f64 where p1=1, p2=1"
};

struct trial {
	struct lab *lab;
	enum teams_kind kind;
	const struct nano *nano;
	struct walk walk;
	uint64_t places[PLACES];
	long length;
	const int *order; /* CPUs to put threads onto; NULL: they are put nowhere */
	int cpus;
};

void teams_contexts_want(struct lab *lab, enum teams_kind kind)
{
	if (kind != TEAMS_MEM)
		lab_want(lab, specs[kind], lab->barrier);
}

/* ns a unit of the slowest of so many threads; NaN: they do not run. */
static double slowest(struct trial *trial, int threads)
{
	struct team_member *members = stat_scratch((size_t)threads, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)threads, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = trial->kind == TEAMS_MEM ? TEAM_WALK : TEAM_RUN,
			     .members = members,
			     .count = threads,
			     .ns = threads > trial->cpus ? LONGER : A_WHILE };
	double least = INFINITY;

	for (int i = 0; i < threads; i++)
		members[i] = (struct team_member){
			.cpu = trial->order ? teams_cpu(trial->lab, trial->order[i % trial->cpus]) : TEAM_ANYWHERE,
			.home = TEAM_ANYWHERE,
			.nano = trial->nano,
			.walk = &trial->walk,
			.length = trial->length,
		};
	if (teams_work(trial->lab, &team, &reading))
		for (int i = 0; i < threads; i++)
			least = fmin(least, teams_rate(&parts[i], trial->length, reading.ns));
	else
		least = NAN;
	free(members);
	free(parts);
	return 1 / least;
}

/* The same at its best of some turns: what others do only ever adds. */
static double best(struct trial *trial, int threads)
{
	double least = INFINITY;

	for (int turn = 0; turn < TURNS && !trial->lab->settled; turn++)
		least = fmin(least, slowest(trial, threads));
	return least;
}

static void note(struct trial *trial, int threads, double times)
{
	lab_note(trial->lab, trial->order ? "threads, each on its CPU" : "threads anywhere", threads, times,
		 times > SLOWER ? "slower" : "");
}

/* The first step, from one thread to where it is far beyond; few of many numbers are tried. -1: none, up to twice as
 * many threads as CPUs. */
static int first_step(struct trial *trial)
{
	double alone = best(trial, 1);
	int fits = 1, fails = 0, most = 2 * trial->cpus;

	for (int threads = 2; threads <= most && !trial->lab->settled && !fails;
	     threads = threads < ALL ? threads + 1 : threads + threads / 4) {
		double times = best(trial, threads) / alone;

		note(trial, threads, times);
		if (times > SLOWER)
			fails = threads;
		else
			fits = threads;
	}
	while (fails > fits + 1 && !trial->lab->settled) {
		int threads = (fits + fails) / 2;
		double times = best(trial, threads) / alone;

		note(trial, threads, times);
		if (times > SLOWER)
			fails = threads;
		else
			fits = threads;
	}
	return fails ? fits : -1;
}

/* One CPU of each core, then the next of each. */
static void put_in_order(const struct teamwork *teamwork, int *order)
{
	int n = teamwork->count, put = 0;

	for (int turn = 0; put < n; turn++)
		for (int i = 0; i < n; i++) {
			int before = 0;

			for (int j = 0; j < i; j++)
				before += teamwork->core[j] == teamwork->core[i];
			if (before == turn)
				order[put++] = i;
		}
}

static bool start(struct trial *trial)
{
	struct lab *lab = trial->lab;
	struct probe *probe = trial->kind == TEAMS_MEM ? NULL : lab_probe(lab, specs[trial->kind], lab->barrier);

	if (probe) {
		struct estimate estimate = lab_time(lab, specs[trial->kind], lab->barrier, NAN);

		if (estimate.status != MACHINE_RAN)
			return false;
		trial->nano = probe->full;
		trial->length = (long)fmax(1, PIECE / (estimate.ns * nano_body(probe->full)));
		return true;
	}
	for (int i = 0; i < PLACES; i++)
		trial->places[i] = (uint64_t)((i * 5) % PLACES) * STRIDE;
	trial->walk = (struct walk){ .order = WALK_CYCLE, .places = trial->places, .count = PLACES };
	trial->length = STEPS;
	return true;
}

void teams_contexts(struct lab *lab, enum teams_kind kind)
{
	const struct teamwork *teamwork = teams_cores(lab);
	struct trial trial = { .lab = lab, .kind = kind };
	int *order, anywhere, placed;

	if (!teamwork || !start(&trial))
		return;
	trial.cpus = teamwork->count;
	order = stat_scratch((size_t)trial.cpus, sizeof(*order));
	put_in_order(teamwork, order);
	anywhere = first_step(&trial);
	trial.order = order;
	placed = lab->settled ? -1 : first_step(&trial);
	free(order);
	if (lab->settled)
		return;
	if (anywhere < 0 || placed < 0)
		lab_outcome(lab, UNCLEAR, "twice as many threads as CPUs took no longer each");
	else if (anywhere == placed)
		lab_measured(lab, placed, placed, placed, 0.95, "first step of threads");
	else
		lab_measured(lab, placed, fmin(anywhere, placed), fmax(anywhere, placed), 0.7, "first step of threads");
}

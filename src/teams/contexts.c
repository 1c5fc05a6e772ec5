/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - how many threads can do one kind of work at once without any of them being slower
 *
 * BlackjackBench's: one thread, two, three, and so on, and the first step of the time that the slowest of them takes.
 * Threads that are put onto CPUs, one of each core first, are compared with what such a CPU does alone. Beside it the
 * same with threads that the system puts anywhere, where all CPUs are equally fast.
 */
#include <math.h>
#include <stdlib.h>

#include "teams.h"

enum { PLACES = 64, STRIDE = 64, STEPS = 4096, ALL = 16, ALONE_TURNS = 9, TURNS = 10, FEW_TURNS = 5 };

static const double PIECE = 3e4; /* ns */
static const double A_WHILE = 2e6, LONGER = 2e7, IN_TURNS = 6e7; /* ns; of threads that the system moves about; of those
								    that have to take turns on a CPU */
static const double SLOWER = 1.25; /* times as long: a step */
static const double PAUSE = 1e7, LONGEST_PAUSE = 8e7; /* ns, in which whoever disturbed some of them may go away */

static const char *const specs[] = {
	[TEAMS_INT] = "p1 = p1 / p2 : i64 where p1=1, p2=1", [TEAMS_FP] = "p1 = p1 / p2 : f64 where p1=1, p2=1"
};

struct trial {
	struct lab *lab;
	const struct teamwork *teamwork;
	enum teams_kind kind;
	const struct nano *nano;
	struct walk walk;
	uint64_t places[PLACES];
	long length;
	int *order; /* CPUs, one of each core first */
	int cores;
	bool placed; /* threads are put onto them; else nowhere */
	double alone[TREE_LEVELS]; /* ns a unit, by the kind of CPU */
};

void teams_contexts_want(struct lab *lab, enum teams_kind kind)
{
	if (kind != TEAMS_MEM)
		lab_want(lab, specs[kind], lab->barrier);
}

/* Lets as many work as there are in `cpus`, and keeps of each the least time a unit. False: they do not run. */
static bool work(struct trial *trial, const int *cpus, int threads, double *quickest)
{
	int most = trial->teamwork->count;
	struct team_member *members = stat_scratch((size_t)threads, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)threads, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = trial->kind == TEAMS_MEM ? TEAM_WALK : TEAM_RUN,
			     .members = members,
			     .count = threads,
			     .ns = threads > most  ? IN_TURNS
				   : trial->placed ? A_WHILE
						   : LONGER };
	bool done;

	for (int i = 0; i < threads; i++)
		members[i] = (struct team_member){
			.cpu = trial->placed ? teams_cpu(trial->lab, cpus[i % most]) : TEAM_ANYWHERE,
			.home = TEAM_ANYWHERE,
			.nano = trial->nano,
			.walk = &trial->walk,
			.length = trial->length,
		};
	done = teams_work(trial->lab, &team, &reading);
	for (int i = 0; i < threads && done; i++)
		quickest[i] = fmin(quickest[i], 1 / teams_rate(&parts[i], trial->length, reading.ns));
	free(members);
	free(parts);
	return done;
}

/* The slowest of so many threads, in what it takes alone. What others do only ever adds: several turns, until all of
 * them were as quick as that once. Threads that are put nowhere are nobody in the next turn: there all have to be in
 * the same. */
static double slowest(struct trial *trial, int threads)
{
	const struct teamwork *teamwork = trial->teamwork;
	struct timer *timer = trial->lab->timer;
	double *quickest = stat_scratch((size_t)threads, sizeof(*quickest)), least = INFINITY, pause = PAUSE;
	int turns = trial->placed ? TURNS : FEW_TURNS;

	for (int turn = 0; turn < turns && least > SLOWER; turn++) {
		double most = 0;

		for (int i = 0; i < threads && (turn == 0 || !trial->placed); i++)
			quickest[i] = INFINITY;
		if (turn)
			timer->machine->ops->wait(timer->machine, pause = fmin(2 * pause, LONGEST_PAUSE));
		if (!work(trial, trial->order, threads, quickest))
			break;
		for (int i = 0; i < threads; i++) {
			int kind = trial->placed ? teamwork->kind[trial->order[i % teamwork->count]] : 0;

			most = fmax(most, quickest[i] / trial->alone[kind]);
		}
		least = fmin(least, most);
		/* Nobody goes away who is one of us. */
		if (threads > teamwork->count)
			break;
	}
	free(quickest);
	lab_note(trial->lab, trial->placed ? "threads, each on its CPU" : "threads anywhere", threads, least,
		 least > SLOWER ? "slower" : "");
	return least;
}

/* How many threads to try after so many: of few all numbers; of many one for each core, one more, one for each CPU. */
static int next_number(const struct trial *trial, int threads)
{
	int count = trial->teamwork->count;

	if (threads < ALL || threads == trial->cores || threads == count)
		return threads + 1;
	return threads < trial->cores ? trial->cores : threads < count ? count : 2 * threads;
}

/* The first step; of many numbers few are tried, since more threads are no quicker. -1: none, up to twice as many
 * threads as CPUs. */
static int first_step(struct trial *trial)
{
	int fits = 1, fails = 0, count = trial->teamwork->count;

	for (int threads = 2; threads <= 2 * count && !trial->lab->settled && !fails;
	     threads = next_number(trial, threads)) {
		if (slowest(trial, threads) > SLOWER)
			fails = threads;
		else
			fits = threads;
	}
	while (fails > fits + 1 && !trial->lab->settled) {
		int threads = (fits + fails) / 2;

		if (slowest(trial, threads) > SLOWER)
			fails = threads;
		else
			fits = threads;
	}
	return fails ? fits : -1;
}

/* One CPU of each core, the fastest first, then the next of each. */
static void put_in_order(struct trial *trial)
{
	const struct teamwork *teamwork = trial->teamwork;
	int n = teamwork->count, put = 0;

	for (int turn = 0; put < n; turn++)
		for (int kind = 0; kind < teamwork->kinds; kind++)
			for (int i = 0; i < n; i++) {
				int before = 0;

				for (int j = 0; j < i; j++)
					before += teamwork->core[j] == teamwork->core[i];
				if (before == turn && teamwork->kind[i] == kind)
					trial->order[put++] = i;
				trial->cores += turn == 0 && kind == 0 && before == 0;
			}
}

/* What a CPU of each kind takes alone, at its best; in each turn another one of them, since one may have somebody
 * beside it for a while. */
static void time_alone(struct trial *trial)
{
	const struct teamwork *teamwork = trial->teamwork;
	struct machine *machine = trial->lab->timer->machine;

	trial->placed = true;
	for (int kind = 0; kind < teamwork->kinds; kind++) {
		trial->alone[kind] = INFINITY;
		for (int turn = 0, cpu = -1; turn < ALONE_TURNS && !trial->lab->settled; turn++) {
			do
				cpu = (cpu + 1) % teamwork->count;
			while (teamwork->kind[cpu] != kind);
			work(trial, &cpu, 1, &trial->alone[kind]);
			machine->ops->wait(machine, PAUSE);
		}
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
	const struct teamwork *teamwork = teams_speeds(lab) ? teams_cores(lab) : NULL;
	struct trial trial = { .lab = lab, .teamwork = teamwork, .kind = kind };
	int anywhere, placed;

	if (!teamwork || !start(&trial))
		return;
	trial.order = stat_scratch((size_t)teamwork->count, sizeof(*trial.order));
	put_in_order(&trial);
	time_alone(&trial);
	placed = anywhere = lab->settled ? -1 : first_step(&trial);
	trial.placed = false;
	if (!lab->settled && teamwork->kinds == 1)
		anywhere = first_step(&trial);
	free(trial.order);
	if (lab->settled)
		return;
	/* Fewer than all have to do with cores; fewer than cores seldom have, unless these are others by now. */
	if (placed < teamwork->count && !teams_cores_surely(lab))
		return;
	if (placed < teamwork->count && !teams_cores_hold(lab, placed < trial.cores))
		lab_outcome(lab, UNCLEAR, "unstable: CPUs that were one core are no longer, or others are");
	if (lab->settled)
		return;
	if (fmin(anywhere, placed) < 0 || placed > teamwork->count)
		lab_outcome(lab, UNCLEAR, "more threads than CPUs took no longer each");
	else if (anywhere == placed)
		lab_measured(lab, placed, placed, placed, 0.95, "first step of threads");
	else
		lab_measured(lab, placed, fmin(anywhere, placed), fmax(anywhere, placed), 0.7, "first step of threads");
}

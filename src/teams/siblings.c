/* SPDX-License-Identifier: MIT */
/*
 * siblings.c - CPUs that slow down each other's crowd of additions, but not a chain: they are threads of one core
 *
 * Everything that slows down all of a machine's CPUs (a clock that falls when more of them work) slows the chain, too.
 * What others do comes and goes, so the quickest moments of both count.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "siblings.h"

enum { ALONE_LOOKS = 2 };

static const double PIECE = 2e4, A_WHILE = 6e5, ALONE = 2e5; /* ns */
static const double SHARED = 1.3, APART = 1.15; /* times as long beside a sibling, at least; beside another core */

/* CPUs that are looked at together, and what a lap of each took at its quickest. */
struct look {
	struct lab *lab;
	const int *cpus;
	int count;
	double *alone[2], *beside[2]; /* of the crowd, of the chain */
};

/* Lets some of them work at once: every `step`th from `first` on. */
static bool work(const struct look *look, int loop, int first, int step, double *quickest)
{
	struct timer *timer = look->lab->timer;
	int count = (look->count - first + step - 1) / step;
	const struct nano *nano = loop ? timer->tick : timer->crowd;
	long laps = (long)fmax(1, (double)(loop ? timer->tick_laps : timer->crowd_laps) * PIECE / timer->sample);
	struct team_member *members = stat_scratch((size_t)count, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)count, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_RUN, .members = members, .count = count, .ns = count == 1 ? ALONE : A_WHILE };
	bool done;

	for (int i = 0; i < count; i++)
		members[i] = (struct team_member){ .cpu = teams_cpu(look->lab, look->cpus[first + i * step]),
						   .home = TEAM_ANYWHERE,
						   .nano = nano,
						   .length = laps };
	done = teams_work(look->lab, &team, &reading);
	for (int i = 0; i < count && done; i++)
		quickest[first + i * step] = fmin(quickest[first + i * step], teams_pace(&parts[i], laps));
	free(members);
	free(parts);
	return done;
}

static void open_look(struct look *look, struct lab *lab, const int *cpus, int count)
{
	*look = (struct look){ .lab = lab, .cpus = cpus, .count = count };
	for (int loop = 0; loop < 2; loop++) {
		look->alone[loop] = stat_scratch((size_t)count, sizeof(double));
		look->beside[loop] = stat_scratch((size_t)count, sizeof(double));
		for (int i = 0; i < count; i++)
			look->alone[loop][i] = look->beside[loop][i] = INFINITY;
	}
}

static void close_look(struct look *look)
{
	for (int loop = 0; loop < 2; loop++) {
		free(look->alone[loop]);
		free(look->beside[loop]);
	}
}

/* Alone in turns of one in `step`, then all of them, twice, then alone again; or, when it is known how long they take
 * alone, only all of them. */
static bool take(struct look *look, int step, bool known)
{
	for (int loop = 0; loop < 2; loop++)
		for (int turn = 0; turn < 4; turn++) {
			bool beside = turn == 1 || turn == 2;

			if (known && !beside)
				continue;

			for (int first = 0; first < (beside ? 1 : step); first++)
				if (!work(look, loop, first, beside ? 1 : step,
					  beside ? look->beside[loop] : look->alone[loop]))
					return false;
		}
	return true;
}

/* How many times as long the crowd takes beside the others, less what the chain does. */
static double slowdown(const struct look *look, int i)
{
	return look->beside[0][i] / look->alone[0][i] / fmax(1, look->beside[1][i] / look->alone[1][i]);
}

int siblings_suspects(struct lab *lab, int *suspects)
{
	int count = lab->teamwork->count, found = count;
	struct look all;

	for (int i = 0; i < count; i++)
		suspects[i] = i;
	open_look(&all, lab, suspects, count);
	for (int turn = 0; turn < SIBLINGS_LOOKS && found && take(&all, count, turn >= ALONE_LOOKS); turn++) {
		found = 0;
		for (int i = 0; i < count; i++)
			found += slowdown(&all, i) > APART;
		lab->timer->machine->ops->wait(lab->timer->machine, SIBLINGS_PAUSE);
	}
	found = 0;
	for (int i = 0; i < count && !lab->settled; i++) {
		double times = slowdown(&all, i);

		lab_note(lab, "crowd of additions beside all others, CPU", teams_cpu(lab, i), times, "");
		if (times > APART)
			suspects[found++] = i;
	}
	close_look(&all);
	return found;
}

bool siblings_look(struct lab *lab, struct sibling_pair *const *pairs, int count)
{
	int *cpus = stat_scratch(2 * (size_t)count, sizeof(*cpus));
	struct look look;
	bool done;
	char what[96];

	for (int i = 0; i < count; i++) {
		cpus[2 * i] = pairs[i]->a;
		cpus[2 * i + 1] = pairs[i]->b;
	}
	open_look(&look, lab, cpus, 2 * count);
	done = take(&look, 2, false);
	for (int i = 0; i < count && done; i++) {
		double times = fmin(slowdown(&look, 2 * i), slowdown(&look, 2 * i + 1));

		pairs[i]->yes += times > SHARED;
		pairs[i]->no += times < APART;
		snprintf(what, sizeof(what), "crowd of additions, CPU %d beside %d", teams_cpu(lab, pairs[i]->a),
			 teams_cpu(lab, pairs[i]->b));
		lab_note(lab, what, pairs[i]->yes + pairs[i]->no, times,
			 times > SHARED  ? "one core"
			 : times < APART ? "two cores"
					 : "");
	}
	close_look(&look);
	free(cpus);
	return done;
}

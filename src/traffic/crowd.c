/* SPDX-License-Identifier: MIT */
/*
 * crowd.c - bytes that all CPUs together read, write or copy in a second
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "traffic.h"

enum { LOOKS = 3, KINDS = 3, MOST_CPUS = 16 };

static const double TOGETHER = 4e6; /* ns that a team works */
static const double PIECE = 8e3; /* ns that a piece takes in the nearest level */
static const double GRAIN = 0.02;

/* Bytes for each of so many: the last level may be shared by all of them, and what it holds of each is less then. */
static double span_for(struct lab *lab, int depth, int count)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	double above = traffic_above(hierarchy, depth), memory = (double)lab->timer->machine->memory / 2 / count, span;

	if (depth == hierarchy->levels) {
		span = fmin(
			fmax(fmax(4 * above, lab->timer->noise == NOISE_QUIET ? 0 : TRAFFIC_FAR) / count, 1.5 * above),
			memory);
		/* Where the last level is each one's own, this is still beyond it. */
		return span * count < 2 * above || span < above ? 0 : floor(span / TRAFFIC_SPAN) * TRAFFIC_SPAN;
	}
	return traffic_span(
		above, hierarchy->level[depth].reach / (depth + 1 == hierarchy->levels && depth ? count : 1), INFINITY);
}

double traffic_together(struct lab *lab, const struct team_member *members, int count, double *least)
{
	struct team_part *parts = stat_scratch((size_t)count, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_WALK, .members = members, .count = count, .ns = TOGETHER };
	double best = *least = NAN;

	for (int i = 0; i < LOOKS && teams_work(lab, &team, &reading); i++) {
		double rate = 0;

		for (int j = 0; j < count; j++)
			rate += teams_rate(&parts[j], members[j].length, reading.ns) * 1e9 * WALK_PIECE *
				(members[j].walk->stream == WALK_COPY ? 2 : 1);
		best = fmax(best, rate);
		*least = fmin(*least, rate);
	}
	free(parts);
	return lab->settled ? NAN : best;
}

void traffic_crowd(struct lab *lab, int depth)
{
	static const char *const kinds[KINDS] = { "read by all CPUs at once", "written by all CPUs at once",
						  "copied by all CPUs at once" };
	const struct hierarchy *hierarchy = lab->hierarchy;
	int count = lab->timer->machine->identity.cpus;
	double span, rates[KINDS], least[KINDS];
	struct team_member *members;
	struct walk read;
	struct flow flow;

	if (teams_alone(lab))
		return;
	/* Each needs a stretch that no cache holds: of many CPUs that is more memory than can be filled in time. */
	if (count > MOST_CPUS) {
		lab_outcome(lab, BLOCKED, "there are more CPUs than can have memory of their own for it");
		return;
	}
	span = span_for(lab, depth, count);
	if (!(span > 0)) {
		lab_outcome(lab, UNCLEAR, "what each CPU would have of it is no more than the level above holds");
		return;
	}
	read = traffic_walk(WALK_READ, traffic_span(0, hierarchy->level[0].reach, 1));
	flow = traffic_stream(lab, &read, false);
	members = stat_scratch((size_t)count, sizeof(*members));
	if (isnan(flow.rate))
		lab_outcome(lab, BLOCKED, flow.why);
	for (int i = 0; i < KINDS && !lab->settled; i++) {
		struct walk walk = traffic_walk((enum walk_stream)i, span);

		walk.vector = flow.vector;
		for (int j = 0; j < count; j++)
			members[j] = (struct team_member){ teams_cpu(lab, j),
							   TEAM_ANYWHERE,
							   false,
							   NULL,
							   &walk,
							   (long)(flow.rate * PIECE / 1e9 / WALK_PIECE) + WALK_PIECES };
		rates[i] = traffic_together(lab, members, count, &least[i]);
		lab_note(lab, kinds[i], span, rates[i], "");
	}
	free(members);
	if (lab->settled)
		return;
	if (!(rates[0] > 0)) {
		lab_outcome(lab, UNCLEAR, "the CPUs were never all at work at once");
		return;
	}
	snprintf(lab->finding.note, sizeof(lab->finding.note), "%d CPUs; written %.3g GB/s, copied %.3g GB/s", count,
		 rates[1] / 1e9, rates[2] / 1e9);
	lab_measured(lab, rates[0], fmin(least[0], rates[0] * (1 - GRAIN)), rates[0] * (1 + GRAIN), 0.8,
		     "streams on all CPUs");
}

/* SPDX-License-Identifier: MIT */
/*
 * line_destructive.c - how far apart two CPUs' data has to lie
 */
#include "micro.h"

enum { NEAREST = 8, FARTHEST = 2048, PLACES = 5, ADDITIONS = 1000 };

static const double A_WHILE = 4e5; /* ns; at least, and as long as so many pieces take when each addition waits */
static const double PIECES = 6;
static const double DISTURBED = 1.25; /* times as long as far apart */
static const double PARTLY = 0.25; /* of what neighbouring words cost more: lines that are fetched together */

/* ns an addition, at its quickest, of words so far apart, on two CPUs; NaN: they do not run. */
static double pace(struct lab *lab, int other, long apart)
{
	struct team_member members[2] = { { .cpu = teams_cpu(lab, 0), .length = ADDITIONS },
					  { .cpu = teams_cpu(lab, other), .length = ADDITIONS } };
	struct team_part parts[2];
	struct team_reading reading = { .parts = parts };
	double ns[PLACES], waits = ADDITIONS * *teams_passed(lab->teamwork, 0, other);

	for (int place = 0; place < PLACES; place++) {
		struct team team = { .task = TEAM_STORE,
				     .members = members,
				     .count = 2,
				     .ns = fmax(A_WHILE, PIECES * waits),
				     .bytes = (uint64_t)apart,
				     .place = place };

		if (!teams_work(lab, &team, &reading))
			return NAN;
		ns[place] = fmax(teams_pace(&parts[0], ADDITIONS), teams_pace(&parts[1], ADDITIONS));
	}
	return stat_median(ns, PLACES);
}

/* A CPU of another core, as far away as there are. */
static int partner(const struct teamwork *teamwork)
{
	int best = teamwork->count - 1;

	for (int i = 1; i < teamwork->count; i++)
		if (teamwork->core[i] != teamwork->core[0] && teamwork->tree &&
		    tree_level(teamwork->tree, 0, i) == teamwork->tree->levels - 1)
			return i;
	return best;
}

/* What comes in the way only ever adds: a pair that seems disturbed gets a second chance. */
static bool is_disturbed(struct lab *lab, int other, long apart, double far, double near)
{
	double most = fmin(DISTURBED * far, far + PARTLY * (near - far)), ns = pace(lab, other, apart);

	if (ns > most)
		ns = fmin(ns, pace(lab, other, apart));
	lab_note(lab, "additions to words of two CPUs, bytes apart", (double)apart, ns, ns > most ? "disturbed" : "");
	return ns > most;
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct teamwork *teamwork = teams_passes(lab) ? teams_cores(lab) : NULL;
	int other;
	long apart = NEAREST;
	double far, near;

	(void)subject;
	if (!teamwork)
		return;
	other = partner(teamwork);
	far = fmin(pace(lab, other, FARTHEST), pace(lab, other, FARTHEST));
	near = fmin(pace(lab, other, NEAREST), pace(lab, other, NEAREST));
	if (!lab->settled && !(near > DISTURBED * far)) {
		lab_outcome(lab, UNCLEAR,
			    "two CPUs do not disturb each other even on neighbouring words: they may be one core");
		return;
	}
	while (apart < FARTHEST && !lab->settled && is_disturbed(lab, other, apart, far, near))
		apart *= 2;
	/* The control: a host that made the two one core meanwhile has them disturb each other nowhere. */
	if (!lab->settled && !is_disturbed(lab, other, NEAREST, far, near))
		lab_outcome(lab, UNCLEAR, COMMON_UNSTABLE);
	if (lab->settled)
		return;
	if (apart == FARTHEST)
		lab_outcome(lab, UNCLEAR, "two CPUs disturb each other however far apart their words are");
	else
		lab_measured(lab, (double)apart, (double)apart, (double)apart, 0.95, "additions side by side");
}

const struct micro micro_line_destructive = {
	.name = "line.destructive",
	.what = "distance at which two CPUs stop disturbing each other",
	.unit = "bytes",
	.story =
		"Idea     Two CPUs add to words of their own, as fast as they can. While the words are on one line, or on\n"
		"         lines that are fetched together, the line goes to and fro and both are slow.\n"
		"Answer   The smallest power of two from which on they are as quick as 2 KiB apart.\n"
		"Assumes  The two are not of one core.\n"
		"Fails as unclear where nothing disturbs them.",
	.needs = { "?smp.cores" },
	.run = run,
};

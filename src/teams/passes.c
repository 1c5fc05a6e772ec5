/* SPDX-License-Identifier: MIT */
/*
 * passes.c - how long a line takes from one CPU to another, for as many pairs as it takes to know them all
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "steady.h"

enum { ROUNDS = 31, SMALL = 4096, PLACES = 8, FEW_PLACES = 4, MANY_CPUS = 32, ENOUGH = 4, LONGEST = 5, TURNS = 40 };

static const double A_WHILE = 6e4; /* ns of one team; four times as long, LONGEST times, where nothing comes of it */
static const double PER_BYTE = 2; /* ns more */
static const double APART = 1.13, FAR_APART = 1.3; /* times as far: another level */
static const double SURE = 0.99; /* of the pairs must be as far apart as the tree has it */
static const double TIGHT = 1.3; /* spread that homes of lines, and the way to them, explain */
static const double LESS = 0.92, FEW_FELL = 0.02; /* times as long as before; of the pairs that took less */
static const double PATIENCE = 4e9, PAUSE = 5e7; /* ns that all turns may take; between two of them */

/* The first piece of whoever's turn it is at the start has no wait in it, and the block at home: of blocks, of which
 * there are few rounds, it does not count. */
static void drop_first(struct team_part *part)
{
	part->count -= part->count > 0;
	memmove(part->samples, part->samples + 1, sizeof(part->samples[0]) * (size_t)part->count);
}

/* One way, at one place; NaN: there was no time for it. */
static double look(struct lab *lab, int a, int b, uint64_t bytes, int place)
{
	struct team_member members[2] = { { .cpu = teams_cpu(lab, a), .home = TEAM_ANYWHERE },
					  { .cpu = teams_cpu(lab, b), .home = TEAM_ANYWHERE } };
	struct team_part parts[2];
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_PASS, .members = members, .count = 2, .bytes = bytes, .place = place };

	members[0].length = members[1].length = (long)(ROUNDS * SMALL / (bytes + SMALL)) + 1;
	for (int longer = 0; longer < LONGEST; longer++) {
		team.ns = (A_WHILE + PER_BYTE * (double)bytes) * (double)(1 << 2 * longer);
		if (!teams_try(lab, &team, &reading)) {
			lab_outcome(lab, BLOCKED, reading.why[0] ? reading.why : "there was no time left for it");
			return NAN;
		}
		for (int i = 0; i < 2 && bytes; i++)
			drop_first(&parts[i]);
		if (parts[0].count >= ENOUGH && parts[1].count >= ENOUGH)
			break;
	}
	return fmin(teams_pace(&parts[0], members[0].length), teams_pace(&parts[1], members[1].length)) / 2;
}

double teams_pass(struct lab *lab, int a, int b, uint64_t bytes, int places)
{
	double ns[PLACES];

	places = places < PLACES ? places : PLACES;
	for (int i = 0; i < places; i++)
		ns[i] = look(lab, a, b, bytes, i);
	return stat_median(ns, places);
}

struct asking {
	struct lab *lab;
	long again, fell; /* pairs that were asked about before, and those that took much less now */
};

/* At its quickest, of all times that it was asked for: what others do only ever adds. */
static double distance(void *context, int a, int b)
{
	struct asking *asking = context;
	struct lab *lab = asking->lab;
	size_t n = (size_t)lab->teamwork->count;
	double *known = &lab->teamwork->passes[(size_t)a * n + (size_t)b],
	       ns = timer_over(lab->timer) ? NAN : teams_pass(lab, a, b, 0, n > MANY_CPUS ? FEW_PLACES : PLACES);

	asking->again += !isnan(*known);
	asking->fell += ns < LESS * *known;
	*known = fmin(*known, ns);
	return lab->teamwork->passes[(size_t)b * n + (size_t)a] = *known;
}

/* Looks at all pairs that matter, and says whether the tree can be believed. One whose pairs scatter was measured
 * beside others, unless it comes out the same again with nobody there. False also when there is none. */
static bool search(struct lab *lab, struct teamwork *teamwork, double apart)
{
	struct asking asking = { lab, 0, 0 };
	struct tree_space space = { distance, &asking, teamwork->count, apart };
	bool loose, settled;

	tree_free(teamwork->tree);
	teamwork->tree = tree_find(&space);
	if (!teamwork->tree) {
		snprintf(teamwork->why, sizeof(teamwork->why), "%s",
			 lab->settled ? lab->finding.reason : "some pairs of CPUs never passed a line in time");
		return false;
	}
	loose = teamwork->tree->spread > TIGHT;
	settled = asking.again > teamwork->count && (double)asking.fell <= FEW_FELL * (double)asking.again;
	/* Two CPUs are one group however long a line takes between them. */
	return teamwork->count <= 2 || (teamwork->tree->fits >= SURE && (!loose || settled) && steady_holds(lab) &&
					!steady_haunted(lab, loose));
}

/* Others make distances longer for a while: then all of it is done again until it can be believed. In the end levels
 * that are near to each other count as one. */
static void measure(struct lab *lab, struct teamwork *teamwork)
{
	struct machine *machine = lab->timer->machine;
	double until = machine->ops->clock(machine) + PATIENCE;

	for (int turn = 0; turn < TURNS && (turn < 2 || machine->ops->clock(machine) < until); turn++) {
		if (turn)
			machine->ops->wait(machine, PAUSE);
		teamwork->unstable = !search(lab, teamwork, turn < TURNS / 2 ? APART : FAR_APART);
		if (!teamwork->unstable || !teamwork->tree)
			return;
	}
	snprintf(teamwork->why, sizeof(teamwork->why),
		 "unstable: who is near to whom differs from look to look, or fits no groups");
}

const struct teamwork *teams_passes(struct lab *lab)
{
	struct teamwork *teamwork;

	if (teams_alone(lab))
		return NULL;
	teamwork = teams_of(lab);
	if (!teamwork)
		return NULL;
	if (!teamwork->tree && !teamwork->why[0])
		measure(lab, teamwork);
	if (teamwork->tree)
		return teamwork;
	lab_outcome(lab, BLOCKED, teamwork->why);
	return NULL;
}

bool teams_passes_hold(struct lab *lab)
{
	struct teamwork *teamwork = lab->teamwork;

	teamwork->moved = teamwork->moved || (teamwork->count > 2 && !steady_holds(lab));
	return !teamwork->moved;
}

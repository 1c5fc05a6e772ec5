/* SPDX-License-Identifier: MIT */
/*
 * passes.c - how long a line takes from one CPU to another, for as many pairs as it takes to know them all
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "siblings.h"
#include "steady.h"

enum {
	ROUNDS = 31,
	SMALL = 4096,
	PLACES = 8,
	FEW_PLACES = 4,
	MANY_CPUS = 32,
	ENOUGH = 4,
	LONGEST = 5,
	TURNS = 80,
	ODD_TURNS = 12,
	HOLD_TURNS = 5,
	FEW_CPUS = 4,
	FEW_TURNS = 5
};

static const double A_WHILE = 6e4; /* ns of one team; four times as long, LONGEST times, where nothing comes of it */
static const double PER_BYTE = 2; /* ns more */
static const double APART = 1.13, FAR_APART = 1.3; /* times as far: another level */
static const double SURE = 0.99; /* of the pairs must be as far apart as the tree has it */
static const double TIGHT = 1.3; /* spread that homes of lines, and the way to them, explain */
static const double FEW_DOUBTS = 0.07; /* of the pairs were never asked about alone */
static const double ODD = 1.15; /* times as long as others of the level */
static const double PATIENCE = 4e9, LAST = 1e9, PAUSE = 5e7; /* ns that all turns may take; the last of them; a pause */

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
	bool careful; /* a pair is sure only where nobody else was on the cores of both, and then not asked about again
		       */
	int turn;
	long asked, doubtful; /* pairs; those that are not sure */
};

double *teams_passed(const struct teamwork *teamwork, int a, int b)
{
	return &teamwork->passes[(size_t)a * (size_t)teamwork->count + (size_t)b];
}

bool *teams_sure(const struct teamwork *teamwork, int a, int b)
{
	return &teamwork->sure[(size_t)(a < b ? a : b) * (size_t)teamwork->count + (size_t)(a < b ? b : a)];
}

static bool is_crowded(struct lab *lab, int a, int b)
{
	return steady_crowded(lab, a) || steady_crowded(lab, b);
}

/* At its quickest, of all times that it was asked for: what others do only ever adds. */
static double distance(void *context, int a, int b)
{
	struct asking *asking = context;
	struct lab *lab = asking->lab;
	struct teamwork *teamwork = lab->teamwork;
	int places = teamwork->count > MANY_CPUS ? FEW_PLACES : PLACES;
	double *known = teams_passed(teamwork, a, b);
	bool *sure = teams_sure(teamwork, a, b), crowded;

	asking->asked++;
	if (*sure)
		return *known;
	crowded = asking->careful && is_crowded(lab, a, b);
	if (!crowded || isnan(*known)) {
		*known = fmin(*known, timer_over(lab->timer) ? NAN : teams_pass(lab, a, b, 0, places));
		*teams_passed(teamwork, b, a) = *known;
	}
	/* All of a few may have somebody beside them at first. */
	*sure = asking->careful && !crowded && !is_crowded(lab, a, b) &&
		(teamwork->count > FEW_CPUS || asking->turn >= FEW_TURNS);
	asking->doubtful += !*sure;
	return *known;
}

/* Was it measured alone? At first glance one is believed whose pairs scatter little. */
static bool is_clean(const struct teamwork *teamwork, const struct asking *asking)
{
	if (!asking->careful)
		return teamwork->count > FEW_CPUS && teamwork->tree->spread <= TIGHT && !steady_lonely(teamwork->tree);
	return (double)asking->doubtful <= FEW_DOUBTS * (double)asking->asked && steady_witnessed(teamwork);
}

/* Others only ever add: a pair that at any time was nearer than the tree has it was put too far apart. */
static bool is_contradicted(const struct teamwork *teamwork)
{
	for (int a = 0; a < teamwork->count; a++)
		for (int b = 0; b < a; b++) {
			int level = tree_level(teamwork->tree, a, b);

			if (level > 0 && *teams_passed(teamwork, a, b) <= teamwork->tree->most[level - 1])
				return true;
		}
	return false;
}

/* Looks at all pairs that matter, and says whether the tree can be believed. False also when there is none. */
static bool search(struct lab *lab, struct teamwork *teamwork, struct asking *asking, double apart)
{
	struct tree_space space = { distance, asking, teamwork->count, apart, teamwork->slowed };

	tree_free(teamwork->tree);
	teamwork->tree = tree_find(&space);
	if (!teamwork->tree) {
		snprintf(teamwork->why, sizeof(teamwork->why), "%s",
			 lab->settled ? lab->finding.reason : "some pairs of CPUs never passed a line in time");
		return false;
	}
	/* Two are one group, and there is but one time to be sure of. */
	if (teamwork->count <= 2)
		return is_clean(teamwork, asking);
	return teamwork->tree->fits >= SURE && is_clean(teamwork, asking) && !is_contradicted(teamwork) &&
	       steady_holds(lab);
}

static bool is_odd(const struct teamwork *teamwork, int a, int b)
{
	return *teams_passed(teamwork, a, b) > ODD * teamwork->tree->distance[tree_level(teamwork->tree, a, b)];
}

/* Nobody was seen beside them, but for a moment somebody may have been. */
static void doubt_odd_pairs(const struct teamwork *teamwork)
{
	for (int a = 0; a < teamwork->count; a++)
		for (int b = 0; b < a; b++)
			if (is_odd(teamwork, a, b))
				*teams_sure(teamwork, a, b) = false;
}

/* Pairs that take longer than others of their level are asked about again; those that never were alone are forgotten.
 */
static void polish(struct lab *lab, struct teamwork *teamwork)
{
	struct machine *machine = lab->timer->machine;
	struct asking careful = { .lab = lab, .careful = true, .turn = FEW_TURNS };
	int odd = 1;

	doubt_odd_pairs(teamwork);
	for (int turn = 0; turn <= ODD_TURNS && odd && teamwork->count > 2; turn++) {
		odd = 0;
		for (int a = 0; a < teamwork->count; a++)
			for (int b = 0; b < a; b++) {
				if (!is_odd(teamwork, a, b) || *teams_sure(teamwork, a, b))
					continue;
				odd++;
				if (turn == ODD_TURNS)
					*teams_passed(teamwork, a, b) = *teams_passed(teamwork, b, a) = NAN;
				else
					distance(&careful, a, b);
			}
		if (odd && turn < ODD_TURNS)
			machine->ops->wait(machine, PAUSE);
	}
}

/* Where not all pairs are asked about, cores of several threads may be few enough to be missed. */
static bool look_for_slowed(struct lab *lab, struct teamwork *teamwork)
{
	int *slowed = stat_scratch((size_t)teamwork->count, sizeof(*slowed)),
	    found = teamwork->count > MANY_CPUS ? siblings_suspects(lab, slowed) : 0;

	for (int i = 0; i < found; i++)
		teamwork->slowed[slowed[i]] = true;
	free(slowed);
	return !lab->settled;
}

/* Others make distances longer for a while: then all of it is done again until it can be believed. In the end levels
 * that are near to each other count as one. */
static void measure(struct lab *lab, struct teamwork *teamwork)
{
	struct machine *machine = lab->timer->machine;
	struct asking asking;
	double until = machine->ops->clock(machine) + (teamwork->count > MANY_CPUS ? 4 : 1) * PATIENCE;

	/* All of them have to be up to speed. */
	if (!teams_speeds(lab) || !look_for_slowed(lab, teamwork)) {
		snprintf(teamwork->why, sizeof(teamwork->why), "%s", lab->finding.reason);
		return;
	}
	for (int turn = 0; turn < TURNS && !teamwork->moved && (turn < 2 || machine->ops->clock(machine) < until);
	     turn++) {
		if (turn)
			machine->ops->wait(machine, PAUSE);
		asking = (struct asking){ .lab = lab, .turn = turn, .careful = teamwork->careful = turn > 0 };
		teamwork->unstable = !search(lab, teamwork, &asking,
					     machine->ops->clock(machine) < until - LAST ? APART : FAR_APART);
		if (!teamwork->tree)
			return;
		if (!teamwork->unstable) {
			polish(lab, teamwork);
			return;
		}
		if (asking.careful && is_clean(teamwork, &asking))
			steady_doubt(teamwork);
		/* No groups will come of it; half of the pairs make a matrix. */
		teamwork->moved = asking.careful && 2 * asking.doubtful <= asking.asked && steady_moved(lab);
	}
	teamwork->unstable = teamwork->count > 2;
	steady_forget(lab);
	if (!teamwork->moved)
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

	for (int turn = 0; turn < HOLD_TURNS && !teamwork->moved && teamwork->count > 2; turn++) {
		if (steady_holds(lab))
			return true;
		lab->timer->machine->ops->wait(lab->timer->machine, PAUSE);
	}
	teamwork->moved = teamwork->count > 2;
	return !teamwork->moved;
}

/* SPDX-License-Identifier: MIT */
/*
 * memories.c - how far memory is from whom: walks over what another CPU touched first
 *
 * The system gives memory near to the CPU that first touches it. Each CPU walks over its own and over everybody else's,
 * over several times what the last cache holds. What it takes longer, over the share of references that go to memory,
 * is how much further that memory is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"
#include "nodes.h"

enum { STEPS = 1000, PIECES = 16, ROUNDS = 3, TRIES = 3, PIECES_OF_MEMORY = 3 };

static const double BEYOND = 3, LEAST_BEYOND = 1.3; /* times the last cache */
static const double AT_LEAST[] = { [NOISE_QUIET] = 0, [NOISE_NOISY] = 64 << 20, [NOISE_HOSTILE] = 64 << 20 };
static const double NEAR[] = { [NOISE_QUIET] = 1.04, [NOISE_NOISY] = 1.1, [NOISE_HOSTILE] = 1.15 };
static const double FAR[] = { [NOISE_QUIET] = 1.07, [NOISE_NOISY] = 1.2, [NOISE_HOSTILE] = 1.3 };

struct survey {
	struct lab *lab;
	int rows[NODES_MOST], count;
	double bytes, line, expected; /* of a walk; ns a step */
	double cells[NODES_MOST][NODES_MOST];
};

/* ns a step of CPU b over memory that CPU a touched first; another piece of it for another number. */
static double look(const struct survey *survey, int a, int b, int piece)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .arena = piece };
	struct team_member member = {
		.cpu = teams_cpu(survey->lab, b), .home = teams_cpu(survey->lab, a), .walk = &walk, .length = STEPS
	};
	struct team_part part;
	struct team_reading reading = { .parts = &part };
	struct team team = {
		.task = TEAM_WALK, .members = &member, .count = 1, .ns = PIECES * STEPS * survey->expected
	};
	double ns = NAN;

	walk.grid.stride[0] = (uint64_t)survey->line;
	walk.grid.count[0] = (long)(survey->bytes / survey->line);
	for (int tries = 0; tries < TRIES && isnan(ns); tries++) {
		if (!teams_work(survey->lab, &team, &reading))
			return NAN;
		ns = teams_pace(&part, STEPS);
		team.ns *= 2;
	}
	return ns;
}

/* The lowest of some rounds: what others do adds to a time. */
static bool take_all(struct survey *survey)
{
	for (int i = 0; i < survey->count * survey->count; i++)
		survey->cells[i / survey->count][i % survey->count] = INFINITY;
	for (int round = 0; round < ROUNDS; round++)
		for (int a = 0; a < survey->count; a++)
			for (int b = 0; b < survey->count; b++) {
				double ns = look(survey, survey->rows[a], survey->rows[b], 0);

				if (survey->lab->settled)
					return false;
				survey->cells[a][b] = fmin(survey->cells[a][b], ns);
			}
	for (int a = 0; a < survey->count; a++)
		for (int b = 0; b < survey->count; b++) {
			char what[96];

			snprintf(what, sizeof(what), "memory of CPU %d walked over by CPU %d, ns a step",
				 teams_cpu(survey->lab, survey->rows[a]), teams_cpu(survey->lab, survey->rows[b]));
			lab_note(survey->lab, what, NAN, survey->cells[a][b], "");
		}
	return true;
}

/* False, and the finding settled: there is not memory enough. */
static bool prepare(struct survey *survey)
{
	struct lab *lab = survey->lab;
	const struct hierarchy *hierarchy = lab->hierarchy;
	double last = hierarchy->level[hierarchy->levels - 1].reach,
	       most = (double)lab->timer->machine->memory / (survey->count + PIECES_OF_MEMORY);

	survey->bytes = fmin(fmax(BEYOND * last, AT_LEAST[lab->timer->noise]), most);
	survey->line = hierarchy->line;
	survey->expected = (hierarchy->terms.base + hierarchy->memory) * hierarchy->cycle;
	if (survey->bytes >= LEAST_BEYOND * last)
		return true;
	lab_outcome(lab, BLOCKED, "there is not memory enough for walks beyond the last cache");
	return false;
}

/* ns of a load: memory.latency, and what a walk takes more than the quickest one over memory of its own, over the share
 * of its references that the last cache does not serve. */
static void measure(const struct survey *survey, struct nodes *nodes, const int *node)
{
	const struct hierarchy *hierarchy = survey->lab->hierarchy;
	double last = hierarchy->level[hierarchy->levels - 1].reach, quickest = INFINITY;
	double memory = lab_fact(survey->lab, "memory.latency");

	if (isnan(memory))
		memory = hierarchy->memory * hierarchy->cycle;
	for (int i = 0; i < survey->count; i++)
		quickest = fmin(quickest, survey->cells[i][i]);
	for (int a = 0; a < nodes->count; a++)
		for (int b = 0; b < nodes->count; b++) {
			double ns[NODES_MOST * NODES_MOST];
			int kept = 0;

			for (int i = 0; i < survey->count * survey->count; i++)
				if (node[i / survey->count] == a && node[i % survey->count] == b)
					ns[kept++] = survey->cells[i / survey->count][i % survey->count];
			nodes->far[a][b] = memory + (stat_median(ns, kept) - quickest) / (1 - last / survey->bytes);
		}
}

/* Pieces of memory that the same CPU touched first, and that are not equally far from it: what the system does not
 * tell, a host below it may do. */
static void look_for_hidden(const struct survey *survey, struct nodes *nodes)
{
	double low = INFINITY, high = 0;

	for (int piece = 0; piece < PIECES_OF_MEMORY && !survey->lab->settled; piece++) {
		double ns = INFINITY;

		for (int round = 0; round < ROUNDS; round++)
			ns = fmin(ns, look(survey, survey->rows[0], survey->rows[0], piece));
		lab_note(survey->lab, "pieces of memory of one CPU, ns a step", piece, ns, "");
		low = fmin(low, ns);
		high = fmax(high, ns);
	}
	nodes->hidden = high > FAR[survey->lab->timer->noise] * low;
}

static void find(struct lab *lab, const struct tree *tree, struct nodes *nodes)
{
	struct survey survey = { .lab = lab };
	enum noise_level noise = lab->timer->noise;
	int node[NODES_MOST];

	nodes->rows = survey.count = nodes_rows(tree, survey.rows);
	if (!prepare(&survey) || !take_all(&survey))
		return;
	nodes->count = nodes_group(survey.cells, survey.count, NEAR[noise], FAR[noise], node);
	if (nodes->count > 0)
		measure(&survey, nodes, node);
	if (nodes->count == 1)
		look_for_hidden(&survey, nodes);
}

const struct nodes *common_nodes(struct lab *lab)
{
	struct teamwork *teamwork = teams_passes(lab) ? teams_of(lab) : NULL;

	if (!teamwork)
		return NULL;
	if (!teamwork->nodes.tried)
		find(lab, teamwork->tree, &teamwork->nodes);
	if (lab->settled)
		return NULL;
	teamwork->nodes.tried = true;
	if (teamwork->nodes.count > 0)
		return &teamwork->nodes;
	lab_outcome(lab, UNCLEAR, "who pays more for whose memory fits no nodes, or differs from look to look");
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * memories.c - how far memory is from whom: walks over what another CPU touched first
 *
 * The system gives memory near to the CPU that first touches it, unless it was told otherwise or has none there: so
 * memory that it was asked to bind to the same place has to be as far. Each CPU walks over its own and over everybody
 * else's, over several times what the last cache holds. They go round and round: of what comes again so late no cache
 * has anything left, whoever uses it beside us, but for the few lines that chance keeps. So nearly all references go to
 * memory, and a step takes as long as that is away.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"
#include "nodes.h"

enum { STEPS = 1000, PIECES = 16, LOOKS = 7, TRIES = 3, PIECES_OF_MEMORY = 3, FEW = 4 };

static const double BEYOND = 3, LEAST_BEYOND = 1.3; /* times the last cache */
static const double AT_LEAST[] = { [NOISE_QUIET] = 0, [NOISE_NOISY] = 32 << 20, [NOISE_HOSTILE] = 32 << 20 };
static const double NEAR[] = { [NOISE_QUIET] = 1.04, [NOISE_NOISY] = 1.1, [NOISE_HOSTILE] = 1.15 };
static const double FAR[] = { [NOISE_QUIET] = 1.07, [NOISE_NOISY] = 1.2, [NOISE_HOSTILE] = 1.3 };
static const double AGREE[] = { [NOISE_QUIET] = 1.01, [NOISE_NOISY] = 1.02, [NOISE_HOSTILE] = 1.04 };
static const double PAUSE = 1e7; /* ns between two looks at the same, in which who was beside us may go away */
static const double FEWEST = 0.3; /* of the references go to memory, whatever the caches keep */

struct cell {
	double ns, second; /* a step at its quickest, and at its second quickest */
	int looks;
};

struct survey {
	struct lab *lab;
	int rows[NODES_MOST], count;
	double bytes, expected; /* of a walk; ns a step */
	uint64_t *places;
	struct cell cells[NODES_MOST][NODES_MOST];
	double ns[NODES_MOST][NODES_MOST];
	bool bound, refused; /* memory is bound, not first touched; the system does not let it be */
};

/* ns a step of CPU b over memory that CPU a touched first; another piece of it for another number. */
static double look(struct survey *survey, int a, int b, int piece)
{
	double line = survey->lab->hierarchy->line;
	struct walk walk = { .order = WALK_CYCLE,
			     .pages = WALK_HUGE_PAGES,
			     .places = survey->places,
			     .count = (long)(survey->bytes / line),
			     .arena = piece };
	struct team_member member = {
		.cpu = teams_cpu(survey->lab, b),
		.home = teams_cpu(survey->lab, a),
		.bound = survey->bound,
		.walk = &walk,
		.length = STEPS,
	};
	struct team_part part;
	struct team_reading reading = { .parts = &part };
	struct team team = {
		.task = TEAM_WALK, .members = &member, .count = 1, .ns = PIECES * STEPS * survey->expected
	};
	double ns = NAN;

	for (int tries = 0; tries < TRIES && isnan(ns); tries++) {
		if (survey->bound ? !teams_try(survey->lab, &team, &reading)
				  : !teams_work(survey->lab, &team, &reading)) {
			survey->refused = survey->bound && !timer_over(survey->lab->timer);
			return NAN;
		}
		ns = teams_pace(&part, STEPS);
		team.ns *= 2;
	}
	return ns;
}

/* What others do adds to a time: it holds when it was so twice. */
static bool is_known(const struct survey *survey, const struct cell *cell)
{
	return cell->looks == LOOKS ||
	       (isfinite(cell->second) && cell->second <= AGREE[survey->lab->timer->noise] * cell->ns);
}

static void look_again(struct survey *survey, int a, int b, int piece, struct cell *cell)
{
	double ns = look(survey, a, b, piece);

	cell->looks++;
	if (isnan(ns))
		return;
	cell->second = fmin(cell->second, fmax(cell->ns, ns));
	cell->ns = fmin(cell->ns, ns);
}

static const struct cell unknown = { .ns = INFINITY, .second = INFINITY };

static bool take_all(struct survey *survey)
{
	struct machine *machine = survey->lab->timer->machine;
	int open = survey->count * survey->count;

	for (int i = 0; i < open; i++)
		survey->cells[i / survey->count][i % survey->count] = unknown;
	while (open) {
		open = 0;
		for (int a = 0; a < survey->count && !survey->lab->settled; a++)
			for (int b = 0; b < survey->count && !survey->lab->settled; b++)
				if (!is_known(survey, &survey->cells[a][b])) {
					look_again(survey, survey->rows[a], survey->rows[b], 0, &survey->cells[a][b]);
					open++;
				}
		if (survey->lab->settled)
			return false;
		machine->ops->wait(machine, survey->lab->timer->noise == NOISE_QUIET ? 0 : PAUSE);
	}
	for (int a = 0; a < survey->count; a++)
		for (int b = 0; b < survey->count; b++) {
			char what[96];

			survey->ns[a][b] = survey->cells[a][b].ns;
			snprintf(what, sizeof(what), "memory of CPU %d%s walked over by CPU %d, ns a step",
				 teams_cpu(survey->lab, survey->rows[a]), survey->bound ? ", bound," : "",
				 teams_cpu(survey->lab, survey->rows[b]));
			lab_note(survey->lab, what, NAN, survey->ns[a][b], "");
		}
	return true;
}

/* Does it take another time to walk over memory that is bound to where it was touched first? */
static bool lies_elsewhere(struct survey *survey)
{
	double apart = log(FAR[survey->lab->timer->noise]);
	bool elsewhere = false;

	survey->bound = true;
	for (int a = 0; a < survey->count && !elsewhere; a++) {
		struct cell cell = unknown;

		while (!is_known(survey, &cell) && !survey->refused && !survey->lab->settled)
			look_again(survey, survey->rows[a], survey->rows[0], 0, &cell);
		lab_note(survey->lab, "memory bound, not first touched, walked over by the first CPU, ns a step",
			 teams_cpu(survey->lab, survey->rows[a]), cell.ns, survey->refused ? "refused" : "");
		if (survey->refused || survey->lab->settled)
			break;
		elsewhere = isfinite(cell.ns) && fabs(log(cell.ns / survey->ns[a][0])) > apart;
	}
	survey->bound = elsewhere;
	return elsewhere;
}

/* False, and the finding settled: there is not memory enough. */
static bool prepare(struct survey *survey)
{
	struct lab *lab = survey->lab;
	const struct hierarchy *hierarchy = lab->hierarchy;
	double last = hierarchy->level[hierarchy->levels - 1].reach,
	       most = (double)lab->timer->machine->memory / (survey->count + PIECES_OF_MEMORY);
	long count, *order;

	survey->bytes = fmin(fmax(BEYOND * last, AT_LEAST[lab->timer->noise]), most);
	survey->expected = hierarchy->memory * hierarchy->cycle;
	if (!(survey->bytes >= LEAST_BEYOND * last)) {
		lab_outcome(lab, BLOCKED, "there is not memory enough for walks beyond the last cache");
		return false;
	}
	count = (long)(survey->bytes / hierarchy->line);
	order = stat_scratch((size_t)count, sizeof(*order));
	survey->places = stat_scratch((size_t)count, sizeof(*survey->places));
	walk_shuffle(order, count);
	for (long i = 0; i < count; i++)
		survey->places[i] = (uint64_t)order[i] * (uint64_t)hierarchy->line;
	free(order);
	return true;
}

/* ns of a load: memory.latency, and what a walk takes more than the same CPU's over memory of its own, over the share
 * of references that go to memory there. */
static void measure(const struct survey *survey, struct nodes *nodes, const int *node)
{
	const struct hierarchy *hierarchy = survey->lab->hierarchy;
	double memory = lab_fact(survey->lab, "memory.latency"),
	       served = hierarchy->level[hierarchy->levels - 1].latency * hierarchy->cycle;

	if (isnan(memory))
		memory = hierarchy->memory * hierarchy->cycle;
	for (int a = 0; a < nodes->count; a++)
		for (int b = 0; b < nodes->count; b++) {
			double ns[NODES_MOST * NODES_MOST];
			int kept = 0;

			for (int i = 0; i < survey->count * survey->count; i++) {
				int from = i / survey->count, by = i % survey->count;
				double own = survey->ns[by][by],
				       missing = fmin(1, fmax(FEWEST, (own - served) / (memory - served)));

				if (node[from] == a && node[by] == b)
					ns[kept++] = memory + (survey->ns[from][by] - own) / missing;
			}
			nodes->far[a][b] = stat_median(ns, kept);
		}
}

/* Pieces of memory that the same CPU touched first, and that are not equally far from it: what the system does not
 * tell, a host below it may do. */
static void look_for_hidden(struct survey *survey, struct nodes *nodes)
{
	double low = INFINITY, high = 0;

	for (int piece = 0; piece < PIECES_OF_MEMORY && !survey->lab->settled; piece++) {
		struct cell cell = unknown;

		while (!is_known(survey, &cell) && !survey->lab->settled)
			look_again(survey, survey->rows[0], survey->rows[0], piece, &cell);
		lab_note(survey->lab, "pieces of memory of one CPU, ns a step", piece, cell.ns, "");
		low = fmin(low, cell.ns);
		high = fmax(high, cell.ns);
	}
	nodes->hidden = high > FAR[survey->lab->timer->noise] * low;
}

/* Is each as far from memory of its own as others that are as fast? */
static bool have_own(const struct survey *survey)
{
	const int *kind = survey->lab->teamwork->kind;
	double far = FAR[survey->lab->timer->noise];

	for (int a = 0; a < survey->count; a++)
		for (int b = 0; b < survey->count; b++)
			if (kind[survey->rows[a]] == kind[survey->rows[b]] && survey->ns[a][a] > far * survey->ns[b][b])
				return false;
	return true;
}

/* By so many CPUs; true when they cannot be all, as far as these tell. */
static bool find(struct lab *lab, const struct tree *tree, int most, struct nodes *nodes)
{
	struct survey survey = { .lab = lab };
	enum noise_level noise = lab->timer->noise;
	int node[NODES_MOST];
	bool hidden = false;

	nodes->rows = survey.count = nodes_rows(tree, most, survey.rows);
	if (prepare(&survey) && take_all(&survey) && (!lies_elsewhere(&survey) || take_all(&survey))) {
		nodes->bound = survey.bound;
		nodes->refused = survey.refused;
		nodes->count = nodes_group(survey.ns, survey.count, NEAR[noise], FAR[noise], node);
		/* None: all of it may lie near one of them. */
		if (nodes->refused && !have_own(&survey))
			nodes->count = 0;
		hidden = nodes->count > 0 && nodes_hide(tree, survey.rows, survey.count, node);
		for (int i = survey.count - 1; i >= 0 && nodes->count > 0; i--)
			nodes->cpu[node[i]] = survey.rows[i];
		if (nodes->count > 0)
			measure(&survey, nodes, node);
		if (nodes->count == 1)
			look_for_hidden(&survey, nodes);
	}
	free(survey.places);
	return hidden;
}

const struct nodes *common_nodes(struct lab *lab)
{
	struct teamwork *teamwork = teams_passes(lab) ? teams_of(lab) : NULL;
	struct nodes *nodes;

	if (!teamwork)
		return NULL;
	nodes = &teamwork->nodes;
	if (teamwork->unstable)
		lab_outcome(lab, UNCLEAR, teamwork->why);
	else if (!nodes->tried)
		nodes->more = find(lab, teamwork->tree, FEW, nodes) && find(lab, teamwork->tree, NODES_MOST, nodes);
	if (lab->settled)
		return NULL;
	nodes->tried = true;
	if (!teams_passes_hold(lab))
		lab_outcome(lab, UNCLEAR, COMMON_UNSTABLE);
	else if (nodes->count == 0)
		lab_outcome(lab, UNCLEAR, "who pays more for whose memory fits no nodes, or differs from look to look");
	else if (nodes->more)
		lab_outcome(lab, UNCLEAR, "groups of comm.tree have several nodes, of which more may be than were met");
	return lab->settled ? NULL : nodes;
}

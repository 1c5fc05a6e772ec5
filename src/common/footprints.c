/* SPDX-License-Identifier: MIT */
/*
 * footprints.c - which CPUs share a cache: those whose walks throw out one another's lines
 *
 * P-Ray's and Servet's. A CPU walks over most of what the level holds, beside another that walks over next to nothing,
 * or over more than the level holds; both work in either case, so that a clock which falls does so in both. The other's
 * references do not wait for one another: beside tenants of the same cache, who bring in lines of their own all the
 * time, one who only waits for memory makes no difference.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

enum { TINY = 16, PIECES = 60, SHORTER = 4, TURNS = 15, MOST_TOGETHER = 4, RUSH = 1, SHIFTS = 4, TRIES = 4 };
enum { QUIET_VOTES = 2, VOTES = 4 };

static const double MOST_OF = 0.65, NEARLY_ALL = 0.9; /* of the reach: a walk */
static const double BEYOND = 2.5; /* times what the level above holds, which nobody throws out of there */
static const double THEIRS = 3, MANY_TIMES = 6; /* times as much; where a reach may be but part of the level */
static const double LEFT = 0.7; /* of the next level may be filled: nobody shall miss there for our sake */
static const double LEAST_STEPS = 1.2e4, MOST_STEPS = 5e4;
/* Others take their part, or a CPU has less than the one whose caches were measured: smaller walks, but no smaller than
 * so many times the level above. */
static const double SMALLER = 0.6, LEAST_BEYOND = 1.5;
static const double AT_ONCE = 4; /* references of a rush are under way, at least: a guess, for how long it takes */
static const double ENOUGH_OF_IT = 0.7; /* of the level's lines they have to bring in */
static const double SPARE = 1.1, LONGER = 1.2; /* each time that nothing comes of it */
static const double SHIFT = 4096; /* bytes */
static const double MOST_TIME = 2.5e9; /* ns for a level: beside others looks are lost, one after the other */
static const double PAUSE = 2e7, LATER = 2e8; /* ns between two looks beside others; until those are gone */
static const double DOUBTED = 0.1; /* of what was asked may stay undecided */
static const char *const said[] = { [STAT_YES] = "shared", [STAT_NO] = "not shared", [STAT_UNDECIDED] = "" };

#define UNSTEADY "walks beside others take now longer, now less, or miss anyway: somebody else uses it, too"

struct footing {
	struct lab *lab;
	const struct hierarchy *hierarchy;
	int depth;
	double apart; /* bytes between places */
	double above, theirs; /* bytes that the level above holds; that others walk over */
	double whole; /* references that fill most of the level */
	double rushing, waiting; /* ns that each of them takes, 0: not known; that it takes at most */
	double until; /* ns on the clock: no more looks after that */
	double *bytes; /* that each CPU walks over */
	double *base; /* ns a step of each CPU over next to nothing; 0: not measured */
	int shift;
};

/* Walks begin elsewhere each time, so that their memory is warmed again: it may have been thrown out. */
static struct walk walk_over(struct footing *footing, double bytes)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };

	walk.grid.base = (uint64_t)SHIFT * (uint64_t)(footing->shift++ % SHIFTS);
	walk.grid.stride[0] = (uint64_t)footing->apart;
	walk.grid.count[0] = bytes > 0 ? (long)(bytes / footing->apart) : TINY;
	return walk;
}

static double clock_now(const struct footing *footing)
{
	struct machine *machine = footing->lab->timer->machine;

	return machine->ops->clock(machine);
}

/* ns of so many cycles, on a CPU that takes so long over next to nothing. */
static double expected(const struct footing *footing, int a, double cycles)
{
	const struct hierarchy *hierarchy = footing->hierarchy;
	double usual = hierarchy->terms.base * hierarchy->cycle;

	return cycles * hierarchy->cycle * (footing->base[a] > 0 ? footing->base[a] / usual : 1);
}

static double hit(const struct footing *footing, int a)
{
	const struct hierarchy *hierarchy = footing->hierarchy;

	return expected(footing, a,
			hierarchy->terms.base + hierarchy->level[footing->depth].latency - hierarchy->level[0].latency);
}

static double miss(const struct footing *footing, int a)
{
	return expected(footing, a, hierarchy_step(footing->hierarchy, footing->depth));
}

/* Was nobody else let onto one of the CPUs meanwhile, and did all others go over enough of theirs? Remembers how long
 * that takes. */
static bool is_undisturbed(struct footing *footing, const struct team *team, const struct team_reading *reading,
			   double theirs)
{
	double least = INFINITY;

	for (int i = 0; i < team->count; i++) {
		const struct team_part *part = &reading->parts[i];

		for (int j = 0; j < part->count; j++)
			if (part->samples[j].switched)
				return false;
		least = i ? fmin(least, part->done * (double)team->members[i].length) : least;
	}
	if (theirs > 0 && least > 0)
		footing->rushing = SPARE * fmin(reading->ns / least, footing->waiting);
	return !(theirs > 0) || least >= footing->whole;
}

/* ns a step of CPU a over so many bytes, while each of the set walks over `theirs`; 0: next to nothing. */
static double look(struct footing *footing, int a, const int *set, int size, double bytes, double theirs)
{
	struct walk mine = walk_over(footing, bytes), others = walk_over(footing, theirs);
	struct team_member *members = stat_scratch((size_t)size + 1, sizeof(*members));
	struct team_part *parts = stat_scratch((size_t)size + 1, sizeof(*parts));
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_WALK, .members = members, .count = size + 1 };
	double steps = fmin(fmax(LEAST_STEPS, bytes / footing->apart), MOST_STEPS), each = hit(footing, a), ns = NAN;
	int pieces = PIECES;

	others.rush = theirs > 0 ? RUSH : 0;
	team.ns = steps * each;
	if (theirs > 0)
		team.ns = fmax(team.ns, footing->whole * (footing->rushing > 0 ? footing->rushing
									       : (each + miss(footing, a)) / AT_ONCE));
	for (int tries = 0; tries < TRIES && isnan(ns); tries++) {
		long length = (long)(team.ns / each / pieces);

		for (int i = 0; i <= size; i++)
			members[i] = (struct team_member){ .cpu = teams_cpu(footing->lab, i ? set[i - 1] : a),
							   .home = TEAM_ANYWHERE,
							   .walk = i ? &others : &mine,
							   .length = length };
		if (!teams_work(footing->lab, &team, &reading))
			break;
		if (is_undisturbed(footing, &team, &reading, theirs)) {
			ns = sharing_pace(&parts[0], length);
			pieces *= SHORTER;
		}
		team.ns = fmax(LONGER * team.ns, theirs > 0 ? footing->whole * footing->rushing : 0);
	}
	free(members);
	free(parts);
	return ns;
}

static void note(const struct footing *footing, int a, const int *set, int size, double score, const char *verdict)
{
	struct lab *lab = footing->lab;
	char what[120];

	snprintf(what, sizeof(what), "walk of CPU %d beside %d from CPU %d on, over bytes", teams_cpu(lab, a), size,
		 teams_cpu(lab, set[0]));
	lab_note(lab, what, footing->bytes[a], score, verdict);
}

/* One look at both, in an order that changes: what grows slowly is no difference. */
static double compare(struct footing *footing, int a, const int *set, int size, int turn)
{
	struct sharing_times times = { .hit = hit(footing, a),
				       .miss = miss(footing, a),
				       .last = footing->depth + 1 == footing->hierarchy->levels };

	times.served = 1 - footing->above / footing->bytes[a];
	if (turn % 2 == 0)
		times.alone = look(footing, a, set, size, footing->bytes[a], 0);
	times.beside = look(footing, a, set, size, footing->bytes[a], footing->theirs);
	if (turn % 2)
		times.alone = look(footing, a, set, size, footing->bytes[a], 0);
	return sharing_score(&times);
}

/* Who is beside us for a while shall not have all votes. The first look after a rest is slower, and counts for none. */
static void rest(struct footing *footing, int a, const int *set, int size)
{
	struct machine *machine = footing->lab->timer->machine;

	machine->ops->wait(machine, PAUSE);
	look(footing, a, set, size, footing->bytes[a], 0);
}

static enum stat_verdict shares(void *context, int a, const int *set, int size)
{
	struct footing *footing = context;
	int more = footing->lab->timer->noise == NOISE_QUIET ? QUIET_VOTES : VOTES;
	enum stat_verdict verdict = STAT_UNDECIDED;
	double scores[TURNS];

	if (footing->base[a] <= 0)
		footing->base[a] = look(footing, a, set, size, 0, 0);
	for (int turn = 0; turn < TURNS && verdict == STAT_UNDECIDED && !footing->lab->settled; turn++) {
		if (clock_now(footing) > footing->until)
			break;
		scores[turn] = compare(footing, a, set, size, turn);
		verdict = sharing_verdict(scores, turn + 1, more);
		note(footing, a, set, size, scores[turn], said[verdict]);
		if (isnan(scores[turn]) && turn % 3 == 2)
			footing->bytes[a] = fmax(SMALLER * footing->bytes[a], LEAST_BEYOND * footing->above);
		/* Whoever is beside us throws lines out, and lets nobody seem to keep his. */
		if (more == VOTES && verdict == STAT_UNDECIDED && !sharing_denies(scores[turn]))
			rest(footing, a, set, size);
	}
	return verdict;
}

/* Cores, then the tree's groups, where it holds, then everybody. */
static int gather_hints(const struct teamwork *teamwork, const int *everybody, const int **hint)
{
	int hints = 0;

	hint[hints++] = teamwork->core;
	for (int level = 0; !teamwork->unstable && level < teamwork->tree->levels - 1; level++)
		hint[hints++] = teamwork->tree->group[level];
	hint[hints++] = everybody;
	return hints;
}

/* False: there is no memory for it. */
static bool prepare(struct footing *footing, int count)
{
	const struct hierarchy *hierarchy = footing->hierarchy;
	const struct level *level = &hierarchy->level[footing->depth];
	bool last = footing->depth + 1 == hierarchy->levels, quiet = footing->lab->timer->noise == NOISE_QUIET;
	double bytes, most = (double)footing->lab->timer->machine->memory / 2;

	footing->above = footing->depth ? level[-1].reach : 0;
	bytes = fmax(MOST_OF * level->reach, fmin(BEYOND * footing->above, NEARLY_ALL * level->reach));
	footing->theirs = (last && !quiet ? MANY_TIMES : THEIRS) * bytes;
	if (!last)
		footing->theirs = fmin(footing->theirs, fmax(LEFT * level[1].reach - bytes, bytes));
	footing->apart = hierarchy->line;
	footing->waiting = hit(footing, 0) + miss(footing, 0);
	footing->until = clock_now(footing) + MOST_TIME;
	footing->whole = ENOUGH_OF_IT * level->reach / footing->apart;
	for (int i = 0; i < count; i++)
		footing->bytes[i] = bytes;
	return footing->theirs <= most;
}

/* How many may throw out lines at once: the next level shall hold what they all walk over. */
static int together(const struct footing *footing)
{
	const struct hierarchy *hierarchy = footing->hierarchy;
	double next =
		footing->depth + 1 < hierarchy->levels ? LEFT * hierarchy->level[footing->depth + 1].reach : INFINITY;
	double room = fmin(next, (double)footing->lab->timer->machine->memory / 2) / footing->theirs;

	return (int)fmin(MOST_TOGETHER, fmax(1, room));
}

/* Who is beside us for a tenth of a second has all votes. So what was found beside others must hold later, too. */
static bool holds(struct footing *footing, const struct sharing_space *space, struct sharing *sharing)
{
	struct machine *machine = footing->lab->timer->machine;
	bool quiet = footing->lab->timer->noise == NOISE_QUIET;

	machine->ops->wait(machine, quiet ? 0 : LATER);
	footing->until = clock_now(footing) + MOST_TIME;
	return sharing_settles(space, sharing) && (quiet || sharing_holds(space, sharing));
}

bool common_caches(struct lab *lab, int depth, struct sharing *sharing)
{
	const struct teamwork *teamwork = teams_passes(lab) ? teams_cores(lab) : NULL;
	struct footing footing = { .lab = lab, .hierarchy = lab->hierarchy, .depth = depth };
	struct sharing_space space = { .shares = shares, .context = &footing };
	int *everybody;
	bool found = false;

	if (!teamwork)
		return false;
	if (teamwork->moved) {
		lab_outcome(lab, UNCLEAR, COMMON_UNSTABLE);
		return false;
	}
	space.count = teamwork->count;
	everybody = stat_scratch((size_t)space.count, sizeof(*everybody));
	footing.bytes = stat_scratch((size_t)space.count, sizeof(*footing.bytes));
	footing.base = stat_scratch((size_t)space.count, sizeof(*footing.base));
	space.hints = gather_hints(teamwork, everybody, space.hint);
	if (prepare(&footing, space.count)) {
		space.together = together(&footing);
		space.pivots = footing.theirs < 1 << 20 ? 16 : footing.theirs < 16 << 20 ? 12 : 6;
		found = sharing_find(&space, sharing) && !lab->settled;
	} else {
		lab_outcome(lab, BLOCKED, "there is not memory enough for walks that overfill it");
	}
	if (found &&
	    ((double)sharing->undecided > DOUBTED * (double)sharing->asked || !holds(&footing, &space, sharing)))
		lab_outcome(lab, UNCLEAR, UNSTEADY);
	else if (found && !teams_passes_hold(lab))
		lab_outcome(lab, UNCLEAR, COMMON_UNSTABLE);
	free(everybody);
	free(footing.bytes);
	free(footing.base);
	return found && !lab->settled;
}

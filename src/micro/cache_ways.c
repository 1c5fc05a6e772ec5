/* SPDX-License-Identifier: MIT */
/*
 * cache_ways.c - how many lines of one set a level holds
 */
#include "micro.h"

static const double RANGE = 2, ONE_MORE = 1; /* between the ends of a range, times and ways: beyond, it is none */

/* Relative: what a policy does to the shape of a bend, and by how much ranges of scattered blocks missed at their lower
 * end (3 for 2 ways, 21 for 20, in 35 random memories). */
static const double SUM_OFF = 0.04, FILLS_SOONER = 1.4, FILLS_LATER = 0.95;
/* Eviction sets beside others: more ways than the level above hides, and not so many that a place is always missed. */
static const double HIDES = 1.3, MOST_BESIDE_OTHERS = 32;

/* Where others disturb, the shape of a bend is theirs as much as the level's; and a bend that may be two levels' has no
 * shape of one. */
static struct scattered scattered_of(struct lab *lab, int depth)
{
	return lab->timer->noise == NOISE_QUIET && depth < lab->hierarchy->believed ? *engine_scatter(lab, depth)
										    : (struct scattered){ .ways = 0 };
}

/* Scattered blocks, whatever the index; and eviction sets, where they leave several numbers open. Sets may have been
 * found, and refuted by them. */
static void without_sets(struct lab *lab, int depth, bool refuted)
{
	struct scattered scattered = scattered_of(lab, depth);
	struct reduction reduced = { .ways = 0 };
	const struct conflicts *above = &lab->hierarchy->level[depth ? depth - 1 : 0].conflicts;

	if (scattered.ways > 0 && scattered.low == scattered.high) {
		lab_measured(lab, scattered.ways, scattered.low, scattered.high, 0.95, "scattered blocks");
		return;
	}
	if (depth == 0 || depth < lab->hierarchy->believed)
		reduced = engine_reduction(lab, depth);
	if (scattered.ways > 0 && reduced.ways >= scattered.low && reduced.ways <= scattered.high)
		lab_measured(lab, reduced.ways, reduced.ways, reduced.ways, 0.95, "scattered blocks and eviction sets");
	else if (scattered.ways > 0 && reduced.ways > 0)
		lab_outcome(lab, UNCLEAR, "scattered blocks and eviction sets come to different numbers");
	else if (scattered.ways > 0 && refuted)
		lab_outcome(lab, UNCLEAR, "scattered blocks and sets come to different numbers");
	else if (scattered.ways > 0 && scattered.high <= RANGE * scattered.low + ONE_MORE)
		/* A policy that keeps what others let go of makes a set fill sooner, like one of fewer ways. */
		lab_measured(lab, scattered.ways, fmax(1, floor(FILLS_LATER * scattered.low)),
			     ceil(FILLS_SOONER * scattered.high), 0.7, "scattered blocks");
	else if (reduced.ways > (depth == 0     ? 0
				 : above->found ? HIDES * above->held
						: MOST_BESIDE_OTHERS) &&
		 reduced.ways <= MOST_BESIDE_OTHERS &&
		 lab->timer->noise != NOISE_QUIET) /* A critical place may be missed. */
		lab_measured(lab, reduced.ways, fmax(1, reduced.low - 1), reduced.high + 1, 0.8, "eviction sets");
	else if (reduced.ways > 0 && lab->timer->noise == NOISE_QUIET &&
		 (reduced.low == reduced.high || !scattered.odd))
		lab_measured(lab, reduced.ways, reduced.low, reduced.high, reduced.low < reduced.high ? 0.7 : 0.95,
			     "eviction sets");
}

/* Whether what an exclusive level and the one above hold makes up the reach. */
static bool adds_up(const struct lab *lab, int depth)
{
	const struct level *level = &lab->hierarchy->level[depth];
	double sum = level->conflicts.ways * level->conflicts.way + level[-1].reach;

	return fabs(level->reach / sum - 1) < SUM_OFF;
}

/* Sets are known, and not for certain which of their lines are the level above's: a second opinion counts. */
static void with_sets(struct lab *lab, int depth, const struct conflicts *conflicts)
{
	double off = cache_miscount(lab, depth), hidden = cache_hidden(lab, depth);
	/* Of lines that the level above may hold one more may be missed. */
	double low = conflicts->ways - hidden - off, high = (hidden > 0 ? conflicts->held + 1 : conflicts->ways) + off;
	const char *method = conflicts->compact     ? "compact sequences"
			     : conflicts->exclusive ? "stride law, less the level above"
						    : "stride law";

	if (lab->timer->noise == NOISE_QUIET && (hidden > 0 || (conflicts->exclusive && !adds_up(lab, depth))))
		engine_scatter_check(lab, depth, &low, &high);
	if (!conflicts->found)
		return;
	if (hidden > 0)
		lab_measured(lab, fmin(fmax(conflicts->ways, low), high), low, high, low < high ? 0.7 : 0.95, method);
	else
		lab_measured(lab, conflicts->ways, conflicts->ways - off, high, off > 0 ? 0.8 : 0.99, method);
}

static void run(struct lab *lab, const struct subject *subject)
{
	const struct level *level = cache_room(lab, subject);
	const struct conflicts *conflicts;
	bool found;

	if (!level)
		return;
	engine_conflicts_again(lab, subject->depth);
	conflicts = engine_conflicts(lab, subject->depth);
	if (conflicts->exclusive)
		lab_note(lab, "ways in reach", conflicts->way, level->reach / conflicts->way, "");
	found = conflicts->found;
	if (found)
		with_sets(lab, subject->depth, conflicts);
	if (!conflicts->found && lab->timer->noise != NOISE_HOSTILE)
		without_sets(lab, subject->depth, found);
	lab_outcome(lab, UNCLEAR, conflicts->why);
}

const struct micro micro_cache_ways = {
	.name = "cache.LEVEL.ways",
	.what = "lines of one set that the level holds",
	.unit = "count",
	.story =
		"Idea     So many places in one set, walked in a circle, hit every time if the set holds them (X-Ray's compact\n"
		"         sequences). One quick look tells, so this comes first for the nearest level and beside others.\n"
		"         Of places a stride apart a cache holds half as many when the stride doubles, until they all fall\n"
		"         into one set; then it holds as many as it has ways. Random references tell how many it holds\n"
		"         from their mean time, for every policy; a control on as many pages takes the TLB out.\n"
		"         Where no stride leads to sets: blocks scattered over much memory overfill some sets by chance, the\n"
		"         sooner the fewer ways there are. And places at one offset of many pages are put in until one is\n"
		"         too many for its set; those without which nothing misses are counted.\n"
		"Answer   The number at which it stays, checked by sets that just fit and sets that just do not; or the\n"
		"         one that explains the times of scattered blocks; or the number of critical places less one, when\n"
		"         two pools of pages agree.\n"
		"Assumes  Numbers of sets are powers of two or small multiples of them; two places at one offset share a set\n"
		"         or not, whatever the offset.\n"
		"Fails as unclear where none of these comes to one answer.",
	.needs = { "?cpu.frequency" },
	.instance = cache_instance,
	.run = run,
};

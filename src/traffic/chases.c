/* SPDX-License-Identifier: MIT */
/*
 * chases.c - loads that a level has under way at once
 *
 * k chases, each of which waits for its own loads alone, take k loads in the time of one until something is full: the
 * misses that the levels above can have under way, or the way up. From then on a load takes as long as that something
 * needs for one, however many chases there are. One chase's time divided by that is how many loads were under way.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "traffic.h"

enum {
	SPARSE = 4, /* lines to a place, where prefetchers would bring neighbours */
	COUNTS = 12,
	ROUNDS = 2,
	NOISY_ROUNDS = 4,
	SAMPLES = 4,
	NOISY_SAMPLES = 12,
	MOST_PLACES = 1 << 21,
	FEW_PLACES = 3 << 18
};

static const long counts[COUNTS] = { 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 80, 96 };
static const double TIMES = 6, DEEP_TIMES = 16; /* what is walked, in what the levels above hold */
static const double ROOMY = 0.8, ENOUGH_TIMES = 3; /* of the level; of those above */
static const double CLEARED = 2; /* times what all levels hold */
static const double GRAINS = 200; /* of the clock, in a timing */
static const double WHOLE = 0.02; /* relative: so far from a whole number is one */
static const double NEARLY_ALL = 0.75; /* of the chases: no fewer loads are under way */
static const double ALIKE = 0.04; /* of a time: those that are about as quick as the quickest */
static const double MARGIN[] = { [NOISE_QUIET] = 0.015, [NOISE_NOISY] = 0.06, [NOISE_HOSTILE] = 0.15 };
static const double OWN = 0.93; /* of a latency: less is that of another level */
static const double OWN_BESIDE_OTHERS = 0.5; /* of the way from the latency above */
static const double SAME = 0.1; /* one chase, and one as it is always timed */

struct chasing {
	struct walk walk;
	double latency, above; /* ns, about: of the level, and of the one above */
	double quickest, slowest; /* some way towards what the levels beside it serve */
	bool memory;
};

static double look(struct lab *lab, const struct chasing *chasing, long chains)
{
	struct machine *machine = lab->timer->machine;
	struct walk walk = chasing->walk;
	int samples = lab->timer->noise == NOISE_QUIET ? SAMPLES : NOISY_SAMPLES;
	long beside = chains ? chains : 1, steps;
	struct reading reading;
	double ns;

	walk.chains = chains;
	/* Of memory no chase may come to where another was: they go as short a way as can be timed. */
	ns = chasing->memory ? fmin(GRAINS * lab->timer->granularity, lab->timer->sample) : lab->timer->sample;
	steps = beside * (long)fmax(8, ceil(ns / chasing->latency));
	/* Once round, so that the chases find nothing that others have just brought in. */
	if (!chasing->memory)
		machine->ops->walk(machine, &walk, walk.count / 2, 1, &reading);
	if (timer_over(lab->timer) || machine->ops->walk(machine, &walk, steps, samples, &reading) != MACHINE_RAN)
		return NAN;
	lab->finding.samples += samples;
	return (stat_quantile(reading.ns, samples, lab->timer->noise == NOISE_QUIET ? 0.5 : 0.25) - lab->timer->cost) /
	       (double)steps;
}

/* ns of a load that comes from one level further out. */
static double further(const struct hierarchy *hierarchy, int depth)
{
	return (depth + 1 < hierarchy->levels ? hierarchy->level[depth + 1].latency : hierarchy->memory) *
	       hierarchy->cycle;
}

/* Bytes of lines that are walked, and every how many'th line that is: as sparse as there is room for, with no more
 * lines than the level holds if prefetchers bring the others, too. */
static double choose_lines(const struct hierarchy *hierarchy, int depth, long *sparse)
{
	double above = traffic_above(hierarchy, depth), reach = hierarchy->level[depth].reach;

	/* Of the second level there are no more pages than a TLB holds, and prefetchers of the first go by pages. */
	for (*sparse = depth > 1 ? SPARSE : 1; *sparse > 1; *sparse /= 2)
		if (ROOMY * reach / (double)*sparse >= ENOUGH_TIMES * above)
			return fmin(ROOMY * reach / (double)*sparse, TIMES * above);
	return traffic_span(above, reach, TIMES);
}

/* Those of the memory: as many as the chases need that are to come to new ones all the time. */
static double choose_far_lines(struct lab *lab, long line)
{
	double above = traffic_above(lab->hierarchy, lab->hierarchy->levels),
	       times = fmax(DEEP_TIMES, (double)(FEW_PLACES * SPARSE * line) / fmax(above, 1)),
	       held = traffic_span_deep(lab, times, (double)(MOST_PLACES * SPARSE * line)) / SPARSE;

	return held < 2 * above || held < 0.5 * (double)(FEW_PLACES * line) ? 0 : held;
}

/* False, and the finding settled, when the level has no stretch of its own. */
static bool start(struct lab *lab, int depth, struct chasing *chasing)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	bool memory = depth == hierarchy->levels;
	double cycles = memory ? hierarchy->memory : hierarchy->level[depth].latency, held;
	long line = (long)fmax(TRAFFIC_LINE, hierarchy->line), sparse = SPARSE, page, pages;

	held = memory ? choose_far_lines(lab, line) : choose_lines(hierarchy, depth, &sparse);
	page = (long)fmax(hierarchy->page, (double)(sparse * line));
	/* An odd number of pages: chases that begin evenly spread are in different parts of theirs. */
	pages = (long)(held * (double)sparse / (double)page - 1) / 2 * 2 + 1;
	if (depth == 1 && !memory) {
		page = (long)held / line * line;
		pages = 1;
	}
	chasing->memory = memory;
	chasing->latency = fmax(cycles * hierarchy->cycle, 0.1);
	chasing->above = fmin(depth ? hierarchy->level[depth - 1].latency : 0, cycles) * hierarchy->cycle;
	chasing->quickest = lab->timer->noise == NOISE_QUIET
				    ? OWN * chasing->latency
				    : chasing->above + OWN_BESIDE_OTHERS * (chasing->latency - chasing->above);
	chasing->slowest = memory ? INFINITY : 0.5 * (further(hierarchy, depth) + chasing->latency);
	chasing->walk = (struct walk){ .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES };
	chasing->walk.count = held > 0 ? pages * (page / (sparse * line)) : 0;
	if (chasing->walk.count < WALK_CHAINS * 2) {
		lab_outcome(
			lab, memory ? BLOCKED : UNCLEAR,
			memory ? "there is not memory enough for walks that no cache serves"
			       : "the level holds too little for many chases, or hardly more than the one above it");
		return false;
	}
	chasing->walk.places = traffic_lay(pages, line, sparse * line, page);
	if (!chasing->walk.places)
		lab_outcome(lab, FAILED, "out of memory");
	return chasing->walk.places;
}

struct round {
	double first, least, plain; /* ns a load: of one chase, of many, of one as it is always timed */
	bool rising; /* the most chases are clearly the quickest */
};

/* What many chases take: one time that no other one is like was luck. */
static double settled(const double *times)
{
	double least = INFINITY, second = INFINITY, alike[COUNTS];
	int n = 0;

	for (int i = 0; i < COUNTS; i++) {
		second = fmin(second, fmax(least, times[i]));
		least = fmin(least, times[i]);
	}
	for (int i = 0; i < COUNTS; i++)
		if (times[i] <= (1 + ALIKE) * second && times[i] * (1 + ALIKE) >= second)
			alike[n++] = times[i];
	return stat_median(alike, n);
}

/* The caches have what was touched last of the cycle, where some chases would begin. So they go on to other places. */
static void clear(struct lab *lab, const struct chasing *chasing)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	struct walk walk = chasing->walk;
	struct reading reading;
	double lines = traffic_above(hierarchy, hierarchy->levels) / fmax(TRAFFIC_LINE, hierarchy->line);

	walk.chains = WALK_CHAINS;
	/* As many steps again come before those that are timed. */
	lab->timer->machine->ops->walk(lab->timer->machine, &walk, (long)(CLEARED / 2 * lines), 1, &reading);
}

/* Of memory chases begin at whole parts of the cycle, the same ones whatever their number, and no look is where another
 * was: so their number divides the most there may be, and the most are looked at more than once. */
static long chases_of(const struct chasing *chasing, long count)
{
	while (chasing->memory && WALK_CHAINS % count)
		count++;
	return count;
}

static bool take_round(struct lab *lab, const struct chasing *chasing, bool first, struct round *round)
{
	double times[COUNTS];

	round->plain = look(lab, chasing, 0);
	if (first && chasing->memory)
		clear(lab, chasing);
	for (int i = 0; i < COUNTS; i++) {
		long chains = chases_of(chasing, counts[i]);

		times[i] = look(lab, chasing, chains);
		if (!(times[i] > 0))
			return false;
		lab_note(lab, "chases at once; ns a load", (double)chains, times[i], "");
	}
	round->first = times[0];
	round->least = settled(times);
	round->rising = chasing->memory ? round->first > NEARLY_ALL * WALK_CHAINS * round->least
					: times[COUNTS - 1] * (1 + ALIKE) < stat_quantile(times, COUNTS - 1, 0);
	return true;
}

/* What a few rounds told. */
struct tally {
	double first[NOISY_ROUNDS], least[NOISY_ROUNDS], plain[NOISY_ROUNDS]; /* ns, the shortest first */
	int rising, rounds;
};

static void insert(double *rising, int count, double value)
{
	for (; count > 0 && rising[count - 1] > value; count--)
		rising[count] = rising[count - 1];
	rising[count] = value;
}

static bool take_rounds(struct lab *lab, const struct chasing *chasing, struct tally *tally)
{
	int rounds = lab->timer->noise == NOISE_QUIET ? ROUNDS : NOISY_ROUNDS;

	*tally = (struct tally){ .rounds = rounds };
	for (int i = 0; i < rounds; i++) {
		struct round round;

		if (!take_round(lab, chasing, i == 0, &round))
			return false;
		insert(tally->first, i, round.first);
		insert(tally->least, i, round.least);
		insert(tally->plain, i, round.plain);
		tally->rising += round.rising;
	}
	return true;
}

/* What loads that the level above serves, which others leave now more and now less of, add to the time of one chase and
 * hardly to that of many. */
static double from_above(const struct chasing *chasing, double first)
{
	double share = (chasing->latency - first) / (chasing->latency - chasing->above);

	return share > 0 ? share * chasing->above / first : 0;
}

/* Of a level the quickest round counts, since others only add to it. What comes from memory now and then is in a cache
 * already, when others leave room there: what is usual counts. */
static void tell(struct lab *lab, const struct chasing *chasing, const struct tally *tally)
{
	int at = chasing->memory ? tally->rounds / 2 : 0, before = at > 0 ? at - 1 : 0,
	    after = at + 1 < tally->rounds ? at + 1 : at;
	double margin = MARGIN[lab->timer->noise], first = tally->first[at], value = first / tally->least[at],
	       low = fmin(value, tally->first[before] / tally->least[after]) * (1 - margin),
	       high = fmax(value, tally->first[after] / tally->least[before]) * (1 + margin);

	if (lab->timer->noise != NOISE_QUIET)
		low *= 1 - from_above(chasing, first);
	lab_note(lab, "ns of a load, of the level", NAN, chasing->latency, "");
	if (fabs(tally->plain[at] / first - 1) > SAME + margin)
		lab_outcome(lab, UNCLEAR, "one chase alone does not take the time that one always takes");
	else if (first < chasing->quickest || first > chasing->slowest)
		lab_outcome(lab, UNCLEAR,
			    "loads take the time of another level: others use it, or it holds less or more");
	else if (tally->rising > tally->rounds / 2)
		lab_outcome(lab, UNCLEAR, "there are too few chases for so many loads under way at once");
	else if (fabs(value - round(value)) < WHOLE * value && round(value) >= low && round(value) <= high)
		lab_measured(lab, round(value), fmin(ceil(low), round(value)), fmax(floor(high), round(value)), 0.9,
			     "chases side by side");
	else
		lab_measured(lab, value, low, high, 0.85, "chases side by side");
}

void traffic_parallelism(struct lab *lab, int depth)
{
	struct chasing chasing;
	struct tally tally;

	if (!start(lab, depth, &chasing))
		return;
	if (take_rounds(lab, &chasing, &tally))
		tell(lab, &chasing, &tally);
	else
		lab_outcome(lab, BLOCKED, "the walks could not be taken");
	free((void *)chasing.walk.places);
}

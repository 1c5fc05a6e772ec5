/* SPDX-License-Identifier: MIT */
/*
 * conflicts.c - places that compete for one set of a cache, and how many of them it holds
 *
 * X-Ray's Theorem 1 with the resident-set law in place of a threshold: of n places a stride s apart a cache of reach R
 * holds R/s while s is below the size of a way, and as many as it has ways from there on. With uniform random
 * references the number held follows from the time of any n beyond it, for every policy: no edge has to be found. A
 * number of sets that is no power of two shows when an odd multiple of the stride lowers the number once more.
 */
#include <math.h>
#include <stdio.h>

#include "hierarchy.h"

enum { LOOKS = 5, MOST_DENSE = 4096, FIRST_PLACES = 64, MOST_COLUMNS = 32, MOST_SCATTERED = 256, SHORTEST = 16, MOST_ODD = 31, NOISY_ATTEMPTS = 4 };

static const double SAME = 0.2, HALF = 0.24, FEWER = 0.6;
static const double AGREES = 0.025;
static const double SMALL_WAY = 512; /* bytes: the reach is not known that well where a line may be a way */ /* relative: what still counts as as many, or half as many */

struct search {
	struct lab *lab;
	const struct hierarchy *hierarchy;
	int depth;
	uint64_t random;
	double room; /* bytes known to lie within one way: columns are put there */
};

/* Places of `n`, a stride apart, that the level `depth` above holds when it holds all it can. */
static double held_above(const struct search *search, int depth, double stride, double n)
{
	const struct level *level = &search->hierarchy->level[depth];
	double held = level->conflicts.found ? fmax(level->conflicts.held, level->reach / stride)
					     : level->reach / fmin(stride, search->hierarchy->page);

	return fmin(n, held);
}

static double tlb_estimate(const struct hierarchy *hierarchy, double pages)
{
	return terms_at(&hierarchy->terms, 0, pages) - terms_at(&hierarchy->terms, 0, 1);
}

/* What the TLB makes of as many pages: places that spread over all sets. */
static double tlb_cost(struct search *search, double stride, double n, double wide)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	double pages = n * wide, time;

	/* Where places lie dense, the control would fill the cache itself. */
	if (stride < hierarchy->page || n * wide * PLACE * 2 > hierarchy->level[0].reach) {
		return tlb_estimate(hierarchy, fmin(pages, n * stride / hierarchy->page));
	}
	walk.grid.stride[0] = (uint64_t)stride + PLACE;
	walk.grid.count[0] = (long)n;
	walk.grid.stride[1] = wide > 1 ? (uint64_t)(hierarchy->level[search->depth - 1].conflicts.way + n * PLACE) : 0;
	walk.grid.count[1] = (long)wide;
	time = engine_walk(search->lab, &walk, LOOKS);
	walk.grid.stride[0] = PLACE;
	walk.grid.count[0] = 2;
	walk.grid.count[1] = 1;
	return fmax(0, time - engine_walk(search->lab, &walk, LOOKS));
}

/* Columns beside each other that a set of places is widened to, so that the level above is crowded out: X-Ray's
 * <S, n, S_old, r>. They are as far apart as a way of that level is long, so they share its sets, and not those of the
 * level in question. */
static double columns(struct search *search)
{
	const struct conflicts *above = search->depth ? &search->hierarchy->level[search->depth - 1].conflicts : NULL;

	if (!above || !above->found)
		return 1;
	return fmax(1, fmin(floor(search->room / above->way), fmin(2 * above->held + 2, MOST_COLUMNS)));
}

/* How many of n places the level holds, when a reference takes `extra` cycles more than one to the nearest level. What
 * the levels above hold they do not hold without it, if it is inclusive; where it is not, they hold no more than they
 * did. */
static double held_for(struct search *search, double stride, double n, double wide, double extra, double hot)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double found = n;

	for (int round = 0; round < 30; round++) {
		double lost = extra * n;

		for (int i = 0; i < search->depth; i++) {
			double above = fmax(0, held_above(search, i, stride, n * wide) / wide - hot);

			lost -= hierarchy_step(hierarchy, i) * (n - fmin(above, fmax(found, 0)));
		}
		found = (found + n - lost / hierarchy_step(hierarchy, search->depth)) / 2;
	}
	return found;
}

/* Places, of n a stride apart and drawn at random, that the level holds; as many again in each of `wide` columns. With
 * `hot` every other reference goes to one more place of the same set, which stays in the level above. */
static double held_in(struct search *search, double stride, double n, double wide, bool hot)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	struct walk few = walk;
	double extra, found;

	walk.grid.stride[0] = (uint64_t)stride;
	walk.grid.count[0] = (long)n;
	walk.grid.stride[1] = wide > 1 ? (uint64_t)search->hierarchy->level[search->depth - 1].conflicts.way : 0;
	walk.grid.count[1] = (long)wide;
	walk.has_hot = few.has_hot = hot;
	walk.hot.base = (uint64_t)(stride * n);
	few.grid.stride[0] = PLACE;
	few.grid.count[0] = 2;
	extra = engine_walk(search->lab, &walk, LOOKS) - engine_walk(search->lab, &few, LOOKS);
	extra = (hot ? 2 : 1) * extra - tlb_cost(search, stride, n, wide);
	found = held_for(search, stride, n, wide, extra, hot ? 1 : 0);
	lab_note(search->lab, hot ? "held beside a hot place" : "places held, by stride", stride, found, "");
	return found;
}

static double held(struct search *search, double stride, double n)
{
	return held_in(search, stride, n, columns(search), false);
}

static bool is_near(double value, double expected, double tolerance)
{
	return fabs(value - expected) <= fmax(tolerance * expected, 0.3);
}

static double beyond(double places)
{
	return fmax(places + 1, ceil(1.5 * places));
}

/* A stride of which few enough places are held, and as many as a plain index would. Caches of many ways need a smaller
 * one; those that are small can be tried from the first line on. */
static bool find_start(struct search *search, double *stride)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double places, found;

	*stride = PLACE;
	while (level->reach / *stride > FIRST_PLACES)
		*stride *= 2;
	search->room = *stride;
	places = level->reach / *stride;
	found = held(search, *stride, beyond(places));
	if (is_near(found, places, SAME))
		return true;
	*stride = search->room = PLACE;
	return level->reach / PLACE <= MOST_DENSE;
}

/* Doubles the stride until the number held falls no more. 0 when it never settles, and why. */
static double settle(struct search *search, double *stride, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double last, memory = (double)search->lab->timer->machine->memory;
	int same = 0;

	if (!find_start(search, stride)) {
		snprintf(
			conflicts->why, sizeof(conflicts->why),
			"places far apart do not compete as they would for a plain index: frames are not contiguous, or the index is hashed");
		return 0;
	}
	last = level->reach / *stride;
	for (double tried = 2 * *stride; same < 2; tried *= 2) {
		double n = beyond(last), found;

		if (tried * n > memory || tried > 6 * level->reach) {
			snprintf(conflicts->why, sizeof(conflicts->why),
				 "%.0f places %.0f KiB apart do not compete for a set", n, tried / 2048);
			return 0;
		}
		found = held(search, tried, n);
		if (is_near(found, last, SAME) && !(last < 1.5 && found < 0.7)) {
			same++;
		} else if (same == 0 && is_near(found, last / 2, HALF)) {
			*stride = search->room = tried;
			last = last < 48 ? found : last / 2;
		} else {
			snprintf(
				conflicts->why, sizeof(conflicts->why),
				"of places %.0f KiB apart %.1f are held, of places twice as near %.1f: frames are not contiguous, or the index is hashed",
				tried / 1024, found, last);
			return 0;
		}
	}
	return last;
}

/* The nearer n is to what is held, the less an error in what a miss costs does to the count. */
static double count_exactly(struct search *search, double stride, double ways)
{
	for (int i = 0; i < 3; i++)
		ways = fmax(1, round(held(search, stride, round(ways) + 2)));
	return ways;
}

/* With many ways it may have settled long ago: back to the smallest stride that holds no more. */
static double descend(struct search *search, double *stride, double ways)
{
	while (*stride / 2 >= SHORTEST && is_near(held(search, *stride / 2, beyond(ways)), ways, SAME))
		*stride = search->room = *stride / 2;
	return ways;
}

/* Where n places all fit and one more does not, sets are what they seem. */
static bool is_sharp(struct search *search, double ways, double stride, struct conflicts *conflicts)
{
	double fitting = held(search, stride, ways), over = held(search, stride, ways + 1);

	if (fitting > ways - 0.25 - 0.02 * ways && over < ways + 0.6)
		return true;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "of %.0f places in a set only %.1f are held: frames are not contiguous, or the index is hashed", ways,
		 fitting);
	return false;
}

/* A way that is an odd multiple of the stride. */
static void try_odd(struct search *search, double *ways, double *stride)
{
	for (int odd = 3; odd <= MOST_ODD && odd <= *ways + 1; odd += 2) {
		double n = beyond(*ways);

		if (*stride * odd * n > (double)search->lab->timer->machine->memory)
			return;
		if (held(search, *stride * odd, n) > FEWER * *ways)
			continue;
		*stride *= odd;
		*ways = count_exactly(search, *stride, *ways / odd);
		odd = 1;
	}
}

/* Two ways to the same number: places of one set, and the reach over the size of a way. The reach, from far more
 * references, corrects a count that is off by one. Where the level above adds to what is held, its part is allowed for. */
static bool agrees_with_reach(struct search *search, double *ways, double stride, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth];
	double share = search->depth && level[-1].conflicts.found ? level[-1].conflicts.held / columns(search) : 0;
	double by_reach = level->reach / stride, off = fabs(by_reach - round(by_reach)) / by_reach;

	if (search->depth == 0 && stride <= SMALL_WAY)
		return true;
	if (off < AGREES && by_reach > 0.5 && fabs(*ways - by_reach) < 0.6 + 0.12 * by_reach) {
		*ways = share < 0.5 ? round(by_reach) : *ways;
		return true;
	}
	if (*ways - by_reach > -0.6 - AGREES * by_reach && *ways - by_reach < share + 0.6)
		return true;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "%.0f places compete for a set of the %.1f that the reach has room for", *ways, by_reach);
	return false;
}

/* A line that is touched all the time stays in the level above. An exclusive level has room for one line less beside it;
 * one that lets go of its own copy has not; and an inclusive one throws the hot line out again and again, which costs more
 * than a line. */
static bool gives_way_to_hot(struct search *search, const struct conflicts *conflicts, double above)
{
	double n = ceil(2 * conflicts->held), alone = held_in(search, conflicts->way, n, 1, false), lost;

	/* Not crowded out, an exclusive level above adds all it holds. */
	if (columns(search) > 1 && alone - conflicts->held < 0.6 * above * (1 - 1 / columns(search)))
		return false;
	lost = alone - held_in(search, conflicts->way, n, 1, true);
	return lost > 0.5 && lost < 1.55;
}

/* Is what is held all the level's own? */
static void tell_exclusion(struct search *search, struct conflicts *conflicts)
{
	const struct level *level = &search->hierarchy->level[search->depth], *above = level - 1;
	double share, together, apart;

	if (search->depth == 0 || !above->conflicts.found)
		return;
	/* What the level above holds of one set, its own sets being full of others, too. */
	share = above->conflicts.held / columns(search);
	together = conflicts->held * conflicts->way;
	apart = (conflicts->held - (share < 0.5 ? 0 : share)) * conflicts->way + above->reach;
	if (search->depth == 1 && above->conflicts.ways >= 2)
		conflicts->exclusive = gives_way_to_hot(search, conflicts, above->conflicts.held);
	else
		conflicts->exclusive = conflicts->held > share && fabs(apart - together) > 0.04 * together &&
				       fabs(apart - level->reach) < fabs(together - level->reach);
	/* In one column all that the level above holds belongs to the one set. */
	if (conflicts->exclusive && share >= 0.5)
		conflicts->ways = round(held_in(search, conflicts->way, conflicts->held + above->conflicts.held + 1, 1, false)) -
				  above->conflicts.held;
}

/* Places of the set taken at random from many: a plain index puts them all into it, a hashed one most unevenly. */
static bool fits_anywhere(struct search *search, const struct conflicts *conflicts)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	long count = (long)conflicts->held, among = 4 * count;
	double memory = (double)search->lab->timer->machine->memory, time, pages;
	uint64_t places[MOST_SCATTERED];
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count };

	if (count < 2 || count > MOST_SCATTERED || (double)among * conflicts->way > memory)
		return true;
	for (long i = 0, left = among; i < count; left--) {
		/* Taken with the chance that makes every subset as likely. */
		if ((search->random >> 33) % (uint64_t)left < (uint64_t)(count - i))
			places[i++] = (uint64_t)(among - left) * (uint64_t)conflicts->way;
		search->random = search->random * 6364136223846793005u + 1442695040888963407u;
	}
	pages = fmax(1, fmin((double)count, (double)among * conflicts->way / hierarchy->page));
	time = engine_walk(search->lab, &walk, LOOKS) - tlb_estimate(hierarchy, pages);
	lab_note(search->lab, "cycles of scattered places of a set", conflicts->held, time, "");
	return time < hierarchy->level[search->depth].latency + 0.06 * hierarchy_step(hierarchy, search->depth) + 0.5;
}

static void search_once(struct search *search, struct conflicts *conflicts)
{
	double stride, ways = settle(search, &stride, conflicts);

	if (ways <= 0)
		return;
	ways = descend(search, &stride, ways);
	ways = count_exactly(search, stride, ways);
	try_odd(search, &ways, &stride);
	if (!agrees_with_reach(search, &ways, stride, conflicts))
		return;
	if (!is_sharp(search, ways, stride, conflicts))
		return;
	conflicts->ways = conflicts->held = ways;
	conflicts->way = stride;
	if (!fits_anywhere(search, conflicts)) {
		snprintf(conflicts->why, sizeof(conflicts->why),
			 "%.0f places in a row compete for a set, but not any %.0f of them: the index is hashed", ways + 1,
			 ways + 1);
		return;
	}
	conflicts->found = true;
	conflicts->columns = columns(search);
	conflicts->apart = search->depth ? search->hierarchy->level[search->depth - 1].conflicts.way : 0;
	tell_exclusion(search, conflicts);
}

void engine_conflicts_again(struct lab *lab, int depth)
{
	lab->hierarchy->level[depth].conflicts.tried = lab->hierarchy->level[depth].conflicts.found;
}

const struct conflicts *engine_conflicts(struct lab *lab, int depth)
{
	struct conflicts *conflicts = &lab->hierarchy->level[depth].conflicts;
	struct search search = { lab, lab->hierarchy, depth, 88172645463325252u, 0 };
	int attempts = lab->timer->noise == NOISE_QUIET ? 1 : NOISY_ATTEMPTS;

	if (depth > 0)
		engine_conflicts(lab, depth - 1);
	if (conflicts->tried)
		return conflicts;
	conflicts->tried = true;
	for (int i = 0; i < attempts && !conflicts->found && !timer_over(lab->timer); i++)
		search_once(&search, conflicts);
	return conflicts;
}

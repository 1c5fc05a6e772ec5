/* SPDX-License-Identifier: MIT */
/*
 * sets.c - how many of some places, which may compete for one set, a level holds
 */
#include <math.h>
#include <stdlib.h>

#include "sets.h"

enum {
	LOOKS = 5,
	MOST_COLUMNS = 32,
	MOST_SCATTERED = 2048,
	TURNS = 3,
	LOOKS_ROUND = 3,
	CIRCLING = 512, /* steps */
	MOST_MORE = 16, /* lines */
	REFERENCE = 2, /* places that the nearest level holds for certain */
	REFERENCE_ARENA = 7
};

const double SETS_HALF_A_MISS = 0.5; /* in a round */

static const double CROWDS_OUT = 4, LEAST_CROWD = 2; /* times what it holds */

static uint64_t common_part(uint64_t one, uint64_t other)
{
	return other ? common_part(other, one % other) : one;
}

/* Places fall into as many sets as it takes for a whole number of strides to be a whole number of ways. */
double sets_held_by(const struct conflicts *conflicts, double stride)
{
	uint64_t way = (uint64_t)conflicts->way, sets = way / common_part(way, (uint64_t)stride);

	return conflicts->held * (double)sets;
}

/* Of n places, a stride apart, in each of some columns: those in a column that the level `depth` above holds. */
static double held_above(const struct search *search, int depth, double stride, double n, struct columns columns)
{
	const struct level *level = &search->hierarchy->level[depth];
	double all = columns.in_a_row         ? level->reach / columns.apart
		     : level->conflicts.found ? sets_held_by(&level->conflicts, stride)
					      : level->reach / fmin(stride, search->hierarchy->page);

	return fmin(n, all / columns.count);
}

static double tlb_estimate(const struct hierarchy *hierarchy, double pages)
{
	return hierarchy_translation(hierarchy, pages * hierarchy->page);
}

/* As far apart, and some lines more, so that places spread over all sets of the levels above: one line more does not
 * where 48 sets take 129 lines for 33. */
static double spread_out(const struct search *search, double stride, double line)
{
	for (int more = 1; more <= MOST_MORE; more++) {
		uint64_t step = (uint64_t)((stride + more * line) / line);
		bool all = true;

		for (int i = 0; i < search->depth; i++) {
			const struct conflicts *above = &search->hierarchy->level[i].conflicts;

			all = all && (!above->found || common_part((uint64_t)(above->way / line), step) == 1);
		}
		if (all)
			return stride + more * line;
	}
	return stride + line;
}

/* What the TLB makes of as many pages: places that spread over all sets. */
static double tlb_cost(struct search *search, double stride, double n, struct columns columns)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	double pages = n * columns.count, line = fmax(PLACE, hierarchy->line), time;

	if (columns.in_a_row)
		return tlb_estimate(hierarchy, n * fmax(1, columns.count * columns.apart / hierarchy->page));
	/* Where places lie dense, the control would fill the cache itself. */
	if (stride < hierarchy->page || pages * line * 2 > hierarchy->level[search->depth].reach)
		return tlb_estimate(hierarchy, fmin(pages, n * stride / hierarchy->page));
	walk.grid.stride[0] = (uint64_t)spread_out(search, stride, line);
	walk.grid.count[0] = (long)n;
	walk.grid.stride[1] = (uint64_t)(columns.apart + n * line);
	walk.grid.count[1] = (long)columns.count;
	time = engine_walk(search->lab, &walk, LOOKS);
	walk.grid.stride[0] = PLACE;
	walk.grid.count[0] = 2;
	walk.grid.count[1] = 1;
	time -= engine_walk(search->lab, &walk, LOOKS);
	for (int i = 0; i < search->depth; i++)
		time -= hierarchy_step(hierarchy, i) * fmax(0, 1 - hierarchy->level[i].reach / (pages * line));
	return fmax(0, time);
}

/* Lines in a row from each place on, for a level above whose sets are not known or do not suit: so many that it holds
 * few of them. */
static struct columns in_a_row(const struct search *search, double n)
{
	double reach = search->hierarchy->level[search->depth - 1].reach, apart = search->hierarchy->far_apart;
	double count = fmin(floor(search->room / apart), ceil(CROWDS_OUT * reach / (n * apart)));

	/* Too few to crowd it out would only make more of it. */
	return n * count * apart < LEAST_CROWD * reach ? (struct columns){ 1, 0, false }
						       : (struct columns){ count, apart, count > 1 };
}

static struct columns columns_of(const struct search *search, const struct conflicts *above)
{
	double most = floor(search->room / above->way);

	return (struct columns){ fmax(1, fmin(most, fmin(2 * above->held + 2, MOST_COLUMNS))), above->way, false };
}

struct columns sets_columns(const struct search *search, double stride, double n)
{
	const struct conflicts *above = search->depth ? &search->hierarchy->level[search->depth - 1].conflicts : NULL;
	double most;

	if (!above)
		return (struct columns){ 1, 0, false };
	if (!above->found)
		return in_a_row(search, n);
	most = fmax(1, floor(search->room / above->way));
	if (n * most < CROWDS_OUT * sets_held_by(above, stride)) {
		struct columns columns = in_a_row(search, n);

		if (columns.in_a_row)
			return columns;
	}
	return columns_of(search, above);
}

/* How many of n places the level holds, when a reference takes `extra` cycles more than one to the nearest level. What
 * the levels above hold they do not hold without it, if it is inclusive; where it is not, they hold no more than they
 * did. */
static double held_for(struct search *search, double stride, double n, struct columns columns, double extra, double hot)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double found = n;

	for (int round = 0; round < 30; round++) {
		double lost = extra * n;

		for (int i = 0; i < search->depth; i++) {
			double above = fmax(0, held_above(search, i, stride, n, columns) - hot);

			lost -= hierarchy_step(hierarchy, i) * (n - fmin(above, fmax(found, 0)));
		}
		found = (found + n - lost / hierarchy_step(hierarchy, search->depth)) / 2;
	}
	return found;
}

double sets_held_in(struct search *search, double stride, double n, struct columns columns, bool hot)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES };
	struct walk few = walk;
	double extra, found;

	walk.grid.stride[0] = (uint64_t)stride;
	walk.grid.count[0] = (long)n;
	walk.grid.stride[1] = (uint64_t)columns.apart;
	walk.grid.count[1] = (long)columns.count;
	walk.has_hot = few.has_hot = hot;
	walk.hot.base = (uint64_t)(stride * n);
	few.grid.stride[0] = PLACE;
	few.grid.count[0] = 2;
	extra = engine_walk(search->lab, &walk, LOOKS) - engine_walk(search->lab, &few, LOOKS);
	extra = (hot ? 2 : 1) * extra - tlb_cost(search, stride, n, columns);
	found = held_for(search, stride, n, columns, extra, hot ? 1 : 0);
	lab_note(search->lab, hot ? "held beside a hot place" : "places held, by stride", stride, found, "");
	return found;
}

double sets_held(struct search *search, double stride, double n)
{
	return sets_held_in(search, stride, n, sets_columns(search, stride, n), false);
}

struct columns sets_own_columns(const struct search *search)
{
	const struct conflicts *above = search->depth ? &search->hierarchy->level[search->depth - 1].conflicts : NULL;

	return above && above->found ? columns_of(search, above) : (struct columns){ 1, 0, false };
}

static bool in_pages_of_their_own(const uint64_t *places, long count, uint64_t page)
{
	for (long i = 0; i < count; i++)
		for (long j = 0; j < i; j++)
			if (places[i] / page == places[j] / page)
				return false;
	return true;
}

/* The same pages, and sets of the nearest level that hold them: a TLB may have no room for pages so far apart (16 sets
 * of 4 do not hold five that are 64 KiB apart), and must not be taken for the cache. False when there is no room. */
static bool move_apart(const struct search *search, const uint64_t *places, long count, uint64_t *moved)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double held = search->depth && hierarchy->level[0].conflicts.found ? hierarchy->level[0].conflicts.held : 1;
	double line = LONG_LINE; /* or places of one line stay together */
	long lines;

	while (line > PLACE && (double)count > held * (hierarchy->page / line - 1))
		line /= 2;
	lines = (long)(hierarchy->page / line) - 1;
	for (long i = 0; i < count; i++) {
		uint64_t page = (uint64_t)hierarchy->page, offset = places[i] % page / PLACE * PLACE;

		moved[i] = places[i] / page * page + (offset + (uint64_t)(1 + i % lines) * (uint64_t)line) % page;
	}
	return (double)count <= held * (double)lines && in_pages_of_their_own(places, count, (uint64_t)hierarchy->page);
}

/* Cycles a step of places in a circle takes more than one that hits in the nearest level, translation apart. NaN when
 * they do not run. */
static double circle(struct search *search, const uint64_t *places, long count)
{
	static const uint64_t few[REFERENCE] = { 0, 2 * PLACE };
	const struct hierarchy *hierarchy = search->hierarchy;
	uint64_t moved[MOST_SCATTERED];
	bool has_room = move_apart(search, places, count, moved);
	struct walk walks[3] = { { .arena = REFERENCE_ARENA, .places = few, .count = REFERENCE },
				 { .places = places, .count = count },
				 { .places = moved, .count = count } };
	double ns[3], extent = 0, pages = 0;

	for (int i = 0; i < 3; i++)
		walks[i].pages = WALK_HUGE_PAGES;
	if (!timing_walks_by_turns(search->lab->timer, walks, has_room ? 3 : 2, TURNS, CIRCLING, ns))
		return NAN;
	search->lab->finding.samples += 2 * TURNS * MACHINE_BURST;
	if (has_room)
		return hierarchy->chase * (ns[1] - ns[2]) / ns[0];
	for (long i = 0; i < count; i++)
		extent = fmax(extent, (double)places[i]);
	pages = fmin((double)count * hierarchy->page, extent);
	return hierarchy->chase * (ns[1] / ns[0] - 1) - hierarchy_translation(hierarchy, pages);
}

/* Of n groups of places, each as wide as it takes to crowd out the level above. */
bool sets_compact(struct search *search, const uint64_t *groups, long n)
{
	struct columns columns = sets_own_columns(search);
	const struct level *level = &search->hierarchy->level[search->depth];
	double allowed = SETS_HALF_A_MISS * hierarchy_step(search->hierarchy, search->depth) / (double)n;
	long wide = (long)columns.count, order[MOST_SCATTERED];
	/* What holds up the control alone shows a compact sequence where there is none, but not often twice. */
	int due = search->lab->timer->noise == NOISE_QUIET ? 1 : 2;
	uint64_t places[MOST_SCATTERED];

	if (n * wide > MOST_SCATTERED)
		return false;
	walk_shuffle(order, n * wide);
	for (long i = 0; i < n * wide; i++)
		places[i] =
			search->base + groups[order[i] / wide] + (uint64_t)(order[i] % wide) * (uint64_t)columns.apart;
	if (search->depth)
		allowed += level->latency - search->hierarchy->chase;
	for (int look = 0, held = 0; look < LOOKS_ROUND * due && !timer_over(search->lab->timer); look++) {
		double more = circle(search, places, n * wide);

		if (isnan(more))
			return false;
		held += more < allowed;
		if (held == due)
			return true;
	}
	return false;
}

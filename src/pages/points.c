/* SPDX-License-Identifier: MIT */
/*
 * points.c - walks over more and more pages
 *
 * The lines they touch are as many for every number of pages, so that caches add the same to all times; where pages may
 * share frames without harm, they all stay in the nearest one.
 */
#include <math.h>

#include "pages.h"

enum {
	LINE = 64,
	MANY_LINES = 4096, /* the nearest cache holds next to nothing of so many */
	LINES_ON_FOUR = 64, /* of four frames */
	PER_OCTAVE = 4, /* points; more beyond the nearest TLB */
	FAR_PER_OCTAVE = 6,
	FINE = 16, /* points lie farther apart than so small a part of their pages */
	STEPS = ENGINE_WALK_STEPS / MACHINE_BURST,
	NOISY_ROUNDS = 5,
	HOSTILE_ROUNDS = 6,
	QUIET_ROUNDS = 2,
	LOOKS = 4, /* at the fewest pages */
	TRIES = 30 /* until the tick beside a walk was not held up */
};

static const double MOST_MEMORY = 1 << 29; /* bytes: more takes long to come by */
static const double MOST = 16384, MOST_NEAR = 440, FIRST_FAR = 64; /* pages */
static const double ERROR_FLOOR = 0.003, FAR_FLOOR = 0.015; /* of a time; over lines that the nearest cache lacks */
static const double LAST_NEAR = 200; /* pages: of the walks over few lines more is not told */
static const double LAST_IN_SMALL = 50; /* the same where the nearest cache does not hold their lines */
static const double OVERFLOWS = 0.1; /* of a time */
static const double AS_MANY = 0.96;
static const double QUICKER[] = { [NOISE_NOISY] = 0.25, [NOISE_HOSTILE] = 0.1 }; /* quantile: what others do adds */

/* Lines in each of n pages that make `lines` in all, or down to half as many: a power of two, so that they use all sets
 * of a cache alike. */
static long lines_in_each(const struct paging *paging, double n, double lines)
{
	long each = 1;

	while (2 * (double)each * n <= lines && 2 * each * LINE <= (long)paging->page)
		each *= 2;
	return each;
}

/* Frames until the same come again, or parts of them where a page of the system is several to the hardware. Each has
 * lines of its own, at offsets of their own: wherever they lie, no two compete for a set, or leave none of it to
 * others.
 */
static long parts_around(const struct paging *paging)
{
	long around = PAGES_FEWEST * (long)(paging->system / paging->page) / (long)paging->group;

	return around > 1 ? around : 1;
}

/* n pages in a row. Each one's lines lie behind those of the page before, or all would compete for the same few, until
 * they have gone round a page. Where n is not a multiple of that, they go on, and one page in many is left out; so they
 * do on 64 frames, which are gone round, too: the same lines would come again. On four frames the same few lines serve
 * any number of pages. */
static struct walk pages_walk(const struct paging *paging, enum walk_pages pages, double n, double lines)
{
	uint64_t unit = (uint64_t)(paging->page * paging->group * (double)paging->apart);
	long each = lines_in_each(paging, n, lines), around = (long)paging->page / (each * LINE);
	struct walk walk = { .order = WALK_RANDOM, .pages = pages };
	bool rounds = around == 1 || (!walk_frames(pages) && (long)n % around == 0);

	if (pages == WALK_ON_4_FRAMES) {
		around = parts_around(paging);
		each = (long)fmin(LINES_ON_FOUR, paging->page / LINE) / around;
		each = each > 0 ? each : 1;
		rounds = n >= (double)around;
	}
	if (rounds)
		walk.grid =
			(struct walk_grid){ .stride = { (uint64_t)around * unit, unit + (uint64_t)(each * LINE), LINE },
					    .count = { (long)n / around, around, each } };
	else
		walk.grid = (struct walk_grid){ .stride = { unit + (uint64_t)(each * LINE), LINE },
						.count = { (long)n, each } };
	return walk;
}

static double look(struct lab *lab, const struct walk *walk)
{
	double time = NAN;

	for (int i = 0; i < TRIES && isnan(time) && !timer_over(lab->timer); i++) {
		struct stroll stroll = timing_walk(lab->timer, walk, STEPS);

		if (stroll.status != MACHINE_RAN)
			return NAN;
		time = stroll.ticks / lab->cycle;
	}
	lab->finding.samples += MACHINE_BURST;
	return time;
}

/* In whole rounds of the frames, or some would be touched more often than others; where there are none, of what the
 * lines go round. */
static double round_of(const struct paging *paging, double n, double lines)
{
	double around = paging->page / LINE / (double)lines_in_each(paging, n, lines);

	if (paging->pages == WALK_ON_4_FRAMES)
		return n < (double)parts_around(paging) ? PAGES_FEWEST : (double)parts_around(paging);

	return !walk_frames(paging->pages) && around > PAGES_FEWEST && FINE * around < n ? around : PAGES_FEWEST;
}

static void plan_points(struct paging *paging, double from, double to, double lines)
{
	double n = from, last = 0;

	while (n <= to && paging->count < PAGING_POINTS) {
		double whole = round_of(paging, n, lines), pages = round(n / whole) * whole;

		if (pages > last)
			paging->points[paging->count++].bytes = pages;
		last = pages;
		n *= exp2(1.0 / (n < MOST_NEAR ? PER_OCTAVE : FAR_PER_OCTAVE));
	}
}

double pages_most(const struct lab *lab, const struct paging *paging)
{
	double memory = fmin((double)lab->timer->machine->memory, MOST_MEMORY);

	return walk_frames(paging->pages) ? MOST : fmin(MANY_LINES, memory / (paging->page + PAGES_FEW_LINES * LINE));
}

static void plan(const struct lab *lab, struct paging *paging)
{
	bool few = paging->pages == WALK_ON_4_FRAMES;
	double most = pages_most(lab, paging);

	paging->count = 0;
	if (!few)
		plan_points(paging, PAGES_FEWEST, fmin(MOST_NEAR, most), PAGES_FEW_LINES);
	paging->near = paging->count;
	if (few || most > MOST_NEAR)
		plan_points(paging, few ? PAGES_FEWEST : FIRST_FAR, most, MANY_LINES);
}

static double lines_of(const struct paging *paging, int index)
{
	return index < paging->near || paging->pages == WALK_ON_4_FRAMES ? PAGES_FEW_LINES : MANY_LINES;
}

/* Cycles a step over n pages whose lines the nearest cache holds. */
static double near_time(const struct paging *paging, double n)
{
	double times[PAGING_POINTS];

	for (int i = 0; i < paging->near; i++)
		times[i] = paging->points[i].time;
	return curve_between(paging->points, times, paging->near, fmax(n, PAGES_FEWEST));
}

/* What fewer lines than at other points save shows where they fill few pages, which are translated at the cost that the
 * walks over few lines show. */
static double look_at(struct lab *lab, const struct paging *paging, int index)
{
	double wanted = lines_of(paging, index), full = paging->page / LINE;
	struct walk walk = pages_walk(paging, paging->pages, paging->points[index].bytes, wanted), fewer, all;
	double lines = (double)walk_length(&walk), time = look(lab, &walk);

	if (wanted < MANY_LINES || lines > AS_MANY * wanted)
		return time;
	fewer = pages_walk(paging, paging->pages, round(lines / full), round(lines / full) * full);
	all = pages_walk(paging, paging->pages, wanted / full, wanted);
	return time + look(lab, &all) - near_time(paging, wanted / full) -
	       (look(lab, &fewer) - near_time(paging, round(lines / full)));
}

/* Of the points from `first` on. The rounds lie outside, so that what changes slowly spreads over all of them. */
static bool take_walks(struct lab *lab, struct paging *paging, int first, int end)
{
	static const int rounds_by[] = {
		[NOISE_QUIET] = QUIET_ROUNDS, [NOISE_NOISY] = NOISY_ROUNDS, [NOISE_HOSTILE] = HOSTILE_ROUNDS
	};
	double times[PAGING_POINTS][HOSTILE_ROUNDS];
	bool quiet = lab->timer->noise == NOISE_QUIET;
	int rounds = lab->brief                                   ? QUIET_ROUNDS
		     : quiet && paging->pages != WALK_ON_4_FRAMES ? NOISY_ROUNDS
								  : rounds_by[lab->timer->noise];

	for (int round = 0; round < rounds; round++)
		for (int i = first; i < end; i++) {
			times[i][round] = look_at(lab, paging, i);
			if (isnan(times[i][round]))
				return false;
		}
	for (int i = first; i < end; i++) {
		struct curve_point *point = &paging->points[i];
		double least = stat_quantile(times[i], rounds, 0);
		bool near = i < paging->near || paging->pages == WALK_ON_4_FRAMES;

		point->time = quiet ? stat_median(times[i], rounds)
				    : stat_quantile(times[i], rounds, QUICKER[lab->timer->noise]);
		point->error = fmax((near ? ERROR_FLOOR : FAR_FLOOR) * point->time,
				    (stat_median(times[i], rounds) - least) / 2);
		lab_note(lab, i < paging->near ? "cycles by pages, few lines" : "cycles by pages", point->bytes,
			 point->time, "");
	}
	return true;
}

double pages_look(struct lab *lab, const struct paging *paging, enum walk_pages pages, double n)
{
	struct walk walk = pages_walk(paging, pages, n, PAGES_FEW_LINES);

	return look(lab, &walk);
}

double pages_look_own(struct lab *lab, const struct paging *paging, double n)
{
	struct walk walk =
		pages_walk(paging, walk_frames(paging->pages) ? WALK_BASE_PAGES : paging->pages, n, LINES_ON_FOUR);

	return look(lab, &walk);
}

double pages_look_far(struct lab *lab, const struct paging *paging, double n)
{
	struct walk walk =
		pages_walk(paging, paging->pages, n, paging->pages == WALK_ON_4_FRAMES ? PAGES_FEW_LINES : MANY_LINES);

	return look(lab, &walk);
}

double pages_look_groups(struct lab *lab, const struct paging *paging, double n, long neighbours)
{
	uint64_t page = (uint64_t)paging->page, unit = page * (uint64_t)paging->group;
	struct walk walk = { .order = WALK_RANDOM,
			     .pages = paging->pages,
			     .grid = {
				     .stride = { PAGES_FEWEST * unit, unit + (uint64_t)neighbours * LINE, page + LINE },
				     .count = { (long)n / PAGES_FEWEST / neighbours, PAGES_FEWEST, neighbours } } };

	return look(lab, &walk);
}

double pages_look_beside_stores(struct lab *lab, const struct paging *paging, double loads, double stores)
{
	struct walk walk = pages_walk(paging, paging->pages, loads, PAGES_FEW_LINES);
	double rounds = fmax(PAGES_FEWEST, (double)paging_frames(paging));

	walk.hot = pages_walk(paging, paging->pages, stores, PAGES_FEW_LINES).grid;
	/* They lie on frames as the loads' pages do. */
	walk.hot.base = (uint64_t)(ceil(loads / rounds) * rounds * paging->page * paging->group);
	walk.has_hot = walk.stores = true;
	return look(lab, &walk);
}

bool pages_points(struct lab *lab, struct paging *paging)
{
	plan(lab, paging);
	return take_walks(lab, paging, 0, paging->near) && take_walks(lab, paging, paging->near, paging->count);
}

double pages_last_near(struct lab *lab, const struct paging *paging)
{
	double few = INFINITY, own = INFINITY;

	if (!paging->near)
		return 0;
	for (int i = 0; i < LOOKS; i++) {
		few = fmin(few, pages_look(lab, paging, paging->pages, PAGES_FEWEST));
		own = fmin(own, pages_look_own(lab, paging, PAGES_FEWEST));
	}
	return few > (1 + OVERFLOWS) * own ? LAST_IN_SMALL : LAST_NEAR;
}

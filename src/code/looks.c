/* SPDX-License-Identifier: MIT */
/*
 * looks.c - what a step of a walk of code takes
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"

enum {
	MOST_ROUNDS = 7,
	TRIES = 30,
	FEWEST = 4
}; /* times as many places in a page as in the first walk: in a smaller one
      nothing is hidden */

static const int ROUNDS[] = { [NOISE_QUIET] = 3, [NOISE_NOISY] = 5, [NOISE_HOSTILE] = MOST_ROUNDS };
static const int ENOUGH[] = { [NOISE_QUIET] = 2, [NOISE_NOISY] = 5, [NOISE_HOSTILE] = MOST_ROUNDS }; /* that agree */
static const double AGREE = 0.012; /* of a time */
static const long STEPS[] = { [NOISE_QUIET] = ENGINE_WALK_STEPS / MACHINE_BURST / 2,
			      [NOISE_NOISY] = ENGINE_WALK_STEPS / MACHINE_BURST,
			      [NOISE_HOSTILE] = ENGINE_WALK_STEPS / MACHINE_BURST };
/* Quantile that is believed: what others do adds. */
static const double BELIEVED[] = { [NOISE_QUIET] = 0.5, [NOISE_NOISY] = 0.25, [NOISE_HOSTILE] = 0.1 };
static const double FLOOR = 0.004; /* of a time: no look is nearer */
static const double HARM = 0.05; /* of a time: by so much the fewest places must not be slower in two pages */

enum walk_pages code_pages(const struct lab *lab)
{
	return lab_fact(lab, "page.huge") > lab_fact(lab, "page.size") ? WALK_HUGE_PAGES : WALK_BASE_PAGES;
}

struct walk code_walk(enum walk_pages pages, double places, double stride, long body)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = pages, .code = true, .body = body };

	walk.grid.stride[0] = (uint64_t)stride;
	walk.grid.count[0] = (long)places;
	return walk;
}

int code_plan(double from, double to, int per_octave, double *places, int room)
{
	double n = from;
	int count = 0;

	while (n <= to * 1.0001 && count < room) {
		if (count == 0 || round(n) > places[count - 1])
			places[count++] = round(n);
		n *= exp2(1.0 / per_octave);
	}
	return count;
}

/* NaN when it does not run, or when others held up every tick beside it. */
static struct stroll look(struct lab *lab, const struct walk *walk)
{
	struct stroll stroll = { .ticks = NAN };

	for (int i = 0; i < TRIES && isnan(stroll.ticks) && !timer_over(lab->timer); i++) {
		stroll = timing_walk(lab->timer, walk, STEPS[lab->timer->noise]);
		if (stroll.status != MACHINE_RAN)
			break;
	}
	lab->finding.samples += MACHINE_BURST;
	return stroll;
}

/* What was seen of one walk. */
struct seen {
	double times[MOST_ROUNDS];
	int count;
};

static bool is_enough(const struct lab *lab, const struct seen *seen)
{
	return seen->count >= ENOUGH[lab->timer->noise] &&
	       stat_quantile(seen->times, seen->count, 1) < (1 + AGREE) * stat_quantile(seen->times, seen->count, 0);
}

/* One more look at a walk in an arena; the next one has another. */
static enum machine_status look_again(struct lab *lab, struct walk walk, int arena, struct seen *seen, char *why,
				      size_t size)
{
	struct stroll stroll;

	walk.arena = arena;
	stroll = look(lab, &walk);
	seen->times[seen->count++] = stroll.ticks / lab->cycle;
	if (stroll.status == MACHINE_RAN && !isnan(stroll.ticks))
		return MACHINE_RAN;
	snprintf(why, size, "%s", stroll.why[0] ? stroll.why : "others held up every look at a walk of code");
	return stroll.status == MACHINE_RAN ? MACHINE_BLOCKED : stroll.status;
}

bool code_times(struct lab *lab, const struct walk *walks, int count, double *times, double *errors,
		enum machine_status *status, char *why, size_t size)
{
	struct seen *seen = calloc((size_t)count, sizeof(*seen));
	uint64_t largest = 0;
	int rounds = lab->brief ? ROUNDS[NOISE_QUIET] : ROUNDS[lab->timer->noise];

	/* Predictors remember where a jump led long ago, and fetch what lies there: in vain, and to the harm of caches
	 * and TLBs. So each sweep, and each of its rounds, has addresses of its own, and goes from few places to many.
	 * Each of a pair has its own, too, so that neither is written over. */
	lab->fresh += rounds;
	for (int i = 0; i < count; i++)
		largest = walk_extent(&walks[i]) > largest ? walk_extent(&walks[i]) : largest;
	*status = seen ? MACHINE_RAN : MACHINE_FAULT;
	for (int round = 0; seen && round < rounds && *status == MACHINE_RAN; round++)
		for (int i = 0; i < count && *status == MACHINE_RAN; i++) {
			struct walk walk = walks[i];

			walk.reserve = largest;
			if (!is_enough(lab, &seen[i]))
				*status = look_again(lab, walk, WALK_ARENAS * (lab->fresh + round) + i % 2, &seen[i],
						     why, size);
		}
	for (int i = 0; seen && i < count && *status == MACHINE_RAN; i++) {
		double least = stat_quantile(seen[i].times, seen[i].count, 0);

		times[i] = stat_quantile(seen[i].times, seen[i].count, BELIEVED[lab->timer->noise]);
		errors[i] = (stat_median(seen[i].times, seen[i].count) - least) / 2;
	}
	free(seen);
	return *status == MACHINE_RAN;
}

/* Of the difference of two times. */
static double error_of(const double *times, const double *errors)
{
	return hypot(fmax(errors[0], FLOOR * times[0]), fmax(errors[1], FLOOR * times[1]));
}

bool code_differences(struct lab *lab, const struct walk *walks, struct curve_point *points, int count,
		      enum machine_status *status, char *why, size_t size)
{
	double times[CODE_WALKS], errors[CODE_WALKS];

	if (!code_times(lab, walks, 2 * count, times, errors, status, why, size))
		return false;
	for (int i = 0; i < count; i++) {
		points[i].time = times[2 * i] - times[2 * i + 1];
		points[i].error = error_of(times + 2 * i, errors + 2 * i);
	}
	return true;
}

bool code_beyond_twins(struct lab *lab, const struct walk *walks, int count, double *times, struct curve_point *points,
		       enum machine_status *status, char *why, size_t size)
{
	struct walk both[CODE_WALKS] = { { .order = WALK_RANDOM } };
	double all[CODE_WALKS], errors[CODE_WALKS];

	for (int i = 0; i < count; i++) {
		both[2 * i] = both[2 * i + 1] = walks[i];
		both[2 * i + 1].pages = WALK_ON_1_FRAME;
	}
	if (!code_times(lab, both, 2 * count, all, errors, status, why, size))
		return false;
	for (int i = 0; i < count; i++) {
		times[i] = all[2 * i];
		points[i].time = all[2 * i] - all[2 * i + 1];
		points[i].error = error_of(all + 2 * i, errors + 2 * i);
		/* A twin's pages are small, and TLBs lack some of many. */
		if (walks[i].pages == WALK_HUGE_PAGES)
			points[i].time += code_translation_of(lab, &walks[i]);
	}
	return true;
}

/*
 * Within a page a walk is its own twin, and what holds less than that shows in neither. There its places are compared
 * with as many that lie half in this page and half in another one on the same frame: as many jumps, as many to a set of
 * whatever goes by the address of a jump, and half of the lines. So what n places cost is known from what half of them
 * do. Where n is odd, the same jumps without what their lines cost take as long as one more and one less do.
 */

/* On one frame, and half of it twice; one place is all there is. */
static void lay_out(const struct walk *walk, double page, struct walk *walks)
{
	walks[0] = walks[1] = *walk;
	walks[0].pages = walks[1].pages = WALK_ON_1_FRAME;
	if (walk->grid.count[0] == 1)
		return;
	walks[1].grid.count[0] = (walk->grid.count[0] + 1) / 2;
	walks[1].grid.stride[1] = (uint64_t)page;
	walks[1].grid.count[1] = 2;
}

/* Of some walks and their halves, twice each, what the walks cost. */
static void tell_costs(const struct walk *walks, const double *times, int count, double *costs)
{
	struct curve_point known[CODE_POINTS];
	double jumps[CODE_POINTS]; /* what they take without what lines cost, of an even number */

	for (int i = 0; i < count; i++) {
		double places = (double)walks[2 * i].grid.count[0];
		bool between = fmod(places, 2) == 1 && i && (double)walks[2 * i - 2].grid.count[0] == places - 1;

		jumps[i] = times[2 * i + 1] - curve_between(known, costs, i, (double)walks[2 * i + 1].grid.count[0]);
		known[i].bytes = places;
		costs[i] = i ? times[2 * i] - (between ? (jumps[i] + jumps[i - 1]) / 2 : jumps[i]) - times[0] + times[1]
			     : 0;
	}
}

/* Adds what shows within a page to all points. */
static bool add_within(struct lab *lab, const struct walk *walks, const double *times, struct curve_point *points,
		       int count, enum machine_status *status, char *why, size_t size)
{
	double page = engine_code_paging(lab)->system, inside[CODE_WALKS], errors[CODE_WALKS], costs[CODE_POINTS];
	struct walk cut[CODE_WALKS] = { { .order = WALK_RANDOM } };
	int within = 0;

	for (; within < count && (double)walk_extent(&walks[within]) <= page; within++)
		lay_out(&walks[within], page, &cut[2 * within]);
	if (within == 0 || walk_length(&walks[within - 1]) < FEWEST * walk_length(&walks[0]))
		return true;
	if (!code_times(lab, cut, 2 * within, inside, errors, status, why, size))
		return false;
	/* The fewest places fit wherever they lie, unless something goes by their virtual addresses and has few ways.
	 */
	if (inside[0] - inside[1] < -HARM * times[0]) {
		snprintf(why, size, "two pages on one frame are not held as one is, and all of the cache is in a page");
		return false;
	}
	tell_costs(cut, inside, within, costs);
	for (int i = 0; i < count; i++)
		points[i].time += costs[i < within ? i : within - 1];
	return true;
}

bool code_costs(struct lab *lab, const struct walk *walks, int count, double *times, struct curve_point *points,
		enum machine_status *status, char *why, size_t size)
{
	return code_beyond_twins(lab, walks, count, times, points, status, why, size) &&
	       add_within(lab, walks, times, points, count, status, why, size);
}

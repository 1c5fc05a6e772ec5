/* SPDX-License-Identifier: MIT */
/*
 * looks.c - one size of a survey: the walks over it, here and there, and what they say together
 */
#include <math.h>
#include <stdio.h>

#include "survey.h"

enum { STEPS = ENGINE_WALK_STEPS / MACHINE_BURST, MOST_AGAIN = 6 };

static const double GOLDEN = 0.618034, ALIGNED = 4096;
static const double GROUPED = SURVEY_GROUPED;
static const double ERROR_FLOOR = 0.006; /* of a time: policies bend the law by so much beside their bends */
static const double TOO_QUICK = 0.97; /* of the smallest walk: less is what a tick that was held up makes of it */
static const double QUICKER = 0.2; /* others only ever take room away: the quicker looks are nearer to the truth */

/* Each round of small walks lies elsewhere: where frames fall as chance will, so many of them compete for a set here
 * and so many there, and the law is about the mean. */
struct walk survey_walk(const struct hierarchy *hierarchy, const struct curve_point *point, int round, bool grouped)
{
	struct walk walk = { .order = WALK_RANDOM,
			     .pages = WALK_HUGE_PAGES,
			     .grouped = grouped ? hierarchy->group : 0 };
	double apart = point->bytes <= hierarchy->small ? hierarchy->apart : hierarchy->far_apart;
	/* Neighbouring sizes, too, or the same luck would be a bend; large ones find there what the ones before left.
	 */
	double apart_from = point->bytes < SURVEY_FINE ? SURVEY_ROUNDS * point->bytes / LONG_LINE : 0;
	double where = fmod((round + apart_from) * GOLDEN, 1) * fmax(0, hierarchy->most - point->bytes) / ALIGNED;

	walk.grid.base = (uint64_t)where * ALIGNED;
	walk.grid.stride[0] = (uint64_t)apart;
	walk.grid.count[0] = (long)(point->bytes / apart);
	if (grouped) {
		/* Two long lines apart: what fetches a line's neighbour brings none of the others. */
		walk.grid.stride[0] = WALK_GROUPED_FROM * 2 * LONG_LINE;
		walk.grid.count[0] = (long)(point->bytes / (WALK_GROUPED_FROM * 2 * LONG_LINE));
		walk.grid.stride[1] = 2 * LONG_LINE;
		walk.grid.count[1] = WALK_GROUPED_FROM;
		walk.grid.stride[2] = (uint64_t)apart;
		walk.grid.count[2] = (long)(2 * LONG_LINE / apart);
	}
	return walk;
}

/* The tick beside it may be lost to a preemption each time, or held up by whoever shares the core: no walk is quicker
 * than the smallest. NaN when it was so each time. */
static bool stroll_for(struct lab *lab, struct hierarchy *hierarchy, int index, int round, bool grouped, double *time)
{
	struct walk walk = survey_walk(hierarchy, &hierarchy->points[index], round, grouped);
	double least = grouped ? 0 : TOO_QUICK * hierarchy->floor;

	*time = NAN;
	for (int i = 0; i < MOST_AGAIN || isnan(*time); i++) {
		struct stroll stroll = timing_walk(lab->timer, &walk, STEPS);

		if (timer_over(lab->timer))
			stroll.status = MACHINE_FAULT;
		if (stroll.status != MACHINE_RAN) {
			hierarchy->status = stroll.status;
			snprintf(hierarchy->why, sizeof(hierarchy->why), "%s",
				 stroll.why[0] ? stroll.why : "out of time");
			return false;
		}
		*time = stroll.ticks / lab->cycle;
		if (*time >= least)
			break;
	}
	lab->finding.samples += MACHINE_BURST;
	if (*time < least)
		*time = NAN;
	return true;
}

bool survey_look(struct lab *lab, struct hierarchy *hierarchy, int index, int round, struct look *look)
{
	look->grouped = NAN;
	return stroll_for(lab, hierarchy, index, round, false, &look->dense) &&
	       (hierarchy->points[index].bytes < GROUPED ||
		stroll_for(lab, hierarchy, index, round, true, &look->grouped));
}

/* What translation costs a step of a dense walk: a grouped one pays for it once in a group, and has an overhead of its
 * own. */
double survey_translated(const struct hierarchy *hierarchy, const struct look *look)
{
	double saved = look->dense - look->grouped - hierarchy->drawing;

	return saved > 0 ? saved * hierarchy->group / (hierarchy->group - 1.0) : 0;
}

/* Error of the mean where it is quiet. */
static double error_of(const struct lab *lab, const double *times, double mean, int rounds)
{
	double squares = 0;

	if (lab->timer->noise != NOISE_QUIET)
		return (stat_median(times, rounds) - stat_quantile(times, rounds, 0)) / 2;
	for (int i = 0; i < rounds; i++)
		squares += (times[i] - mean) * (times[i] - mean);
	return rounds < 2 ? 0 : sqrt(squares / (rounds - 1) / rounds);
}

void survey_conclude(struct lab *lab, struct hierarchy *hierarchy, int index, const struct look *looks, int rounds)
{
	struct curve_point *point = &hierarchy->points[index];
	double times[SURVEY_ROUNDS], costs[SURVEY_ROUNDS], mean = 0, least;

	for (int i = 0; i < rounds; i++) {
		costs[i] = survey_translated(hierarchy, &looks[i]);
		times[i] = looks[i].dense;
		mean += times[i] / rounds;
	}
	hierarchy->translation[index] = stat_median(costs, rounds);
	point->time = (lab->timer->noise == NOISE_QUIET ? mean : stat_quantile(times, rounds, QUICKER)) -
		      hierarchy->translation[index];
	least = ERROR_FLOOR * (point->time + hierarchy->translation[index]);
	point->error = fmax(least, error_of(lab, times, mean, rounds));
	if (isnan(point->time))
		point->time = point->error = hierarchy->floor;
	hierarchy->repeated += point->bytes >= SURVEY_FINE;
	hierarchy->wavering += point->bytes >= SURVEY_FINE && point->error > least;
}

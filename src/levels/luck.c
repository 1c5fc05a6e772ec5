/* SPDX-License-Identifier: MIT */
/*
 * luck.c - walks that compete with themselves here more and there less
 *
 * Where frames fall as chance will, so many of a walk's pages share sets in one place and so many in another. The law
 * is about the mean over all places, and what few of them show may look like one level more.
 */
#include <math.h>

#include "survey.h"

enum { LARGE_ROUNDS = 5 };

static const double LUCK = 0.004; /* of a time: an error of the mean that more places make less */
static const double SOONER = 0.5, LATER = 1.5; /* times the sizes that showed it: so few places may show none */
static const double ALIKE = 1.4; /* times: sizes that are as lucky */
static const double UNSEEN = 0.01; /* of a time: luck that none of so many places had weighs no more */
static const double ROUGH = 0.02,
		    LARGEST = 16 << 20; /* of a time; bytes: beyond, laying out takes longer than it tells */

static double mean_of(const struct look *looks, int rounds, double *error)
{
	double mean = 0, squares = 0;

	for (int i = 0; i < rounds; i++)
		mean += looks[i].dense / rounds;
	for (int i = 0; i < rounds; i++)
		squares += (looks[i].dense - mean) * (looks[i].dense - mean);
	*error = rounds < 2 ? 0 : sqrt(squares / (rounds - 1) / rounds);
	return mean;
}

static void note_luck(struct hierarchy *hierarchy, int first, struct look looks[][SURVEY_ROUNDS], int rounds)
{
	for (int i = first; i < hierarchy->count; i++) {
		double bytes = hierarchy->points[i].bytes, error, mean = mean_of(looks[i], rounds, &error);

		if (survey_in_a_row(hierarchy, i) || !(error > LUCK * mean))
			continue;
		hierarchy->lucky_from = hierarchy->lucky_to > 0 ? fmin(hierarchy->lucky_from, bytes) : bytes;
		hierarchy->lucky_to = fmax(hierarchy->lucky_to, bytes);
	}
}

static bool is_lucky(const struct hierarchy *hierarchy, double bytes)
{
	return bytes >= SOONER * hierarchy->lucky_from && bytes <= LATER * hierarchy->lucky_to;
}

/* All places of a size may be lucky, and none of them knows. */
static void share(struct hierarchy *hierarchy, int first)
{
	double squares[HIERARCHY_POINTS];

	for (int i = first; i < hierarchy->count; i++) {
		int alike = 0;

		squares[i] = 0;
		for (int j = first; j < hierarchy->count; j++)
			if (fabs(log(hierarchy->points[i].bytes / hierarchy->points[j].bytes)) < log(ALIKE)) {
				squares[i] += hierarchy->points[j].error * hierarchy->points[j].error;
				alike++;
			}
		squares[i] /= alike;
	}
	for (int i = first; i < hierarchy->count; i++) {
		struct curve_point *point = &hierarchy->points[i];
		bool differs = point->error > UNSEEN * point->time;

		if (is_lucky(hierarchy, point->bytes))
			point->error = fmax(point->error,
					    differs ? sqrt(squares[i]) : fmin(UNSEEN * point->time, sqrt(squares[i])));
	}
}

bool luck_conclude(struct lab *lab, struct hierarchy *hierarchy, int first, struct look looks[][SURVEY_ROUNDS],
		   int rounds)
{
	note_luck(hierarchy, first, looks, rounds);
	for (int i = first; i < hierarchy->count; i++) {
		int taken = rounds;

		while (taken < SURVEY_ROUNDS && !survey_in_a_row(hierarchy, i) &&
		       is_lucky(hierarchy, hierarchy->points[i].bytes))
			if (!survey_look(lab, hierarchy, i, taken, &looks[i][taken]))
				return false;
			else
				taken++;
		survey_conclude(lab, hierarchy, i, looks[i], taken);
	}
	share(hierarchy, first);
	return true;
}

/* A larger walk that is quicker: nothing but luck explains it. */
static bool is_rough(const struct hierarchy *hierarchy)
{
	const struct curve_point *points = hierarchy->points;

	for (int i = 0; i < hierarchy->count; i++)
		for (int j = 0; j < hierarchy->count; j++)
			if (points[i].bytes >= SURVEY_FINE && points[j].bytes > points[i].bytes &&
			    points[j].time < (1 - ROUGH) * points[i].time)
				return true;
	return false;
}

bool luck_elsewhere(struct lab *lab, struct hierarchy *hierarchy)
{
	int repeated = hierarchy->repeated, wavering = hierarchy->wavering;
	struct look looks[LARGE_ROUNDS];

	if (lab->timer->noise != NOISE_QUIET || lab->brief || !is_rough(hierarchy))
		return true;
	for (int i = 0; i < hierarchy->count; i++) {
		if (hierarchy->points[i].bytes < SURVEY_FINE || hierarchy->points[i].bytes > LARGEST)
			continue;
		for (int round = 0; round < LARGE_ROUNDS; round++)
			if (!survey_look(lab, hierarchy, i, round, &looks[round]))
				return false;
		survey_conclude(lab, hierarchy, i, looks, LARGE_ROUNDS);
		hierarchy->lucky_from = hierarchy->lucky_to > 0 ? hierarchy->lucky_from : SURVEY_FINE;
		hierarchy->lucky_to = fmax(hierarchy->lucky_to, hierarchy->points[i].bytes);
	}
	share(hierarchy, 0);
	/* Not time, but the place made these differ. */
	hierarchy->repeated = repeated;
	hierarchy->wavering = wavering;
	return true;
}

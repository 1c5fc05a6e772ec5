/* SPDX-License-Identifier: MIT */
/*
 * occupancy.c - sets that got more lines than they have ways hold so many; the others hold all they got
 *
 * Under exclusion a line that is hit leaves its set, and the room is empty until another falls out of the level above.
 * Each line is up there by itself with the same chance, so what is in the set would be spread binomially, and cannot be
 * more than the ways. Where lines of the set are in memory, too, those that fall out of the level above come as often
 * whatever the set holds, which is Erlang's queue. The truth lies between: it was computed for two to sixteen ways
 * from the chain of all states, and this is within a few hundredths of a line.
 */
#include <math.h>

#include "occupancy.h"

static const double NEVER = 1e-9;
static const double TOWARDS_ERLANG = 0.19;

static double mean_below(double ways, double start, double growth, double lines)
{
	double term = start, sum = 0, mean = 0;

	for (int j = 0; j <= ways; j++) {
		sum += term;
		mean += j * term;
		term *= growth * (isinf(lines) ? 1 : lines - j) / (j + 1);
	}
	return mean / sum;
}

static double held_exclusively(double ways, double lines, double elsewhere)
{
	double in_set = (1 - elsewhere) / elsewhere;
	double few = mean_below(ways, 1, in_set, lines);
	double many = mean_below(ways, 1, (1 - elsewhere) * lines, INFINITY);
	double weight = fmin(0.8, TOWARDS_ERLANG * sqrt(lines - ways));

	return few - weight * (few - many) + elsewhere * lines;
}

static double held_of(double ways, double lines, enum occupancy_above above, double elsewhere)
{
	if (lines <= ways)
		return lines;
	if (above == ABOVE_COPIED || elsewhere <= 0)
		return ways;
	if (elsewhere >= 1)
		return lines;
	if (above == ABOVE_VICTIM)
		return ways + elsewhere * (lines - ways);
	return held_exclusively(ways, lines, elsewhere);
}

double occupancy_held(double ways, double mean, double among, enum occupancy_above above, double elsewhere)
{
	double chance = mean / among, probability, held = 0, sum = 0;

	if (!(mean > 0))
		return 1;
	if (chance >= 1 || mean > 600)
		return held_of(ways, mean, above, elsewhere) / mean;
	probability = isinf(among) ? exp(-mean) : pow(1 - chance, among);
	for (int k = 0; k <= among && (k < mean || probability > NEVER); k++) {
		held += probability * held_of(ways, k, above, elsewhere);
		sum += probability;
		probability *= isinf(among) ? mean / (k + 1) : fmax(0, among - k) / (k + 1) * chance / (1 - chance);
	}
	return fmin(1, held / sum / mean);
}

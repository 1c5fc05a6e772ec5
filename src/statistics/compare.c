/* SPDX-License-Identifier: MIT */
/*
 * compare.c - how two sets of samples differ, and when enough has been seen to say so
 *
 * shift        Hodges and Lehmann, Estimates of location based on rank tests, 1963: the median of all pairwise
 *              differences; its interval from the distribution of Mann and Whitney's U (On a test of whether one of
 *              two random variables is stochastically larger than the other, 1947), counted as Harding does
 *              (An efficient, compact procedure for calculating the Mann-Whitney U distribution, 1984)
 * sprt         Wald, Sequential tests of statistical hypotheses, 1945
 * paired logs  ratios of neighbours in time: a drift that slows both cancels, and a shift reads as a fraction
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static const double TAIL = 0.025; /* either side of the 95 % interval */
static const double TAIL_SIGMAS = 1.959964; /* the same, for the normal distribution */
static const double EXACT_WORK = 1e6; /* some ms; beyond, the normal approximation is within 1 rank in 1000 */

/* Each factor (1 - x^(na + i)) / (1 - x^i) of the Gaussian binomial lets one more sample into b; scaled to stay a
 * probability. Only the lower half is wanted, and no coefficient depends on a higher one. */
static int exact_rank(int na, int nb)
{
	int top = na * nb / 2, k = 0;
	double *chance = stat_scratch((size_t)top + 1, sizeof *chance);
	double below;

	chance[0] = 1;
	for (int i = 1; i <= nb; i++) {
		for (int u = top; u >= na + i; u--)
			chance[u] -= chance[u - na - i];
		for (int u = i; u <= top; u++)
			chance[u] += chance[u - i];
		for (int u = 0; u <= top; u++)
			chance[u] *= (double)i / (na + i);
	}
	below = chance[0];
	while (k < top && below <= TAIL)
		below += chance[++k];
	free(chance);
	return k;
}

/* Largest k with P(U < k) <= TAIL when a and b do not differ; 0 when not even k = 1 does. */
static int mann_whitney_rank(int na, int nb)
{
	int larger = na > nb ? na : nb, smaller = na > nb ? nb : na;
	double pairs = (double)na * nb;

	if (smaller * pairs <= EXACT_WORK)
		return exact_rank(larger, smaller);
	return (int)fmax(0, floor(pairs / 2 + 0.5 - TAIL_SIGMAS * sqrt(pairs * (na + nb + 1.0) / 12)));
}

static struct stat_shift shift_of(const double *differences, int count, int rank)
{
	struct stat_shift shift = { NAN, NAN, NAN };
	int kept;
	double *sorted = stat_sorted_copy(differences, count, &kept);

	if (kept) {
		int k = rank < (kept + 1) / 2 ? rank : (kept + 1) / 2;

		shift.value = stat_median(sorted, kept);
		shift.low = sorted[k ? k - 1 : 0];
		shift.high = sorted[k ? kept - k : kept - 1];
	}
	free(sorted);
	return shift;
}

struct stat_shift stat_shift(const double *a, int na, const double *b, int nb)
{
	struct stat_shift shift;
	double *from = stat_sorted_copy(a, na, &na), *to = stat_sorted_copy(b, nb, &nb);
	double *differences = stat_scratch((size_t)na * (size_t)nb, sizeof *differences);

	for (int i = 0; i < na; i++)
		for (int j = 0; j < nb; j++)
			differences[i * nb + j] = to[j] - from[i];
	shift = shift_of(differences, na * nb, mann_whitney_rank(na, nb));
	free(differences);
	free(to);
	free(from);
	return shift;
}

struct stat_sprt stat_sprt_start(double p0, double p1, double alpha, double beta)
{
	bool sane = p0 > 0 && p1 > p0 && p1 < 1 && alpha > 0 && beta > 0 && alpha + beta < 1;

	if (!sane)
		return (struct stat_sprt){ .yes = INFINITY, .no = -INFINITY };
	return (struct stat_sprt){
		.win = log(p1 / p0),
		.loss = log((1 - p1) / (1 - p0)),
		.yes = log((1 - beta) / alpha),
		.no = log(beta / (1 - alpha)),
	};
}

enum stat_verdict stat_sprt_add(struct stat_sprt *test, bool win)
{
	static const double rounding = 1e-9; /* a sum that meets its bound exactly decides */
	double sum;

	if (test->verdict != STAT_UNDECIDED)
		return test->verdict;
	if (win)
		test->wins++;
	else
		test->losses++;

	sum = test->wins * test->win + test->losses * test->loss;
	if (sum >= test->yes - rounding)
		test->verdict = STAT_YES;
	else if (sum <= test->no + rounding)
		test->verdict = STAT_NO;
	return test->verdict;
}

static bool usable(double time)
{
	return time > 0 && isfinite(time);
}

void stat_paired_logs(const double *a, const double *b, int n, double *out)
{
	for (int i = 0; i < n; i++)
		out[i] = usable(a[i]) && usable(b[i]) ? log(b[i] / a[i]) : NAN;
}

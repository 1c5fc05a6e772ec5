/* SPDX-License-Identifier: MIT */
/*
 * ways.c - tries every number of ways with every size that goes with it
 */
#include <math.h>
#include <stdbool.h>

#include "occupancy.h"
#include "ways.h"

enum { MOST_ODD = 15, MOST_SIGHTS = 32 };

static const double next_ways[] = { 1, 2, 3, 4, 6, 8, 12, 16, 32, 100 };
enum { NEXT = sizeof(next_ways) / sizeof(next_ways[0]) };

static const double STEP_OFF = 0.04; /* of what a miss costs */
static const double NEAR = 0.1; /* of the reach: sizes that are tried */
static const double ABOVE_OFF = 0.02; /* of what a miss costs, for what of the lines is in the level above */
static const double SOFT = 6; /* ways of levels above, unless known: their bends are far off */
static const double DISTINCT = 20; /* squares of errors between a number of ways and the next best */
/* Most of an error is what translation may be off by, in all sights alike: a number of ways that leaves much less than
 * that is the better for it. Of 132 levels of random memories no range beyond the nearest level's missed the truth with
 * this, and one did with 0.2; in 35 memories more two missed by one way. */
static const double LEAST_SCALE = 0.3;

/* A level of such ways and size. */
struct guess {
	double ways, size;
	enum occupancy_above above;
	bool in_a_row; /* the frames, and so many lines of each set are scattered; else it is as many as chance will */
	bool large; /* the pages */
};

/* Share of the lines that the level above holds. */
static double elsewhere(const struct ways_question *question, double bytes)
{
	return question->depth ? fmin(1, question->levels[question->depth - 1].reach / bytes) : 0;
}

static double missed(const struct ways_question *question, const struct guess *guess, double bytes)
{
	double mean = guess->ways * bytes / guess->size;
	double among = guess->in_a_row ? guess->ways * question->spread / guess->size : INFINITY;

	return 1 - occupancy_held(guess->ways, mean, among, guess->above, elsewhere(question, bytes));
}

static double added_by(const struct ways_question *question, const struct guess *guess, int level, double ways,
		       double bytes)
{
	const struct ways_level *of = &question->levels[level];
	struct guess other = { .ways = ways, .size = of->reach, .in_a_row = guess->in_a_row };

	return of->step * missed(question, &other, bytes);
}

struct fitted {
	double missed[MOST_SIGHTS], left[MOST_SIGHTS]; /* by the level; what it has to explain */
	double error[MOST_SIGHTS];
};

/* Which of the lines that the level above holds have a copy here is not quite what any simple rule says. */
static double error_of(const struct ways_question *question, const struct ways_sight *sight)
{
	return hypot(sight->error,
		     ABOVE_OFF * question->levels[question->depth].step * elsewhere(question, sight->bytes));
}

/* The sum of squares, with what a miss costs and the time of a hit as free as they are uncertain. */
static double solve(const struct ways_question *question, const struct guess *guess, const struct fitted *fitted)
{
	double step = question->levels[question->depth].step, step_off = STEP_OFF * step;
	double off = 0.3 + 0.01 * question->latency + (guess->large ? 0.3 : 0.1) * question->sights[0].translation[1];
	double aa = 1 / (step_off * step_off), cc = 1 / (off * off), ac = 0, a = step * aa, c = 0, sum;

	for (int i = 0; i < question->count; i++) {
		double weight = 1 / (fitted->error[i] * fitted->error[i]);

		aa += weight * fitted->missed[i] * fitted->missed[i];
		ac += weight * fitted->missed[i];
		cc += weight;
		a += weight * fitted->missed[i] * fitted->left[i];
		c += weight * fitted->left[i];
	}

	double det = aa * cc - ac * ac, scale = (a * cc - c * ac) / det, constant = (c * aa - a * ac) / det;

	sum = (scale - step) * (scale - step) / (step_off * step_off) + constant * constant / (off * off);
	for (int i = 0; i < question->count; i++) {
		double off_by = (fitted->left[i] - scale * fitted->missed[i] - constant) / fitted->error[i];

		sum += off_by * off_by;
	}
	return sum;
}

static double squares_of(const struct ways_question *question, const struct guess *guess)
{
	double best = INFINITY, rest[MOST_SIGHTS];
	struct fitted fitted;
	int beyond = question->depth + 1;

	for (int i = 0; i < question->count; i++) {
		const struct ways_sight *sight = &question->sights[i];

		fitted.error[i] = error_of(question, sight);
		fitted.missed[i] = missed(question, guess, sight->bytes);
		rest[i] = sight->time - sight->translation[guess->large];
		for (int j = 0; j < question->depth; j++)
			rest[i] -= added_by(question, guess, j,
					    question->levels[j].ways ? question->levels[j].ways : SOFT, sight->bytes);
	}
	for (int j = 0; j < NEXT; j++) {
		for (int i = 0; i < question->count; i++)
			fitted.left[i] = rest[i] - (beyond < question->level_count
							    ? added_by(question, guess, beyond, next_ways[j],
								       question->sights[i].bytes)
							    : 0);
		best = fmin(best, solve(question, guess, &fitted));
		if (beyond >= question->level_count)
			break;
	}
	return best;
}

/* Errors of the reach between what such a size would show and what was seen. Levels that hold other lines than the one
 * above show something up to the sum of both. */
static double off_reach(const struct ways_question *question, const struct guess *guess)
{
	double reach = question->levels[question->depth].reach, far = log(guess->size / reach), most;

	if (guess->above == ABOVE_COPIED)
		return far / question->reach_off;
	most = guess->size + question->levels[question->depth - 1].reach;
	return fmax(0, fmax(far, log(reach / most)) / question->reach_off);
}

/* What was tried: a number of ways with a size, and what it leaves. */
struct trial {
	struct ways_answer *answer;
	double least; /* of all so far */
	double enough; /* those that leave less count for the range of sizes */
};

static void weigh(struct trial *trial, const struct guess *guess, double sum)
{
	struct ways_answer *answer = trial->answer;

	answer->squares[(int)guess->ways] = fmin(answer->squares[(int)guess->ways], sum);
	if (sum < trial->least) {
		trial->least = sum;
		answer->ways = guess->ways;
		answer->size = answer->size_low = answer->size_high = guess->size;
	}
	if (sum < trial->enough) {
		answer->size_low = fmin(answer->size_low, guess->size);
		answer->size_high = fmax(answer->size_high, guess->size);
	}
}

/* Odd numbers of sets are rare, and so are numbers of ways that are no product of small ones: nobody builds them
 * without need. In squares of errors. */
static double rarity(int odd, int ways)
{
	static const int small[] = { 2, 3, 5, 7, 11 };

	for (int i = 0; i < 5; i++)
		while (ways % small[i] == 0)
			ways /= small[i];
	return (odd > 7 ? 5 : odd > 1 ? 3 : 0) + (ways > 1 ? 6 : 0);
}

/* All sizes that sets of so many ways come in, near what the reach leaves. */
static void try_sizes(const struct ways_question *question, struct guess guess, struct trial *trial)
{
	double reach = question->levels[question->depth].reach;
	double least = guess.above == ABOVE_COPIED ? reach : reach - question->levels[question->depth - 1].reach;

	for (int odd = 1; odd <= MOST_ODD; odd += 2) {
		double unit = guess.ways * odd;

		for (int power = (int)ceil(log2(least * (1 - NEAR) / unit)); ldexp(unit, power) <= reach * (1 + NEAR);
		     power++) {
			guess.size = ldexp(unit, power);

			double off = off_reach(question, &guess);

			weigh(trial, &guess, squares_of(question, &guess) + off * off + rarity(odd, (int)guess.ways));
		}
	}
}

static void try_ways(const struct ways_question *question, int ways, struct trial *trial)
{
	int kinds = question->depth ? 3 : 1;

	for (int kind = 0; kind < 4 * kinds; kind++) {
		struct guess guess = {
			.ways = ways, .above = (enum occupancy_above)(kind / 4), .in_a_row = kind & 1, .large = kind & 2
		};

		try_sizes(question, guess, trial);
	}
}

struct ways_answer ways_decide(const struct ways_question *question)
{
	struct ways_answer answer = { .ways = 0 };
	struct trial trial = { &answer, INFINITY, -INFINITY };
	double scale;

	for (int ways = 1; ways <= WAYS_MOST; ways++)
		answer.squares[ways] = INFINITY;
	for (int ways = 1; ways <= WAYS_MOST; ways++)
		try_ways(question, ways, &trial);
	answer.unexplained = trial.least / question->count;
	if (!(answer.unexplained <= WAYS_UNEXPLAINED)) {
		answer.ways = 0;
		return answer;
	}
	trial.enough = trial.least + DISTINCT * fmax(1, answer.unexplained);
	try_ways(question, (int)answer.ways, &trial);
	scale = fmax(question->depth ? LEAST_SCALE : 1, answer.unexplained);
	answer.low = answer.high = answer.ways;
	for (int ways = 1; ways <= WAYS_MOST; ways++)
		if (answer.squares[ways] < trial.least + DISTINCT * scale) {
			answer.low = fmin(answer.low, ways);
			answer.high = fmax(answer.high, ways);
		}
	/* As many as were tried may be any number more. */
	if (answer.high >= WAYS_MOST)
		answer.ways = 0;
	return answer;
}

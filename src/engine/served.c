/* SPDX-License-Identifier: MIT */
/*
 * served.c - what a level holds, when others make the levels behind it slow now and then
 *
 * Neighbours take room in a shared cache, and references that it would have served go to memory, more of them the more
 * memory a walk covers: the law's cost of a miss is then none. But a sample of two references shows whether one of them
 * went to memory. Without those, a miss costs what the next level takes, at any time. The share q of references that
 * went further is known as well, and of N bytes the two levels serve N (1 - q), which the law then sees as its N.
 *
 * Places lie in as many chunks in every walk, each in pages of its own and longer or shorter, so that translation costs
 * the same in all of them and takes no part.
 */
#include <math.h>

#include "engine.h"
#include "../curve/terms.h"

enum {
	STEPS = 2,
	CALLS = 60,
	ROUNDS = 10,
	RUSH = 1024,
	LONGEST_CHUNK = 64,
	GUESSED_CHUNK = 16,
	PAGE = 4096,
	TRIES = 3,
	TIMES = 3
};

static const int chunks[] = { 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 40, 48, LONGEST_CHUNK };

enum { POINTS = sizeof(chunks) / sizeof(chunks[0]) };

static const double LONG = 0.7; /* of what memory costs more: a sample with one such reference takes longer */
static const double MOST_LOST = 0.3; /* of the references */
static const double ERROR_FLOOR = 0.006, LEAST_TERM = 0.2;
static const double BEYOND = 1.5; /* times the least, and to the most covered, or its end is not seen */
static const double NEAR = 0.4, SMALLER = 1.6; /* logarithm; times */
static const double FITS = 10; /* mean square of what the law leaves, in errors */
static const double NEXT = 0.3; /* of what memory costs more: two such references are told from one to memory */

struct visit {
	double cycles, lost; /* a step, of what did not go to memory; the share that did */
};

/* *usual, ns: what a sample takes that the level serves; NaN: as this walk has it, being small. */
static bool visit(struct lab *lab, const struct walk *walk, double memory, double *usual, struct visit *visit)
{
	struct machine *machine = lab->timer->machine;
	double samples[CALLS * MACHINE_BURST], before = timing_tick(lab->timer), after, sum = 0;
	struct reading reading;
	int n = 0, kept = 0;

	for (int i = 0; i < CALLS; i++) {
		if (machine->ops->walk(machine, walk, STEPS, MACHINE_BURST, &reading) != MACHINE_RAN)
			return false;
		for (int j = 0; j < MACHINE_BURST; j++)
			samples[n++] = reading.ns[j] - lab->timer->cost;
	}
	after = timing_tick(lab->timer);
	if (isnan(*usual))
		*usual = stat_quantile(samples, n, 0.5);
	for (int i = 0; i < n; i++)
		if (samples[i] < *usual + LONG * memory) {
			sum += samples[i];
			kept++;
		}
	lab->finding.samples += n;
	visit->cycles = sum / kept / STEPS / ((before + after) / 2 * lab->cycle);
	visit->lost = 1 - pow((double)kept / n, 1.0 / STEPS);
	return true;
}

static struct walk walk_of(double guess, double line, int chunk, int round)
{
	struct walk walk = { .order = WALK_RANDOM, .pages = WALK_HUGE_PAGES, .rush = RUSH };
	/* Between chunks lies a page, and a chunk's own length an odd number of times: they fill all sets alike. */
	double apart = 2 * ceil(PAGE / (chunk * line) / 2) + 1;

	walk.grid.count[0] = (long)fmax(1, guess / (GUESSED_CHUNK * line));
	walk.grid.count[1] = chunk;
	walk.grid.stride[0] = (uint64_t)(apart * chunk * line);
	walk.grid.stride[1] = (uint64_t)line;
	/* Each round lies elsewhere: frames fall as chance will, and the law is about the mean. */
	walk.grid.base = (uint64_t)round * PAGE * (uint64_t)walk.grid.count[0] / 2;
	return walk;
}

static int rounds_of(const struct lab *lab)
{
	return lab->brief ? ROUNDS / 2 : ROUNDS;
}

static bool take_visits(struct lab *lab, const struct serving *level, struct visit visits[POINTS][ROUNDS])
{
	for (int round = 0; round < rounds_of(lab); round++) {
		double usual = NAN;

		for (int i = 0; i < POINTS; i++) {
			struct walk walk = walk_of(level->guess, level->line, chunks[i], round);

			if (walk_extent(&walk) > lab->timer->machine->memory || timer_over(lab->timer) ||
			    !visit(lab, &walk, level->memory_ns, &usual, &visits[i][round]))
				return false;
		}
	}
	return true;
}

/* Of the rounds that lost the fewer references the quickest: whatever else others do takes room away, or time. */
static bool point_of(const struct serving *level, int index, const struct visit *visits, int rounds,
		     struct curve_point *point)
{
	struct walk walk = walk_of(level->guess, level->line, chunks[index], 0);
	double cycles[ROUNDS], lost[ROUNDS], bytes = (double)walk_length(&walk) * level->line;
	struct visit best = { INFINITY, 1 };

	for (int round = 0; round < rounds; round++) {
		cycles[round] = visits[round].cycles;
		lost[round] = visits[round].lost;
	}
	for (int round = 0; round < rounds; round++)
		if (lost[round] <= stat_median(lost, rounds) && cycles[round] < best.cycles)
			best = visits[round];
	/* What the level above serves is quicker, and the less of it the more is covered. */
	point->bytes = bytes * (1 - best.lost);
	point->time = best.cycles + level->above_step * fmin(1, level->above_reach / bytes);
	point->error = fmax(ERROR_FLOOR * best.cycles, (stat_median(cycles, rounds) - best.cycles) / 2);
	return best.lost <= MOST_LOST && isfinite(point->time);
}

/* Then two references to the next level are taken for one to memory, and what is left looks like a nearer one. */
static bool is_like_memory(const struct serving *level, const struct served *served)
{
	return served->step * level->cycle > NEXT * level->memory_ns;
}

static struct served served_about(struct lab *lab, const struct serving *level)
{
	struct visit visits[POINTS][ROUNDS];
	struct curve_point points[POINTS];
	struct served served = { .found = false };
	struct terms terms;
	double least = INFINITY, most = 0;
	int count = 0;

	if (!take_visits(lab, level, visits))
		return served;
	for (int i = 0; i < POINTS; i++)
		if (point_of(level, i, visits[i], rounds_of(lab), &points[count])) {
			lab_note(lab, "cycles of what did not go to memory, by bytes", points[count].bytes,
				 points[count].time, "");
			least = fmin(least, points[count].bytes);
			most = fmax(most, points[count].bytes);
			count++;
		}
	if (count < POINTS / 2)
		return served;
	terms = terms_fit(points, count, level->latency, LEAST_TERM, 1);
	served.step = terms.count == 1 ? terms.term[0].height : 0;
	if (terms.count != 1 || terms.misfit > FITS || is_like_memory(level, &served) ||
	    BEYOND * terms.term[0].reach > most || terms.term[0].reach < BEYOND * least)
		return served;
	served = (struct served){ true, terms.term[0].reach, 0, 0, terms.term[0].height, terms.term[0].shape };
	terms_range(points, count, &terms, 0, &served.low, &served.high);
	lab_note(lab, "cache of so many cycles, without what went to memory", served.reach, served.step, "");
	return served;
}

struct served engine_served(struct lab *lab, const struct serving *level)
{
	struct serving guessed = *level;
	struct served served = { .found = false };
	bool near = false;

	/* A guess far off leaves few walks on one side of the end; more often it is too large, two levels being one. */
	for (int i = 0; i < TRIES && !near && !timer_over(lab->timer); i++) {
		served = served_about(lab, &guessed);
		if (is_like_memory(level, &served))
			return served;
		near = served.found && fabs(log(served.reach / guessed.guess)) < NEAR;
		guessed.guess = served.found ? served.reach : guessed.guess / SMALLER;
	}
	/* Others only ever take room away: of several times the one with the most is nearest to the truth. */
	for (int i = 1; i < TIMES && near && !lab->brief && !timer_over(lab->timer); i++) {
		struct served again = served_about(lab, &guessed);
		struct served *more = again.reach > served.reach ? &again : &served;

		if (!again.found || fabs(log(again.reach / served.reach)) > NEAR)
			continue;
		more->low = fmin(again.low, served.low);
		more->high = fmax(again.high, served.high);
		served = *more;
	}
	return served;
}

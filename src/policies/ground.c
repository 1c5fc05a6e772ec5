/* SPDX-License-Identifier: MIT */
/*
 * ground.c - the misses of a sequence of references to one set, from what a walk takes
 *
 * A walk goes round places of which none comes twice, and a line has several words: a sequence that comes back to a
 * line finds another word of it. The same sequence is walked in several sets at once, one reference in each of them and
 * then the next: so the clock's grain, and what one miss does to the next, hardly count. Beside it comes a control of
 * as many references to the same words of as many lines, spread over more sets, so that all of them hit. Below the
 * nearest level the sets share one of the level above, which holds too few of their lines to hide any reference.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ground.h"

enum {
	LAPS = 32, /* before the first is timed */
	LOOKS = 2,
	NOISY_LOOKS = 5,
	MOST_TRIES = 15,
	WORD = 8,
	MOST_PLACES = SEQUENCE_MOST * GROUND_SETS
};

static const double CROWDED = 1.5, AMPLY = 3; /* times what the level above holds */
static const double MOST_GAP = 0.75; /* of the ways: more leaves hardly a choice of sequences */
/* Of its sets a control fills so much: a tree whose ways are all wanted may go on throwing out one of them for another,
 * and leave others' lines alone. */
static const double FILLED = 2.0 / 3;
enum { SPARE = 2 }; /* lines more than ways that sequences must have all the same */
static const double MISSES = 0.35; /* of a step: so much more than a hit is none */
static const double ONE_EACH = 1.25; /* times one miss of each line */
static const double STRIDES = 2; /* times what random references wait */
static const double SURELY = 1.5; /* times the sets that empty a buffer, which may hold a line more than was counted */
static const double WAVERS = 0.3; /* misses: looks that differ by less need no third */

/* Sets of the nearest level, as far from one another as they can be. What a buffer keeps of one of them is gone when
 * all have lost a line each, and they are more than it holds. */
static bool nearest_sets(struct ground *ground, const struct conflicts *conflicts, double line)
{
	double all = floor(conflicts->way / line), enough = conflicts->buffer > 0 ? conflicts->buffer_high + 1 : 1,
	       sets = fmin(fmax(GROUND_AT_ONCE, ceil(SURELY * enough)), floor(all / 3));

	if (sets < enough || sets > GROUND_SETS) {
		snprintf(ground->why, sizeof(ground->why),
			 sets < 1 ? "the level has too few sets: no control can lie beside them"
				  : "a buffer behind the level keeps what so few sets lose");
		return false;
	}
	ground->sets = (long)sets;
	ground->aside = (uint64_t)line;
	ground->elsewhere = (uint64_t)(floor(all / sets) - 1);
	ground->first = 1;
	for (long i = 0; i < ground->sets; i++)
		ground->set[i] = (uint64_t)(i * floor(all / sets)) * (uint64_t)line;
	return true;
}

/* References to others that must come between two to one line, with so many columns, until the level above has lost it.
 */
static double gap_of(double columns, const struct conflicts *above)
{
	return columns < 1 ? INFINITY : fmax(0, ceil((CROWDED * above->held + 1) / columns) - 1);
}

/* Columns that share a set of the level above: one part of them for the sequence, others, one more where there are
 * enough, for the control. */
static bool further_sets(struct ground *ground, const struct conflicts *conflicts, const struct conflicts *above)
{
	double all = floor(conflicts->way / above->way), ways = ground->material.ways, columns, rows;

	ground->elsewhere = gap_of(floor(all / GROUND_LINES), above) <= ways / 4 ? GROUND_LINES : 2;
	columns = floor(all / (double)ground->elsewhere);
	columns = fmin(columns, fmin(ceil(AMPLY * above->held), GROUND_SETS));
	if (gap_of(columns, above) > MOST_GAP * ways) {
		snprintf(ground->why, sizeof(ground->why), "the level above cannot be kept from hiding references");
		return false;
	}
	ground->material.gap = (int)gap_of(columns, above);
	rows = columns < GROUND_AT_ONCE && above->way >= GROUND_AT_ONCE * PLACE ? ceil(GROUND_AT_ONCE / columns) : 1;
	ground->sets = 0;
	for (int row = 0; row < (int)rows; row++)
		for (int column = 0; column < (int)columns; column++)
			ground->set[ground->sets++] = (uint64_t)row * (uint64_t)(above->way / GROUND_AT_ONCE) +
						      (uint64_t)column * (uint64_t)above->way;
	ground->aside = (uint64_t)(columns * above->way);
	return true;
}

/* No prefetcher knows what comes. */
static void shuffle_sets(struct ground *ground)
{
	long order[GROUND_SETS];
	uint64_t kept[GROUND_SETS];

	walk_shuffle(order, ground->sets);
	for (long i = 0; i < ground->sets; i++)
		kept[i] = ground->set[i];
	for (long i = 0; i < ground->sets; i++)
		ground->set[i] = kept[order[i]];
}

/* Places of a sequence in all sets; with `aside` lines take turns in sets beside them. */
static long lay_out(const struct ground *ground, const struct sequence *sequence, bool aside, uint64_t *places)
{
	int visits[RULE_LINES] = { 0 };
	long n = 0;

	for (int i = 0; i < sequence->length; i++) {
		int line = sequence->line[i], word = visits[line]++;
		uint64_t place = (uint64_t)line * (uint64_t)ground->apart + (uint64_t)word * WORD;

		if (aside)
			place += (ground->first + (uint64_t)line % ground->elsewhere) * ground->aside;
		for (long set = 0; set < ground->sets; set++)
			places[n++] = place + ground->set[set];
	}
	return n;
}

static double look(struct ground *ground, uint64_t *places, long count)
{
	struct walk walk = {
		.order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count, .laps = LAPS
	};

	return engine_walk_round(ground->lab, &walk, 1);
}

/* By turns; the middle of the differences, and how far they lie apart. */
static bool compare(struct ground *ground, uint64_t *places[2], long count, double *more, double *spread, double *hit)
{
	int looks = ground->lab->timer->noise == NOISE_QUIET ? LOOKS : NOISY_LOOKS;
	double differences[NOISY_LOOKS];
	int n = 0;

	*hit = INFINITY;
	/* Now and then a look is lost to noise. */
	for (int tries = 0; n < looks; tries++) {
		double first = look(ground, places[n % 2], count), second = look(ground, places[1 - n % 2], count);
		double all_hit = n % 2 ? first : second;

		if (tries == MOST_TRIES || timer_over(ground->lab->timer))
			return false;
		if (isnan(first) || isnan(second))
			continue;
		*hit = fmin(*hit, all_hit);
		differences[n++] = first + second - 2 * all_hit;
		if (n == LOOKS && fabs(differences[0] - differences[1]) * (double)count >
					  WAVERS * ground->step * (double)ground->sets)
			looks = NOISY_LOOKS;
	}
	*more = stat_quantile(differences, n, 0.5);
	*spread = (stat_quantile(differences, n, 0.75) - stat_quantile(differences, n, 0.25)) / 2;
	return true;
}

/* Cycles that a reference may have to wait for its page: strides crowd the sets of a TLB, too. */
static double translation(const struct ground *ground, const struct sequence *sequence)
{
	const struct hierarchy *hierarchy = ground->lab->hierarchy;
	double pages =
		fmin((double)sequence->lines * (double)ground->sets, sequence->lines * ground->apart / hierarchy->page);

	return STRIDES * hierarchy_translation(hierarchy, pages * hierarchy->page);
}

static bool count_lines(struct ground *ground, const struct sequence *sequence, double *missed, double *error)
{
	uint64_t *places = malloc(2 * MOST_PLACES * sizeof(*places)), *both[2] = { places, places + MOST_PLACES };
	double more = NAN, spread = NAN, hit = INFINITY, per_lap = sequence->length / ground->step;
	bool ran = false;

	if (places) {
		long count = lay_out(ground, sequence, false, both[0]);

		lay_out(ground, sequence, true, both[1]);
		ran = compare(ground, both, count, &more, &spread, &hit);
	}
	free(places);
	*missed = more * per_lap;
	*error = spread * per_lap;
	if (!ran)
		snprintf(ground->why, sizeof(ground->why), "the walks could not be taken");
	else if (hit > ground->hit + translation(ground, sequence) + MISSES * ground->step)
		snprintf(ground->why, sizeof(ground->why), "references that ought to hit take %.1f cycles, not %.1f",
			 hit, ground->hit);
	else
		return true;
	return false;
}

bool ground_count(struct ground *ground, const struct sequence *sequence, double *missed, double *error)
{
	return ground->paging ? ground_count_pages(ground, sequence, missed, error)
			      : count_lines(ground, sequence, missed, error);
}

/* Lines by turns, each so many times in a row; where the level above is crowded out by others, a few of them are. */
static void in_a_row(struct sequence *sequence, const struct material *material, int visits)
{
	int group = material->gap + 1, lines = 2 * material->ways / group * group;

	*sequence = (struct sequence){ .lines = lines };
	for (int first = 0; first < lines; first += group)
		for (int i = 0; i < visits * group && sequence->length < SEQUENCE_MOST; i++)
			sequence->line[sequence->length++] = (uint8_t)(first + i % group);
}

/* What is in one line with its first word comes with it: a second reference misses no more. So many words do. */
static int words_of_a_line(struct ground *ground)
{
	struct sequence sequence;
	double once, often, error;

	in_a_row(&sequence, &ground->material, 1);
	if (!ground_count(ground, &sequence, &once, &error))
		return 0;
	for (int visits = GROUND_VISITS; visits > 1; visits /= 2) {
		in_a_row(&sequence, &ground->material, visits);
		if (sequence.length == SEQUENCE_MOST)
			continue;
		if (!ground_count(ground, &sequence, &often, &error))
			return 0;
		lab_note(ground->lab, "misses in a lap, by references to a line in a row", visits, often, "");
		if (often < ONE_EACH * fmax(once, sequence.lines))
			return visits;
	}
	/* Or a new line goes before it is referred to again. */
	if (ground->lab->hierarchy->line >= 2 * WORD)
		return (int)fmin(GROUND_VISITS, ground->lab->hierarchy->line / WORD);
	snprintf(ground->why, sizeof(ground->why), "two words of a line do not come together");
	return 0;
}

bool ground_open(struct ground *ground, struct lab *lab, int depth)
{
	const struct hierarchy *hierarchy = lab->hierarchy;
	const struct level *level = &hierarchy->level[depth];
	const struct conflicts *conflicts = engine_conflicts(lab, depth);

	*ground = (struct ground){ .lab = lab, .material = { .ways = (int)conflicts->ways } };
	if (!conflicts->found) {
		snprintf(ground->why, sizeof(ground->why), "%s", conflicts->why);
		return false;
	}
	if (conflicts->ways > GROUND_WAYS) {
		snprintf(ground->why, sizeof(ground->why), "%.0f ways are more than sequences are made for",
			 conflicts->ways);
		return false;
	}
	if (depth && (conflicts->exclusive || !level[-1].conflicts.found)) {
		snprintf(ground->why, sizeof(ground->why), "%s",
			 conflicts->exclusive ? "it holds what the level above lost, in that one's order"
					      : "the sets of the level above are not known");
		return false;
	}
	ground->apart = conflicts->way;
	ground->step = hierarchy_step(hierarchy, depth);
	ground->hit = depth ? level->latency : hierarchy->chase;
	if (depth ? !further_sets(ground, conflicts, &level[-1].conflicts)
		  : !nearest_sets(ground, conflicts, fmax(PLACE, hierarchy->line)))
		return false;
	shuffle_sets(ground);
	/* The control's sets must hold them all. */
	ground->material.lines = (int)fmin(
		fmax(FILLED * ground->material.ways * (double)ground->elsewhere, ground->material.ways + SPARE),
		GROUND_LINES * ground->material.ways);
	ground->material.visits = 1;
	ground->material.visits = words_of_a_line(ground);
	return ground->material.visits > 0;
}

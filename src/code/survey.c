/* SPDX-License-Identifier: MIT */
/*
 * survey.c - the caches that hold code, by jumps into more and more of it
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "strides.h"

enum { PER_OCTAVE = 7, BRIEF_PER_OCTAVE = 5, FEWEST = 32 };

static const double MOST = 1 << 25, BRIEF_MOST = 1 << 19; /* bytes of code */
static const double MEMORY = 0.125; /* of what may be used */
static const double LEAST[] = { [NOISE_QUIET] = 0.04, [NOISE_NOISY] = 0.08, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double ONE = 1.3, FURTHER_ONE = 1.6; /* times: terms nearer than this are one cache; of further ones */
static const double SMEARED =
	3.2; /* the same of further ones, where frames may be in no order: few ways fill little by little; and of the
		nearest in scattered blocks, where what is in front bends it, too */
static const double LAW[] = { [NOISE_QUIET] = 0.02, [NOISE_NOISY] = 0.03, [NOISE_HOSTILE] = 0.1 };
static const double FURTHER = 0.3; /* more, of a cache that others use, too, or whose frames lie as chance will */
static const double AROUND = 3.5; /* times a reach: what lies further out has irregularities of its own */
static const double BEFORE = 1.5; /* times: so far points before the next one tell of a reach */
static const double SOFT = 12, SOFT_BEHIND = 4, SOFT_OFF = 3.5; /* lines of a set, as terms.h has them; times */
static const double EARLY = 1.5, BEND_ENDS = 2.1; /* times */
/* Of what is left where the first term stays: more is no whole term that moves, the others staying. Frames may do that.
 */
static const double CLEAN = 0.5;
static const double FLAT = 0.02, BEND = 1.06; /* of a miss; times */
static const double HARM = 0.05; /* of a time: a twin that is slower than its walk by so much suffers from sharing */

static void add_levels(struct lab *lab, struct coding *coding, int first)
{
	const struct terms *terms = &coding->terms;

	for (int i = first; i < terms->count && coding->levels < CODE_LEVELS;) {
		double last = terms->term[i].reach, height = 0, weighted = 0, low = INFINITY, high = 0, ends[2];
		double margin = LAW[lab->timer->noise] + (coding->levels ? FURTHER : 0);
		bool smeared =
			coding->levels ? code_pages(lab) == WALK_BASE_PAGES : coding->scattered && coding->in_front > 0;
		double one = smeared ? SMEARED : coding->levels ? FURTHER_ONE : ONE;

		for (; i < terms->count && terms->term[i].reach < one * last; i++) {
			last = terms->term[i].reach;
			terms_range(coding->points, coding->count, terms, i, &ends[0], &ends[1]);
			low = fmin(low, ends[0]);
			high = fmax(high, ends[1]);
			height += terms->term[i].height;
			weighted += terms->term[i].height * terms->term[i].reach;
		}
		coding->level[coding->levels++] = (struct code_level){ .reach = weighted / height,
								       .low = low * (1 - margin),
								       .high = high * (1 + margin),
								       .height = height };
	}
}

/* The nearest one by the points around it alone, before those of the next one: frames in no order bend that one as no
 * law does. */
static void look_closer(struct lab *lab, struct coding *coding)
{
	struct code_level *level = &coding->level[0];
	double low, high, end = AROUND * level->reach, margin = LAW[lab->timer->noise];
	struct terms terms;
	int count = 0;

	if (coding->levels > 1 && level[1].reach > BEFORE * level->reach)
		end = fmin(end, level[1].reach);
	while (count < coding->count && coding->points[count].bytes < end)
		count++;
	terms = terms_fit(coding->points, count, coding->jump, LEAST[lab->timer->noise], 1);
	for (int i = 0; i < terms.count; i++)
		if (code_same(terms.term[i].reach, level->reach)) {
			terms_range(coding->points, count, &terms, i, &low, &high);
			*level = (struct code_level){ .reach = terms.term[i].reach,
						      .low = low * (1 - margin),
						      .high = high * (1 + margin),
						      .height = terms.term[i].height };
			return;
		}
}

/* The last point at which next to nothing is missed. */
static int last_flat(const struct coding *coding)
{
	const struct code_level *level = &coding->level[0];
	int flat = 0;

	for (int i = 0; i < coding->count && coding->points[i].bytes < AROUND * level->reach; i++)
		if (coding->points[i].time < FLAT * level->height)
			flat = i;
	return flat;
}

/* Where frames are in order nothing is missed that fits, whatever the policy, and whatever is fetched ahead of a miss.
 * The law may not hold further out, if lines come and go by twos: then the bend is what is known. Where frames may be
 * in no order some sets are full before, but the cache holds as much as fits, and the next one may be missed from there
 * on, too, and hide the bend. */
static void mind_the_bend(struct lab *lab, struct coding *coding)
{
	struct code_level *level = &coding->level[0];
	const struct curve_point *points = coding->points;
	double margin = LAW[lab->timer->noise], reach;
	int flat = last_flat(coding), last;

	if (flat + 1 == coding->count ||
	    (level->reach > points[flat].bytes / BEND && level->reach < points[flat + 1].bytes * BEND))
		return;
	if (isfinite(coding->terms.term[0].shape) && code_pages(lab) == WALK_BASE_PAGES) {
		level->low = fmin(level->low, points[flat].bytes * (1 - margin));
		return;
	}
	reach = sqrt(points[flat].bytes * points[flat + 1].bytes);
	for (last = flat + 1; last + 1 < coding->count && points[last + 1].bytes < AROUND * reach;)
		last++;
	*level = (struct code_level){ .reach = reach,
				      .low = points[flat].bytes * (1 - margin),
				      .high = points[flat + 1].bytes * (1 + margin),
				      .height = points[last].time / (1 - reach / points[last].bytes) };
}

static bool take_walks(struct lab *lab, struct coding *coding)
{
	double most = fmin(lab->brief ? BRIEF_MOST : MOST, MEMORY * (double)lab->timer->machine->memory);
	double places[CODE_POINTS], times[CODE_POINTS], slower = INFINITY;
	struct walk walks[CODE_POINTS];

	coding->count =
		code_plan(FEWEST, most / CODE_UNIT, lab->brief ? BRIEF_PER_OCTAVE : PER_OCTAVE, places, CODE_POINTS);
	/* Even numbers: within a page they have halves (looks.c). */
	for (int i = 0; i < coding->count; i++)
		walks[i] = code_place(lab, coding, 2 * round(places[i] / 2));
	if (!code_costs(lab, walks, coding->count, times, coding->points, &coding->status, coding->why,
			sizeof(coding->why)))
		return false;
	for (int i = 0; i < coding->count; i++) {
		coding->points[i].bytes = (double)walk_length(&walks[i]) * CODE_UNIT;
		coding->dense[i] = (struct curve_point){ coding->points[i].bytes, times[i], coding->points[i].error };
		slower = fmin(slower, coding->points[i].time / times[i]);
	}
	coding->jump = times[0];
	/* A disturbed look is nothing; the whole curve has to suffer. */
	if (slower < -HARM && coding->points[coding->count - 1].time < 0) {
		coding->status = MACHINE_BLOCKED;
		snprintf(coding->why, sizeof(coding->why),
			 "a cache of code goes by virtual addresses: pages that share a frame do not help");
		return false;
	}
	return true;
}

/* Finds the terms; which of them is the nearest cache. */
static int take_apart(struct lab *lab, struct coding *coding)
{
	coding->terms = terms_by_stretches(coding->points, coding->count, coding->jump, LEAST[lab->timer->noise]);
	return coding->terms.count ? code_nearest(lab, coding) : 0;
}

/* What is in front does not follow the law all the way, and bends what comes next. */
static bool is_soft(const struct coding *coding, int first)
{
	return coding->terms.term[first].shape < (first > 0 ? SOFT_BEHIND : SOFT);
}

/* Do frames that lie as chance will crowd some sets of the nearest cache before it is full? What moves from one walk to
 * the next may be other frames. */
static bool is_crowded(struct lab *lab, const struct coding *coding, int first)
{
	int count = 0, nearest = first < coding->terms.count ? first : 0;

	if (code_pages(lab) != WALK_BASE_PAGES || lab->timer->noise == NOISE_HOSTILE || coding->terms.count == 0)
		return false;
	while (count < coding->count && coding->points[count].bytes < BEND_ENDS * coding->terms.term[nearest].reach)
		count++;
	return is_soft(coding, nearest) ||
	       (first > 0 && coding->terms.term[0].reach > engine_code_paging(lab)->page && coding->moved > CLEAN) ||
	       (lab->timer->noise == NOISE_QUIET && code_falls(coding->points, count));
}

static void explore(struct lab *lab, struct coding *coding)
{
	const struct paging *paging = engine_code_paging(lab);
	int first, before;

	if (paging->status != MACHINE_RAN) {
		coding->status = paging->status;
		snprintf(coding->why, sizeof(coding->why), "%s", paging->why);
		return;
	}
	if (!take_walks(lab, coding))
		return;
	first = take_apart(lab, coding);
	if (is_crowded(lab, coding, first)) {
		before = first;
		coding->scattered = true;
		if (!code_has_twins(lab)) {
			coding->terms.count = 0;
			snprintf(
				coding->why, sizeof(coding->why),
				"a frame that pages share may be several of a hypervisor's, and those fall into sets as chance will");
		}
		if (coding->terms.count == 0 || !take_walks(lab, coding))
			return;
		first = take_apart(lab, coding);
		if (first < before) {
			coding->terms.count = 0;
			snprintf(
				coding->why, sizeof(coding->why),
				"what moves with the length of instructions in pages side by side stays in scattered blocks");
		}
	}
	if (coding->terms.count == 0)
		return;
	coding->hidden = first == coding->terms.count;
	for (int i = 0; i < first; i++)
		coding->in_front += coding->terms.term[i].height;
	add_levels(lab, coding, first);
	if (coding->hidden)
		return;
	coding->soft = !coding->scattered && is_soft(coding, first);
	if (coding->soft) {
		coding->level[0].low /= SOFT_OFF;
		coding->level[0].high *= SOFT_OFF;
	} else {
		look_closer(lab, coding);
		if (first == 0 && !coding->scattered)
			mind_the_bend(lab, coding);
	}
	coding->early = !coding->scattered && coding->points[last_flat(coding)].bytes * EARLY < coding->level[0].reach;
}

void coding_note(struct lab *lab, const struct coding *coding)
{
	for (int i = 0; i < coding->count; i++)
		lab_note(lab, "cycles of a jump, by bytes of code", coding->dense[i].bytes, coding->dense[i].time, "");
	for (int i = 0; i < coding->count; i++)
		lab_note(lab, "what it takes more than where all pages share a frame", coding->points[i].bytes,
			 coding->points[i].time, "");
	for (int i = 0; i < coding->terms.count; i++)
		lab_note(lab, "so many bytes are held, cycles of a miss", coding->terms.term[i].reach,
			 coding->terms.term[i].height, "");
	for (int i = 0; i < coding->longer.count; i++)
		lab_note(lab, "the same of longer instructions", coding->longer.term[i].reach,
			 coding->longer.term[i].height, "");
}

struct coding *engine_coding(struct lab *lab)
{
	if (!lab->coding) {
		lab->coding = calloc(1, sizeof(*lab->coding));
		if (!lab->coding)
			abort();
		explore(lab, lab->coding);
	}
	return lab->coding;
}

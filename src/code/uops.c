/* SPDX-License-Identifier: MIT */
/*
 * uops.c - micro-ops that are kept decoded
 *
 * Places full of instructions of one length that do nothing. What holds code by its instructions holds more places of
 * longer ones; caches, predictors and TLBs hold as many whatever their length. How many instructions that is depends on
 * how they fall into its entries: the most that any length shows is nearest to it. Where all instructions have one
 * length, fewer of them run at each place instead, and all pages share a frame: caches of bytes see one page.
 */
#include <math.h>

#include "strides.h"

enum {
	LONGER = 2, /* bytes of an instruction */
	FEW_STEPS = 32,
	KINDS = 7,
	PER_OCTAVE = 6,
	FEWEST = 16,
	POINTS = 64,
	FEW_KINDS = 3,
	BODY = 32, /* bytes: fewer than most windows have */
	LESS = 8 /* bytes that run at a place more than of the kind before */
};

static const double MOST = 4096; /* places */
static const double LEAST[] = { [NOISE_QUIET] = 0.04, [NOISE_NOISY] = 0.08, [NOISE_HOSTILE] = 0.15 }; /* of a jump */
static const double TRANSLATED = 0.9; /* of what the nearest TLB reaches: so far nothing is translated anew */
static const double NOT_FULL = 2.1; /* times: entries that none of the kinds fills */
static const double FLOOR = 0.004; /* of a time */
static const double FINER = 1.04, PACKED = 1.2; /* times: between reaches tried; better packed than by their number */
static const double STAYS = 0.4; /* of a height: so much of it left is the same thing */
static const double MOVED = 0.5; /* of what is left: a first reach that is a little off wants to move a little, too */
static const double BEGUN = 0.2, ERRORS = 3; /* of what is missed of the shortest ones; times */
static const double BESIDE = 4; /* times the second reach: so far longer instructions are looked at */
static const double FUSED = 2.1; /* times: two instructions may be one micro-op */
static const double NEARLY = 1.25; /* times */
static const double ABOUT = 1.6; /* times: how differently lengths may fill entries */

/* Of longer instructions: what the terms of the shortest ones add if they stay where they are, beside one that has
 * moved to where the rest is explained best. */
static struct terms stayed(const struct curve_point *points, int count, const struct terms *terms, double most_times)
{
	double least = INFINITY, times = 1;
	struct terms best = { .count = 0 };

	while (times <= most_times) {
		struct terms tried = *terms;
		double left;

		if (tried.count == TERMS_MOST)
			tried.count--;
		tried.term[tried.count++] = (struct term){ times * terms->term[0].reach, INFINITY, 0, 1 };
		left = terms_heights(points, count, &tried);
		if (left < least) {
			least = left;
			best = tried;
		}
		times *= FINER;
	}
	return best;
}

/* What holds so many times as many bytes of longer instructions lacks none where it lacked some of the shortest. Is
 * that not so, before anything further out is missed? Then the nearest term is of bytes, if bent by what is in front.
 */
static bool begins_there(const struct coding *coding, const struct curve_point *points, int count, double as_many)
{
	const struct term *term = coding->terms.term;
	double end = sqrt(as_many) * term->reach, before = 0, now = 0;

	if (coding->terms.count > 1)
		end = fmin(end, term[1].reach);
	for (int i = 0; i < count && points[i].bytes <= end; i++)
		if (points[i].bytes > term->reach) {
			before += coding->points[i].time;
			now += points[i].time - ERRORS * points[i].error;
		}
	return now > BEGUN * before;
}

/* Is the nearest term explained better as one that has moved with the length of instructions than as one that stays? A
 * little of each explains more than either, but it is one thing. `left`: of what it leaves when it stays, so much
 * remains when it has. */
static bool has_moved(const struct curve_point *points, int count, const struct terms *terms, double most_times,
		      double *left)
{
	struct terms tried = *terms;
	double stays = terms_heights(points, count, &tried), least = INFINITY, times = FINER;

	while (times <= most_times) {
		tried = *terms;
		tried.term[0].reach *= times;
		least = fmin(least, terms_heights(points, count, &tried));
		times *= FINER;
	}
	*left = least / stays;
	return *left < MOVED;
}

/* How many times as many instructions of the shortest kind lie at a place; 1: none are longer here. */
static double times_as_many(struct lab *lab, struct walk walk)
{
	double longer = timing_walk(lab->timer, &walk, FEW_STEPS).value;

	walk.filler = 0;
	return timing_walk(lab->timer, &walk, FEW_STEPS).value / longer;
}

int code_nearest(struct lab *lab, struct coding *coding)
{
	const struct terms *terms = &coding->terms;
	struct curve_point points[CODE_POINTS];
	struct walk walks[CODE_POINTS] = { { .order = WALK_RANDOM } };
	double times[CODE_POINTS], as_many;
	int count = 0;

	while (count < coding->count && coding->points[count].bytes < BESIDE * terms->term[terms->count > 1].reach) {
		walks[count] = code_place(lab, coding, coding->points[count].bytes / CODE_UNIT);
		walks[count++].filler = LONGER;
	}
	as_many = times_as_many(lab, walks[0]);
	if (!(as_many > 1) ||
	    !code_costs(lab, walks, count, times, points, &coding->status, coding->why, sizeof(coding->why)))
		return 0;
	for (int i = 0; i < count; i++)
		points[i].bytes = coding->points[i].bytes;
	coding->longer = stayed(points, count, terms, as_many * PACKED);
	if (begins_there(coding, points, count, as_many))
		return 0;
	for (int i = has_moved(points, count, terms, as_many * PACKED, &coding->moved); i < terms->count; i++)
		if (coding->longer.term[i].height > STAYS * terms->term[i].height)
			return i;
	/* Micro-ops that reach further than the second term hide it, and what they hide are bytes. */
	return terms->count > 1 && coding->longer.term[terms->count].reach > terms->term[1].reach ? 1 : terms->count;
}

struct showing {
	double instructions; /* at a place */
	double stride; /* bytes from place to place */
	bool shared; /* all pages on one frame */
	struct terms terms; /* reaches in bytes */
};

/* Of instructions of so many bytes. */
static struct walk of_length(struct lab *lab, int kind, double places)
{
	struct walk walk = code_walk(code_pages(lab), places, BODY, BODY);

	walk.filler = kind + 1;
	return walk;
}

/* With so many of them at a place. */
static struct walk of_number(struct lab *lab, int kind, double places)
{
	(void)lab;
	return code_walk(WALK_ON_1_FRAME, places, CODE_UNIT, CODE_UNIT - LESS * kind);
}

typedef struct walk of_kind(struct lab *lab, int kind, double places);

static bool look(struct lab *lab, of_kind *lay_out, int kind, struct showing *sight)
{
	const struct paging *paging = engine_code_paging(lab);
	struct walk walks[POINTS] = { { .order = WALK_RANDOM } };
	struct curve_point points[POINTS];
	double places[POINTS], times[POINTS], errors[POINTS];
	double most = MOST;
	int count;
	enum machine_status status;
	char why[64];

	walks[0] = lay_out(lab, kind, FEWEST);
	sight->stride = (double)walks[0].grid.stride[0];
	sight->shared = walk_frames(walks[0].pages);
	if (sight->shared && paging->levels)
		most = fmin(most, TRANSLATED * paging->tlb[0].entries * paging->page / sight->stride);
	count = code_plan(FEWEST, most, PER_OCTAVE, places, POINTS);
	for (int i = 0; i < count; i++)
		walks[i] = lay_out(lab, kind, places[i]);
	if (!code_times(lab, walks, count, times, errors, &status, why, sizeof(why)))
		return false;
	for (int i = 0; i < count; i++) {
		double bytes = places[i] * sight->stride;

		points[i] = (struct curve_point){ bytes, times[i], fmax(errors[i], FLOOR * times[i]) };
	}
	sight->instructions = timing_walk(lab->timer, &walks[0], FEWEST).value;
	sight->terms = terms_by_stretches(points, count, times[0], LEAST[lab->timer->noise]);
	return true;
}

static bool has(const struct showing *sight, double reach)
{
	for (int i = 0; i < sight->terms.count; i++)
		if (code_same(sight->terms.term[i].reach, reach))
			return true;
	return false;
}

/* Is it the same for the shortest ones, and for these? Of all that fit into an entry as many places are held. Where
 * there are more or fewer at a place, jumps that are remembered are the same for all, but for one that may not show it.
 */
static bool stays(const struct showing *sights, int count, int index, double reach)
{
	int having = 0;

	for (int i = 0; i < count; i++)
		having += has(&sights[i], reach);
	if (sights[index].shared)
		return having + 1 >= count;
	return index ? has(&sights[0], reach) : has(&sights[count - 1], reach) || has(&sights[count / 2], reach);
}

/* Instructions that the highest of the terms which moved stands for; 0: none moved. */
static double held_by(const struct coding *coding, const struct showing *sights, int count, int index)
{
	double cache = coding->levels && !coding->hidden ? coding->level[0].reach : 0;
	const struct terms *terms = &sights[index].terms;
	double height = 0, held = 0;

	for (int i = 0; i < terms->count; i++) {
		double reach = terms->term[i].reach;

		/* Among micro-ops the nearest cache may seem a little larger than it is. */
		if (terms->term[i].height > height && !stays(sights, count, index, reach) &&
		    !(reach < NEARLY * cache && cache < NEARLY * reach)) {
			height = terms->term[i].height;
			held = reach / sights[index].stride * sights[index].instructions;
		}
	}
	return held;
}

/* Looks at all kinds that differ; how many do. */
static int look_at_all(struct lab *lab, of_kind *lay_out, struct showing *sights)
{
	int count = 0;

	while (count < KINDS && look(lab, lay_out, count, &sights[count]) &&
	       (count == 0 || sights[count].instructions < sights[count - 1].instructions))
		count++;
	return count;
}

const struct code_uops *engine_code_uops(struct lab *lab)
{
	struct coding *coding = engine_coding(lab);
	struct code_uops *uops = &coding->uops;
	struct showing sights[KINDS];
	double held[KINDS];
	int count, alike = 0;

	if (uops->tried)
		return uops;
	*uops = (struct code_uops){ .tried = true, .low = INFINITY };
	count = look_at_all(lab, of_length, sights);
	if (count == 1)
		count = look_at_all(lab, of_number, sights);
	for (int i = 0; i < count; i++) {
		held[i] = held_by(coding, sights, count, i);
		lab_note(lab, "instructions held, by how many are at a place", sights[i].instructions, held[i], "");
		uops->count = fmax(uops->count, held[i]);
		uops->other = uops->other || (sights[i].shared && sights[i].terms.count > 0);
	}
	/* However many there are at a place, about as many are held; what one kind alone shows is nothing. */
	for (int i = 0; i < count; i++)
		if (held[i] * ABOUT > uops->count) {
			alike++;
			uops->low = fmin(uops->low, held[i] / FUSED);
		}
	uops->high = uops->count * NOT_FULL;
	uops->seen = alike >= FEW_KINDS;
	return uops;
}

/* SPDX-License-Identifier: MIT */
/*
 * strides.c - what a cache of code, or a TLB, holds of places a stride apart
 *
 * Of places a stride apart a cache holds half as many when the stride doubles, until they all fall into one set; then
 * it holds as many as it has ways (X-Ray's Theorem 1, with the law in place of its walks: round and round a branch
 * predictor would know the way). To a cache the twin's places are one line; to a TLB those of the control lie in few
 * pages.
 */
#include <math.h>
#include <stdio.h>

#include "strides.h"

enum {
	POINTS = 64,
	PER_OCTAVE = 8,
	FIRST_COUNT = 32,
	MOST_DOUBLINGS = 16,
	AS_BEFORE = 2,
	MOST_ODD = 15,
	LONGEST_ROW = 63
};

static const double BEYOND = 2,
		    NEARBY = 1.3; /* times what is held: so many places are tried, and of twice the stride */
static const double WHOLE = 0.4, OF_MANY = 0.09; /* how far a count may be from what is expected; relatively */
static const double FINER = 1.03, CLOSER = 1.08; /* times: between counts tried, of this and of what is in front */
static const double COARSE = 1.15; /* times what is expected: so far it is tried */
static const double LOWEST = 0.6,
		    HIGHEST = 1.7; /* times a cost of misses: places of one set have other troubles, too */
static const double UNLIKE = 0.02; /* of a miss: no model is nearer to the times */
static const double NEARLY_ALL = 0.7, NOW_AND_THEN = 0.012; /* of what is held; of a miss */
static const double SURE = 9; /* squares, in errors: three of them */

/* Jumps to places a stride apart: cycles more than the control's, by places. */
struct sight {
	struct curve_point points[POINTS];
	int count;
};

struct count {
	double best, low, high, left;
};

/* Rows of pages a stride apart, each page's line elsewhere than that of the one before; no row so long that a line
 * would lie in the next page. Whole rows, so it may be one place more or less than asked for. */
static struct walk pages_apart(enum walk_pages pages, double *places, double stride)
{
	struct walk walk = code_walk(pages, *places, stride + CODE_UNIT, 0);
	double row = LONGEST_ROW;

	if (*places <= LONGEST_ROW)
		return walk;
	for (int tried = LONGEST_ROW; 2 * tried > LONGEST_ROW; tried--)
		if (fabs(remainder(*places, tried)) < fabs(remainder(*places, row)))
			row = tried;
	walk.grid.stride[1] = walk.grid.stride[0];
	walk.grid.count[1] = (long)row;
	walk.grid.stride[0] = (uint64_t)(row * stride);
	walk.grid.count[0] = (long)round(*places / row);
	*places = round(*places / row) * row;
	return walk;
}

/* The control has as many places in few pages. */
static bool look_at_pages(const struct quest *quest, double stride, double *places, struct sight *sight)
{
	enum walk_pages pages = engine_code_paging(quest->lab)->pages;
	struct walk walks[2 * POINTS];
	enum machine_status status;

	for (int i = 0; i < sight->count; i++) {
		walks[2 * i] = pages_apart(pages, &places[i], stride);
		walks[2 * i + 1] = code_walk(pages, places[i], CODE_UNIT, 0);
	}
	return code_differences(quest->lab, walks, sight->points, sight->count, &status, quest->why, quest->size);
}

/* The twin's places are one line, or a few where strides are less than a page. Where those are many, the control has
 * its places side by side in other lines of the same pages. */
static bool look_at_lines(const struct quest *quest, double stride, const double *places, struct sight *sight)
{
	enum walk_pages pages = code_pages(quest->lab);
	struct walk walks[2 * POINTS];
	double times[POINTS];
	enum machine_status status;

	if (quest->reach < engine_code_paging(quest->lab)->page) {
		for (int i = 0; i < sight->count; i++) {
			walks[2 * i] = code_walk(pages, places[i], stride, CODE_UNIT);
			walks[2 * i + 1] = code_walk(pages, places[i], stride + CODE_UNIT, CODE_UNIT);
		}
		return code_differences(quest->lab, walks, sight->points, sight->count, &status, quest->why,
					quest->size);
	}
	for (int i = 0; i < sight->count; i++)
		walks[i] = code_walk(pages, places[i], stride, CODE_UNIT);
	return code_beyond_twins(quest->lab, walks, sight->count, times, sight->points, &status, quest->why,
				 quest->size);
}

static bool look(const struct quest *quest, double stride, double most, struct sight *sight)
{
	double places[POINTS];

	sight->count = code_plan(1, most, PER_OCTAVE, places, POINTS);
	if (!(quest->pages ? look_at_pages(quest, stride, places, sight) : look_at_lines(quest, stride, places, sight)))
		return false;
	for (int i = 0; i < sight->count; i++) {
		sight->points[i].bytes = places[i];
		sight->points[i].error = fmax(sight->points[i].error, UNLIKE * (quest->height + quest->in_front));
	}
	return true;
}

/* Squares that are left, in errors, when so many places are held; and fewer by what is in front, if there is anything.
 * INFINITY when misses would have to cost much less or more than elsewhere. */
static double left_with(const struct quest *quest, const struct sight *sight, double held)
{
	double least = INFINITY, fewest = quest->in_front > 0 ? 1 : held, in_front = held;

	while (in_front * CLOSER > fewest) {
		struct terms terms = { .count = quest->in_front > 0 ? 2 : 1,
				       .term = { { held, INFINITY, quest->height, 1 },
						 { in_front, INFINITY, quest->in_front, 1 } } };
		double left = sight->count * terms_heights(sight->points, sight->count, &terms);

		if (terms.term[0].height > LOWEST * quest->height && terms.term[0].height < HIGHEST * quest->height &&
		    terms.term[1].height <= HIGHEST * quest->in_front)
			least = fmin(least, left);
		in_front /= CLOSER;
	}
	return least;
}

/* The number between two that explains the times best; 0 when none does. */
static double best_held(const struct quest *quest, const struct sight *sight, double from, double to)
{
	double best = 0, least = INFINITY, held = fmax(from, 1);

	while (held <= to * FINER) {
		double left = left_with(quest, sight, held);

		if (left < least) {
			least = left;
			best = held;
		}
		held *= FINER;
	}
	return best;
}

static bool is_about(double count, double expected)
{
	return fabs(count - expected) < fmax(WHOLE, OF_MANY * expected);
}

/* The whole number near the estimate that explains all of the looks best, and those that do so nearly as well. */
static struct count count_them(const struct quest *quest, const struct sight *sights, int looks, double about)
{
	double off = fmax(1, ceil(2 * OF_MANY * about)), first = fmax(1, round(about) - off), points = 0;
	struct count count = { .best = round(about), .left = INFINITY };

	for (int i = 0; i < looks; i++)
		points += sights[i].count;
	for (int round = 0; round < 2; round++)
		for (int i = 0; first + i <= about + off; i++) {
			double held = first + i, left = 0;

			for (int j = 0; j < looks; j++)
				left += left_with(quest, &sights[j], held);
			if (round == 0 && left < count.left)
				count = (struct count){ held, held, held, left };
			if (round == 1 && left < count.left + SURE * fmax(1, count.left / points)) {
				count.low = fmin(count.low, held);
				count.high = fmax(count.high, held);
			}
		}
	return count;
}

/* Not many more places than are held: of those the next level may not have all of a set. */
static double nearby(double held)
{
	return fmax(NEARBY * held, held + 2);
}

/* Strides that are multiples of the first by an odd number: sets may be as many times a power of two. */
static double odd_part(const struct quest *quest, double stride, double held)
{
	double most = 1;

	for (int odd = 3; odd <= MOST_ODD && odd <= held; odd += 2) {
		struct sight sight;

		if (fmod(held, odd) == 0 && look(quest, odd * stride, nearby(held), &sight) &&
		    is_about(best_held(quest, &sight, held / odd / 2, held * COARSE), held / odd))
			most = odd;
	}
	return most;
}

/* Pages beyond the first lie in frames as chance has them. Where a way is larger than a page, places a page or more
 * apart fall into two of its sets, or more, and twice as many as it has ways seem to be held; but not each time. */
static bool is_chance(const struct quest *quest, const struct sight *sights, int looks, double held)
{
	double sum = 0;
	int count = 0;

	for (int i = 0; i < looks; i++)
		for (int j = 0; j < sights[i].count; j++)
			if (sights[i].points[j].bytes > NEARLY_ALL * held && sights[i].points[j].bytes <= held) {
				sum += sights[i].points[j].time / quest->height;
				count++;
			}
	return count > 0 && sum / count > NOW_AND_THEN;
}

/* From a stride at which `held` places are known to fit on, as long as fewer do. */
static bool climb(const struct quest *quest, double stride, double held, struct found *found)
{
	struct sight sights[AS_BEFORE + 1];
	double first = stride, odd;
	struct count count;
	int alike = 0;

	for (int i = 0; i < MOST_DOUBLINGS && alike < AS_BEFORE && !timer_over(quest->lab->timer); i++) {
		struct sight *sight = &sights[alike];
		double now;

		stride *= 2;
		if (!look(quest, stride, nearby(held), sight))
			return false;
		now = best_held(quest, sight, held / 2 / COARSE / COARSE - WHOLE, held * COARSE);
		lab_note(quest->lab, "places held, by bytes between them", stride, now, "");
		/* Nearer to as many than to half as many? */
		if (now > held / M_SQRT2) {
			alike++;
		} else if (now > held / 2 / COARSE - WHOLE) {
			held /= 2;
			first = stride;
			alike = 0;
		} else {
			snprintf(quest->why, quest->size,
				 "of places %.0f bytes apart %.1f are held, and of half as far %.1f", stride, now,
				 held);
			return false;
		}
	}
	if (alike < AS_BEFORE) {
		snprintf(quest->why, quest->size, "no stride leads to sets");
		return false;
	}
	count = count_them(quest, sights, alike, held);
	if (!quest->pages && quest->in_front == 0 && code_pages(quest->lab) != WALK_HUGE_PAGES &&
	    first >= engine_code_paging(quest->lab)->page && is_chance(quest, sights, alike, count.best)) {
		snprintf(quest->why, quest->size, "places in different pages fall into sets as chance will");
		return false;
	}
	odd = odd_part(quest, first, count.best);
	*found = (struct found){ count.best / odd, floor(count.low / odd), ceil(count.high / odd), first * odd };
	return true;
}

/* A stride of which as many are held as fill it; where many ways hold more, it is a smaller one, and where all lines
 * are of one set, it is as many as there are lines. */
bool strides_search(const struct quest *quest, struct found *found)
{
	double reach = quest->reach;
	double far = quest->smallest * exp2(fmax(0, ceil(log2(reach / FIRST_COUNT / quest->smallest))));
	const struct {
		double stride, expected;
	} tries[] = { { far, reach / far },
		      { quest->smallest, reach / quest->smallest },
		      { quest->smallest, reach / CODE_UNIT } };

	for (int i = 0; i < (quest->pages ? 2 : 3); i++) {
		struct sight sight;
		double held;

		if (!look(quest, tries[i].stride, BEYOND * tries[i].expected, &sight))
			return false;
		held = best_held(quest, &sight, tries[i].expected / 2, tries[i].expected * 2);
		lab_note(quest->lab, "places held, by bytes between them", tries[i].stride, held, "");
		if (is_about(held, tries[i].expected))
			return climb(quest, tries[i].stride, held, found);
		snprintf(quest->why, quest->size, "of places %.0f bytes apart %.1f are held, not %.1f", tries[i].stride,
			 held, tries[i].expected);
	}
	return false;
}

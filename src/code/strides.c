/* SPDX-License-Identifier: MIT */
/*
 * strides.c - what a cache of code, or a TLB, holds of places a stride apart
 *
 * Of places a stride apart a cache holds half as many when the stride doubles, until they all fall into one set; then
 * it holds as many as it has ways (X-Ray's Theorem 1, with the law in place of its walks: round and round a branch
 * predictor would know the way). To a cache the twin's places are few lines; to a TLB those of the control lie in few
 * pages. A cache's sets are looked at in rows, as a comb has teeth.
 */
#include <math.h>
#include <stdio.h>

#include "strides.h"

enum {
	POINTS = STRIDES_POINTS,
	PER_OCTAVE = 8,
	FIRST_COUNT = 32,
	MOST_DOUBLINGS = 16,
	AS_BEFORE = 2,
	MOST_ODD = 15,
	FEW_ODD = 15
};

static const double BEYOND = 2,
		    NEARBY = 1.3; /* times what is held: so many places are tried, and of twice the stride */
static const double BELOW = 0.7; /* times the fewest that may be held */
static const double WHOLE = 0.4; /* how far a count may be from what is expected */
static const double COARSE = 1.15; /* times what is expected: so far it is tried */
static const double SMALL = 0.9; /* of a frame: what holds that much of it holds it all, as far as the law tells */
static const double UNLIKE = 0.02; /* of a miss: no model is nearer to the times */
static const double NEARLY_ALL = 0.7, NOW_AND_THEN = 0.012; /* of what is held; of a miss */

/* Places this far apart, units of code in so many bytes at each; at least one. */
struct comb {
	double stride, tooth;
};

static bool is_about(double count, double expected)
{
	return fabs(count - expected) < fmax(WHOLE, STRIDES_OFF * expected);
}

static bool is_within(const struct quest *quest, struct comb comb, double held)
{
	return held * comb.stride > quest->low && held * comb.stride < quest->high;
}

static bool look_at_pages(const struct quest *quest, double stride, double *places, struct sight *sight)
{
	const struct paging *paging = engine_code_paging(quest->lab);
	struct walk walks[2 * POINTS];
	enum machine_status status;

	for (int i = 0; i < sight->count; i++) {
		walks[2 * i] = code_pages_apart(paging->pages, &places[i], stride);
		walks[2 * i + 1] = code_pages_together(&walks[2 * i], paging->page);
	}
	return code_differences(quest->lab, walks, sight->points, sight->count, &status, quest->why, quest->size);
}

/* Does it hold less than a frame that pages share? */
static bool is_small(const struct quest *quest)
{
	return !quest->pages && quest->reach < SMALL * engine_code_paging(quest->lab)->system;
}

/* Places of a frame that pages share. */
static double in_a_frame(const struct quest *quest, double stride)
{
	return floor(engine_code_paging(quest->lab)->system / stride);
}

/* At each of the places lie so many units in a row, in as many sets. What keeps a few places of one set by itself, in
 * front of the cache, does not keep all of them. The twin's places are few lines. Where those may be more than a set
 * holds, it matters what they cost. */
static bool look_at_lines(const struct quest *quest, struct comb comb, const double *places, struct sight *sight)
{
	struct walk walks[POINTS];
	double times[POINTS];
	enum machine_status status;

	for (int i = 0; i < sight->count; i++) {
		walks[i] = code_walk(code_pages(quest->lab), places[i], comb.stride, CODE_UNIT);
		walks[i].grid.stride[2] = CODE_UNIT;
		walks[i].grid.count[2] = (long)comb.tooth / CODE_UNIT;
	}
	return (is_small(quest) ? code_costs : code_beyond_twins)(quest->lab, walks, sight->count, times, sight->points,
								  &status, quest->why, quest->size);
}

/* Even numbers, whose halves are known, and few that are odd, each after the one before it; of a walk that leaves the
 * frame, which has `frame` places, as many at each. */
static int keep_told(double *places, int count, double frame)
{
	int kept = 0;

	for (int i = 0; i < count; i++) {
		double told = places[i];

		if (frame >= 2 && told > frame)
			told = frame * ceil(told / frame);
		else if (kept && (told > FEW_ODD || told > places[kept - 1] + 1))
			told = 2 * ceil(told / 2);
		if (kept == 0 || told > places[kept - 1])
			places[kept++] = told;
	}
	return kept;
}

/* From a little less than the fewest that may be held: with a few places, which jumps go where may be foreseen more
 * often in one page than in many (Zen 5, of up to 15). Within a frame what many cost follows from what fewer do. */
static bool look(const struct quest *quest, struct comb comb, double fewest, double most, struct sight *sight)
{
	double places[POINTS];

	sight->count =
		code_plan(is_small(quest) ? 1 : fmax(1, floor(BELOW * fewest)), most, PER_OCTAVE, places, POINTS);
	if (is_small(quest))
		sight->count =
			keep_told(places, sight->count, floor(engine_code_paging(quest->lab)->system / comb.stride));
	if (!(quest->pages ? look_at_pages(quest, comb.stride, places, sight)
			   : look_at_lines(quest, comb, places, sight)))
		return false;
	for (int i = 0; i < sight->count; i++) {
		sight->points[i].bytes = places[i];
		sight->points[i].error = fmax(sight->points[i].error, UNLIKE * (quest->height + quest->in_front));
	}
	return true;
}

/* Not many more places than are held: of those the next level may not have all of a set. Some numbers, at least; more
 * where something in front bends the times, too. */
static double nearby(const struct quest *quest, double stride, double held)
{
	double frame = in_a_frame(quest, stride);

	if (!is_small(quest) && quest->in_front > 0)
		return BEYOND * held + 2;

	if (!is_small(quest))
		return fmax(NEARBY * held, round(held) + 2);
	return fmax(fmax(NEARBY * held, round(held) + 4), frame >= 2 && frame < NEARBY * held ? 4 * frame : 0);
}

/* Strides that are multiples of the first by an odd number, of which one of the counts that the times leave is a
 * multiple, too: sets may be as many times a power of two. 0 when places hold neither as many nor so many times fewer.
 */
static double odd_part(const struct quest *quest, struct comb comb, const struct count *count)
{
	double stride = comb.stride, held = count->best;
	double most = 1;

	for (int odd = 3; odd <= MOST_ODD && odd <= held; odd += 2) {
		struct sight sight;
		double now;

		comb.stride = odd * stride;
		if (floor(count->high / odd) * odd < count->low ||
		    !look(quest, comb, held / odd / 2, nearby(quest, comb.stride, held), &sight))
			continue;
		now = held_best(quest, &sight, held / odd / 2, held * COARSE);
		if (is_about(now, held / odd)) {
			most = odd;
		} else if (now > held / odd && now < held / most / M_SQRT2) {
			snprintf(quest->why, quest->size, "of places %.0f bytes apart %.1f are held, not %.0f",
				 odd * stride, now, held / odd);
			return 0;
		}
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

/* Is it certain where places so far apart lie? */
static bool in_order(const struct quest *quest, double stride)
{
	return quest->pages || code_pages(quest->lab) == WALK_HUGE_PAGES ||
	       stride < engine_code_paging(quest->lab)->page;
}

/* From a stride at which `held` places are known to fit on, as long as fewer do. Where sets show they are filled as far
 * as none of the places at one stride share them with those at the next. */
static bool climb(const struct quest *quest, struct comb comb, double held, struct found *found)
{
	struct sight sights[AS_BEFORE + 1];
	double first = comb.stride, odd;
	struct count count;
	int alike = 0;

	for (int i = 0; i < MOST_DOUBLINGS && alike < AS_BEFORE && !timer_over(quest->lab->timer); i++) {
		struct sight *sight = &sights[alike];
		double fewest = held / 2 / COARSE / COARSE - WHOLE, now;

		comb.stride *= 2;
		comb.tooth = fmin(2 * comb.tooth, first);
		if (!look(quest, comb, fewest, nearby(quest, comb.stride, held), sight))
			return false;
		now = held_best(quest, sight, fewest, held * COARSE);
		lab_note(quest->lab, "places held, by bytes between them", comb.stride, now, "");
		/* Where it no longer halves it is a set's, and a whole number: 7.4 after 8.2 is another estimate of 8.
		 */
		if (now > held / M_SQRT2 && (is_about(now, held) || is_about(now, round(held)))) {
			alike++;
		} else if (is_about(now, held / 2)) {
			held = now;
			first = comb.stride;
			alike = 0;
		} else if (alike > 0 && in_order(quest, comb.stride / 2)) {
			/* Further out other things have sets, too: one step that changes nothing is enough. */
			break;
		} else {
			snprintf(quest->why, quest->size,
				 "of places %.0f bytes apart %.1f are held, and of half as far %.1f", comb.stride, now,
				 held);
			return false;
		}
	}
	if (alike == 0) {
		snprintf(quest->why, quest->size, "no stride leads to sets");
		return false;
	}
	count = held_exactly(quest, sights, alike, held);
	if (quest->in_front == 0 && !in_order(quest, first) && is_chance(quest, sights, alike, count.best)) {
		snprintf(quest->why, quest->size, "places in different pages fall into sets as chance will");
		return false;
	}
	odd = odd_part(quest, (struct comb){ first, comb.tooth }, &count);
	if (odd == 0)
		return false;
	*found = (struct found){ 0, ceil(count.low / odd), floor(count.high / odd), first * odd };
	found->ways = fmin(fmax(round(count.best / odd), found->low), found->high);
	return true;
}

/* A stride of which as many are held as fill it; where many ways hold more, it is a smaller one, and where all lines
 * are of one set, it is as many as there are lines. */
bool strides_search(const struct quest *quest, struct found *found)
{
	double reach = quest->reach;
	double far = quest->smallest * exp2(fmax(0, ceil(log2(reach / FIRST_COUNT / quest->smallest))));
	const struct {
		struct comb comb;
		double expected;
	} tries[] = { { { far, far / 2 }, reach / far },
		      { { quest->smallest, quest->smallest / 2 }, reach / quest->smallest },
		      { { quest->smallest, 0 }, reach / CODE_UNIT } };

	for (int i = 0; i < (quest->pages ? 2 : 3); i++) {
		struct sight sight;
		double held;

		if (!look(quest, tries[i].comb, tries[i].expected / 2, BEYOND * tries[i].expected, &sight))
			return false;
		held = held_best(quest, &sight, tries[i].expected / 2, tries[i].expected * 2);
		lab_note(quest->lab, "places held, by bytes between them", tries[i].comb.stride, held, "");
		if (is_about(held, tries[i].expected) || is_within(quest, tries[i].comb, held))
			return climb(quest, tries[i].comb, held, found);
		snprintf(quest->why, quest->size, "of places %.0f bytes apart %.1f are held, not %.1f",
			 tries[i].comb.stride, held, tries[i].expected);
	}
	return false;
}

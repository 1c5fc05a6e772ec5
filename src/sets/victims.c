/* SPDX-License-Identifier: MIT */
/*
 * victims.c - a buffer behind the nearest level, for whatever line it lost last
 *
 * Of places a stride s apart a level of A ways, each w bytes long, holds A w / s, and A from s = w on. A buffer of v
 * lines adds v to all of these: the number does not fall by half when the stride doubles. So v is what is left of the
 * number at any stride when the difference between two neighbouring strides is taken off; all of them must agree.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sets.h"

enum { STRIDES = 8, FIRST = 64, FEWEST = 4, BEFORE = 2, LONGEST_LINE = 512 /* bytes */ };

static const struct columns ONE = { 1, 0, false };
static const double NOTICED = 1.5, UNEVEN = 0.6, MOST = 64; /* lines */
static const double LEAST = 1, STANDS_OUT = 6; /* lines, where that is so many times what is left */
static const double FIRST_MORE = 56, MORE = 4; /* places, more than are held; not known yet, and known */
static const double NEXT = 0.7; /* of what the next level holds: more would compete there, too */
static const double CERTAIN = 0.3;

/* Places held at strides that double from the first on. */
struct ladder {
	double first;
	double held[STRIDES];
	int count;
};

/* NaN when there is no room for so many places so far apart. */
static double held_at(struct search *search, double stride, double places)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double room = (double)search->lab->timer->machine->memory;

	if (search->depth + 1 < hierarchy->levels)
		room = fmin(room, NEXT * hierarchy->level[search->depth + 1].reach);
	return stride * places > room ? NAN : sets_held_in(search, stride, places, ONE, false);
}

/* Places so far apart that they share a set, or as far as was seen; how many are held, besides those in a buffer; and
 * the largest difference that this leaves. */
struct sets_seen {
	double apart, places, buffer, off;
};

/* With a way of first * 2^at bytes. */
static struct sets_seen fit(const struct ladder *ladder, int at)
{
	/* Ways times 2^at and the buffer are held at first, and ways and the buffer from there on. */
	double ways = (ladder->held[0] - ladder->held[at]) / (exp2(at) - 1), sum = 0;
	struct sets_seen seen = { .apart = ladder->first * exp2(at), .places = round(ways) };

	for (int i = 0; i < ladder->count; i++)
		sum += ladder->held[i] - ways * exp2(fmax(0, at - i));
	seen.buffer = sum / ladder->count;
	for (int i = 0; i < ladder->count; i++)
		seen.off = fmax(seen.off, fabs(ladder->held[i] - ways * exp2(fmax(0, at - i)) - seen.buffer));
	seen.buffer += ways - seen.places;
	return seen;
}

/* Lines found in the buffer count for less than one each, since they take longer: as much of a miss as this. */
static double share_of_miss(struct search *search, double way, double ways, double buffer)
{
	double few = ways + ceil(buffer / 2), held = sets_held_in(search, way, few, ONE, false);

	return fmin(0.7, fmax(0, (few - held) / (few - ways)));
}

/* A way may be an odd multiple of that: places so far apart are then held as many times less. False when that cannot be
 * tried. */
static bool widen(struct search *search, struct sets_seen *seen)
{
	for (int odd = 3; odd <= seen->places; odd += 2) {
		double fewer = seen->places / odd, held;

		if (fewer != floor(fewer))
			continue;
		held = held_at(search, odd * seen->apart, ceil(seen->places + seen->buffer) + MORE);
		if (isnan(held))
			return false;
		if (held - seen->buffer > (seen->places + fewer) / 2)
			continue;
		seen->apart *= odd;
		seen->places = fewer;
		odd = 1;
	}
	return true;
}

/* `whole`: so far apart places are one set's. */
static void settle(struct search *search, struct conflicts *conflicts, struct sets_seen seen, bool whole)
{
	double each = 1 - share_of_miss(search, seen.apart, seen.places, seen.buffer), lines;

	/* What they count for depends on how many they are. */
	for (int i = 0; i < 2; i++)
		each = 1 - share_of_miss(search, seen.apart, seen.places, seen.buffer / each);
	lines = seen.buffer / each;
	conflicts->counted = true;
	conflicts->uneven = false;
	conflicts->buffer = round(lines);
	conflicts->buffer_low = fabs(lines - round(lines)) < CERTAIN ? round(lines) : floor(lines);
	conflicts->buffer_high = fabs(lines - round(lines)) < CERTAIN ? round(lines) : ceil(lines);
	if (!whole && conflicts->found)
		snprintf(
			conflicts->why, sizeof(conflicts->why),
			"a buffer behind the level holds part of its places, and how far apart they share a set is not known");
	conflicts->found = whole;
	if (!whole)
		return;
	conflicts->compact = false;
	conflicts->way = seen.apart;
	conflicts->ways = seen.places;
	conflicts->held = seen.places + conflicts->buffer;
}

/* Whether the sets that were found are all: half as far apart twice as many places are held, and no line more or less.
 */
static bool is_all(struct search *search, struct conflicts *conflicts)
{
	double twice = held_at(search, conflicts->way / 2, 2 * conflicts->held + MORE);

	conflicts->counted = fabs(twice - 2 * conflicts->held) < fmax(NOTICED, 0.05 * twice);
	conflicts->uneven = isfinite(twice) && !conflicts->counted;
	return conflicts->counted;
}

/* Half a way is no other set where a way is a line: two places of one line, which may come one by one. */
static bool is_one_line(struct search *search, const struct conflicts *conflicts)
{
	char why[160];

	return conflicts->way / 2 < fmax(PLACE, search->hierarchy->line) ||
	       (conflicts->way <= LONGEST_LINE &&
		engine_tag_line(search->lab, search->depth, why, sizeof(why)) >= conflicts->way);
}

/* So near that many places are held: halves of a way, whose size need be no power of two, where one was found, even if
 * a buffer made its places look like those of a hashed index. */
static double first_stride(const struct search *search, const struct conflicts *conflicts)
{
	double reach = search->hierarchy->level[search->depth].reach, stride = conflicts->way;

	if (!(stride > 0))
		for (stride = PLACE; reach / stride > FIRST;)
			stride *= 2;
	else
		for (int i = 0; (i < BEFORE || reach / stride <= FIRST / 2.0) &&
				stride / 2 >= fmin(PLACE, search->hierarchy->line);
		     i++)
			stride /= 2;
	return stride;
}

/* Lines found in the buffer count for less than lines: two of them may come to one. */
static bool is_noticed(const struct sets_seen *seen)
{
	return seen->buffer > NOTICED || (seen->buffer > LEAST && seen->buffer > STANDS_OUT * seen->off);
}

void victims_tell(struct search *search, struct conflicts *conflicts)
{
	struct ladder ladder = { .count = 0 };
	double places;
	struct sets_seen best = { .off = INFINITY };
	bool whole;

	if (conflicts->found && (is_one_line(search, conflicts) || is_all(search, conflicts)))
		return;
	ladder.first = first_stride(search, conflicts);
	places = ceil(search->hierarchy->level[search->depth].reach / ladder.first) + FIRST_MORE;
	while (ladder.count < STRIDES) {
		double held = held_at(search, ladder.first * exp2(ladder.count), places);

		if (!(held > 0))
			break;
		ladder.held[ladder.count++] = held;
		places = ceil(held) + MORE;
	}
	/* Two strides before a way's size must have been seen. Where none was from there on, it may be larger. */
	for (int at = BEFORE; at < ladder.count && ladder.count >= FEWEST; at++) {
		struct sets_seen seen = fit(&ladder, at);

		if (seen.off < best.off)
			best = seen;
	}
	whole = best.apart < ladder.first * exp2(ladder.count - 1);
	lab_note(search->lab, "lines of a buffer behind the level, and what it leaves unexplained", best.buffer,
		 best.off, "");
	if (best.off < UNEVEN && is_noticed(&best) && best.buffer < MOST && best.places >= 1) {
		whole = whole && widen(search, &best);
		settle(search, conflicts, best, whole);
	}
	/* What holds more than its sets, and no buffer explains it: they are not what they seem. */
	if (!conflicts->uneven)
		return;
	conflicts->found = false;
	snprintf(conflicts->why, sizeof(conflicts->why),
		 "half as far apart as places of a set not twice as many are held");
}

/* SPDX-License-Identifier: MIT */
/*
 * line.c - the line of the nearest cache of code (X-Ray's Figure 10)
 *
 * Twice as many places as a set holds, every other one moved by some bytes: as long as they stay in their lines, half
 * of them are missed; moved into the next line they are in another set, and all are held.
 */
#include <math.h>
#include <stdio.h>

#include "code.h"

enum { SHORTEST = WALK_JUMP, LONGEST = 1024, LINES = 7, WALKS = 2, ALL = 2 * WALKS * LINES };

static const double STEP = 0.85; /* of the misses: more left is no step */
static const double LEFT = 0.25, STAYED = 0.75; /* of the misses that a move may save */
static const double ADDS_UP = 0.07; /* how far lines and law may differ */
static const double FITS = 0.7, MISSED = 0.05; /* of what is held; of a miss of as many bytes as run elsewhere */
static const double SMALL = 0.3; /* of what misses would cost: so little tells nothing */

/* The same in many sets, and room between them: where a miss brings the line behind it, too, that one may be in the way
 * of places that were moved, but not of any that were not, lest each keeps the others missing. What is in front of the
 * cache holds a few places of one set by itself. */
static void fill_sets(struct walk *walk, const struct code_sets *sets, double moved)
{
	double apart = fmax(4 * moved, 2 * CODE_UNIT);

	walk->grid.stride[2] = (uint64_t)apart;
	walk->grid.count[2] = (long)fmax(1, floor(sets->way / apart));
}

/* Of one distance: moved by it, and not moved at all. As many bytes run at each place. */
static void lay_out(enum walk_pages pages, const struct code_sets *sets, double moved, struct walk *walks)
{
	long body = moved < CODE_UNIT ? (long)moved : CODE_UNIT;

	walks[0] = code_walk(pages, sets->ways, 2 * sets->way, body);
	walks[0].grid.stride[1] = (uint64_t)(sets->way + moved);
	walks[0].grid.count[1] = 2;
	walks[1] = code_walk(pages, 2 * sets->ways, sets->way, body);
	fill_sets(&walks[0], sets, moved);
	fill_sets(&walks[1], sets, moved);
}

/* The twins' places are one line, or a few. Where a page has more of a set than it holds, others have to do: one half
 * of the places in two pages on the same frame. */
static bool look(struct lab *lab, const struct code_sets *sets, const struct walk *walks, int count,
		 struct curve_point *points, char *why, size_t size)
{
	double page = engine_code_paging(lab)->system, reach = sets->ways * sets->way, times[WALKS * LINES];
	struct walk all[ALL] = { { .order = WALK_RANDOM } };
	enum machine_status status;

	if (reach >= page)
		return code_beyond_twins(lab, walks, count, times, points, &status, why, size);
	for (int i = 0; i < count; i++) {
		all[2 * i] = walks[i];
		all[2 * i + 1] = code_walk(WALK_ON_1_FRAME, sets->ways, sets->way, walks[i].body);
		all[2 * i + 1].grid.stride[1] = (uint64_t)(page * (1 + floor(reach / page)));
		all[2 * i + 1].grid.count[1] = 2;
		all[2 * i + 1].grid.stride[2] = walks[i].grid.stride[2];
		all[2 * i + 1].grid.count[2] = walks[i].grid.count[2];
	}
	return code_differences(lab, all, points, count, &status, why, size);
}

/* The distance from which on fewer are missed. The farthest is another line for certain, unless all is one set; what is
 * missed there, too, lies in front. */
static double first_step(const struct code_sets *sets, double reach, const double *shares, int count, char *why,
			 size_t size)
{
	double least = count ? shares[count - 1] : 1, line = 0;

	/* One set: its lines are all there is. */
	if (least > STEP && fabs(sets->ways * sets->way / reach - 1) < ADDS_UP)
		return sets->way;
	for (int i = 0; i < count; i++) {
		double missed = (shares[i] - least) / (1 - least);
		bool left = missed < LEFT;

		if (!left && missed < STAYED) {
			snprintf(why, size, "moved by %.0f bytes some places leave their set, and some do not",
				 ldexp(SHORTEST, i));
			return 0;
		}
		if (left && line == 0) {
			line = ldexp(SHORTEST, i);
		} else if (!left && line > 0) {
			snprintf(why, size, "moved by %.0f bytes places leave their set, and by %.0f they do not", line,
				 ldexp(SHORTEST, i));
			return 0;
		}
	}
	return line;
}

/* All lines are of one set: of places that are half a line it holds as many as it has lines. Fewer are tried than are
 * held if lines are as short as the places, and so few that what misses fetch for nothing has room beside them: in a
 * full cache it would keep them missing. */
static double line_of_one_set(struct lab *lab, const struct code_level *level, char *why, size_t size)
{
	double line = CODE_UNIT, times[WALKS];
	struct curve_point points[WALKS];
	struct walk walks[WALKS];
	enum machine_status status;

	for (int i = 0; i < WALKS; i++)
		walks[i] = code_walk(code_pages(lab), FITS * level->reach / (CODE_UNIT >> (i + 1)), CODE_UNIT,
				     CODE_UNIT >> (i + 1));
	if (!code_costs(lab, walks, WALKS, times, points, &status, why, size))
		return 0;
	for (int i = 0; i < WALKS && points[i].time < MISSED * level->height; i++)
		line /= 2;
	return line;
}

double engine_code_line(struct lab *lab, char *why, size_t size)
{
	const struct coding *coding = engine_coding(lab);
	const struct code_sets *sets = engine_code_sets(lab);
	struct curve_point points[WALKS * LINES];
	struct walk walks[WALKS * LINES];
	double shares[LINES] = { 0 };
	int count = 0, seen = 0;

	if (!sets->found) {
		snprintf(why, size, "it shows in sets, and they are not known: %s", sets->why);
		return 0;
	}
	if (sets->by_chance) {
		snprintf(why, size,
			 "places of one set are not known: those in different pages fall into sets as chance will");
		return 0;
	}
	if (fabs(sets->ways * CODE_UNIT / coding->level[0].reach - 1) < ADDS_UP)
		return line_of_one_set(lab, &coding->level[0], why, size);
	for (int moved = SHORTEST; moved <= LONGEST && 2 * moved <= sets->way; moved *= 2)
		lay_out(code_pages(lab), sets, moved, &walks[WALKS * count++]);
	if (count && !look(lab, sets, walks, WALKS * count, points, why, size))
		return 0;
	/* Moved far there are few sets, and what is in front may keep all of them. */
	for (; seen < count; seen++) {
		const struct curve_point *unmoved = &points[WALKS * seen + 1];

		if (unmoved->time < SMALL * coding->level[0].height / 2 * (double)walks[WALKS * seen].body / CODE_UNIT)
			break;
		shares[seen] = points[WALKS * seen].time / unmoved->time;
		lab_note(lab, "share of misses left, by bytes moved", ldexp(SHORTEST, seen), shares[seen], "");
	}
	if (seen < count && (seen == 0 || shares[seen - 1] > LEFT)) {
		snprintf(why, size, "twice as many places as a set holds are hardly missed");
		return 0;
	}
	return first_step(sets, coding->level[0].reach, shares, seen, why, size);
}

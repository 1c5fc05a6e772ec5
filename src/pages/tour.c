/* SPDX-License-Identifier: MIT */
/*
 * tour.c - round and round some pages, one touch in each, and round others by turns
 *
 * What others do on the machine only adds to a time, so the least of several looks counts.
 */
#include <math.h>
#include <stdlib.h>

#include "pages.h"

enum {
	LINE = 64,
	WORDS = 8, /* of a line: as many places have room in it */
	FEW_FRAMES = 4,
	LINES_OF_EACH = 64,
	MOST_FRAMES = 64,
	APART = 37, /* lines */
	TURNS = 3,
	STEPS = 8192, /* whatever a look at the clock throws out of a TLB costs a round */
	LAPS = 60, /* until a TLB that throws out any of its pages holds what it will */
	MOST_LAPS = 120000, /* steps: so many pages are not about to fit */
	REFERENCE = 2
};

/* Lines of each frame that are used: of four frames as many as the nearest cache holds, however large they are. */
static long lines_used(const struct paging *paging, double own)
{
	long lines = (long)(own / LINE);

	return walk_frames(paging->pages) == FEW_FRAMES && lines > LINES_OF_EACH ? LINES_OF_EACH : lines;
}

/* Line after line from one on that is another in each frame, then word after word: two places of one line are two only
 * to the walk. */
static uint64_t slot_of(long index, uint64_t frame, long lines, long used)
{
	long first = (long)frame * (used < lines ? used : APART);

	return (uint64_t)((index % used + first) % lines * LINE + index / used * (LINE / WORDS));
}

/* A place in each page, no two in one line as long as there are lines enough. False when there is no room. */
static bool tour_places(const struct paging *paging, const long *pages, long count, uint64_t *places)
{
	uint64_t frames = walk_frames(paging->pages), page = (uint64_t)paging->page;
	/* Pages that share frames do so by the pages of the system. */
	double own = frames ? fmin(paging->system, paging->page) : paging->page;
	long used = lines_used(paging, own), room = used * WORDS;
	long taken[MOST_FRAMES] = { 0 };

	for (long i = 0; i < count; i++) {
		uint64_t at = (uint64_t)pages[i] * page;
		uint64_t frame = frames ? at / (uint64_t)own % frames : 0;
		long index = frames ? taken[frame]++ : i % room;

		if (index >= room)
			return false;
		places[i] = at + slot_of(index, frame, (long)(own / LINE), used);
	}
	return true;
}

long tour_page(const struct paging *paging, long unit)
{
	long group = (long)paging->group;

	return unit * group + (group < FEW_FRAMES ? unit * group / FEW_FRAMES : unit) % group;
}

static long laps(long count)
{
	return LAPS * count < MOST_LAPS ? LAPS : 1 + MOST_LAPS / count;
}

double tour_difference(struct lab *lab, const struct paging *paging, const long *pages, long count, const long *others,
		       long other_count)
{
	static const uint64_t few[REFERENCE] = { 0, 2 * LINE };
	uint64_t *places = malloc((size_t)(count + other_count) * sizeof(*places)), *other_places = places + count;
	/* In one arena: other frames would be other sets of a cache. */
	struct walk walks[] = { { .places = few, .count = REFERENCE },
				{ .places = places, .count = count, .laps = laps(count) },
				{ .places = other_places, .count = other_count, .laps = laps(other_count) } };
	double ns[3];
	bool ran;

	for (int i = 0; i < 3; i++)
		walks[i].pages = paging->pages;
	ran = places && tour_places(paging, pages, count, places) &&
	      tour_places(paging, others, other_count, other_places) &&
	      timing_walks_by_turns(lab->timer, walks, 3, TURNS, STEPS, ns);
	free(places);
	lab->finding.samples += 3 * TURNS * MACHINE_BURST;
	return ran ? paging->chase * (ns[1] - ns[2]) / ns[0] : NAN;
}

double tour_rows(struct lab *lab, const struct paging *paging, long count, long few)
{
	long *more = malloc(2 * (size_t)count * sizeof(*more)), *less = more + count;
	double difference = NAN;

	if (more) {
		walk_shuffle(more, count);
		for (long i = 0; i < count; i++) {
			less[i] = tour_page(paging, more[i] % few);
			more[i] = tour_page(paging, more[i]);
		}
		difference = tour_difference(lab, paging, more, count, less, count);
	}
	free(more);
	return difference;
}

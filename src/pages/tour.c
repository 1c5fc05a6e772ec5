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
	FEW_LINES = 64, /* as many offsets has the smallest page */
	MOST_LINES = 256, /* as many lines has the smallest nearest cache */
	MOST_FRAMES = 64,
	APART = 37, /* lines */
	TURNS = 3,
	STEPS = 8192, /* whatever a look at the clock throws out of a TLB costs a round */
	LAPS = 60, /* until a TLB that throws out any of its pages holds what it will */
	MOST_LAPS = 120000, /* steps: so many pages are not about to fit */
	REFERENCE = 2
};

static const double FITS = 0.7; /* of the entries: so many pages the TLB holds for certain */

/* How some pages lie on frames, or on parts of them. */
struct footing {
	long frames; /* 0: each page has its own */
	bool few; /* parts of four frames */
	double own; /* bytes: pages that share frames do so by the pages of the system */
	long in_use, most; /* frames; pages on one of them */
	long used; /* lines of each */
	long rank[MOST_FRAMES]; /* of those in use, by frame */
};

static long frame_of(const struct paging *paging, const struct footing *footing, long page)
{
	return footing->frames ? (long)((double)page * paging->page / footing->own) % footing->frames : 0;
}

/* Of few frames few lines, so that each has offsets of its own: wherever frames lie, no two lines compete for a set of
 * the nearest cache as long as there are no more places than those have words. Never more than it holds. */
static long lines_used(const struct footing *footing)
{
	long lines = (long)(footing->own / LINE), used = (footing->most + WORDS - 1) / WORDS;
	long least = FEW_LINES / footing->in_use, most = (MOST_LINES + footing->in_use - 1) / footing->in_use;

	if (!footing->few)
		return lines;
	used = used < least ? least : used < most ? used : most;
	return lines < used ? lines : used;
}

static struct footing find_footing(const struct paging *paging, const long *pages, long count)
{
	struct footing footing = { .frames = paging_frames(paging),
				   .few = walk_frames(paging->pages) == FEW_FRAMES,
				   .own = paging->page };
	long load[MOST_FRAMES] = { 0 };

	if (footing.frames)
		footing.own = fmin(paging->system, paging->page);
	for (long i = 0; i < count; i++)
		load[frame_of(paging, &footing, pages[i])]++;
	for (long i = 0; i < MOST_FRAMES; i++) {
		footing.rank[i] = footing.in_use;
		footing.in_use += load[i] > 0;
		footing.most = load[i] > footing.most ? load[i] : footing.most;
	}
	footing.used = lines_used(&footing);
	return footing;
}

/* Line after line from one on that is another in each frame, then word after word: two places of one line are two only
 * to the walk. */
static uint64_t slot_of(const struct footing *footing, long index, long frame)
{
	long lines = (long)(footing->own / LINE), used = footing->used;
	long first = footing->few ? footing->rank[frame] * used : frame * APART;

	return (uint64_t)((index % used + first) % lines * LINE + index / used * (LINE / WORDS));
}

/* A place in each page, no two in one line as long as there are lines enough. False when there is no room. */
static bool tour_places(const struct paging *paging, const long *pages, long count, uint64_t *places)
{
	struct footing footing = find_footing(paging, pages, count);
	long room = footing.used * WORDS, taken[MOST_FRAMES] = { 0 };

	for (long i = 0; i < count; i++) {
		long frame = frame_of(paging, &footing, pages[i]);
		long index = footing.frames ? taken[frame]++ : i % room;

		if (index >= room)
			return false;
		places[i] = (uint64_t)pages[i] * (uint64_t)paging->page + slot_of(&footing, index, frame);
	}
	return true;
}

long tour_few(const struct paging *paging)
{
	long few = paging->page < paging->system ? paging_frames(paging) / (long)paging->group : 0;

	while (few > FEW_FRAMES && (double)few > FITS * paging->tlb[0].entries)
		few /= 2;
	return few > FEW_FRAMES ? few : FEW_FRAMES;
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
		/* Round and round the few, too: a TLB above finds as little of them as of the others. */
		walk_shuffle(less, few < count ? few : count);
		for (long i = few; i < count; i++)
			less[i] = less[i % few];
		walk_shuffle(more, count);
		for (long i = 0; i < count; i++) {
			less[i] = tour_page(paging, less[i]);
			more[i] = tour_page(paging, more[i]);
		}
		difference = tour_difference(lab, paging, more, count, less, count);
	}
	free(more);
	return difference;
}

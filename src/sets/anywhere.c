/* SPDX-License-Identifier: MIT */
/*
 * anywhere.c - do any places of a set compete, or only those that lie in a row?
 *
 * Beside the walk round them comes a control: the same pages in the same order, and sets enough for all. What a page
 * that is not in the TLB costs, round and round, is not what random references pay for as many.
 */
#include <math.h>
#include <stdlib.h>

#include "sets.h"

enum { LOOKS = 5, MOST_PLACES = 1 << 17, AMONG = 4 /* times as many, of which some are taken */ };

static const double NO_MISS = 0.5; /* cycles: what no control tells may be off by */

/* Every subset is as likely; all columns of those that are taken. */
static void take(struct search *search, const struct conflicts *conflicts, struct columns columns, long count,
		 uint64_t *places)
{
	long among = AMONG * count, wide = (long)columns.count, made = 0;

	for (long left = among; made < count * wide; left--) {
		bool taken = (search->random >> 33) % (uint64_t)left < (uint64_t)(count - made / wide);

		for (long i = 0; taken && i < wide; i++)
			places[made++] = (uint64_t)(among - left) * (uint64_t)conflicts->way +
					 (uint64_t)i * (uint64_t)columns.apart;
		search->random = search->random * 6364136223846793005u + 1442695040888963407u;
	}
}

/* Moves the places of a group, which share a set, to another set, with as few groups in each as can be. False when sets
 * do not suffice, or when the level above would hold what it does not hold of the set. */
static bool move(const struct search *search, const struct conflicts *conflicts, struct columns columns, long count,
		 uint64_t *places)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double within = fmin(hierarchy->page, conflicts->way), line = LONG_LINE;
	uint64_t page = (uint64_t)hierarchy->page;
	long wide = (long)columns.count, sets;

	if (columns.count > 1)
		within = fmin(within, columns.apart);
	if (columns.in_a_row || (search->depth && columns.count <= hierarchy->level[search->depth - 1].conflicts.held))
		return false;
	while (line > PLACE && (double)count > conflicts->held * (within / line - 1))
		line /= 2;
	sets = (long)(within / line) - 1;
	if ((double)count > conflicts->held * (double)sets)
		return false;
	for (long i = 0; i < count * wide; i++) {
		uint64_t offset = places[i] % page + (uint64_t)(1 + i / wide % sets) * (uint64_t)line;

		places[i] = places[i] / page * page + offset % page;
	}
	return true;
}

double sets_missed_anywhere(struct search *search, const struct conflicts *conflicts, long count)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	struct columns columns = sets_columns(search, conflicts->way, (double)count);
	double far = AMONG * (double)count * conflicts->way, time, hit, missed;
	long all = count * (long)columns.count;
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .count = all };
	uint64_t *places;

	if (count < 2 || all > MOST_PLACES || far > (double)search->lab->timer->machine->memory)
		return NAN;
	places = malloc((size_t)all * sizeof(*places));
	if (!places)
		return NAN;
	take(search, conflicts, columns, count, places);
	walk.places = places;
	time = engine_walk(search->lab, &walk, LOOKS);
	if (move(search, conflicts, columns, count, places))
		hit = engine_walk(search->lab, &walk, LOOKS);
	else
		hit = hierarchy->level[search->depth].latency + NO_MISS +
		      hierarchy_translation(hierarchy, fmax(hierarchy->page, fmin((double)all * hierarchy->page, far)));
	free(places);
	missed = (time - hit) / hierarchy_step(hierarchy, search->depth);
	lab_note(search->lab, "share of scattered places missed", (double)count, missed, "");
	return missed;
}

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

enum { LOOKS = 5, MOST_PLACES = 1 << 17, SUBSETS = 6, AMONG = 4 /* times as many, of which some are taken */ };

static const double MISSED = 0.03; /* of places that are all held */
/* Of half as many again, though most of them may come along with others: parts of a line, or what is fetched ahead. */
static const double CLEARLY_MISSED = 0.06;
static const double HIDES = 0.25; /* of that: by so much a control may miss itself */

static const double NO_MISS = 0.5; /* cycles */
static const double ROOM = 0.5; /* of what sets hold: so few are held by any policy */

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

/* The same for equal counts; no prefetcher knows what comes. */
static void shuffle(uint64_t *places, long count)
{
	uint64_t random = 88172645463325252u;

	for (long i = count - 1; i > 0; i--) {
		random = random * 6364136223846793005u + 1442695040888963407u;

		long j = (long)((random >> 33) % (uint64_t)(i + 1));
		uint64_t kept = places[i];

		places[i] = places[j];
		places[j] = kept;
	}
}

/* Moves the places of a group, which share a set, to another set, with as few groups in each as can be. False when sets
 * do not suffice, or when the level above would hold what it does not hold of the set. */
static bool move(const struct search *search, const struct conflicts *conflicts, struct columns columns, long count,
		 const uint64_t *places, uint64_t *moved)
{
	const struct hierarchy *hierarchy = search->hierarchy;
	double within = fmin(hierarchy->page, conflicts->way), line = LONG_LINE;
	uint64_t page = (uint64_t)hierarchy->page;
	long wide = (long)columns.count, sets;

	if (columns.count > 1)
		within = fmin(within, columns.apart);
	if (columns.in_a_row || (search->depth && columns.count <= hierarchy->level[search->depth - 1].conflicts.held))
		return false;
	while (line > PLACE && (double)count > ROOM * conflicts->held * (within / line - 1))
		line /= 2;
	sets = (long)(within / line) - 1;
	if ((double)count > fmax(1, ROOM * conflicts->held) * (double)sets)
		return false;
	for (long i = 0; i < count * wide; i++) {
		uint64_t offset = places[i] % page + (uint64_t)(1 + i / wide % sets) * (uint64_t)line;

		moved[i] = places[i] / page * page + offset % page;
	}
	return true;
}

static double walk_round(struct search *search, uint64_t *places, long count)
{
	struct walk walk = { .order = WALK_CYCLE, .pages = WALK_HUGE_PAGES, .places = places, .count = count };

	shuffle(places, count);
	return engine_walk(search->lab, &walk, LOOKS);
}

static double translation(const struct search *search, double places, double extent)
{
	double page = search->hierarchy->page;

	return hierarchy_translation(search->hierarchy, fmax(page, fmin(places * page, extent)));
}

/* Where nothing can be moved the control are places in a row, as many as are known to be held. Lines in a row take less
 * than a load each, as parts of one line do; and more is what a policy loses that keeps others. */
static double walk_in_a_row(struct search *search, const struct conflicts *conflicts, struct columns columns,
			    long count, uint64_t *places)
{
	long wide = (long)columns.count, held = (long)conflicts->held < count ? (long)conflicts->held : count;
	double all_pages = translation(search, (double)(count * wide), AMONG * (double)count * conflicts->way), time;

	for (long i = 0; i < held * wide; i++)
		places[i] = (uint64_t)(i / wide) * (uint64_t)conflicts->way +
			    (uint64_t)(i % wide) * (uint64_t)columns.apart;
	time = walk_round(search, places, held * wide) -
	       translation(search, (double)(held * wide), (double)held * conflicts->way);
	return all_pages + fmin(time, search->hierarchy->level[search->depth].latency + NO_MISS);
}

/* Misses of a walk round `count` places of the set, taken at random from many, in all columns: share of its steps. NaN
 * when there is not memory enough. */
static double missed_anywhere(struct search *search, const struct conflicts *conflicts, long count)
{
	struct columns columns = sets_columns(search, conflicts->way, (double)count);
	double far = AMONG * (double)count * conflicts->way, hit, missed;
	long all = count * (long)columns.count;
	uint64_t *places, *control;

	if (count < 2 || all > MOST_PLACES || far > (double)search->lab->timer->machine->memory)
		return NAN;
	places = malloc(2 * (size_t)all * sizeof(*places));
	if (!places)
		return NAN;
	control = places + all;
	take(search, conflicts, columns, count, places);
	if (move(search, conflicts, columns, count, places, control))
		hit = walk_round(search, control, all);
	else
		hit = walk_in_a_row(search, conflicts, columns, count, control);
	missed = (walk_round(search, places, all) - hit) / hierarchy_step(search->hierarchy, search->depth);
	free(places);
	lab_note(search->lab, "share of scattered places missed", (double)count, missed, "");
	return missed;
}

/* A plain index puts any places of the set into it; a hashed one does so only with some that lie in a row. Of two
 * slices chance fills both alike once in five times, and a disturbance may look like misses once: so several are tried.
 */
bool sets_plain(struct search *search, const struct conflicts *conflicts)
{
	long more = (long)ceil(1.5 * conflicts->held) + 1;
	double over = missed_anywhere(search, conflicts, more);
	double least = 0;
	int missed = 0;

	for (int i = 0; i < SUBSETS && missed < 2; i++) {
		double share = missed_anywhere(search, conflicts, (long)conflicts->held);

		missed += share > MISSED;
		least = fmin(least, share);
	}
	over = fmin(over, missed_anywhere(search, conflicts, more));
	/* A control that misses itself would hide what they do. */
	return missed < 2 && !(over < CLEARLY_MISSED) && !(least < -HIDES * over);
}

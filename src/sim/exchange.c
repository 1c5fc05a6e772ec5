/* SPDX-License-Identifier: MIT */
/*
 * exchange.c - what it costs that CPUs write to the same lines
 */
#include <math.h>

#include "company.h"

static const double ADDITION = 20; /* cycles of an atomic addition to a line of one's own */
static const double TURNS = 0.5; /* of the distance, an addition: whoever has the line adds more than once */
static const double USUAL_MISSES = 10; /* under way at once */
/* Times as many cycles beside somebody on the same core, who runs while we look for our turn: on the Emerald Rapids
 * guest lines took 61 ns, and half as long again from or to some CPUs for a while, whatever the other was. */
static const double BESIDE = 3;

/* Half of it goes by the clock, half does not. */
static struct sim_work on_the_way(const struct sim_board *board, const struct sim_member *member, double ns)
{
	double cycles = ns / 2 * board->description->frequency / 1e9 / member->speed;

	return (struct sim_work){ .alone = cycles, .shared = (member->visited ? BESIDE : 1) * cycles, .fixed = ns / 2 };
}

/* ns that a line of a block takes which the other has written: from his caches, from one that serves both, or from
 * memory; some are under way at once. */
static double line_of_block(const struct sim_board *board, int from, int to, double bytes)
{
	const struct description *description = board->description;
	double cycle = 1e9 / description->frequency, own = 0, misses = 0,
	       ns = description->memory.present ? description->memory.latency * cycle : description->cpus.latency;

	for (int i = description->cache_count - 1; i >= 0; i--) {
		const struct description_cache *cache = &description->caches[i];

		if (cache->holds == HOLDS_CODE)
			continue;
		if (cache->misses > 0)
			misses = cache->misses;
		if (board->served[i][from] != board->served[i][to])
			own = fmax(own, cache->size);
		else if (bytes <= cache->size)
			ns = cache->latency * cycle;
	}
	if (bytes <= own)
		ns = sim_board_distance(board, from, to, 0);
	return ns / (misses > 0 ? misses : USUAL_MISSES);
}

/* The longest line of the caches that do not serve both; where all do, of the nearest. */
static double line_apart(const struct sim_board *board, int a, int b)
{
	const struct description *description = board->description;
	double line = 0;

	for (int i = description->cache_count - 1; i >= 0; i--) {
		const struct description_cache *cache = &description->caches[i];

		if (cache->holds == HOLDS_CODE)
			continue;
		if (board->served[i][a] != board->served[i][b])
			line = fmax(line, cache->line);
		else if (i == 0 && line == 0)
			line = cache->line;
	}
	return line > 0 ? line : 64;
}

struct sim_work sim_exchange_pass(const struct sim_board *board, const struct team *team,
				  const struct sim_member *members, int from)
{
	int a = members[from].seat, b = members[!from].seat;
	double lines = ceil((double)team->bytes / line_apart(board, a, b)),
	       ns = sim_board_distance(board, a, b, team->place) +
		    (lines > 0 ? lines * line_of_block(board, a, b, (double)team->bytes) : 0);

	return on_the_way(board, &members[from], ns);
}

struct sim_work sim_exchange_store(const struct sim_board *board, const struct team *team,
				   const struct sim_member *members, int index)
{
	int seat = members[index].seat;
	double waits = 0;
	struct sim_work work;

	for (int i = 0; i < team->count; i++) {
		double line = line_apart(board, seat, members[i].seat), ours = (double)team->bytes * index,
		       theirs = (double)team->bytes * i, turns = 0;

		/* Threads of one core have the line both. */
		if (board->core[members[i].seat] == board->core[seat])
			continue;
		if (floor(ours / line) == floor(theirs / line))
			turns = TURNS;
		else if (board->description->memory.adjacent > 0 &&
			 floor(ours / (2 * line)) == floor(theirs / (2 * line)))
			turns = TURNS / 2;
		waits += turns * sim_board_distance(board, seat, members[i].seat, team->place);
	}
	work = on_the_way(board, &members[index], waits);
	work.alone += ADDITION / members[index].speed;
	work.shared = work.alone;
	return work;
}

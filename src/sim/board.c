/* SPDX-License-Identifier: MIT */
/*
 * board.c - seats, cores, groups and the caches that serve them
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

static int *row_parts(const struct description_row *sizes, int count)
{
	int *parts = calloc((size_t)count, sizeof *parts), part = 0, left = (int)description_row_at(sizes, 0);

	for (int i = 0; parts && i < count; i++) {
		if (left == 0)
			left = (int)description_row_at(sizes, ++part);
		parts[i] = part;
		left--;
	}
	return parts;
}

/* The first seat of each core, then the second of each, and so on. */
static void number_cores(struct sim_board *board)
{
	int given = 0;

	for (int turn = 0; given < board->count; turn++)
		for (int seat = 0, within = 0; seat < board->count; seat++) {
			within = seat && board->core[seat] == board->core[seat - 1] ? within + 1 : 0;
			if (within == turn)
				board->seat[given++] = seat;
		}
}

static void exchange(int *seats, int a, int b)
{
	int seat = seats[a];

	seats[a] = seats[b];
	seats[b] = seat;
}

static int any(struct sim_board *board, int below)
{
	return (int)(sim_random_unit(&board->random) * below);
}

static double next_move(struct sim_board *board, double now)
{
	double mean = board->description->cpus.migration;

	return mean > 0 ? now - log(1 - sim_random_unit(&board->random)) * mean : INFINITY;
}

static void number(struct sim_board *board)
{
	for (int i = 0; i < board->count; i++)
		board->seat[i] = i;
	if (board->description->cpus.numbers == NUMBERS_CORES)
		number_cores(board);
	if (board->description->cpus.numbers == NUMBERS_MIXED)
		for (int i = board->count - 1; i > 0; i--)
			exchange(board->seat, i, any(board, i + 1));
}

/* A cache serves a whole core at the least. */
static void keep_cores_whole(const struct sim_board *board, int *served)
{
	for (int seat = 1; seat < board->count; seat++)
		if (board->core[seat] == board->core[seat - 1])
			served[seat] = served[seat - 1];
}

bool sim_board_start(struct sim_board *board, const struct description *description, uint64_t seed)
{
	const struct description_cpus *cpus = &description->cpus;
	int count = (int)cpus->count;
	bool whole;

	*board = (struct sim_board){ .description = description, .count = count };
	sim_random_seed(&board->random, seed ^ 0x6a09e667f3bcc909u);
	board->seat = calloc((size_t)count, sizeof *board->seat);
	board->core = row_parts(&description->core.smt, count);
	whole = board->seat && board->core;
	for (int i = 0; i < cpus->group_count; i++) {
		board->group[i] = row_parts(&cpus->groups[i].cpus, count);
		whole = whole && board->group[i];
	}
	for (int i = 0; whole && i < description->cache_count; i++) {
		board->served[i] = row_parts(&description->caches[i].shared, count);
		whole = board->served[i];
		if (whole)
			keep_cores_whole(board, board->served[i]);
	}
	if (!whole)
		return false;
	number(board);
	board->next_move = next_move(board, 0);
	return true;
}

void sim_board_free(struct sim_board *board)
{
	free(board->seat);
	free(board->core);
	for (int i = 0; i < DESCRIPTION_GROUPS; i++)
		free(board->group[i]);
	for (int i = 0; i < DESCRIPTION_CACHES; i++)
		free(board->served[i]);
}

void sim_board_time(struct sim_board *board, double now)
{
	while (board->next_move <= now) {
		exchange(board->seat, any(board, board->count), any(board, board->count));
		board->next_move = next_move(board, board->next_move);
	}
}

/* Between -1 and 1: the same for both ways round, another for each line. */
static double home_of(int a, int b, int place)
{
	uint64_t mixed = ((uint64_t)(a < b ? a : b) << 40) ^ ((uint64_t)(a < b ? b : a) << 20) ^ (uint64_t)place;

	return (double)(sim_random_mix(&mixed) >> 11) * 0x1p-52 - 1;
}

double sim_board_distance(const struct sim_board *board, int from, int to, int place)
{
	const struct description_cpus *cpus = &board->description->cpus;
	double ns = cpus->latency;

	for (int i = cpus->group_count - 1; i >= 0; i--)
		if (board->group[i][from] == board->group[i][to])
			ns = cpus->groups[i].latency;
	/* It does not leave the core. */
	if (board->core[from] == board->core[to])
		return cpus->core_latency;
	return ns * (1 + cpus->homes * home_of(board->core[from], board->core[to], place));
}

const struct description_group *sim_board_beyond(const struct sim_board *board, int seat, int cpu, bool bound)
{
	const struct description_cpus *cpus = &board->description->cpus;
	int home = cpus->touched == TOUCHED_FIRST && !bound ? 0
		   : cpu < 0 || cpu >= board->count         ? seat
							    : board->seat[cpu];
	const struct description_group *beyond = NULL;

	for (int i = 0; i < cpus->group_count; i++)
		if (cpus->groups[i].remote > 0 && board->group[i][seat] != board->group[i][home])
			beyond = &cpus->groups[i];
	return beyond;
}

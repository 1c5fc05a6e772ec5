/* SPDX-License-Identifier: MIT */
/*
 * board.h - where the CPUs of a described machine sit, and how far it is from one to another; private to sim/
 *
 * Seats are the hardware's threads, in the row of the file. The system's numbers stand for seats in another order, and
 * a host may let CPUs change theirs.
 */
#ifndef XRAY_SIM_BOARD_H
#define XRAY_SIM_BOARD_H

#include <stdint.h>

#include "../describe/description.h"
#include "../memory/random.h"

struct sim_board {
	const struct description *description;
	int count;
	int *seat; /* of each CPU */
	int *core; /* of each seat */
	int *group[DESCRIPTION_GROUPS]; /* of each seat, on each level */
	int *served[DESCRIPTION_CACHES]; /* of each seat, by which cache of each level */
	struct sim_random random;
	double next_move; /* ns; INFINITY: never */
};

/* False when memory ran out; free it either way. */
bool sim_board_start(struct sim_board *board, const struct description *description, uint64_t seed);
void sim_board_free(struct sim_board *board);

/* It is that late, ns: the host may have moved CPUs. */
void sim_board_time(struct sim_board *board, double now);

/* ns that a line takes from one seat to another; `place` is which line. */
double sim_board_distance(const struct sim_board *board, int from, int to, int place);

/* The group beyond which one seat finds memory that a CPU touched first, or that is bound to where the CPU has its own;
 * below 0: the seat's. NULL: it is not beyond any. */
const struct description_group *sim_board_beyond(const struct sim_board *board, int seat, int cpu, bool bound);

#endif

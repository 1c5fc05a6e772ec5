/* SPDX-License-Identifier: MIT */
/*
 * crew.h - lets teams work on this machine; private to machine/
 */
#ifndef XRAY_MACHINE_CREW_H
#define XRAY_MACHINE_CREW_H

#include "machine.h"

struct crew;

/* A loop as it is compiled. */
struct crew_loop {
	double (*function)(long laps, int skip);
	int skip;
};

/* NULL when memory ran out. */
struct crew *crew_open(void);
void crew_close(struct crew *crew);

/* As machine_ops.team; loops of its members are ready, walks may take `memory` bytes all together. */
enum machine_status crew_work(struct crew *crew, const struct team *team, const struct crew_loop *loops,
			      uint64_t memory, struct team_reading *reading);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * company.h - teams on the simulated machine: who runs where and when, and what each piece of work takes
 */
#ifndef XRAY_SIM_COMPANY_H
#define XRAY_SIM_COMPANY_H

#include "../machine/machine.h"
#include "../core/laps.h"
#include "board.h"
#include "stroll.h"

/* A walk that went round more than all caches hold, and where it stopped: it goes on there next time, as it would on a
 * real machine, and nobody need go round all of it first to forget where it began. */
struct sim_walked {
	uint64_t places; /* their hash; 0: none */
	long at;
};

struct sim_company {
	const struct description *description;
	struct sim_laps *laps;
	struct sim_noise *clock; /* the machine's */
	struct sim_board board;
	struct sim_noise *noises; /* of each CPU */
	struct sim_memory **memories; /* of each seat; NULL: not used yet */
	struct sim_walked *walked; /* of each seat */
	int busy; /* CPUs that work now */
	uint64_t given; /* bytes of physical addresses that they have */
	uint64_t seed;
};

/* One of a team's members, and where it is with its work. */
struct sim_member {
	const struct team_member *asked;
	int cpu, seat;
	int threads; /* of its core that work, its own counted */
	bool visited; /* the core has room for somebody else's thread */
	double speed;
	struct sim_noise *noise;
	const struct sim_lap *lap; /* TEAM_RUN */
	struct sim_work addition; /* TEAM_STORE: one */
	struct stroll stroll; /* TEAM_WALK */
	struct sim_walker walker;
	struct walk walk;
	long left; /* of the piece under way */
	double began; /* it; of TEAM_WATCH the last look */
	bool switched;
	bool waiting; /* it is not its turn on its CPU */
	struct team_part *part;
	struct sim_member *mate; /* another of its core, and so on round; itself where there is none */
};

/* False when memory ran out; free it either way. */
bool sim_company_start(struct sim_company *company, const struct description *description, struct sim_laps *laps,
		       struct sim_noise *clock, uint64_t seed);
void sim_company_free(struct sim_company *company);

enum machine_status sim_company_work(struct sim_company *company, const struct team *team,
				     struct team_reading *reading);

/* --- exchange.c: what CPUs cost one another. One round of a pass, one way; an addition to a word beside those of
 * others. */
struct sim_work sim_exchange_pass(const struct sim_board *board, const struct team *team,
				  const struct sim_member *members, int from);
struct sim_work sim_exchange_store(const struct sim_board *board, const struct team *team,
				   const struct sim_member *members, int index);

/* --- queue.c: lets all members of all CPUs work from `start` to `end`, ns on the clock. */
void sim_queue_work(const struct sim_company *company, const struct team *team, struct sim_member *members,
		    double start, double end);

#endif

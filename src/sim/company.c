/* SPDX-License-Identifier: MIT */
/*
 * company.c - puts a team's members onto CPUs, and lets them work
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "company.h"

static const double ADDRESSES = 0x1p37; /* bytes of physical addresses that all arenas may have among them */
static const double VAST = 2; /* times what all caches hold */
static const double START = 3e4; /* ns until all are there */

bool sim_company_start(struct sim_company *company, const struct description *description, struct sim_laps *laps,
		       struct sim_noise *clock, uint64_t seed)
{
	bool whole;

	*company = (struct sim_company){ .description = description, .laps = laps, .clock = clock, .seed = seed };
	whole = sim_board_start(&company->board, description, seed);
	company->noises = calloc((size_t)company->board.count, sizeof *company->noises);
	company->memories = calloc((size_t)company->board.count, sizeof(struct sim_memory *));
	company->walked = calloc((size_t)company->board.count, sizeof *company->walked);
	for (int i = 0; company->noises && i < company->board.count; i++)
		sim_noise_start(&company->noises[i], description, seed + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u);
	return whole && company->noises && company->memories && company->walked;
}

void sim_company_free(struct sim_company *company)
{
	for (int i = 0; company->memories && i < company->board.count; i++)
		sim_memory_free(company->memories[i]);
	free(company->memories);
	free(company->walked);
	free(company->noises);
	sim_board_free(&company->board);
}

/* The memory as a seat sees it: with the caches of those who have one in common with it. */
static struct sim_memory *memory_of(struct sim_company *company, int seat)
{
	const struct sim_board *board = &company->board;
	struct sim_sharing sharing = { .given = &company->given };

	if (company->memories[seat] || !company->description->memory.present)
		return company->memories[seat];
	sharing.size = fmin(company->description->memory.size, exp2(floor(log2(ADDRESSES / 2 / board->count))));
	for (int level = 0; level < company->description->cache_count; level++)
		for (int other = 0; other < board->count && !sharing.with[level]; other++)
			if (board->served[level][other] == board->served[level][seat])
				sharing.with[level] = company->memories[other];
	company->memories[seat] =
		sim_memory_new(company->description, &sharing, company->seed + (uint64_t)seat * 0xd1342543de82ef95u);
	return company->memories[seat];
}

/* An idle CPU, of an idle core if there is one; else one with as few as any. */
static int choose_cpu(const struct sim_company *company, const int *load)
{
	const struct sim_board *board = &company->board;
	int best = 0;
	double least = INFINITY;

	for (int cpu = 0; cpu < board->count; cpu++) {
		double busy = load[cpu];

		for (int other = 0; other < board->count && load[cpu] < least; other++)
			if (board->core[board->seat[other]] == board->core[board->seat[cpu]])
				busy += load[other] > 0 ? 0.01 : 0;
		if (busy < least) {
			least = busy;
			best = cpu;
		}
	}
	return best;
}

/* Those with a CPU of their own first; the others go where there is room. False: there is no such CPU. */
static bool place(struct sim_company *company, const struct team *team, struct sim_member *members, int *load)
{
	for (int i = 0; i < team->count; i++) {
		members[i].asked = &team->members[i];
		members[i].cpu = team->members[i].cpu;
		if (members[i].cpu >= company->board.count)
			return false;
		if (members[i].cpu >= 0)
			load[members[i].cpu]++;
	}
	for (int i = 0; i < team->count; i++)
		if (members[i].cpu < 0) {
			members[i].cpu = choose_cpu(company, load);
			load[members[i].cpu]++;
		}
	return true;
}

/* A core of which more than one thread is ours has none for others. */
static void meet(const struct sim_company *company, const int *load, struct sim_member *member)
{
	const struct sim_board *board = &company->board;
	int ours = 0;

	member->threads = 0;
	for (int cpu = 0; cpu < board->count; cpu++) {
		bool same = board->core[board->seat[cpu]] == board->core[member->seat];

		ours += same;
		member->threads += same && load[cpu] > 0;
	}
	member->visited = ours == 1;
}

static void link_mates(const struct sim_board *board, struct sim_member *members, int count)
{
	for (int i = 0; i < count; i++) {
		members[i].mate = &members[i];
		for (int j = i - 1; j >= 0; j--)
			if (board->core[members[j].seat] == board->core[members[i].seat]) {
				members[i].mate = members[j].mate;
				members[j].mate = &members[i];
				break;
			}
	}
}

static bool is_vast(const struct description *description, const struct walk *walk)
{
	double held = 0, line = INFINITY;

	for (int i = 0; i < description->cache_count; i++) {
		held += description->caches[i].size;
		line = fmin(line, description->caches[i].line);
	}
	return walk->order == WALK_CYCLE && !walk->code && (double)walk->count * line > VAST * held;
}

static void remember_walks(struct sim_company *company, const struct sim_member *members, int count)
{
	for (int i = 0; i < count; i++)
		company->walked[members[i].seat] =
			(struct sim_walked){ is_vast(company->description, &members[i].walk) ? members[i].walker.last
											     : 0,
					     members[i].stroll.at };
}

/* Memory of its own, touched first where its home is. */
static bool begin_walk(struct sim_company *company, struct sim_member *member, int index, struct team_reading *reading)
{
	const struct description *description = company->description;
	struct reading walked = { .why = "out of memory" };
	const struct description_group *beyond =
		sim_board_beyond(&company->board, member->seat, member->asked->home, member->asked->bound);
	bool refused = member->asked->bound && description->cpus.binding == BINDING_REFUSED;

	member->walk = *member->asked->walk;
	member->walk.arena += index * WALK_ARENAS;
	member->walker =
		(struct sim_walker){ .description = description, .noise = member->noise, .seen = member->noise->now };
	member->walker.memory = memory_of(company, member->seat);
	if (is_vast(description, &member->walk)) {
		member->walker.last = company->walked[member->seat].places;
		member->walker.at = company->walked[member->seat].at;
	}
	sim_random_seed(&member->walker.random, company->seed + (uint64_t)index);
	if (member->walker.memory) {
		/* The clock of a core does not change how far memory is. */
		sim_memory_remote(member->walker.memory,
				  (beyond ? beyond->remote : 0) * description->frequency / 1e9 * member->speed +
					  description->memory.latency * (member->speed - 1),
				  beyond ? beyond->remote_bandwidth : 0);
		sim_memory_company(member->walker.memory, company->busy, member->speed);
	}
	if (!refused && (member->walker.memory || !description->memory.present) &&
	    sim_walk_begin(&member->stroll, &member->walker, &member->walk, member->asked->length, &walked)) {
		member->stroll.settled = sim_memory_settled(member->walker.memory);
		member->stroll.beside = true;
		return true;
	}
	snprintf(reading->why, sizeof reading->why, "%s", refused ? "memory cannot be bound to a node" : walked.why);
	return false;
}

/* False and why when it cannot begin. */
static bool prepare(struct sim_company *company, const struct team *team, struct sim_member *members, int index,
		    struct team_reading *reading)
{
	struct sim_member *member = &members[index];

	if (team->task == TEAM_RUN) {
		member->lap = sim_laps_find(company->laps, company->description, member->asked->nano, member->threads);
		if (member->lap && member->lap->status == MACHINE_RAN)
			return true;
		snprintf(reading->why, sizeof reading->why, "%s", member->lap ? member->lap->why : "out of memory");
		return false;
	}
	if (team->task == TEAM_STORE)
		member->addition = sim_exchange_store(&company->board, team, members, index);
	return team->task != TEAM_WALK || begin_walk(company, member, index, reading);
}

/* One after the other: what holds up one holds up both. */
static void pass(const struct sim_company *company, const struct team *team, struct sim_member *members, double end)
{
	struct sim_work ways[2];
	struct sim_noise *noises[2] = { members[0].noise, members[1].noise };
	bool one_cpu = members[0].cpu == members[1].cpu;
	double times = (double)members[0].asked->length;

	for (int i = 0; i < 2; i++) {
		ways[i] = sim_exchange_pass(&company->board, team, members, i);
		/* He has to wait until it is his turn on the CPU, too. */
		if (one_cpu)
			ways[i].fixed += company->description->cpus.slice;
	}
	while (noises[0]->now < end) {
		double start = sim_noise_clock(noises[0]);
		bool switched = one_cpu;
		struct team_sample sample;

		for (int i = 0; i < 2; i++) {
			struct sim_work half = { ways[i].alone * times, ways[i].shared * times, ways[i].fixed * times };

			switched |= sim_noise_run(noises[i], half);
			sim_noise_wait(noises[!i], noises[i]->now - noises[!i]->now);
		}
		sample = (struct team_sample){ sim_noise_clock(noises[0]) - start, switched };
		for (int i = 0; i < 2 && noises[0]->now <= end; i++) {
			struct team_part *part = members[i].part;

			part->done++;
			if (part->count < TEAM_SAMPLES)
				part->samples[part->count++] = sample;
		}
	}
}

static bool work(struct sim_company *company, const struct team *team, struct sim_member *members, int *load,
		 struct team_reading *reading)
{
	double start = company->clock->now + START;

	if (!place(company, team, members, load)) {
		snprintf(reading->why, sizeof reading->why, "there is no such CPU");
		return false;
	}
	sim_board_time(&company->board, start);
	company->busy = 0;
	for (int cpu = 0; cpu < company->board.count; cpu++)
		company->busy += load[cpu] > 0;
	for (int i = 0; i < team->count; i++) {
		struct sim_member *member = &members[i];

		member->seat = company->board.seat[member->cpu];
		meet(company, load, member);
		member->speed = description_row_at(&company->description->cpus.speed, member->seat);
		member->noise = &company->noises[member->cpu];
		member->noise->busy = company->busy;
		member->part = &reading->parts[i];
		*member->part = (struct team_part){ .done = 0 };
		sim_noise_wait(member->noise, start - member->noise->now);
	}
	link_mates(&company->board, members, team->count);
	for (int i = 0; i < team->count; i++)
		if (!prepare(company, team, members, i, reading))
			return false;
	for (int i = 0; i < team->count; i++)
		start = fmax(start, members[i].noise->now);
	for (int i = 0; i < team->count; i++) {
		sim_noise_wait(members[i].noise, start - members[i].noise->now);
		members[i].began = start;
	}
	if (team->task == TEAM_PASS && team->count == 2)
		pass(company, team, members, start + team->ns);
	else
		sim_queue_work(company, team, members, start, start + team->ns);
	if (team->task == TEAM_WALK)
		remember_walks(company, members, team->count);
	sim_noise_wait(company->clock, start + team->ns - company->clock->now);
	reading->ns = team->ns;
	reading->why[0] = '\0';
	return true;
}

enum machine_status sim_company_work(struct sim_company *company, const struct team *team, struct team_reading *reading)
{
	const char *wrong = team_wrong(team);
	struct sim_member *members = team->count > 0 ? calloc((size_t)team->count, sizeof *members) : NULL;
	int *load = calloc((size_t)company->board.count, sizeof *load);
	bool done;

	snprintf(reading->why, sizeof reading->why, "%s", wrong ? wrong : "out of memory");
	done = !wrong && members && load && work(company, team, members, load, reading);
	free(members);
	free(load);
	return done ? MACHINE_RAN : MACHINE_BLOCKED;
}

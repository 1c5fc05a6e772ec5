/* SPDX-License-Identifier: MIT */
/*
 * queue.c - the members of each CPU take turns, a slice each; all CPUs go on side by side
 */
#include <math.h>
#include <stdlib.h>

#include "company.h"

/* Of a walk so many steps are taken at once, so that walks that share a cache meet there; of other work whole pieces,
 * and several once nobody looks at single ones any more. */
enum { STEPS = 64, STRETCHES = 32 };

static const double TOGETHER = 2000, SIDE_BY_SIDE = 200; /* ns that walks may be apart, and those on one core */
static const double LOOK = 5000; /* ns of looking at the clock, in one go */
static const double SWITCH = 1500; /* ns from one thread to the next */
static const double UNEVEN = 0.03; /* slices are not quite equal */

struct queue {
	struct sim_member **members; /* of one CPU */
	int count, turn;
	double until; /* ns: the end of the slice */
	struct sim_random random;
};

struct shift {
	const struct sim_company *company;
	const struct team *team;
	double start, end;
};

static struct sim_work slower(struct sim_work work, double speed)
{
	return (struct sim_work){ work.alone / speed, work.shared / speed, work.fixed };
}

/* Do all of a core find everything in its first level? Then nobody brings anything in, and it stays so until another
 * gets his turn. */
static bool is_calm(const struct sim_member *member)
{
	const struct sim_member *other = member;

	do {
		const struct stroll *stroll = &other->stroll;
		bool clean = other->walk.order == WALK_CYCLE && stroll->clean >= 2 * other->walk.count;

		if (!other->waiting && (!stroll->settled || !clean))
			return false;
		other = other->mate;
	} while (other != member);
	return true;
}

/* Once nobody looks at single pieces any more: what is left of a slice, and of the time, in some stretches. */
static long pieces_at_once(const struct shift *shift, const struct sim_member *member)
{
	const struct team_part *part = member->part;
	double left = fmin(shift->end - member->noise->now, shift->company->description->cpus.slice);

	if (part->count < TEAM_SAMPLES)
		return 1;
	return (long)fmax(1, left / STRETCHES / fmax(1, part->samples[TEAM_SAMPLES - 1].ns));
}

/* Some of the piece under way: what it costs, and how much it was. */
static struct sim_work some_work(const struct shift *shift, struct sim_member *member, long *amount)
{
	struct sim_work work;

	*amount = member->left == member->asked->length ? member->left * pieces_at_once(shift, member) : member->left;
	switch (shift->team->task) {
	case TEAM_RUN:
		work = sim_laps_work(member->lap, *amount);
		break;
	case TEAM_WALK:
		member->stroll.beside = !is_calm(member);
		if (member->stroll.beside)
			*amount = member->left < STEPS ? member->left : STEPS;
		work = sim_walk_steps(&member->stroll, *amount);
		break;
	default:
		work = member->addition;
		return (struct sim_work){ work.alone * (double)*amount, work.shared * (double)*amount,
					  work.fixed * (double)*amount };
	}
	if (!member->visited)
		work.shared = work.alone;
	return slower(work, member->speed);
}

static void record(const struct shift *shift, struct sim_member *member, double end, double pieces)
{
	struct team_part *part = member->part;
	double ns = end - member->began, within = fmin(end, shift->end) - member->began;

	part->done += ns > 0 && within > 0 ? pieces * within / ns : 0;
	if (end <= shift->end && part->count < TEAM_SAMPLES)
		part->samples[part->count++] = (struct team_sample){ ns, member->switched };
}

static void do_piece(const struct shift *shift, struct sim_member *member)
{
	long amount;
	struct sim_work work;

	if (member->left <= 0) {
		member->left = member->asked->length;
		member->switched = false;
		member->began = sim_noise_clock(member->noise);
	}
	work = some_work(shift, member, &amount);
	member->switched |= sim_noise_run(member->noise, work);
	member->left -= amount;
	if (member->left <= 0)
		record(shift, member, sim_noise_clock(member->noise),
		       fmax(1, (double)amount / (double)member->asked->length));
}

/* Looks at the clock for a while. A gap is what that took too long. */
static void look(const struct shift *shift, struct sim_member *member)
{
	double cycles = LOOK * shift->company->description->frequency / 1e9, gap;

	member->switched |= sim_noise_run(member->noise, (struct sim_work){ .alone = cycles, .shared = cycles });
	gap = member->noise->now - member->began - LOOK;
	if (gap > shift->team->gap && member->noise->now < shift->end) {
		struct team_part *part = member->part;

		part->done++;
		if (part->count < TEAM_SAMPLES)
			part->samples[part->count++] = (struct team_sample){ gap, member->switched };
	}
	member->began = member->noise->now;
	member->switched = false;
}

/* It is another's turn. */
static void take_turns(struct queue *queue, double slice)
{
	struct sim_noise *noise = queue->members[0]->noise;
	struct sim_member *now;

	queue->members[queue->turn]->switched = queue->members[queue->turn]->waiting = true;
	queue->turn = (queue->turn + 1) % queue->count;
	now = queue->members[queue->turn];
	now->waiting = false;
	for (struct sim_member *mate = now->mate; mate != now; mate = mate->mate)
		mate->stroll.clean = 0;
	noise->now += SWITCH;
	queue->until = noise->now + slice * (1 + UNEVEN * (2 * sim_random_unit(&queue->random) - 1));
}

static void work_until(const struct shift *shift, struct queue *queue, double until)
{
	struct sim_noise *noise = queue->members[0]->noise;

	while (noise->now < until) {
		if (queue->count > 1 && noise->now >= queue->until)
			take_turns(queue, shift->company->description->cpus.slice);
		if (shift->team->task == TEAM_WATCH)
			look(shift, queue->members[queue->turn]);
		else
			do_piece(shift, queue->members[queue->turn]);
	}
}

/* Members by CPU; NULL when memory ran out. */
static struct queue *line_up(const struct shift *shift, struct sim_member *members, struct sim_member **order)
{
	const struct sim_company *company = shift->company;
	struct queue *queues = calloc((size_t)company->board.count, sizeof *queues);
	int placed = 0;

	for (int cpu = 0; queues && cpu < company->board.count; cpu++) {
		struct queue *queue = &queues[cpu];

		queue->members = order + placed;
		sim_random_seed(&queue->random, company->seed ^ (uint64_t)cpu ^ (uint64_t)shift->start);
		queue->until = shift->start + company->description->cpus.slice * sim_random_unit(&queue->random);
		for (int i = 0; i < shift->team->count; i++)
			if (members[i].cpu == cpu) {
				/* All but the first have to wait for their turn. */
				members[i].switched = members[i].waiting = queue->count++ > 0;
				order[placed++] = &members[i];
			}
	}
	return queues;
}

/* ns that CPUs may go on before the others catch up. */
static double stride(const struct shift *shift, const struct sim_member *members)
{
	if (shift->team->task != TEAM_WALK)
		return shift->end - shift->start;
	for (int i = 0; i < shift->team->count; i++)
		if (members[i].mate != &members[i] && !is_calm(&members[i]))
			return SIDE_BY_SIDE;
	return TOGETHER;
}

void sim_queue_work(const struct sim_company *company, const struct team *team, struct sim_member *members,
		    double start, double end)
{
	struct shift shift = { company, team, start, end };
	struct sim_member **order = calloc((size_t)team->count, sizeof *order);
	struct queue *queues = order ? line_up(&shift, members, order) : NULL;
	double now = start;

	while (queues && now < end) {
		now = fmin(end, now + stride(&shift, members));
		for (int cpu = 0; cpu < company->board.count; cpu++)
			if (queues[cpu].count)
				work_until(&shift, &queues[cpu], now);
	}
	/* What was under way when time was over counts as far as it came. */
	for (int i = 0; queues && i < team->count; i++)
		if (team->task != TEAM_WATCH && members[i].left > 0)
			members[i].part->done += 1 - (double)members[i].left / (double)members[i].asked->length;
	free(queues);
	free(order);
}

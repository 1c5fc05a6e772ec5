/* SPDX-License-Identifier: MIT */
/*
 * crew.c - lets teams work on this machine: all begin together, each times its own pieces, what overlaps counts
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "crew.h"
#include "quarters.h"

enum { MOST_PIECES = 1024, SPINS = 256 };

static const double PATIENCE = 2e8; /* ns that those who are ready wait for the others */

/* What a member wrote down. */
struct ledger {
	double start[MOST_PIECES], end[MOST_PIECES];
	bool switched[MOST_PIECES];
	int count;
	double began, ended; /* ns on the clock; NaN: never */
	struct walker *walker;
	const char *why; /* it could not begin */
	char text[256];
};

struct crew {
	struct host_crew *threads;
	struct quarters quarters;
	/* Of the team at work. */
	const struct team *team;
	const struct crew_loop *loops;
	uint64_t memory; /* of each walk */
	struct ledger *ledgers;
	_Atomic int ready;
	_Atomic double go; /* ns on the clock; 0: not yet */
};

struct crew *crew_open(void)
{
	struct crew *crew = calloc(1, sizeof(*crew));

	if (crew)
		crew->threads = host_crew_new();
	if (crew && crew->threads)
		return crew;
	free(crew);
	return NULL;
}

void crew_close(struct crew *crew)
{
	if (!crew)
		return;
	host_crew_free(crew->threads);
	quarters_close(&crew->quarters);
	free(crew);
}

/* Waits until all are there, or for so long that some never will be. False: it is too late to begin. */
static bool begin(struct crew *crew, struct ledger *ledger)
{
	double since = host_clock(), go, none = 0;

	atomic_fetch_add(&crew->ready, 1);
	for (long spins = 1; (go = atomic_load(&crew->go)) == 0; spins++) {
		double now = host_clock();

		if (atomic_load(&crew->ready) >= crew->team->count || now - since > PATIENCE)
			atomic_compare_exchange_strong(&crew->go, &none, now);
		none = 0;
		/* Whoever shares this CPU with us may be the one we wait for. */
		if (spins % SPINS == 0)
			host_yield();
	}
	ledger->began = host_clock();
	return ledger->began < go + crew->team->ns;
}

/* One turn each, `rounds` times over. False when time is over before that. */
static bool pass(struct crew *crew, int index, long rounds, double end)
{
	_Atomic uint64_t *turn = (_Atomic uint64_t *)(void *)quarters_word(&crew->quarters, crew->team->place);
	volatile uint64_t *block = (volatile uint64_t *)(void *)quarters_block(&crew->quarters);

	for (long i = 0; i < rounds; i++) {
		for (long spins = 1; (atomic_load_explicit(turn, memory_order_acquire) & 1) != (uint64_t)index; spins++)
			if (spins % SPINS == 0 && host_clock() > end)
				return false;
		for (uint64_t at = 0; at < crew->team->bytes; at += QUARTERS_LINE)
			block[at / sizeof(*block)] = block[at / sizeof(*block)] + 1;
		atomic_fetch_add_explicit(turn, 1, memory_order_release);
	}
	return true;
}

static void store(struct crew *crew, int index, long additions)
{
	_Atomic uint64_t *word = (_Atomic uint64_t *)(void *)(quarters_word(&crew->quarters, crew->team->place) +
							      (uint64_t)index * crew->team->bytes);

	for (long i = 0; i < additions; i++)
		atomic_fetch_add_explicit(word, 1, memory_order_relaxed);
}

/* Looks at the clock until a gap is too long. False when time is over before that. */
static bool watch(double gap, double end, double *start, double *stop)
{
	double last = host_clock();

	while (last < end) {
		double now = host_clock();

		if (now - last > gap) {
			*start = last;
			*stop = now;
			return true;
		}
		last = now;
	}
	return false;
}

/* False: not a whole one. */
static bool piece(struct crew *crew, int index, double end, double *start, double *stop)
{
	const struct team_member *member = &crew->team->members[index];
	bool whole = true;

	if (crew->team->task == TEAM_WATCH)
		return watch(crew->team->gap, end, start, stop);
	*start = host_clock();
	switch (crew->team->task) {
	case TEAM_RUN:
		crew->loops[index].function(member->length, crew->loops[index].skip);
		break;
	case TEAM_WALK:
		walker_steps(crew->ledgers[index].walker, member->walk, member->length);
		break;
	case TEAM_PASS:
		whole = pass(crew, index, member->length, end);
		break;
	default:
		store(crew, index, member->length);
	}
	*stop = host_clock();
	return whole;
}

static void work(void *context, int index)
{
	struct crew *crew = context;
	struct ledger *ledger = &crew->ledgers[index];
	const struct team_member *member = &crew->team->members[index];
	double end;

	if (index == 0 && (crew->team->task == TEAM_PASS || crew->team->task == TEAM_STORE))
		quarters_touch(&crew->quarters, crew->team->task == TEAM_PASS ? crew->team->bytes : 0);
	if (crew->team->task == TEAM_WALK && !walker_begin(ledger->walker, member->walk, crew->memory, member->length,
							   ledger->text, sizeof(ledger->text)))
		ledger->why = ledger->text;
	if (!begin(crew, ledger) || ledger->why)
		return;
	end = atomic_load(&crew->go) + crew->team->ns;
	for (int i = 0; i < MOST_PIECES && host_clock() < end; i++) {
		struct host_watch guard = host_watch_start();

		if (!piece(crew, index, end, &ledger->start[i], &ledger->end[i]))
			break;
		ledger->switched[i] = host_watch_disturbed(&guard);
		ledger->count++;
	}
	ledger->ended = host_clock();
}

/* The pieces that lie between the last one's start and the first one's end. */
static void account(const struct crew *crew, struct team_reading *reading)
{
	const struct team *team = crew->team;
	double go = atomic_load(&crew->go), from = go, to = go + team->ns;

	for (int i = 0; i < team->count; i++) {
		from = fmax(from, crew->ledgers[i].began);
		to = fmin(to, isnan(crew->ledgers[i].ended) ? from : crew->ledgers[i].ended);
	}
	reading->ns = fmax(0, to - from);
	for (int i = 0; i < team->count; i++) {
		const struct ledger *ledger = &crew->ledgers[i];
		struct team_part *part = &reading->parts[i];

		*part = (struct team_part){ .late = ledger->began - go > team->ns / 4 };
		for (int j = 0; j < ledger->count; j++) {
			double ns = ledger->end[j] - ledger->start[j],
			       within = fmin(to, ledger->end[j]) - fmax(from, ledger->start[j]);

			part->done += within > 0 ? within / ns : 0;
			if (ledger->start[j] >= from && ledger->end[j] <= to && part->count < TEAM_SAMPLES)
				part->samples[part->count++] = (struct team_sample){ ns, ledger->switched[j] };
		}
	}
}

/* Each walk's memory is touched first where its home is. */
struct touching {
	struct crew *crew;
	int member;
	struct team_reading *reading;
	bool done;
};

static void touch(void *context)
{
	struct touching *touching = context;
	const struct team_member *member = &touching->crew->team->members[touching->member];
	char *why = touching->reading->why;

	touching->done = walker_begin(touching->crew->ledgers[touching->member].walker, member->walk,
				      touching->crew->memory, member->length, why, sizeof(touching->reading->why));
}

static void touch_at_home(void *context, int index)
{
	struct touching *touching = context;
	const struct team_member *member = &touching->crew->team->members[touching->member];

	(void)index;
	if (member->bound)
		host_memory_near(member->home, touch, touching, touching->reading->why, sizeof(touching->reading->why));
	else
		touch(touching);
}

static bool take_walks(struct crew *crew, struct team_reading *reading)
{
	/* What this team will take comes on top. */
	quarters_leave(&crew->quarters, crew->memory * (uint64_t)crew->team->count / 2);
	for (int i = 0; i < crew->team->count; i++) {
		const struct team_member *member = &crew->team->members[i];
		struct touching touching = { crew, i, reading, false };
		struct host_work job = { touch_at_home, &touching, &member->home, 1 };
		bool away = member->home != TEAM_ANYWHERE;

		crew->ledgers[i].walker =
			quarters_take(&crew->quarters, away ? member->home : member->cpu, member->bound);
		if (!crew->ledgers[i].walker)
			return false;
		if (away && (!host_together(crew->threads, &job, reading->why, sizeof(reading->why)) || !touching.done))
			return false;
	}
	return true;
}

static bool prepare(struct crew *crew, struct team_reading *reading)
{
	const struct team *team = crew->team;

	if (team->task == TEAM_WALK)
		return take_walks(crew, reading);
	return (team->task != TEAM_PASS && team->task != TEAM_STORE) ||
	       quarters_share(&crew->quarters, team->task == TEAM_PASS ? team->bytes : 0, reading->why,
			      sizeof(reading->why));
}

enum machine_status crew_work(struct crew *crew, const struct team *team, const struct crew_loop *loops,
			      uint64_t memory, struct team_reading *reading)
{
	int *cpus = calloc((size_t)team->count, sizeof(*cpus));
	struct host_work job = { work, crew, cpus, team->count };
	bool done;

	crew->team = team;
	crew->loops = loops;
	crew->memory = memory / (uint64_t)team->count;
	crew->ledgers = calloc((size_t)team->count, sizeof(*crew->ledgers));
	atomic_store(&crew->ready, 0);
	atomic_store(&crew->go, 0);
	snprintf(reading->why, sizeof(reading->why), "out of memory");
	for (int i = 0; cpus && crew->ledgers && i < team->count; i++) {
		cpus[i] = team->members[i].cpu == TEAM_ANYWHERE ? HOST_ANYWHERE : team->members[i].cpu;
		crew->ledgers[i].began = crew->ledgers[i].ended = NAN;
	}
	done = cpus && crew->ledgers && prepare(crew, reading) &&
	       host_together(crew->threads, &job, reading->why, sizeof(reading->why));
	for (int i = 0; done && i < team->count; i++)
		if (crew->ledgers[i].why) {
			snprintf(reading->why, sizeof(reading->why), "%s", crew->ledgers[i].why);
			done = false;
		}
	if (done) {
		account(crew, reading);
		reading->why[0] = '\0';
	}
	free(crew->ledgers);
	free(cpus);
	return done ? MACHINE_RAN : MACHINE_BLOCKED;
}

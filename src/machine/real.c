/* SPDX-License-Identifier: MIT */
/*
 * real.c - this machine: compiles a nano-benchmark, reads it back, runs it between two looks at the clock
 */
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "../compile/builtin.h"
#include "../compile/readback.h"
#include "../compile/workshop.h"
#include "codes.h"
#include "crew.h"
#include "ladder.h"
#include "walker.h"

struct real {
	struct machine machine;
	struct workshop *workshop;
	struct walker *walker;
	struct crew *crew; /* NULL until the first team */
	struct ladders ladders;
	struct codes codes;
};

static void deliver(void *context, const struct nano *nano, void *function, size_t bytes, const char *why)
{
	struct real *real = context;
	struct code *code = codes_add(&real->codes, nano_code(nano));

	if (!code)
		return;
	*code = (struct code){ .hash = nano_code(nano),
			       .bytes = bytes,
			       .status = function ? MACHINE_RAN : MACHINE_BLOCKED };
	/* The way POSIX blesses for turning dlsym's result into a function. */
	memcpy(&code->function, &function, sizeof(function));
	snprintf(code->why, sizeof(code->why), "%s", why);
}

/* What there was at the start, or what became of it. */
static void name_compiler(struct real *real)
{
	struct machine_identity *identity = &real->machine.identity;

	snprintf(identity->compiler, sizeof(identity->compiler), "%s", workshop_compiler(real->workshop));
}

/* A team may take as much again as walks have, and a compiler tens of megabytes; of a control group's room what may be
 * used is but a third. */
static void leave_room(struct real *real)
{
	struct walker *fresh = walker_bytes(real->walker) > real->machine.memory / 4 ? walker_open() : NULL;

	if (!fresh)
		return;
	walker_close(real->walker);
	real->walker = fresh;
}

static void prepare(struct machine *machine, const struct nano *const *set, int count)
{
	struct real *real = (struct real *)machine;
	const struct nano **missing = malloc(sizeof(*missing) * (size_t)(count ? count : 1));
	bool ours = workshop_has_our_compiler(real->workshop);
	int wanted = 0;

	for (int i = 0; missing && i < count; i++) {
		bool known = codes_find(&real->codes, nano_code(set[i])) != NULL;
		size_t bytes = 0;
		void *function = !known && ours ? builtin_find(set[i], &bytes) : NULL;

		if (function) {
			deliver(real, set[i], function, bytes, "");
			continue;
		}
		for (int j = 0; j < wanted && !known; j++)
			known = nano_code(missing[j]) == nano_code(set[i]);
		if (!known)
			missing[wanted++] = set[i];
	}
	if (wanted) {
		leave_room(real);
		workshop_build(real->workshop, missing, wanted, deliver, real);
	}
	name_compiler(real);
	free(missing);
}

static enum machine_status status_of(enum readback_verdict verdict)
{
	return verdict == READBACK_ABSENT    ? MACHINE_ABSENT
	       : verdict == READBACK_REFUSED ? MACHINE_REFUSED
					     : MACHINE_RAN;
}

static struct code *ready(struct real *real, const struct nano *nano)
{
	if (!codes_find(&real->codes, nano_code(nano)))
		prepare(&real->machine, &nano, 1);

	struct code *code = codes_find(&real->codes, nano_code(nano));

	if (code && code->function && !code->checked) {
		const void *start;

		memcpy(&start, &code->function, sizeof(start));
		code->status = status_of(
			readback_check(nano, start, code->bytes, &code->spills, code->why, sizeof(code->why)));
		code->checked = true;
	}
	return code;
}

struct burst {
	double (*function)(long, int);
	long laps;
	int skip, count;
	struct reading *reading;
};

static void take_burst(void *context)
{
	struct burst *burst = context;

	for (int i = 0; i < burst->count; i++) {
		double start = host_clock();

		burst->reading->value = burst->function(burst->laps, burst->skip);
		burst->reading->ns[i] = host_clock() - start;
	}
}

static enum machine_status run(struct machine *machine, const struct nano *nano, long laps, int count,
			       struct reading *reading)
{
	struct code *code = ready((struct real *)machine, nano);

	*reading = (struct reading){ .spills = -1 };
	if (!code)
		return MACHINE_BLOCKED;
	if (code->status == MACHINE_RAN) {
		struct burst burst = { code->function, laps, nano_body(nano) < nano->whole, count, reading };
		struct host_watch watch = host_watch_start();
		const char *what = host_guarded(take_burst, &burst);

		reading->disturbed = host_watch_disturbed(&watch);
		reading->spills = code->spills;
		if (what) {
			code->status = host_was_illegal(what) ? MACHINE_ABSENT : MACHINE_FAULT;
			snprintf(code->why, sizeof(code->why), "%s",
				 code->status == MACHINE_ABSENT ? "this CPU does not have the instruction" : what);
		}
	}
	snprintf(reading->why, sizeof(reading->why), "%s", code->why);
	return code->status;
}

static enum machine_status walk(struct machine *machine, const struct walk *walked, long steps, int count,
				struct reading *reading)
{
	struct real *real = (struct real *)machine;

	if (walked->order != WALK_LADDER)
		return walker_walk(real->walker, walked, machine->memory, steps, count, reading);
	walker_forget(real->walker);
	if (walked->event) {
		*reading = (struct reading){ .spills = -1, .why = "nothing is counted on ladders" };
		return MACHINE_BLOCKED;
	}
	return ladder_walk(&real->ladders, real->workshop, walked, steps, count, reading);
}

/* The loops of a team's members, ready to run. */
static enum machine_status ready_loops(struct real *real, const struct team *team, struct crew_loop *loops, char *why,
				       size_t size)
{
	for (int i = 0; i < team->count; i++) {
		const struct nano *nano = team->members[i].nano;
		struct code *code = ready(real, nano);

		if (!code || code->status != MACHINE_RAN) {
			snprintf(why, size, "%s", code ? code->why : "out of memory");
			return code ? code->status : MACHINE_BLOCKED;
		}
		loops[i] = (struct crew_loop){ code->function, nano_body(nano) < nano->whole };
	}
	return MACHINE_RAN;
}

static enum machine_status team(struct machine *machine, const struct team *working, struct team_reading *reading)
{
	struct real *real = (struct real *)machine;
	const char *wrong = team_wrong(working);
	struct crew_loop *loops = calloc((size_t)(working->count > 0 ? working->count : 1), sizeof(*loops));
	enum machine_status status = MACHINE_BLOCKED;

	if (!real->crew)
		real->crew = crew_open();
	snprintf(reading->why, sizeof(reading->why), "%s", wrong ? wrong : "out of memory");
	if (!wrong && loops && real->crew)
		status = working->task == TEAM_RUN
				 ? ready_loops(real, working, loops, reading->why, sizeof(reading->why))
				 : MACHINE_RAN;
	leave_room(real);
	if (status == MACHINE_RAN)
		status = crew_work(real->crew, working, loops, machine->memory, reading);
	walker_forget(real->walker);
	free(loops);
	return status;
}

static double read_clock(struct machine *machine)
{
	(void)machine;
	return host_clock();
}

static void wait(struct machine *machine, double ns)
{
	(void)machine;
	host_sleep(ns);
}

static void close_machine(struct machine *machine)
{
	struct real *real = (struct real *)machine;

	workshop_close(real->workshop);
	walker_close(real->walker);
	crew_close(real->crew);
	codes_free(&real->codes);
	free(real->machine.cpus);
	free(real);
}

enum machine_status machine_real_show(struct machine *machine, const struct nano *nano, FILE *out, char *why,
				      size_t size)
{
	struct code *code = ready((struct real *)machine, nano);
	const void *start = NULL;

	if (!code)
		return MACHINE_BLOCKED;
	if (code->function) {
		memcpy(&start, &code->function, sizeof(start));
		readback_print(start, code->bytes, out);
	}
	snprintf(why, size, "%s", code->why);
	return code->status;
}

struct machine *machine_real(const struct machine_real_options *options, char *error, size_t size)
{
	static const struct machine_ops ops = { prepare, run, walk, team, read_clock, wait, close_machine };
	struct real *real = calloc(1, sizeof(*real));

	if (!real) {
		snprintf(error, size, "out of memory");
		return NULL;
	}
	real->machine.ops = &ops;
	real->machine.memory = options->memory ? options->memory : host_memory_room();
	real->walker = walker_open();

	struct machine_identity *identity = &real->machine.identity;
	struct workshop_options compiling = { options->cc, options->cflags, options->no_cache, options->patience };

	host_clock_open();
	snprintf(identity->kind, sizeof(identity->kind), "real");
	host_identity(identity->name, identity->cpu, identity->hypervisor, identity->kernel,
		      sizeof(identity->hypervisor));
	identity->page_bytes = host_page_bytes();
	identity->cpus = host_cpu_count();
	identity->quota = host_cpu_quota();
	real->machine.cpus = calloc((size_t)identity->cpus, sizeof(int));
	for (int i = 0; real->machine.cpus && i < identity->cpus; i++)
		real->machine.cpus[i] = host_cpu_at(i);
	real->workshop = workshop_open(&compiling, identity->cpu);
	identity->cpu_used = host_cpu_bind(options->cpu >= 0 ? options->cpu : host_cpu_quietest());
	if (options->cpu >= 0 && identity->cpu_used < 0) {
		snprintf(error, size, "CPU %d is not one this process may use", options->cpu);
		close_machine(&real->machine);
		return NULL;
	}
	name_compiler(real);
	return &real->machine;
}

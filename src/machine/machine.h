/* SPDX-License-Identifier: MIT */
/*
 * machine.h - the seam between thinking and hardware
 *
 * Run this nano-benchmark so many times, tell me the ns. Everything above (repetition, outliers,
 * statistics, search, planning) runs unchanged on this machine, a simulated one or a recording.
 */
#ifndef XRAY_MACHINE_H
#define XRAY_MACHINE_H

#include <stdio.h>

#include "../nano/nano.h"
#include "../nano/team.h"
#include "../nano/walk.h"

enum machine_status {
	MACHINE_RAN,
	MACHINE_ABSENT, /* the machine has no such operation: illegal instruction, or none was generated */
	MACHINE_REFUSED, /* the code is not what was asked for (spills, folded operations): not timed */
	MACHINE_BLOCKED, /* no compiler, or it failed */
	MACHINE_FAULT /* it ran and crashed or hung */
};

/* A burst: the same timing several times in a row. */
enum { MACHINE_BURST = 16 };

struct reading {
	double ns[MACHINE_BURST]; /* as many as were asked for */
	bool disturbed; /* outside evidence: preempted, or moved to another CPU */
	double value; /* p1's first lane after the run; of a walk of code the instructions at a place, of a ladder the
			 bytes of its code */
	double counted; /* of walk.event, in all timings together */
	int spills; /* loads and stores in the loop that were not asked for; -1 when the code cannot be read back */
	char why[256]; /* for every status but MACHINE_RAN; with that, why it was built-in code that ran, or empty */
};

struct machine;

struct machine_ops {
	/* Makes the nano-benchmarks ready in one go; optional, since run prepares what is not ready. */
	void (*prepare)(struct machine *machine, const struct nano *const *set, int count);
	/* Runs the loop body `laps` times from the start values, and that `count` times over, each timed by itself. */
	enum machine_status (*run)(struct machine *machine, const struct nano *nano, long laps, int count,
				   struct reading *reading);
	/* Takes an address walk: touches every place once (walk_visit), unless the last walk was the same, takes a few
	 * more steps, untimed, then times `count` stretches of `steps` steps. MACHINE_BLOCKED when its arena does not
	 * fit into machine.memory, for code that cannot be made here, and for an event without a counter. */
	enum machine_status (*walk)(struct machine *machine, const struct walk *walk, long steps, int count,
				    struct reading *reading);
	/* Lets a team work. MACHINE_BLOCKED and why when a member cannot be started or put onto its CPU, or there is no
	 * memory for it. */
	enum machine_status (*team)(struct machine *machine, const struct team *team, struct team_reading *reading);
	/* The machine's clock, ns from an arbitrary start. */
	double (*clock)(struct machine *machine);
	/* Lets time pass without using the CPU. */
	void (*wait)(struct machine *machine, double ns);
	void (*close)(struct machine *machine);
};

/* What the machine says of itself, for the report's context; never used for an answer. */
struct machine_identity {
	char kind[16]; /* real, simulated, recorded */
	char name[128]; /* host name or machine file's name */
	char cpu[128], hypervisor[128], kernel[128], compiler[192];
	int cpus; /* CPUs this process may use */
	double quota; /* CPUs' worth of time that the system grants it; INFINITY: no limit */
	int cpu_used; /* the one it is pinned to; -1 when not */
	long page_bytes;
};

struct machine {
	const struct machine_ops *ops;
	struct machine_identity identity;
	uint64_t memory; /* bytes that the arenas of one kind of pages may take */
	int *cpus; /* the system's numbers of identity.cpus CPUs, rising; the machine's own */
};

struct machine_real_options {
	const char *cc, *cflags; /* NULL: gcc or else clang; -O2 */
	bool no_cache; /* compile into a scratch directory that goes when we do */
	int cpu; /* -1: the first CPU this process may use */
	uint64_t memory; /* bytes that arenas may take; 0: what the host can spare */
	double patience; /* seconds that compiling one translation unit may take */
};

/* This machine. NULL and a message when a CPU that was asked for cannot be had; a missing compiler is not an error
 * here: run says MACHINE_BLOCKED, but for what is built in. */
struct machine *machine_real(const struct machine_real_options *options, char *error, size_t size);

/* The loop of the compiled nano-benchmark as the disassembler reads it, and what the reading back made of it. */
enum machine_status machine_real_show(struct machine *machine, const struct nano *nano, FILE *out, char *why,
				      size_t size);

#endif

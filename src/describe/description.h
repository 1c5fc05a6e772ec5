/* SPDX-License-Identifier: MIT */
/*
 * description.h - what a machine file says, as numbers
 *
 * The simulated machine knows nothing but this. docs/machine-file.md is the reference of the keys; every
 * number is a double, in the unit beside it, so that one table can fill them all.
 */
#ifndef XRAY_DESCRIPTION_H
#define XRAY_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "description_counters.h"
#include "description_cpus.h"
#include "description_memory.h"

enum noise_term {
	NOISE_JITTER, /* relative */
	NOISE_TICK_RATE, /* every rate is per second, every duration in ns */
	NOISE_TICK_LENGTH,
	NOISE_PREEMPTION_RATE,
	NOISE_PREEMPTION_LENGTH,
	NOISE_STEAL_RATE,
	NOISE_STEAL_LENGTH,
	NOISE_SIBLING_ON,
	NOISE_SIBLING_OFF,
	NOISE_FREQUENCY_STEPS,
	NOISE_FREQUENCY_SPREAD, /* relative */
	NOISE_FREQUENCY_DWELL,
	NOISE_RAMP_START, /* relative */
	NOISE_RAMP_TIME,
	NOISE_NEIGHBOUR_RATE,
	NOISE_NEIGHBOUR_PERIOD,
	NOISE_TERMS
};

enum { DESCRIPTION_PORTS = 32, DESCRIPTION_PORT_NAME = 12, DESCRIPTION_PARTS = 4 };

/* A micro-op keeps one of these ports for so many cycles. */
struct description_part {
	int ports[DESCRIPTION_PORTS], count; /* numbers in the description's list */
	double cycles;
};

struct description_op {
	char op[48], type[48]; /* alternatives joined by commas; * stands for any characters */
	char pool[24]; /* empty: units of its own */
	char ports[128]; /* as the file has them; empty: none */
	struct description_part parts[DESCRIPTION_PARTS];
	int part_count; /* 0: it runs on units */
	int line;
	double latency, interval; /* cycles; an interval with ports means nothing */
	double latency_small, interval_small; /* cycles; 0: like the others */
	double units; /* 0: as many as the interval needs */
	double present;
};

struct description_registers {
	char key[16]; /* int, float, vector or the name of a type */
	double count;
};

struct description_core {
	double width; /* micro-ops per cycle */
	double window; /* micro-ops; INFINITY: no limit; 0: in order */
	double spill; /* cycles */
	struct description_row smt; /* CPUs of each core */
};

enum { DESCRIPTION_REGISTER_KEYS = 32 };

struct description {
	char name[128];
	double frequency; /* Hz */
	double seed;
	double timer_quantum, timer_cost; /* ns */
	double compiler; /* 0: none */
	double readback; /* 0: compiled code cannot be read back */
	struct description_core core;
	struct description_registers registers[DESCRIPTION_REGISTER_KEYS];
	int register_keys;
	double preset; /* the row of the noise presets */
	double noise[NOISE_TERMS];
	struct description_op *ops;
	int op_count;
	char ports[DESCRIPTION_PORTS][DESCRIPTION_PORT_NAME];
	int port_count;
	struct description_cache caches[DESCRIPTION_CACHES];
	int cache_count;
	struct description_tlb tlbs[DESCRIPTION_TLBS];
	int tlb_count;
	struct description_memory memory;
	struct description_code code;
	struct description_uops uops;
	struct description_cpus cpus;
	struct description_counters counters;
	struct description_memo *memo; /* what description_find found before */
};

/* Reads a machine file. `noise` names a preset that replaces the file's, or is NULL. NULL and a one-line message,
 * "file:line: key: ..." where a line is to blame. */
struct description *description_read(const char *path, const char *noise, char *error, size_t size);
void description_free(struct description *description);

struct description_memo *description_memo_new(void);

/* The section that describes OP.TYPE on this machine, or NULL: it has none. ptr without a section is i64. */
const struct description_op *description_find(const struct description *description, const char *op, const char *type);

/* Units that serve the op: its own, or those of its pool. */
int description_units(const struct description *description, const struct description_op *op);

#endif

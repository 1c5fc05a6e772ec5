/* SPDX-License-Identifier: MIT */
/*
 * teams.h - several CPUs: which are one core, who is near to whom, what they share, how the system divides them
 *
 * CPUs are counted 0, 1, ... here; machine.cpus has the system's numbers.
 */
#ifndef XRAY_TEAMS_H
#define XRAY_TEAMS_H

#include "../code/code.h"
#include "tree.h"

/* Nodes of memory; common/memories.c finds them. */
enum { NODES_MOST = 8 };
struct nodes {
	bool tried, more; /* more of them may be than were met */
	int count, rows; /* 0: none fit; CPUs that were looked at */
	int cpu[NODES_MOST]; /* one of them of each node */
	double far[NODES_MOST][NODES_MOST]; /* ns of a load, by node of the memory and of the CPU */
	bool hidden; /* memory of one node is not equally far */
	bool bound; /* what a CPU touches first is not near to it: it was bound */
	bool refused; /* the system does not let memory be bound */
};

/* What teams told, kept for all who ask. */
struct teamwork {
	int count; /* of CPUs */
	struct tree *tree; /* by how long a line takes from one to another; NULL: not found */
	double *passes; /* count x count, ns one way; NaN: not measured */
	bool *sure; /* count x count, the lower number first: nobody else was there when it was measured */
	bool *slowed; /* each by all others at once: threads of one core, or somebody else's; where there are many CPUs
		       */
	bool careful; /* pairs are sure only where nobody else was on the cores of both */
	bool unstable; /* the same pairs took other times later on */
	bool cored;
	int *core; /* of each CPU the lowest one of its core; once `cored` */
	double cored_doubt; /* share of pairs that seemed siblings once and once not */
	bool moved; /* they were others when looked at again */
	bool crowded; /* there were too many pairs to look at all */
	double granted; /* CPUs' worth of time that we get; 0: not known */
	double *crowd; /* ns of a lap of a crowd of additions, on each CPU, at its best; NaN: not tried */
	double *chain; /* ns of a lap of a chain, on each CPU; INFINITY: not known */
	int *kind, kinds; /* CPUs of one kind are equally fast, the fastest of kind 0 */
	struct nodes nodes;
	char why[256]; /* for what is not there */
};

/* --- work.c: lets a team work. False, and the finding settled, when it cannot. */
bool teams_work(struct lab *lab, const struct team *team, struct team_reading *reading);
/* The same, without settling anything. */
bool teams_try(struct lab *lab, const struct team *team, struct team_reading *reading);
/* ns of one lap, step, round or addition: as long as the quicker tenth of the pieces took in which nobody else was let
 * in. NaN: there are none. */
double teams_pace(const struct team_part *part, long length);
/* Laps, steps or the like that were done in each ns. */
double teams_rate(const struct team_part *part, long length, double ns);
/* Made on first use; NULL, and the finding settled, when memory ran out. */
struct teamwork *teams_of(struct lab *lab);
void teams_free(struct teamwork *teamwork);
int teams_cpu(const struct lab *lab, int index);
/* CPUs of one group, by its lowest, with commas between them, groups with blanks; and how many groups. The caller
 * frees; NULL when memory ran out. */
char *teams_groups(const struct lab *lab, const int *group, int *groups);
/* Has the finding settled as blocked where there is but one CPU. */
bool teams_alone(struct lab *lab);

/* --- passes.c: how long a line takes from one CPU to another; NULL, and the finding settled, when that cannot be
 * measured. */
const struct teamwork *teams_passes(struct lab *lab);
/* Of a pair, whichever is first. */
double *teams_passed(const struct teamwork *teamwork, int a, int b);
bool *teams_sure(const struct teamwork *teamwork, int a, int b);
/* Are they as they were? False: the host has moved CPUs since. */
bool teams_passes_hold(struct lab *lab);
/* ns one way, a block of so many bytes; 0: a line. */
double teams_pass(struct lab *lab, int a, int b, uint64_t bytes, int places);

/* --- speeds.c: how fast each CPU is, and how much of them we get; NULL, and the finding settled, when they cannot
 * work. */
const struct teamwork *teams_speeds(struct lab *lab);
/* Were all of them there, nearly all of the time? */
bool teams_whole(const struct teamwork *teamwork);

/* --- cores.c: which CPUs are one core; NULL, and the finding settled, when that cannot be measured. */
const struct teamwork *teams_cores(struct lab *lab);
/* The same; NULL also when pairs are one core at one time and two at another. */
const struct teamwork *teams_cores_surely(struct lab *lab);
/* Looks again: are they as they were? */
bool teams_cores_hold(struct lab *lab);
double teams_cores_confidence(const struct teamwork *teamwork);

/* --- contexts.c: threads that can do this at once without being slower. */
enum teams_kind { TEAMS_INT, TEAMS_FP, TEAMS_MEM };
void teams_contexts(struct lab *lab, enum teams_kind kind);
void teams_contexts_want(struct lab *lab, enum teams_kind kind);

#endif

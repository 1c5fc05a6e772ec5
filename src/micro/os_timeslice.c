/* SPDX-License-Identifier: MIT */
/*
 * os_timeslice.c - how long the system lets a thread run before it is another's turn
 */
#include "micro.h"

enum { CPUS = 4, ENOUGH = 24, BINS = 48 };

static const double THRESHOLD = 2e4; /* ns: far longer than a look at the clock, far shorter than a slice */
static const double FIRST = 2e8, LONGEST = 3.2e9; /* ns */
static const double ALIKE = 0.3; /* half-width of what the most common gaps are told with */

/* Gaps in which the system let another in, and those in which it did not say so. */
struct gaps {
	double own[2 * CPUS * TEAM_SAMPLES], foreign[2 * CPUS * TEAM_SAMPLES];
	int owns, foreigns;
};

/* Two threads on each of some CPUs; false when they do not run. */
static bool watch(struct lab *lab, int cpus, double ns, struct gaps *gaps)
{
	struct team_member members[2 * CPUS];
	struct team_part parts[2 * CPUS];
	struct team_reading reading = { .parts = parts };
	struct team team = { .task = TEAM_WATCH, .members = members, .count = 2 * cpus, .ns = ns, .gap = THRESHOLD };

	for (int i = 0; i < 2 * cpus; i++)
		members[i] = (struct team_member){ .cpu = teams_cpu(lab, i / 2) };
	*gaps = (struct gaps){ .owns = 0 };
	if (!teams_work(lab, &team, &reading))
		return false;
	for (int i = 0; i < 2 * cpus; i++)
		for (int j = 0; j < parts[i].count; j++) {
			const struct team_sample *sample = &parts[i].samples[j];

			if (sample->switched)
				gaps->own[gaps->owns++] = sample->ns;
			else
				gaps->foreign[gaps->foreigns++] = sample->ns;
		}
	return true;
}

/* The distribution, by octaves and halves of them: for the evidence. */
static void note(struct lab *lab, const double *ns, int n, const char *what)
{
	int bins[BINS] = { 0 };

	for (int i = 0; i < n; i++) {
		int bin = (int)(2 * log2(ns[i] / THRESHOLD));

		bins[bin < BINS ? bin : BINS - 1]++;
	}
	for (int i = 0; i < BINS; i++)
		if (bins[i])
			lab_note(lab, what, THRESHOLD * exp2(i / 2.0 + 0.25), bins[i], "");
}

static void run(struct lab *lab, const struct subject *subject)
{
	double quota = lab->timer->machine->identity.quota;
	int all = (int)fmin(lab->timer->machine->identity.cpus, quota), cpus = all < CPUS ? all : CPUS, near = 0;
	struct gaps gaps;
	double ns = FIRST, mode, longest;

	(void)subject;
	if (quota < 1) {
		lab_outcome(lab, BLOCKED, "a quota of less than one CPU stops threads before their slice is over");
		return;
	}
	do {
		if (!watch(lab, cpus, ns, &gaps))
			return;
		ns *= 4;
	} while (gaps.owns < ENOUGH && ns <= LONGEST);
	note(lab, gaps.own, gaps.owns, "gaps in which the system let another in, ns and how many");
	note(lab, gaps.foreign, gaps.foreigns, "gaps of which the system says nothing, ns and how many");
	mode = stat_half_sample_mode(gaps.own, gaps.owns);
	longest = 0;
	for (int i = 0; i < gaps.foreigns; i++)
		longest = fmax(longest, gaps.foreign[i]);
	if (longest > 1e6)
		snprintf(lab->finding.note, sizeof(lab->finding.note),
			 "the host took the CPU away for up to %.1f ms meanwhile", longest / 1e6);
	for (int i = 0; i < gaps.owns; i++)
		near += fabs(gaps.own[i] - mode) < ALIKE * mode;
	if (gaps.owns < ENOUGH)
		lab_outcome(lab, UNCLEAR, "two threads of one CPU hardly ever took turns");
	else if (near < gaps.owns / 5)
		lab_outcome(lab, UNCLEAR, "turns are of all lengths: none is the most common");
	else
		lab_measured(lab, mode, mode * (1 - ALIKE), mode * (1 + ALIKE), 0.9, "mode of gaps");
}

const struct micro micro_os_timeslice = {
	.name = "os.timeslice",
	.what = "how long the system lets a thread run before it is another's turn",
	.unit = "ns",
	.story =
		"Idea     BlackjackBench's: twice as many threads as CPUs look at the clock all the time. A gap of more than\n"
		"         20 microseconds between two looks is another thread's turn.\n"
		"Answer   The most common gap. Only those count in which the system says that it let another in; the rest\n"
		"         are interrupts and the host's, and are kept apart in the evidence.\n"
		"Assumes  Both threads of a CPU always want to run.\n"
		"Fails as unclear when turns are of all lengths.",
	.run = run,
};

/* SPDX-License-Identifier: MIT */
/*
 * watch.c - outside evidence that a sample is not the program's own: preemption, migration, busy neighbours, Ctrl-C
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "host.h"

static volatile sig_atomic_t interrupted;

struct host_watch host_watch_start(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage) < 0)
		usage.ru_nivcsw = 0;
	return (struct host_watch){ .switches = usage.ru_nivcsw, .cpu = sched_getcpu() };
}

bool host_watch_disturbed(const struct host_watch *watch)
{
	struct host_watch now = host_watch_start();

	return now.switches != watch->switches || now.cpu != watch->cpu;
}

/* Busy jiffies of all CPUs but ours, and jiffies that passed for each. */
static bool busy_jiffies(double *busy, double *passed)
{
	FILE *stat = fopen("/proc/stat", "r");
	char line[256];
	int ours = sched_getcpu(), others = 0;

	*busy = *passed = 0;
	if (!stat)
		return false;
	while (fgets(line, sizeof(line), stat)) {
		double user, nice, system, idle, wait;
		int cpu;

		if (sscanf(line, "cpu%d %lf %lf %lf %lf %lf", &cpu, &user, &nice, &system, &idle, &wait) != 6 || cpu == ours)
			continue;
		*busy += user + nice + system;
		*passed += user + nice + system + idle + wait;
		others++;
	}
	fclose(stat);
	if (others)
		*passed /= others;
	return others > 0;
}

double host_neighbours(void)
{
	static double last_look = -1e18, last_busy, last_passed, neighbours;
	const double pause = 3e8; /* ns; jiffies are 4-10 ms */
	double now = host_clock(), busy, passed;

	if (now - last_look < pause)
		return neighbours;
	if (!busy_jiffies(&busy, &passed))
		return 0;
	if (last_look > -1e17 && passed > last_passed)
		neighbours = (busy - last_busy) / (passed - last_passed);
	last_look = now;
	last_busy = busy;
	last_passed = passed;
	return neighbours;
}

static void note(int number)
{
	(void)number;
	interrupted = 1;
}

void host_catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = note, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool host_interrupted(void)
{
	return interrupted != 0;
}

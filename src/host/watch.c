/* SPDX-License-Identifier: MIT */
/*
 * watch.c - outside evidence that a sample is not the program's own: preemption, migration, Ctrl-C
 */
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* timeout(1) signals twice, to the process and to its group; someone who means it does so thrice. */
static void note(int number)
{
	(void)number;
	interrupted = interrupted + 1;
	if (interrupted > 2)
		_exit(130);
}

void host_catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = note };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool host_interrupted(void)
{
	return interrupted != 0;
}

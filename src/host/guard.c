/* SPDX-License-Identifier: MIT */
/*
 * guard.c - calls generated code and survives what it does: a statement may divide by zero, a type may need an
 * instruction this CPU lacks, a run may never end
 */
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "host.h"

/* Seconds; a sample takes microseconds. A computer that was asleep is not taken for a run without end; where one had
 * none, others are likely to have none, and are not given as long. */
enum { LONGEST_RUN = 20, LATER_ONES = 1 };

static sigjmp_buf escape;
static volatile sig_atomic_t inside;
static long patience = LONGEST_RUN;

static const char illegal[] = "illegal instruction";

static void caught(int number)
{
	if (inside)
		siglongjmp(escape, number);
	signal(number, SIG_DFL);
	raise(number);
}

static void install(void)
{
	static const int numbers[] = { SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGALRM };
	static bool installed;
	struct sigaction action = { .sa_handler = caught };

	if (installed)
		return;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	installed = true;
}

static void alarm_in(long seconds)
{
	struct itimerval timer = { .it_value = { .tv_sec = seconds } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

const char *host_guarded(void (*work)(void *context), void *context)
{
	install();

	int number = sigsetjmp(escape, 1);

	if (number == 0) {
		inside = 1;
		alarm_in(patience);
		work(context);
	}
	inside = 0;
	alarm_in(0);
	switch (number) {
	case 0:
		return NULL;
	case SIGFPE:
		return "arithmetic fault (division by zero or overflow)";
	case SIGILL:
		return illegal;
	case SIGALRM:
		patience = LATER_ONES;
		return "it did not end";
	default:
		return "memory fault";
	}
}

bool host_was_illegal(const char *what)
{
	return strcmp(what, illegal) == 0;
}

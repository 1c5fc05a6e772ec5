/* SPDX-License-Identifier: MIT */
/*
 * guest.c - libxray as a guest: whether the program that calls it finds everything as it left it, and what it answers
 *
 * Prints what is wrong, on stderr, and nothing else.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xray.h>

static const char *const frequency[] = { "cpu.frequency" };
static int bad;
static volatile sig_atomic_t caught[NSIG];

static void check(int good, const char *what)
{
	if (!good) {
		fprintf(stderr, "wrong: %s\n", what);
		bad = 1;
	}
}

/* One that waits for any child there is, as many do. */
static void remember(int number)
{
	int before = errno;

	caught[number] = caught[number] + 1;
	while (number == SIGCHLD && waitpid(-1, NULL, WNOHANG) > 0)
		;
	errno = before;
}

static int entries(const char *path)
{
	DIR *directory = opendir(path);
	int count = 0;

	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

struct state {
	struct sigaction actions[NSIG];
	sigset_t mask;
	cpu_set_t cpus;
	int threads, files, rounding, traps;
	char number[16];
};

static struct state look(void)
{
	struct state state;

	memset(&state, 0, sizeof(state));
	for (int i = 1; i < NSIG; i++)
		sigaction(i, NULL, &state.actions[i]);
	pthread_sigmask(SIG_SETMASK, NULL, &state.mask);
	sched_getaffinity(0, sizeof(state.cpus), &state.cpus);
	state.threads = entries("/proc/self/task");
	state.files = entries("/proc/self/fd");
	state.rounding = fegetround();
	state.traps = fegetexcept();
	snprintf(state.number, sizeof(state.number), "%.1f", 0.5);
	return state;
}

static void compare(const struct state *before, const struct state *after)
{
	for (int i = 1; i < NSIG; i++)
		check(before->actions[i].sa_handler == after->actions[i].sa_handler, "a signal's disposition");
	check(memcmp(&before->mask, &after->mask, sizeof(before->mask)) == 0, "the signal mask");
	check(CPU_EQUAL(&before->cpus, &after->cpus), "the thread's CPUs");
	check(before->threads == after->threads, "the number of threads");
	check(before->files == after->files, "the number of open files");
	check(before->rounding == after->rounding && before->traps == after->traps, "the floating-point environment");
	check(strcmp(before->number, after->number) == 0, "the locale");
}

/* A program that has set all that can be set. */
static void settle(void)
{
	struct sigaction action = { .sa_handler = remember, .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value = { .tv_sec = 1000 } };

	for (int i = 1; i < NSIG; i++)
		sigaction(i, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	setlocale(LC_ALL, "");
	fesetround(FE_UPWARD);
	feenableexcept(FE_INVALID | FE_DIVBYZERO);
}

static int steps;

static int progress(void *context, const char *name, int done, int total, double left)
{
	(void)name;
	(void)left;
	steps++;
	check(done >= 0 && done <= total, "progress");
	check(fegetround() == FE_UPWARD, "the floating-point environment of a callback");
	return context != NULL;
}

static struct xray *opened(struct xray_options options)
{
	struct xray *xray = NULL;

	check(xray_open(&options, &xray) == XRAY_OK, "open");
	return xray;
}

/* Seconds that it takes to ask anew for what is kept: the least of a few, since others use this machine, too. */
static double ask_again(double value, const struct xray_options *options, const char *const *names, int count)
{
	double least = INFINITY;

	for (int i = 0; i < 9; i++) {
		struct timespec start, end;
		struct xray *xray = NULL;
		double took;

		clock_gettime(CLOCK_MONOTONIC, &start);
		check(xray_open(options, &xray) == XRAY_OK, "open");
		check(xray_measure(xray, names, count) == XRAY_OK, "what is kept");
		check(isnan(value) || xray_value(xray, names[0], 0) == value, "the value that is kept");
		xray_close(xray);
		clock_gettime(CLOCK_MONOTONIC, &end);
		took = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
		if (took < least)
			least = took;
	}
	return least;
}

static int count_one(void *context, const struct xray_finding *finding)
{
	++*(int *)context;
	return strcmp(finding->name, "cpu.frequency") == 0 ? 7 : 0;
}

static void as_a_guest(void)
{
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct state before, after;
	struct xray *xray;
	const struct xray_finding *found;
	struct itimerval timer;
	double value, took;
	int seen = 0;

	settle();
	before = look();
	xray = opened(options);
	xray_on_progress(xray, progress, NULL);
	check(xray_measure(xray, frequency, 1) == XRAY_OK, xray_message(xray));
	after = look();
	compare(&before, &after);
	getitimer(ITIMER_REAL, &timer);
	check(timer.it_value.tv_sec > 500, "the program's timer");
	for (int i = 1; i < NSIG; i++)
		check(!caught[i] || i == SIGCHLD, "a signal came that the library made");
	check(steps > 0, "no progress");
	found = xray_find(xray, "cpu.frequency");
	check(found && found->outcome != XRAY_FAILED, "no finding");
	value = xray_value(xray, "cpu.frequency", NAN);
	check(!found || found->outcome != XRAY_MEASURED || (found->low <= value && value <= found->high), "interval");
	check(xray_visit(xray, "cpu", count_one, &seen) == 7 && seen == 1, "visit");
	check(xray_find(xray, "no.such") == NULL && xray_value(xray, "no.such", 5) == 5, "what nobody asked for");
	xray_close(xray);

	steps = 0;
	took = ask_again(value, &options, frequency, 1);
	check(steps == 0, "it measured what is kept");
	fprintf(stdout, "%.2f ms for what is kept\n", took * 1e3);
	check(took < 5e-3, "more than 5 ms for what is kept");
}

static void complaints(void)
{
	static const char *const unknown[] = { "cache.l1d.sise" };
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray = NULL;

	options.machine = "/nonexistent.ini";
	check(xray_open(&options, &xray) == XRAY_BAD_MACHINE && strstr(xray_message(xray), "nonexistent"), "bad file");
	xray_close(xray);
	options.machine = NULL;
	options.budget = -1;
	check(xray_open(&options, &xray) == XRAY_BAD_OPTION && xray_message(xray)[0], "bad budget");
	xray_close(xray);
	options.budget = 0;
	options.size = 3;
	check(xray_open(&options, &xray) == XRAY_BAD_OPTION && xray_message(xray)[0], "bad size");
	xray_close(xray);
	xray_close(NULL);
	xray = opened((struct xray_options)XRAY_OPTIONS_INIT);
	check(xray_measure(xray, unknown, 1) == XRAY_UNKNOWN_NAME && strstr(xray_message(xray), "cache.l1d.size"),
	      "unknown name");
	xray_close(xray);
	options = (struct xray_options)XRAY_OPTIONS_INIT;
	options.cpu = 4000;
	xray = opened(options);
	check(xray_measure(xray, frequency, 1) == XRAY_BAD_OPTION && strstr(xray_message(xray), "4000"), "no such CPU");
	xray_close(xray);
}

/* Kills the child that measures. */
static int murder(void *context, const char *name, int done, int total, double left)
{
	FILE *children = fopen("/proc/thread-self/children", "r");
	int child;

	(void)context;
	(void)name;
	(void)done;
	(void)total;
	(void)left;
	if (children && fscanf(children, "%d", &child) == 1)
		kill(child, SIGKILL);
	else
		steps = -1;
	if (children)
		fclose(children);
	return 0;
}

static void accidents(void)
{
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray;

	options.cache = XRAY_CACHE_RENEW;
	xray = opened(options);
	steps = 0;
	xray_on_progress(xray, murder, NULL);
	check(xray_measure(xray, frequency, 1) == XRAY_BROKEN || steps < 0, "the child was killed");
	check(xray_message(xray)[0] || steps < 0, "nothing is said of a child that was killed");
	xray_on_progress(xray, NULL, NULL);
	check(xray_measure(xray, frequency, 1) == XRAY_OK && xray_find(xray, "cpu.frequency"), "after an accident");
	xray_close(xray);
}

static void modes(void)
{
	static const char *const others[] = { "op.add.i64.latency", "cpu.fma" };
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray;
	const struct xray_finding *found;
	int one;

	options.cache = XRAY_CACHE_ONLY;
	xray = opened(options);
	check(xray_measure(xray, others, 2) == XRAY_OK, "only what is kept");
	found = xray_find(xray, "op.add.i64.latency");
	check(found && found->outcome == XRAY_BLOCKED && found->reason[0] && isnan(found->value), "it is not kept");
	xray_close(xray);

	options.cache = XRAY_CACHE_RENEW;
	options.budget = 1e-6;
	xray = opened(options);
	check(xray_measure(xray, frequency, 1) == XRAY_OK, "a budget of nothing");
	found = xray_find(xray, "cpu.frequency");
	check(found && found->outcome == XRAY_BLOCKED && strstr(found->reason, "budget"), "budget");
	xray_close(xray);

	options.budget = 0;
	xray = opened(options);
	xray_on_progress(xray, progress, &one);
	check(xray_measure(xray, others, 2) == XRAY_STOPPED && xray_message(xray)[0], "stopped");
	xray_close(xray);
}

/* On stdout, for comparison with the command's; whatever the program has made of its decimal point. */
static void simulated(const char *machine)
{
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray;
	double value;

	setlocale(LC_ALL, "");
	options.machine = machine;
	options.seed = 7;
	xray = opened(options);
	check(xray_measure(xray, frequency, 1) == XRAY_OK, "a simulated machine");
	value = xray_value(xray, "cpu.frequency", 0);
	setlocale(LC_ALL, "C");
	printf("%.9g\n", value);
	xray_close(xray);
}

/* Outcome and value of a name, as it is kept or, if that is asked for, measured. */
static void print(const char *name, enum xray_cache cache)
{
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray;
	const struct xray_finding *found;

	options.cache = cache;
	xray = opened(options);
	check(xray_measure(xray, &name, 1) == XRAY_OK, xray_message(xray));
	found = xray_find(xray, name);
	check(found != NULL, "no finding");
	printf("%s %.9g\n", found ? xray_outcome_word(found->outcome) : "", xray_value(xray, name, 0));
	xray_close(xray);
}

/* guest; guest simulated MACHINE; guest kept NAME; guest measured NAME; guest time NAME...: for what is kept */
int main(int argc, char **argv)
{
	struct xray_options options = XRAY_OPTIONS_INIT;

	if (argc > 2 && strcmp(argv[1], "simulated") == 0) {
		simulated(argv[2]);
	} else if (argc > 2 && strcmp(argv[1], "kept") == 0) {
		print(argv[2], XRAY_CACHE_ONLY);
	} else if (argc > 2 && strcmp(argv[1], "measured") == 0) {
		print(argv[2], XRAY_CACHE_USE);
	} else if (argc > 2) {
		options.cache = XRAY_CACHE_ONLY;
		printf("%.2f ms\n", 1e3 * ask_again(NAN, &options, (const char *const *)(argv + 2), argc - 2));
	} else {
		as_a_guest();
		complaints();
		modes();
		accidents();
	}
	return bad;
}

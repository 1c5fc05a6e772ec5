/* SPDX-License-Identifier: MIT */
/*
 * process.c - runs compilers: several at a time, never for ever, never through a shell; and ourselves once more, where
 * nothing of the program that we are a part of is within reach
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "host.h"

enum { EXEC_FAILED = 127 };

struct running {
	struct host_job *job;
	pid_t pid;
	int pipe;
	size_t length;
	double deadline;
};

static void child(struct host_job *job, int output)
{
	int nothing = open("/dev/null", O_RDONLY);

	/* A group of its own, so that a compiler driver and its passes die together. */
	setpgid(0, 0);
	host_cpu_unbind();
	dup2(nothing, 0);
	dup2(output, 1);
	dup2(output, 2);
	setenv("LC_ALL", "C", 1);
	if (job->temporary)
		setenv("TMPDIR", job->temporary, 1);
	execvp(job->argv[0], (char *const *)job->argv);
	_exit(EXEC_FAILED);
}

static bool start(struct running *running, struct host_job *job, double seconds)
{
	int ends[2];

	job->output[0] = '\0';
	job->result = HOST_FAILED;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	*running = (struct running){ .job = job, .pipe = ends[0], .deadline = host_clock() + seconds * 1e9 };
	running->pid = fork();
	if (running->pid == 0)
		child(job, ends[1]);
	close(ends[1]);
	if (running->pid < 0)
		close(ends[0]);
	return running->pid > 0;
}

static void finish(struct running *running, bool late)
{
	struct host_job *job = running->job;
	int status = 0;

	/* Asked first, so that a compiler driver removes its temporary files. */
	if (late) {
		kill(-running->pid, SIGTERM);
		for (int i = 0; i < 20 && waitpid(running->pid, &status, WNOHANG) == 0; i++)
			host_sleep(1e7);
		kill(-running->pid, SIGKILL);
	}
	while (waitpid(running->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(running->pipe);
	job->output[running->length] = '\0';
	if (late)
		job->result = HOST_TIMEOUT;
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		job->result = HOST_OK;
	else if (WIFEXITED(status) && WEXITSTATUS(status) == EXEC_FAILED)
		job->result = HOST_MISSING;
	if (WIFSIGNALED(status) && !late && running->length == 0)
		strncpy(job->output, "it was killed by a signal", sizeof(job->output) - 1);
}

/* True when the job's output ended: it is done. */
static bool drain(struct running *running)
{
	char chunk[1024];
	ssize_t got = read(running->pipe, chunk, sizeof(chunk));
	size_t room = sizeof(running->job->output) - 1 - running->length;

	if (got <= 0)
		return got == 0 || errno != EINTR;
	if ((size_t)got < room)
		room = (size_t)got;
	memcpy(running->job->output + running->length, chunk, room);
	running->length += room;
	return false;
}

void host_run_jobs(struct host_job *jobs, int count, double seconds)
{
	enum { MOST = 16 };
	struct running active[MOST];
	int running = 0, next = 0, width = host_cpu_count() < MOST ? host_cpu_count() : MOST;

	while (running > 0 || next < count) {
		while (running < width && next < count)
			running += start(&active[running], &jobs[next++], seconds);

		struct pollfd wait[MOST];

		for (int i = 0; i < running; i++)
			wait[i] = (struct pollfd){ .fd = active[i].pipe, .events = POLLIN };
		poll(wait, (nfds_t)running, 50);
		for (int i = running - 1; i >= 0; i--) {
			bool late = host_clock() > active[i].deadline || host_interrupted();

			if (late || (wait[i].revents && drain(&active[i]))) {
				finish(&active[i], late);
				active[i] = active[--running];
			}
		}
	}
}

enum { OUTPUT = 3 };

/* The program's own handlers, files and output are none of our business. Where it waits for an end of a pipe or socket,
 * a second holder would keep it waiting. */
static int leave_program(int output, const sigset_t *none)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };
	int nothing = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &plain, NULL);
	sigprocmask(SIG_SETMASK, none, NULL);
	for (int i = 0; i < OUTPUT; i++)
		dup2(nothing, i);
	if (output != OUTPUT)
		dup2(output, OUTPUT);
	fcntl(OUTPUT, F_SETFD, FD_CLOEXEC);
	if (close_range(OUTPUT + 1, ~0U, 0) < 0)
		for (int i = OUTPUT + 1; i < (int)sysconf(_SC_OPEN_MAX); i++)
			close(i);
	host_catch_interrupts();
	return OUTPUT;
}

bool host_child_start(struct host_child *child, void (*work)(void *context, int output), void *context)
{
	sigset_t all, none, before;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	/* So that none of its handlers runs in the child. */
	sigfillset(&all);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	*child = (struct host_child){ .pid = fork(), .pipe = ends[0] };
	if (child->pid == 0) {
		work(context, leave_program(ends[1], &none));
		host_drop_scratch();
		_exit(0);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(ends[1]);
	if (child->pid < 0)
		close(ends[0]);
	return child->pid > 0;
}

long host_child_read(const struct host_child *child, char *bytes, size_t size, double seconds)
{
	double until = host_clock() / 1e9 + seconds;
	ssize_t got = -1;

	while (got < 0 && host_clock() / 1e9 < until) {
		struct pollfd wait = { .fd = child->pipe, .events = POLLIN };

		if (poll(&wait, 1, 1000) > 0) {
			got = read(child->pipe, bytes, size);
			if (got < 0 && errno != EINTR)
				return 0;
		}
	}
	return got;
}

void host_child_stop(const struct host_child *child, bool at_once)
{
	kill((pid_t)child->pid, at_once ? SIGKILL : SIGTERM);
}

const char *host_child_end(struct host_child *child, char *why, size_t size)
{
	int status = 0;
	pid_t ended;

	while ((ended = waitpid((pid_t)child->pid, &status, 0)) < 0 && errno == EINTR)
		;
	close(child->pipe);
	/* The program may wait for all children, or for none; then nobody knows. */
	if (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
		return NULL;
	if (WIFSIGNALED(status))
		snprintf(why, size, "it was killed by signal %d", WTERMSIG(status));
	else
		snprintf(why, size, "it ended with status %d", WEXITSTATUS(status));
	return why;
}

/* SPDX-License-Identifier: MIT */
/*
 * process.c - runs compilers: several at a time, never for ever, never through a shell
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

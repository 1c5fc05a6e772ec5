/* SPDX-License-Identifier: MIT */
/*
 * together.c - pieces of work that run at once, each in a thread on its CPU; threads wait for the next and are kept
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { STACK = 256 << 10 };

struct worker {
	struct worker *next;
	struct host_crew *crew;
	pthread_t thread;
	int cpu; /* HOST_ANYWHERE: all of them */
	bool chosen; /* for the work to come */
	int index; /* of the work it is to do; -1: none */
	bool bound, tried; /* onto its CPU */
	bool over;
	pthread_cond_t called;
};

struct host_crew {
	pthread_mutex_t lock;
	pthread_cond_t done;
	struct worker *workers;
	void (*work)(void *context, int index);
	void *context;
	int busy;
};

/* Handlers are the main thread's business. */
static void block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static bool settle(const struct worker *worker)
{
	if (worker->cpu != HOST_ANYWHERE)
		return host_cpu_bind(worker->cpu) == worker->cpu;
	host_cpu_unbind();
	return true;
}

static void *live(void *context)
{
	struct worker *worker = context;
	struct host_crew *crew = worker->crew;
	bool bound;

	block_signals();
	bound = settle(worker);
	pthread_mutex_lock(&crew->lock);
	worker->bound = bound;
	worker->tried = true;
	pthread_cond_signal(&crew->done);
	while (!worker->over) {
		if (worker->index < 0) {
			pthread_cond_wait(&worker->called, &crew->lock);
			continue;
		}
		pthread_mutex_unlock(&crew->lock);
		crew->work(crew->context, worker->index);
		pthread_mutex_lock(&crew->lock);
		worker->index = -1;
		if (--crew->busy == 0)
			pthread_cond_signal(&crew->done);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* Called without the lock; waits until it is gone. */
static void dismiss(struct worker *worker)
{
	pthread_mutex_lock(&worker->crew->lock);
	worker->over = true;
	pthread_cond_signal(&worker->called);
	pthread_mutex_unlock(&worker->crew->lock);
	pthread_join(worker->thread, NULL);
	pthread_cond_destroy(&worker->called);
	free(worker);
}

/* Called with the lock held. NULL and a message when it cannot be started, or put where it should be. */
static struct worker *hire(struct host_crew *crew, int cpu, char *error, size_t size)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	pthread_attr_t attributes;
	int failed;

	if (!worker) {
		snprintf(error, size, "out of memory");
		return NULL;
	}
	*worker = (struct worker){ .crew = crew, .cpu = cpu, .index = -1 };
	pthread_cond_init(&worker->called, NULL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	failed = pthread_create(&worker->thread, &attributes, live, worker);
	pthread_attr_destroy(&attributes);
	if (failed) {
		snprintf(error, size, "a thread cannot be started: %s", strerror(failed));
		pthread_cond_destroy(&worker->called);
		free(worker);
		return NULL;
	}
	while (!worker->tried)
		pthread_cond_wait(&crew->done, &crew->lock);
	if (worker->bound) {
		worker->next = crew->workers;
		crew->workers = worker;
		return worker;
	}
	snprintf(error, size, "a thread cannot be put onto CPU %d", cpu);
	pthread_mutex_unlock(&crew->lock);
	dismiss(worker);
	pthread_mutex_lock(&crew->lock);
	return NULL;
}

static struct worker *idle(struct host_crew *crew, int cpu)
{
	for (struct worker *worker = crew->workers; worker; worker = worker->next)
		if (worker->cpu == cpu && !worker->chosen)
			return worker;
	return NULL;
}

struct host_crew *host_crew_new(void)
{
	struct host_crew *crew = calloc(1, sizeof(*crew));

	if (crew) {
		pthread_mutex_init(&crew->lock, NULL);
		pthread_cond_init(&crew->done, NULL);
	}
	return crew;
}

void host_crew_free(struct host_crew *crew)
{
	if (!crew)
		return;
	while (crew->workers) {
		struct worker *worker = crew->workers;

		crew->workers = worker->next;
		dismiss(worker);
	}
	pthread_cond_destroy(&crew->done);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}

bool host_together(struct host_crew *crew, const struct host_work *work, char *error, size_t size)
{
	struct worker **chosen = calloc((size_t)work->count, sizeof(*chosen));
	bool complete = chosen != NULL;

	pthread_mutex_lock(&crew->lock);
	crew->work = work->work;
	crew->context = work->context;
	for (int i = 0; complete && i < work->count; i++) {
		chosen[i] = idle(crew, work->cpus[i]);
		if (!chosen[i])
			chosen[i] = hire(crew, work->cpus[i], error, size);
		complete = chosen[i] != NULL;
		if (complete)
			chosen[i]->chosen = true;
	}
	/* Nobody begins where one is missing. */
	for (int i = 0; chosen && i < work->count && chosen[i]; i++) {
		chosen[i]->chosen = false;
		if (!complete)
			continue;
		chosen[i]->index = i;
		crew->busy++;
		pthread_cond_signal(&chosen[i]->called);
	}
	while (crew->busy > 0)
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	free(chosen);
	return complete;
}

static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;

void host_alone_begin(void)
{
	pthread_mutex_lock(&alone);
}

void host_alone_end(void)
{
	pthread_mutex_unlock(&alone);
}

void host_yield(void)
{
	sched_yield();
}

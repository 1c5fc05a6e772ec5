/* SPDX-License-Identifier: MIT */
/*
 * threads.c - eight threads at once, each with a handle: they measure simulated machines and read what is kept of this
 * computer; those with the same machine, names and seed must agree to the last bit
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xray.h>

enum { THREADS = 8, MOST = 8 };

/* What takes long is measured once. */
static const struct task {
	const char *file;
	const char *names[MOST];
} tasks[THREADS] = {
	{ "icl.ini", { "cpu", "op.add", "op.div.f64", "smp.cpus" } },
	{ "icl.ini", { "cpu", "op.add", "op.div.f64", "smp.cpus" } },
	{ "hybrid.ini", { "smp.cores", "contexts.int", "comm.latency" } },
	{ "hybrid.ini", { "smp.cores", "contexts.int", "comm.latency" } },
	{ "p4xeon.ini", { "cpu", "op.*.f64.*" } },
	{ "p4xeon.ini", { "cpu", "op.*.f64.*" } },
	{ "p5.ini", { "cache.l1d.size" } },
	{ "haswell.ini", { "op.*.i64.*" } },
};

static const char *directory;

struct result {
	int thread, bad, count;
	double values[512];
};

static int note(void *context, const struct xray_finding *finding)
{
	struct result *result = context;
	double value = finding->outcome == XRAY_MEASURED ? finding->value : (double)finding->outcome;

	if (result->count < (int)(sizeof(result->values) / sizeof(result->values[0])))
		result->values[result->count++] = value;
	return 0;
}

static int count_steps(void *context, const char *name, int done, int total, double left)
{
	(void)name;
	(void)done;
	(void)total;
	(void)left;
	++*(int *)context;
	return 0;
}

static void complain(struct result *result, const struct xray *xray, const char *what)
{
	fprintf(stderr, "thread %d: %s: %s\n", result->thread, what, xray_message(xray));
	result->bad = 1;
}

static void *simulate(void *context)
{
	struct result *result = context;
	const struct task *task = &tasks[result->thread];
	struct xray_options options = XRAY_OPTIONS_INIT;
	struct xray *xray = NULL, *kept = NULL;
	char path[512];
	int count = 0, steps = 0;

	snprintf(path, sizeof(path), "%s/%s", directory, task->file);
	options.machine = path;
	options.seed = 3;
	options.effort = XRAY_QUICK;
	while (count < MOST && task->names[count])
		count++;
	if (xray_open(&options, &xray) != XRAY_OK)
		complain(result, xray, "open");
	xray_on_progress(xray, count_steps, &steps);
	if (xray_measure(xray, task->names, count) != XRAY_OK || steps == 0)
		complain(result, xray, "measure");
	xray_visit(xray, NULL, note, result);
	xray_close(xray);

	options = (struct xray_options)XRAY_OPTIONS_INIT;
	options.cache = XRAY_CACHE_ONLY;
	if (xray_open(&options, &kept) != XRAY_OK || xray_measure(kept, NULL, 0) != XRAY_OK)
		complain(result, kept, "what is kept");
	if (!xray_find(kept, "cpu.frequency"))
		complain(result, kept, "it is not there");
	xray_close(kept);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct result results[THREADS];
	pthread_t threads[THREADS];
	int bad = argc != 2;

	if (bad)
		return 2;
	directory = argv[1];
	for (int i = 0; i < THREADS; i++) {
		results[i].thread = i;
		if (pthread_create(&threads[i], NULL, simulate, &results[i]))
			return 2;
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		bad |= results[i].bad;
	}
	for (int i = 0; i < THREADS; i += 2) {
		const struct result *one = &results[i], *other = &results[i + 1];

		if (strcmp(tasks[i].names[0], tasks[i + 1].names[0]) == 0 &&
		    (one->count < 2 || one->count != other->count ||
		     memcmp(one->values, other->values, sizeof(one->values[0]) * (size_t)one->count) != 0)) {
			fprintf(stderr, "threads %d and %d do not agree\n", i, i + 1);
			bad = 1;
		}
	}
	return bad;
}

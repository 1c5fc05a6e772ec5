/* SPDX-License-Identifier: MIT */
/*
 * quiet.c - the CPU with the least going on beside us
 *
 * On a shared machine some CPUs have a busy neighbour on their core and some have none, and it stays so for seconds. A
 * fixed piece of work that needs all of a core's adders tells them apart, and takes longer on a CPU that has to be
 * waited for, too.
 */
#include <math.h>
#include <stdint.h>

#include "host.h"

enum { MOST = 32, ROUNDS = 5, LAPS = 400000 }; /* some 250 microseconds */

static const double AS_GOOD = 1.05; /* of the best: then the lower number, so that it is the same in every run */

static void work(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;

	for (int i = 0; i < LAPS; i++) {
		a += 3, b += 3, c += 3, d += 3, e += 3, f += 3;
		/* Or the compiler adds it all up beforehand. */
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
	}
}

/* ns from the wish to be there until the work is done; longer when somebody else was let in. */
static double look(int cpu)
{
	struct host_watch watch;
	double start = host_clock(), took;

	if (host_cpu_bind(cpu) < 0)
		return INFINITY;
	watch = host_watch_start();
	work();
	took = host_clock() - start;
	return host_watch_disturbed(&watch) ? 2 * took : took;
}

int host_cpu_quietest(void)
{
	int count = host_cpu_count(), looked = count < MOST ? count : MOST;
	double took[MOST] = { 0 }, least = INFINITY;

	if (count == 1)
		return host_cpu_at(0);
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < looked; i++)
			took[i] += look(host_cpu_at(i * count / looked));
	for (int i = 0; i < looked; i++)
		least = fmin(least, took[i]);
	for (int i = 0; i < looked; i++)
		if (took[i] <= AS_GOOD * least)
			return host_cpu_at(i * count / looked);
	return host_cpu_at(0);
}

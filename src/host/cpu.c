/* SPDX-License-Identifier: MIT */
/*
 * cpu.c - which CPUs this process may use, the quietest of them, and binding to them and to their memory, through hwloc
 */
#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "host.h"

static hwloc_topology_t topology;
static hwloc_cpuset_t allowed;

static bool load(void)
{
	if (allowed)
		return true;
	if (hwloc_topology_init(&topology) < 0)
		return false;
	/* Caches, devices and packages are of no use here, and finding them costs more than all the rest. */
	hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	if (hwloc_topology_load(topology) < 0) {
		hwloc_topology_destroy(topology);
		return false;
	}
	allowed = hwloc_bitmap_alloc();
	if (allowed && hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) < 0)
		hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology));
	return allowed != NULL;
}

int host_cpu_count(void)
{
	int count = load() ? hwloc_bitmap_weight(allowed) : 1;

	return count > 0 ? count : 1;
}

int host_cpu_at(int index)
{
	int cpu = load() ? hwloc_bitmap_first(allowed) : -1;

	while (index-- > 0 && cpu >= 0)
		cpu = hwloc_bitmap_next(allowed, cpu);
	return cpu;
}

int host_cpu_bind(int cpu)
{
	if (!load() || !hwloc_bitmap_isset(allowed, (unsigned)cpu))
		return -1;

	hwloc_cpuset_t one = hwloc_bitmap_alloc();
	int bound = -1;

	if (one) {
		hwloc_bitmap_only(one, (unsigned)cpu);
		bound = hwloc_set_cpubind(topology, one, HWLOC_CPUBIND_THREAD) < 0 ? -1 : cpu;
		hwloc_bitmap_free(one);
	}
	return bound;
}

void host_cpu_unbind(void)
{
	if (load())
		hwloc_set_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD);
}

/* Preferred, not demanded: a system whose memory there is used up would rather kill somebody. */
bool host_memory_near(int cpu, void (*work)(void *context), void *context, char *error, size_t size)
{
	enum { THREAD = HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET };
	hwloc_bitmap_t one = hwloc_bitmap_alloc(), near = hwloc_bitmap_alloc(), before = hwloc_bitmap_alloc();
	hwloc_membind_policy_t policy;
	bool bound = load() && one && near && before;

	if (bound) {
		hwloc_bitmap_only(one, (unsigned)cpu);
		hwloc_cpuset_to_nodeset(topology, one, near);
		errno = 0;
		bound = hwloc_get_membind(topology, before, &policy, THREAD) == 0 &&
			hwloc_set_membind(topology, near, HWLOC_MEMBIND_BIND, THREAD) == 0;
	}
	if (bound) {
		work(context);
		hwloc_set_membind(topology, before, policy, THREAD);
	} else {
		snprintf(error, size, "memory cannot be bound to a node: %s", strerror(errno));
	}
	hwloc_bitmap_free(one);
	hwloc_bitmap_free(near);
	hwloc_bitmap_free(before);
	return bound;
}

/* On a shared machine some CPUs have a busy neighbour on their core and some have none, and it stays so for seconds. A
 * fixed piece of work that needs all of a core's adders tells them apart, and takes longer on a CPU that has to be
 * waited for, too. */
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

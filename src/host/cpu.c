/* SPDX-License-Identifier: MIT */
/*
 * cpu.c - which CPUs this process may use, and binding to one of them, through hwloc
 */
#include <hwloc.h>

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

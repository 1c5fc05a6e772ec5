/* SPDX-License-Identifier: MIT */
/*
 * counters.c - hardware counters, as the kernel has them: of this thread, on whichever CPU, outside of the kernel
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

#define READ_MISSES(cache) \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

/* What the file says that rules who may count; -2 where there is none. */
static int paranoid(void)
{
	char text[32];
	int level;

	return host_line("/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) && sscanf(text, "%d", &level) == 1
		       ? level
		       : -2;
}

static void explain(int error, char *why, size_t size)
{
	if (error == EACCES || error == EPERM)
		snprintf(why, size,
			 "perf_event_open: %s; perf_event_paranoid is %d, and 2 or less would help, or CAP_PERFMON, or "
			 "a container that allows it",
			 strerror(error), paranoid());
	else if (error == ENOSYS)
		snprintf(why, size, "perf_event_open: this kernel, or what it runs in, has none");
	else
		snprintf(why, size,
			 "perf_event_open: %s: no counter of it here; guests have none unless the host lends "
			 "them its own",
			 strerror(error));
}

int host_counter_open(enum host_event event, char *why, size_t size)
{
	static const uint64_t configs[] = { [HOST_L1D_MISSES] = READ_MISSES(L1D),
					    [HOST_LAST_MISSES] = READ_MISSES(LL),
					    [HOST_DTLB_MISSES] = READ_MISSES(DTLB),
					    [HOST_L1I_MISSES] = READ_MISSES(L1I),
					    [HOST_ITLB_MISSES] = READ_MISSES(ITLB) };
	struct perf_event_attr attribute;
	long counter;

	memset(&attribute, 0, sizeof(attribute));
	attribute.type = PERF_TYPE_HW_CACHE;
	attribute.size = sizeof(attribute);
	attribute.config = configs[event];
	attribute.disabled = attribute.exclude_kernel = attribute.exclude_hv = 1;
	attribute.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	counter = syscall(SYS_perf_event_open, &attribute, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (counter < 0)
		explain(errno, why, size);
	return (int)counter;
}

void host_counter_start(int counter)
{
	if (counter >= 0)
		ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
}

void host_counter_stop(int counter)
{
	if (counter >= 0)
		ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
}

bool host_counter_read(int counter, double *count)
{
	struct {
		uint64_t value, enabled, running;
	} seen = { 0, 0, 0 };

	*count = 0;
	if (read(counter, &seen, sizeof(seen)) != (ssize_t)sizeof(seen))
		return false;
	*count = (double)seen.value;
	return seen.running > 0 && seen.running == seen.enabled;
}

void host_counter_close(int counter)
{
	if (counter >= 0)
		close(counter);
}

/* SPDX-License-Identifier: MIT */
/*
 * identity.c - who this machine says it is: shown, never used for an answer
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "host.h"

bool host_cpuinfo(const char *key, char *value, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[4096];
	bool found = false;

	value[0] = '\0';
	while (file && !found && fgets(line, sizeof(line), file)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, size, "%s", colon + 1 + (colon[1] == ' '));
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

bool host_line(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");

	text[0] = '\0';
	if (!file)
		return false;
	if (fgets(text, (int)size, file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
	return text[0] != '\0';
}

void host_identity(char *name, char *cpu, char *hypervisor, char *kernel, size_t each)
{
	struct utsname system;
	char flags[4096];

	if (gethostname(name, each) < 0)
		snprintf(name, each, "unknown");
	name[each - 1] = '\0';
	if (!host_cpuinfo("model name", cpu, each) && !host_cpuinfo("Model", cpu, each))
		host_cpuinfo("uarch", cpu, each);
	host_line("/sys/hypervisor/type", hypervisor, each);
	if (!hypervisor[0] && host_cpuinfo("flags", flags, sizeof(flags)) && strstr(flags, " hypervisor"))
		snprintf(hypervisor, each, "yes");
	if (uname(&system) == 0)
		snprintf(kernel, each, "%s %s %s", system.sysname, system.release, system.machine);
	else
		kernel[0] = '\0';
}

struct text {
	char *start;
	size_t size, used;
};

static void put(struct text *text, const char *key, const char *value)
{
	if (value[0] && text->used < text->size)
		text->used +=
			(size_t)snprintf(text->start + text->used, text->size - text->used, "%s: %s\n", key, value);
}

/* The CPU itself is asked where it can be: for a look at /proc/cpuinfo some kernels measure clocks for 20 ms. */
#if defined(__x86_64__) || defined(__i386__)
static void put_processor(struct text *text)
{
	static const unsigned leaves[] = { 0, 1, 7, 0x40000000, 0x80000001, 0x80000002, 0x80000003, 0x80000004 };
	unsigned a, b, c, d;
	char value[64];

	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
		__cpuid_count(leaves[i], 0, a, b, c, d);
		/* Here, b says which of the CPUs was asked. */
		snprintf(value, sizeof(value), "%08x %08x %08x %08x", a, leaves[i] == 1 ? 0 : b, c, d);
		put(text, "cpuid", value);
	}
}
#else
static void put_processor(struct text *text)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[4096];

	/* The first CPU's lines, but for those that change with the hour. */
	while (file && fgets(line, sizeof(line), file) && line[0] != '\n') {
		line[strcspn(line, "\n")] = '\0';
		if (!strstr(line, "MHz"))
			put(text, "cpuinfo", line);
	}
	if (file)
		fclose(file);
}
#endif

static void put_cpus(struct text *text)
{
	enum { MOST_CPUS = 8192, BYTES = MOST_CPUS / 8 };
	union {
		cpu_set_t set;
		unsigned char bytes[BYTES];
	} mask = { .bytes = { 0 } };
	char value[2 * BYTES + 32];
	int last = 0, used;

	sched_getaffinity(0, BYTES, &mask.set);
	for (int i = 0; i < BYTES; i++)
		last = mask.bytes[i] ? i : last;
	used = snprintf(value, sizeof(value), "%g of time, mask ", host_cpu_quota());
	for (int i = 0; i <= last; i++)
		used += snprintf(value + used, sizeof(value) - (size_t)used, "%02x", mask.bytes[i]);
	put(text, "cpus", value);
}

/* The first that PATH leads to: which file, how long, how old. Asking it for its version would take longer than all the
 * rest. */
static void put_compiler(struct text *text)
{
	static const char *const usual[] = { "gcc", "clang", "cc" };
	const char *path = getenv("PATH");
	char name[PATH_MAX], real[PATH_MAX], value[PATH_MAX + 64];
	struct stat status;

	for (size_t i = 0; path && i < sizeof(usual) / sizeof(usual[0]); i++)
		for (const char *at = path; at; at = strchr(at, ':'), at += at != NULL) {
			snprintf(name, sizeof(name), "%.*s/%s", (int)strcspn(at, ":"), at, usual[i]);
			if (access(name, X_OK) < 0 || !realpath(name, real) || stat(real, &status) < 0)
				continue;
			snprintf(value, sizeof(value), "%s, %lld bytes of %lld", real, (long long)status.st_size,
				 (long long)status.st_mtime);
			put(text, "compiler", value);
			return;
		}
}

void host_fingerprint(char *start, size_t size)
{
	static const char *const settings[] = { "/sys/devices/system/cpu/cpu0/microcode/version",
						"/sys/devices/system/cpu/online",
						"/sys/devices/system/cpu/smt/control",
						"/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
						"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
						"/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq",
						"/sys/devices/system/cpu/cpufreq/boost",
						"/sys/devices/system/cpu/intel_pstate/no_turbo",
						"/sys/devices/system/node/has_memory",
						"/sys/kernel/mm/transparent_hugepage/enabled",
						"/sys/kernel/mm/transparent_hugepage/defrag",
						"/sys/hypervisor/type",
						"/sys/class/dmi/id/product_name",
						"/proc/sys/kernel/perf_event_paranoid",
						"/proc/cmdline" };
	struct text text = { start, size, 0 };
	struct utsname system;
	char value[4096];

	start[0] = '\0';
	put_processor(&text);
	put_cpus(&text);
	if (uname(&system) == 0) {
		snprintf(value, sizeof(value), "%s %s %s %s", system.sysname, system.release, system.version,
			 system.machine);
		put(&text, "kernel", value);
	}
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		host_line(settings[i], value, sizeof(value));
		put(&text, settings[i], value);
	}
	/* Kernels of one machine differ by some MiB. */
	snprintf(value, sizeof(value), "%.0f GiB in pages of %ld",
		 (double)sysconf(_SC_PHYS_PAGES) * (double)host_page_bytes() / 0x1p30, host_page_bytes());
	put(&text, "memory", value);
	put_compiler(&text);
}

long host_page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

bool host_is_terminal(int descriptor)
{
	return isatty(descriptor) == 1;
}

int host_terminal_width(int descriptor)
{
	struct winsize window = { 0 };

	return ioctl(descriptor, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

const char *host_environment(const char *name)
{
	return getenv(name);
}

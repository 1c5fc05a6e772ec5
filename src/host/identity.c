/* SPDX-License-Identifier: MIT */
/*
 * identity.c - who this machine says it is, and what is claimed about it: shown, never used for an answer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "claims.h"
#include "host.h"

/* The value behind the first "key ... : value" of /proc/cpuinfo. */
static bool cpuinfo(const char *key, char *value, size_t size)
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

static void first_line(const char *path, char *value, size_t size)
{
	FILE *file = fopen(path, "r");

	value[0] = '\0';
	if (!file)
		return;
	if (fgets(value, (int)size, file))
		value[strcspn(value, "\n")] = '\0';
	fclose(file);
}

void host_identity(char *name, char *cpu, char *hypervisor, char *kernel, size_t each)
{
	struct utsname system;
	char flags[4096];

	if (gethostname(name, each) < 0)
		snprintf(name, each, "unknown");
	name[each - 1] = '\0';
	if (!cpuinfo("model name", cpu, each) && !cpuinfo("Model", cpu, each))
		cpuinfo("uarch", cpu, each);
	first_line("/sys/hypervisor/type", hypervisor, each);
	if (!hypervisor[0] && cpuinfo("flags", flags, sizeof(flags)) && strstr(flags, " hypervisor"))
		snprintf(hypervisor, each, "yes");
	if (uname(&system) == 0)
		snprintf(kernel, each, "%s %s %s", system.sysname, system.release, system.machine);
	else
		kernel[0] = '\0';
}

long host_page_bytes(void)
{
	return sysconf(_SC_PAGESIZE);
}

bool host_is_terminal(int descriptor)
{
	return isatty(descriptor) == 1;
}

const char *host_environment(const char *name)
{
	return getenv(name);
}

bool host_claim(const char *parameter, double *value, const char **source)
{
	char text[4096];

	if (strcmp(parameter, "cpu.frequency") == 0) {
		first_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text, sizeof(text));
		*source = "sysfs";
		*value = strtod(text, NULL) * 1e3;
		if (*value <= 0 && cpuinfo("cpu MHz", text, sizeof(text))) {
			*source = "/proc/cpuinfo";
			*value = strtod(text, NULL) * 1e6;
		}
		return *value > 0;
	}
	if (strncmp(parameter, "cpu.fma.", 8) == 0 && cpuinfo("flags", text, sizeof(text))) {
		*source = "CPUID";
		*value = strstr(text, " fma ") != NULL;
		return true;
	}
	if (strncmp(parameter, "page.", 5) == 0)
		return claim_of_pages(parameter, value, source);
	*source = "sysfs";
	return strncmp(parameter, "numa.", 5) == 0 ? claim_of_nodes(parameter, value)
						   : claim_of_cache(parameter, value);
}

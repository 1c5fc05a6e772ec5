/* SPDX-License-Identifier: MIT */
/*
 * identity.c - who this machine says it is: shown, never used for an answer
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <unistd.h>

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

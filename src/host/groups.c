/* SPDX-License-Identifier: MIT */
/*
 * groups.c - control groups, of version 2 or 1: every one from our own up to the root may set a limit
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host.h"

/* Is the controller among those of this line, "4:cpu,cpuacct:/path"? */
static bool names(const char *line, const char *controller)
{
	const char *list = strchr(line, ':');
	size_t length = strlen(controller);

	while (list && *list != '\n' && list[1] != '/') {
		list++;
		if (strncmp(list, controller, length) == 0 && strchr(",:", list[length]))
			return true;
		list = strpbrk(list, ",:");
		if (list && *list == ':')
			return false;
	}
	return false;
}

void host_groups(const char *controller, void (*visit)(void *context, const char *directory, bool second),
		 void *context)
{
	FILE *file = fopen("/proc/self/cgroup", "r");
	char line[512], directory[640], root[128];

	while (file && fgets(line, sizeof(line), file)) {
		char *path = strrchr(line, ':');
		bool second = strncmp(line, "0::", 3) == 0;

		if (!path || (!second && !names(line, controller)))
			continue;
		snprintf(root, sizeof(root), "/sys/fs/cgroup%s%s", second ? "" : "/", second ? "" : controller);
		path[strcspn(path, "\n")] = '\0';
		for (path++; *path; *strrchr(path, '/') = '\0') {
			snprintf(directory, sizeof(directory), "%s%.500s", root, path);
			visit(context, directory, second);
			if (path[0] != '/')
				break;
		}
		visit(context, root, second);
	}
	if (file)
		fclose(file);
}

/* Two numbers, from one file or from two; false when one is missing or "max". */
static bool two_numbers(const char *directory, const char *first, const char *other, double number[2])
{
	char path[768];
	int read = 0;

	for (int i = 0; i < 2 && (i == 0 || other); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, i ? other : first);

		FILE *file = fopen(path, "r");

		if (file) {
			read += fscanf(file, "%lg %lg", &number[i], &number[1]) > 0 ? 1 : 0;
			fclose(file);
		}
	}
	return read == (other ? 2 : 1) && number[0] > 0 && number[1] > 0;
}

static void limit(void *context, const char *directory, bool second)
{
	double number[2] = { 0, 0 }, *quota = context;

	if (second ? two_numbers(directory, "cpu.max", NULL, number)
		   : two_numbers(directory, "cpu.cfs_quota_us", "cpu.cfs_period_us", number))
		*quota = fmin(*quota, number[0] / number[1]);
}

double host_cpu_quota(void)
{
	double quota = INFINITY;

	host_groups("cpu", limit, &quota);
	return quota;
}

/* SPDX-License-Identifier: MIT */
/*
 * claims.c - who claims what
 */
#include <stdlib.h>
#include <string.h>

#include "../host/host.h"
#include "claims.h"

bool claims_of(const char *parameter, double *value, const char **source)
{
	char text[4096];

	if (strcmp(parameter, "cpu.frequency") == 0) {
		host_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", text, sizeof(text));
		*source = "sysfs";
		*value = strtod(text, NULL) * 1e3;
		if (*value <= 0 && host_cpuinfo("cpu MHz", text, sizeof(text))) {
			*source = "/proc/cpuinfo";
			*value = strtod(text, NULL) * 1e6;
		}
		return *value > 0;
	}
	if (strncmp(parameter, "cpu.fma.", 8) == 0 && host_cpuinfo("flags", text, sizeof(text))) {
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

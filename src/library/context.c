/* SPDX-License-Identifier: MIT */
/*
 * context.c - a machine's identity as a report has it
 */
#include "context.h"

#include <math.h>

struct report_context context_of(const struct machine_identity *identity, const char *version, const char *command,
				 const char *date)
{
	return (struct report_context){ .version = version,
					.date = date,
					.host = identity->name,
					.cpu = identity->cpu,
					.hypervisor = identity->hypervisor,
					.kernel = identity->kernel,
					.compiler = identity->compiler,
					.noise = "",
					.command = command,
					.cpus = identity->cpus,
					.cpu_used = identity->cpu_used,
					.page_bytes = identity->page_bytes,
					.seconds = NAN,
					.quota = identity->quota };
}

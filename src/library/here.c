/* SPDX-License-Identifier: MIT */
/*
 * here.c - a simulated machine, which is nothing but arithmetic, is measured in the thread that asks
 */
#include "handle.h"

static void progress(void *context, const struct entry *entry, int done, int total, double left)
{
	handle_progress(context, entry ? entry->name : NULL, done, total, left);
}

static bool stop(void *context)
{
	return ((const struct xray *)context)->stopped;
}

enum xray_status here_run(struct xray *handle, struct plan *plan, struct report_saved *run)
{
	struct session_machine wanted = handle_machine(handle);
	struct session_options options = handle_session(handle, plan);
	struct session_hooks hooks = { handle, progress, NULL, NULL, stop, NULL };
	struct machine *machine = session_open(&wanted, handle->message, sizeof(handle->message));
	struct session_result result;

	if (!machine)
		return XRAY_BAD_MACHINE;
	result = session_run(machine, plan, &options, &hooks);
	machine->ops->close(machine);
	run->findings = result.findings;
	return result.interrupted ? XRAY_STOPPED : XRAY_OK;
}

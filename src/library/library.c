/* SPDX-License-Identifier: MIT */
/*
 * library.c - opens and closes handles, and lets programs look at what they hold
 */
#include "handle.h"

static const double MONTH = 30 * 86400.0;

/* NULL, or what is wrong with them. */
static const char *defect(const struct xray_options *options)
{
	if (options->effort < XRAY_USUAL || options->effort > XRAY_FULL)
		return "effort is none of XRAY_USUAL, XRAY_QUICK, XRAY_FULL";
	if (options->cache < XRAY_CACHE_USE || options->cache > XRAY_CACHE_NONE)
		return "cache is none of XRAY_CACHE_USE, _ONLY, _RENEW, _NONE";
	if (!(options->budget >= 0))
		return "budget is below 0";
	if (!(options->max_age >= 0))
		return "max_age is below 0";
	return NULL;
}

/* A program that was compiled with another version knows fewer fields, or more. */
static enum xray_status take_options(struct xray *handle, const struct xray_options *options)
{
	static const struct xray_options defaults = XRAY_OPTIONS_INIT;
	struct xray_options *ours = &handle->options;
	const char *wrong;

	*ours = defaults;
	if (options)
		memcpy(ours, options, options->size < sizeof(*ours) ? options->size : sizeof(*ours));
	ours->size = sizeof(*ours);
	wrong = options && options->size < offsetof(struct xray_options, machine) + sizeof(ours->machine)
			? "options do not begin with their size (XRAY_OPTIONS_INIT)"
			: defect(ours);
	if (wrong) {
		ours->machine = NULL;
		snprintf(handle->message, sizeof(handle->message), "%s", wrong);
		return XRAY_BAD_OPTION;
	}
	if (ours->max_age == 0)
		ours->max_age = MONTH;
	if (!ours->machine)
		return XRAY_OK;
	ours->machine = strdup(ours->machine);
	return ours->machine ? XRAY_OK : XRAY_NO_MEMORY;
}

/* A bad machine file is better known now than later. */
static enum xray_status try_machine(struct xray *handle)
{
	struct session_machine wanted = handle_machine(handle);
	struct machine *machine;

	if (!wanted.file)
		return XRAY_OK;
	machine = session_open(&wanted, handle->message, sizeof(handle->message));
	if (!machine)
		return XRAY_BAD_MACHINE;
	machine->ops->close(machine);
	return XRAY_OK;
}

enum xray_status xray_open(const struct xray_options *options, struct xray **handle)
{
	struct xray *fresh = calloc(1, sizeof(*fresh));
	struct surroundings surroundings;
	enum xray_status status;

	*handle = NULL;
	if (!fresh || !kept_open(&fresh->kept)) {
		free(fresh);
		return XRAY_NO_MEMORY;
	}
	surroundings_enter(&surroundings);
	status = take_options(fresh, options);
	if (status == XRAY_OK)
		status = try_machine(fresh);
	surroundings_leave(&surroundings);
	if (status != XRAY_NO_MEMORY)
		*handle = fresh;
	else
		xray_close(fresh);
	return status;
}

void xray_close(struct xray *handle)
{
	if (!handle)
		return;
	kept_close(&handle->kept);
	free(handle->shown);
	free((char *)handle->options.machine);
	free(handle);
}

const struct xray_finding *xray_find(const struct xray *handle, const char *name)
{
	int place = handle && handle->shown ? catalogue_place(name) : -1;

	return place >= 0 && handle->shown[place].name ? &handle->shown[place] : NULL;
}

double xray_value(const struct xray *handle, const char *name, double otherwise)
{
	const struct xray_finding *finding = xray_find(handle, name);

	return finding && finding->outcome == XRAY_MEASURED ? finding->value : otherwise;
}

int xray_visit(const struct xray *handle, const char *pattern,
	       int (*visit)(void *context, const struct xray_finding *finding), void *context)
{
	int result = 0;

	for (int i = 0; handle && handle->shown && result == 0 && i < handle->kept.count; i++) {
		const struct xray_finding *finding = &handle->shown[i];

		if (finding->name && (!pattern || plan_selects(pattern, finding->name)))
			result = visit(context, finding);
	}
	return result;
}

void xray_on_progress(struct xray *handle,
		      int (*progress)(void *context, const char *name, int done, int total, double seconds_left),
		      void *context)
{
	handle->progress = progress;
	handle->context = context;
}

const char *xray_message(const struct xray *handle)
{
	return handle ? handle->message : "out of memory";
}

const char *xray_outcome_word(enum xray_outcome outcome)
{
	return outcome >= XRAY_MEASURED && outcome <= XRAY_FAILED ? outcome_word((enum outcome)outcome) : "unknown";
}

const char *xray_version(void)
{
	return XRAY_VERSION;
}

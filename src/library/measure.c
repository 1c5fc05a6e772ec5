/* SPDX-License-Identifier: MIT */
/*
 * measure.c - what a call asks for, less what is known: that is measured and kept
 */
#include "../host/host.h"
#include "handle.h"

enum effort handle_effort(const struct xray *handle)
{
	static const enum effort efforts[] = { EFFORT_DEFAULT, EFFORT_QUICK, EFFORT_FULL };

	return efforts[handle->options.effort];
}

double handle_budget(const struct xray *handle)
{
	return handle->options.budget > 0 ? handle->options.budget : INFINITY;
}

struct session_machine handle_machine(const struct xray *handle)
{
	const struct xray_options *options = &handle->options;

	return (struct session_machine){ .file = options->machine,
					 .seed = options->seed,
					 .real = { .cpu = options->cpu < 0 ? -1 : options->cpu,
						   .no_cache = options->cache == XRAY_CACHE_NONE },
					 .budget = handle_budget(handle) };
}

struct session_options handle_session(const struct xray *handle, const struct plan *plan)
{
	return (struct session_options){ .barrier = NANO_BARRIER_ASM,
					 .budget = handle_budget(handle),
					 .patient = handle_effort(handle) == EFFORT_FULL,
					 .brief = handle_effort(handle) == EFFORT_QUICK && plan_is_quick(plan) };
}

void handle_progress(struct xray *handle, const char *name, int done, int total, double left)
{
	if (!handle->progress)
		return;
	surroundings_leave(&handle->surroundings);
	if (handle->progress(handle->context, name, done, total, left) != 0)
		handle->stopped = true;
	surroundings_enter(&handle->surroundings);
}

static bool is_real(const struct xray *handle)
{
	return handle->options.machine == NULL;
}

static bool reads_cache(const struct xray *handle)
{
	return handle->options.cache == XRAY_CACHE_USE || handle->options.cache == XRAY_CACHE_ONLY;
}

/* What a budget cut off is not the machine's answer. */
static bool is_answer(const struct xray *handle, const struct finding *finding)
{
	return finding->outcome != BLOCKED || isinf(handle_budget(handle));
}

static bool knows(const struct xray *handle, int place, double now)
{
	const struct finding *finding = handle->kept.findings[place];

	return reads_cache(handle) && finding && is_answer(handle, finding) &&
	       kept_good(finding, handle->kept.dates[place], now, handle->options.max_age);
}

static uint64_t fingerprint_of(const struct xray *handle)
{
	char text[16384];
	size_t used = (size_t)snprintf(text, 256, "xray %s, CPU %d\n", XRAY_VERSION, handle->options.cpu);

	host_fingerprint(text + used, sizeof(text) - used);
	return nano_hash_text(NANO_HASH_START, text);
}

/* What is kept of the steps that the handle does not know: of our effort or, which is as good, of a greater one. */
static void recall(struct xray *handle, const struct plan *plan, double now)
{
	char path[4608];

	for (enum effort effort = handle_effort(handle); effort <= EFFORT_FULL; effort++) {
		struct kept file;

		if (!kept_path(handle->fingerprint, effort, path, sizeof(path)) || !kept_open(&file))
			return;
		kept_load(&file, path);
		for (int i = 0; i < plan->count; i++) {
			int place = catalogue_place(plan->steps[i].entry->name);
			const struct finding *finding = file.findings[place];

			if (plan->steps[i].asked && !knows(handle, place, now) && finding &&
			    kept_good(finding, file.dates[place], now, handle->options.max_age))
				kept_put(&handle->kept, finding, file.dates[place]);
		}
		kept_close(&file);
	}
}

static void keep(const struct xray *handle, const struct report_saved *run, double now)
{
	char path[4608];
	struct kept file;

	if (handle->options.cache == XRAY_CACHE_NONE ||
	    !kept_path(handle->fingerprint, handle_effort(handle), path, sizeof(path)) || !kept_open(&file))
		return;
	for (int i = 0; i < findings_count(run->findings); i++) {
		const struct finding *finding = findings_at(run->findings, i);

		if (finding->outcome != FAILED && is_answer(handle, finding))
			kept_put(&file, finding, now);
	}
	kept_load(&file, path);
	kept_store(&file, path, &run->context);
	kept_close(&file);
}

/* Names of the asked steps that are to be measured; the array is as long as the plan. */
static int missing(const struct xray *handle, const struct plan *plan, const char **names, double now)
{
	int count = 0;

	for (int i = 0; i < plan->count; i++)
		if (plan->steps[i].asked && !knows(handle, catalogue_place(plan->steps[i].entry->name), now))
			names[count++] = plan->steps[i].entry->name;
	return count;
}

static enum xray_status work_off(struct xray *handle, const char *const *names, int count)
{
	struct report_saved run = { 0 };
	struct plan plan;
	double now = host_now();
	enum xray_status status;

	if (!plan_make(&plan, names, count, handle_effort(handle), handle->message, sizeof(handle->message)))
		return XRAY_NO_MEMORY;
	status = is_real(handle) ? apart_run(handle, &plan, &run) : here_run(handle, &plan, &run);
	if (run.findings && is_real(handle))
		keep(handle, &run, now);
	for (int i = 0; run.findings && i < plan.count; i++) {
		const struct finding *finding = findings_get(run.findings, plan.steps[i].entry->name);

		if (plan.steps[i].asked && finding && !kept_put(&handle->kept, finding, now))
			status = XRAY_NO_MEMORY;
	}
	report_saved_free(&run);
	plan_free(&plan);
	return status;
}

static enum xray_status block(struct xray *handle, const char *const *names, int count)
{
	for (int i = 0; i < count; i++) {
		struct finding blocked = finding_blank(names[i], catalogue_find(names[i])->micro->unit);

		blocked.outcome = BLOCKED;
		snprintf(blocked.reason, sizeof(blocked.reason), "it is not kept, and nothing may be measured");
		/* Never: so that the next call looks again. */
		if (!kept_put(&handle->kept, &blocked, -INFINITY))
			return XRAY_NO_MEMORY;
	}
	return XRAY_OK;
}

/* This computer is measured by one thread at a time; what another one found out meanwhile need not be asked again. */
static enum xray_status measure(struct xray *handle, const struct plan *plan, const char **names, double now)
{
	int count = missing(handle, plan, names, now);
	enum xray_status status = XRAY_OK;

	if (count > 0 && is_real(handle))
		handle->fingerprint = fingerprint_of(handle);
	if (count > 0 && is_real(handle) && reads_cache(handle)) {
		recall(handle, plan, now);
		count = missing(handle, plan, names, now);
	}
	if (count == 0)
		return XRAY_OK;
	if (is_real(handle) && handle->options.cache == XRAY_CACHE_ONLY)
		return block(handle, names, count);
	if (!is_real(handle))
		return work_off(handle, names, count);
	host_alone_begin();
	if (handle->options.cache == XRAY_CACHE_USE) {
		recall(handle, plan, now);
		count = missing(handle, plan, names, now);
	}
	if (count > 0)
		status = work_off(handle, names, count);
	host_alone_end();
	return status;
}

static enum xray_status measure_names(struct xray *handle, const char *const *names, int count)
{
	enum xray_status status = XRAY_NO_MEMORY;
	struct plan plan;
	const char **steps;

	if (!plan_make(&plan, names, count, handle_effort(handle), handle->message, sizeof(handle->message)))
		return handle->message[0] ? XRAY_UNKNOWN_NAME : XRAY_NO_MEMORY;
	steps = calloc((size_t)plan.count + 1, sizeof(*steps));
	if (steps)
		status = measure(handle, &plan, steps, host_now());
	free(steps);
	plan_free(&plan);
	return status;
}

enum xray_status xray_measure(struct xray *handle, const char *const *names, int count)
{
	enum xray_status status;

	if (!handle)
		return XRAY_NO_MEMORY;
	handle->message[0] = '\0';
	handle->stopped = false;
	surroundings_enter(&handle->surroundings);
	status = measure_names(handle, names, count);
	if (!shown_renew(handle, host_now()))
		status = XRAY_NO_MEMORY;
	surroundings_leave(&handle->surroundings);
	if (status == XRAY_STOPPED)
		snprintf(handle->message, sizeof(handle->message), "stopped by the program");
	else if (status == XRAY_NO_MEMORY)
		snprintf(handle->message, sizeof(handle->message), "out of memory");
	return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * apart.c - measures this computer in a process of its own
 *
 * What is measured there may fault, hang, take signals, threads and a part of memory, and sits on one CPU. In a child
 * none of this is the program's. It writes lines into a pipe: "progress DONE TOTAL LEFT NAME" before each step, then
 * "error MESSAGE", or "done" or "stopped" and the findings as a document.
 */
#include "../claims/claims.h"
#include "../host/child.h"
#include "../host/host.h"
#include "context.h"
#include "handle.h"

static const double SILENCE = 600; /* seconds without a line: it hangs; a step takes some, compiling a minute or two */

struct task {
	struct xray *handle;
	struct plan *plan;
};

static void tell_progress(void *context, const struct entry *entry, int done, int total, double left)
{
	FILE *out = context;

	fprintf(out, "progress %d %d %g %s\n", done, total, left, entry ? entry->name : "-");
	fflush(out);
}

static bool interrupted(void *context)
{
	(void)context;
	return host_interrupted();
}

static void tell_findings(FILE *out, const struct session_result *result, const struct machine *machine)
{
	struct report_context context = context_of(&machine->identity, XRAY_VERSION, "libxray", "");

	context.noise = result->noise;
	context.seconds = result->seconds;
	fputs(result->interrupted ? "stopped\n" : "done\n", out);
	report_line(out, &context, result->findings);
}

/* In the child. */
static void work(void *context, int output)
{
	struct task *task = context;
	struct session_machine wanted = handle_machine(task->handle);
	struct session_options options = handle_session(task->handle, task->plan);
	char error[512] = "out of memory";
	FILE *out = fdopen(output, "w");
	struct session_hooks hooks = { out, tell_progress, NULL, claims_of, interrupted, NULL };
	struct machine *machine = out ? session_open(&wanted, error, sizeof(error)) : NULL;

	if (!out)
		return;
	if (machine) {
		struct session_result result = session_run(machine, task->plan, &options, &hooks);

		tell_findings(out, &result, machine);
		findings_free(result.findings);
		machine->ops->close(machine);
	} else {
		fprintf(out, "error %s\n", error);
	}
	fclose(out);
}

/* What the child said. */
struct talk {
	struct xray *handle;
	struct host_child child;
	struct report_saved *run;
	char *text; /* a line that is not complete yet */
	size_t length, room;
	bool asked; /* to end */
	enum xray_status status;
};

static void hear_progress(struct talk *talk, const char *line)
{
	struct xray *handle = talk->handle;
	char name[64];
	int done, total;
	double left;

	if (sscanf(line, "progress %d %d %lg %63s", &done, &total, &left, name) != 4)
		return;
	handle_progress(handle, strcmp(name, "-") != 0 ? name : NULL, done, total, left);
	if (handle->stopped && !talk->asked) {
		host_child_stop(&talk->child, false);
		talk->asked = true;
	}
}

static void hear(struct talk *talk, char *line, size_t length)
{
	static const char error[] = "error ";
	char why[256];

	if (line[0] == '{') {
		FILE *document = fmemopen(line, length, "r");

		if (document && report_load_next(document, talk->run, why, sizeof(why)) && talk->status == XRAY_BROKEN)
			talk->status = XRAY_OK;
		if (document)
			fclose(document);
	} else if (strcmp(line, "stopped") == 0) {
		talk->status = XRAY_STOPPED;
	} else if (strncmp(line, error, sizeof(error) - 1) == 0) {
		snprintf(talk->handle->message, sizeof(talk->handle->message), "%s", line + sizeof(error) - 1);
		talk->status = talk->handle->options.cpu >= 0 ? XRAY_BAD_OPTION : XRAY_BROKEN;
	} else {
		hear_progress(talk, line);
	}
}

static void hear_lines(struct talk *talk)
{
	char *line = talk->text, *end;

	while ((end = memchr(line, '\n', talk->length - (size_t)(line - talk->text))) != NULL) {
		*end = '\0';
		hear(talk, line, (size_t)(end - line));
		line = end + 1;
	}
	talk->length -= (size_t)(line - talk->text);
	memmove(talk->text, line, talk->length);
}

/* Until it has no more to say. NULL, or why nobody listens any longer. */
static const char *listen(struct talk *talk)
{
	long got = 1;

	while (got > 0) {
		if (talk->length == talk->room) {
			size_t room = talk->room ? 2 * talk->room : 65536;
			char *text = realloc(talk->text, room);

			if (!text)
				return "out of memory";
			talk->text = text;
			talk->room = room;
		}
		got = host_child_read(&talk->child, talk->text + talk->length, talk->room - talk->length, SILENCE);
		if (got < 0)
			return "it hangs";
		talk->length += (size_t)got;
		hear_lines(talk);
	}
	return NULL;
}

enum xray_status apart_run(struct xray *handle, struct plan *plan, struct report_saved *run)
{
	struct task task = { handle, plan };
	struct talk talk = { .handle = handle, .run = run, .status = XRAY_BROKEN };
	const char *wrong, *death;
	char why[64];

	if (!host_child_start(&talk.child, work, &task)) {
		snprintf(handle->message, sizeof(handle->message), "no process can be started to measure in");
		return XRAY_BROKEN;
	}
	wrong = listen(&talk);
	if (wrong)
		host_child_stop(&talk.child, true);
	death = host_child_end(&talk.child, why, sizeof(why));
	if (talk.status == XRAY_BROKEN && !handle->message[0])
		snprintf(handle->message, sizeof(handle->message), "measuring did not come to its end: %s",
			 wrong   ? wrong
			 : death ? death
				 : "nobody knows why");
	free(talk.text);
	return talk.status;
}

/* SPDX-License-Identifier: MIT */
/*
 * handle.h - what is behind a struct xray; private to library/
 */
#ifndef XRAY_LIBRARY_HANDLE_H
#define XRAY_LIBRARY_HANDLE_H

#include <xray.h>

#include "kept.h"
#include "surroundings.h"

struct xray {
	struct xray_options options; /* the machine's name is our own */
	int (*progress)(void *context, const char *name, int done, int total, double seconds_left);
	void *context; /* of progress */
	bool stopped; /* progress said so */
	struct surroundings surroundings; /* the caller's, while a call lasts */
	uint64_t fingerprint; /* of this computer, for the call under way */
	struct kept kept; /* what was asked for */
	struct xray_finding *shown; /* the same, place by place, as the outside sees it; without a name: none */
	char message[512];
};

enum effort handle_effort(const struct xray *handle);
double handle_budget(const struct xray *handle); /* INFINITY: no bound */
struct session_machine handle_machine(const struct xray *handle);
struct session_options handle_session(const struct xray *handle, const struct plan *plan);
/* Tells the program how far we are, as its own. */
void handle_progress(struct xray *handle, const char *name, int done, int total, double left);

/* --- apart.c, here.c: work the plan off, in a process apart or in this one. The findings are all of them, needs
 * included, and there are some with XRAY_OK and XRAY_STOPPED only; the context is a run's of this computer. */
enum xray_status apart_run(struct xray *handle, struct plan *plan, struct report_saved *run);
enum xray_status here_run(struct xray *handle, struct plan *plan, struct report_saved *run);

/* --- shown.c: the public form of what the handle has. False without memory. */
bool shown_renew(struct xray *handle, double now);

#endif

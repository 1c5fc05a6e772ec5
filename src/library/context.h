/* SPDX-License-Identifier: MIT */
/*
 * context.h - what surrounds the findings of a run, for reports and for what is kept
 */
#ifndef XRAY_LIBRARY_CONTEXT_H
#define XRAY_LIBRARY_CONTEXT_H

#include "../machine/machine.h"
#include "../report/report.h"

/* Before the run: nothing is known of noise and time yet. Strings are borrowed. */
struct report_context context_of(const struct machine_identity *identity, const char *version, const char *command,
				 const char *date);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * export.h - the findings in forms that other programs take, one row of a table for each
 *
 * What a form says is measured: a claim is never in it, and a number stands only where it is sure (facts.c says what
 * that is). What is not there is named, with the reason: in the form itself where it has comments, else to whom it
 * asks.
 */
#ifndef XRAY_EXPORT_H
#define XRAY_EXPORT_H

#include <stdio.h>

#include "../report/report.h"

/* What a form is written from, and where to. */
struct export_job {
	FILE *out, *talk; /* talk: what is left out, of forms without comments */
	const struct report_context *context;
	const struct findings *findings;
};

enum export_result {
	EXPORT_WHOLE, /* all that it can hold was measured, or the machine has none */
	EXPORT_PART, /* some of it is left out */
	EXPORT_NOTHING, /* nothing was written: too little is known */
};

/* A form's row. */
struct export_format {
	const char *name, *what, *use; /* what it is, how to use it: one line each */
	const char *const *names; /* names, prefixes and globs of what it takes; NULL ends */
};

/* The index-th; NULL past the end. */
const struct export_format *export_at(int index);
/* NULL when there is none of that name. */
const struct export_format *export_find(const char *name);

enum export_result export_write(const struct export_format *format, const struct export_job *job);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * report.h - the face: one file per form over the same findings
 */
#ifndef XRAY_REPORT_H
#define XRAY_REPORT_H

#include <stdio.h>

#include "../findings/findings.h"

/* What surrounds the findings. Strings are borrowed; an empty one is left out of the text report. */
struct report_context {
	const char *version, *date, *host, *cpu, *hypervisor, *kernel, *compiler, *noise, *command;
	int cpus, cpu_used;
	long page_bytes;
	double seconds; /* the whole run; NaN: unknown */
	const char *counters; /* why nothing was counted, where that is worth a line; NULL or empty: it is not */
	double quota; /* CPUs' worth of time that the system grants; INFINITY: no limit */
};

bool report_has_quota(const struct report_context *context);

/* How what is for people is set. */
struct report_layout {
	bool colour;
	bool full; /* all there is; else what fits a screen, where nobody asked for single ones */
	int width; /* columns; 0: no end */
};

/* Human text: a context line, one aligned row per finding, a summary line. */
void report_text(FILE *out, const struct report_context *context, const struct findings *findings,
		 const struct report_layout *layout);

/* The document of docs/findings.schema.json. Returns false when writing failed. */
bool report_json(FILE *out, const struct report_context *context, const struct findings *findings, bool with_evidence);

/* One page that holds the document and all that draws it; it opens from a disk and asks for nothing. Large matrices and
 * evidence are reduced, and the page says so. Returns false when writing failed. */
bool report_html(FILE *out, const struct report_context *context, const struct findings *findings);

/* Writes DIRECTORY/NAME.csv for each finding that has evidence, NAME.matrix.csv for each measured matrix. False and a
 * message when one cannot be written. */
bool report_csv(const char *directory, const struct findings *findings, char *error, size_t size);

/* The same document, with evidence, on one line: a journal is many of them. */
bool report_line(FILE *out, const struct report_context *context, const struct findings *findings);

/* A document that was kept. The context's strings are its own. */
struct report_saved {
	struct findings *findings;
	struct report_context context;
	void *owned;
};

/* Reads what report_json or report_line wrote back (unknown fields ignored); of several documents the later ones win,
 * and a last one that breaks off, as a crash leaves it, does not count. False and a message on a bad file. */
bool report_load_saved(struct report_saved *saved, const char *path, char *error, size_t size);
/* The next of a file's documents; false at its end and when it is bad. */
bool report_load_next(FILE *file, struct report_saved *saved, char *error, size_t size);
void report_saved_free(struct report_saved *saved);

/* The idea of a value in its best unit: "3.49 GHz", "4.00 cycles", "yes", "16"; of a matrix its median cell, of a tree
 * its levels, of a text what fits. */
void report_value(const struct finding *finding, char *text, size_t size);

/* The whole of a matrix or tree; nothing for other findings. */
void report_shape(FILE *out, const struct finding *finding, bool colour);

/* The evidence table of one finding, for `xray explain`. */
void report_evidence(FILE *out, const struct finding *finding);

#endif

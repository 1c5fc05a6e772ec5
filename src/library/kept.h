/* SPDX-License-Identifier: MIT */
/*
 * kept.h - findings with the time they were made at, in memory and on disk; private to library/
 *
 * On disk they are documents as the command's journal has them, one a line and each of one date, in a file for each
 * fingerprint and effort. A file that is broken, somebody else's or not to be had is as good as none.
 */
#ifndef XRAY_LIBRARY_KEPT_H
#define XRAY_LIBRARY_KEPT_H

#include "../report/report.h"
#include "../session/session.h"

/* By their places in the catalogue. */
struct kept {
	struct finding **findings; /* NULL: none */
	double *dates; /* seconds since 1970 */
	int count; /* of places */
};

bool kept_open(struct kept *kept);
void kept_close(struct kept *kept);
/* A copy of the finding without its evidence, in place of what was there. False without memory for it, and for one that
 * the catalogue does not have. */
bool kept_put(struct kept *kept, const struct finding *finding, double date);

/* May it still be believed? Values and absences for max_age seconds; what is unclear or blocked may owe that to the
 * hour, and is good for a day at the most; a fault for none. */
bool kept_good(const struct finding *finding, double date, double now, double max_age);

/* The file of a fingerprint; false when there is no directory for it. */
bool kept_path(uint64_t fingerprint, enum effort effort, char *path, size_t size);
/* Adds what the file holds and is not there yet. Findings that no parameter of ours could have made are left out. */
void kept_load(struct kept *kept, const char *path);
/* Replaces the file, if that is possible. */
void kept_store(const struct kept *kept, const char *path, const struct report_context *context);

#endif

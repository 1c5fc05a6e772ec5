/* SPDX-License-Identifier: MIT */
/*
 * shelf.h - every probe of a session, once; private to the lab
 */
#ifndef XRAY_TIMING_SHELF_H
#define XRAY_TIMING_SHELF_H

#include "timing.h"

struct shelved {
	uint64_t key; /* 0: empty */
	struct probe *probe;
	bool wanted; /* said to be needed, not ready yet */
	bool measured;
	struct estimate estimate;
};

struct probe_shelf *shelf_new(void);
void shelf_free(struct probe_shelf *shelf);
/* NULL when the text is not a spec. Valid until the next shelf_get. */
struct shelved *shelf_get(struct probe_shelf *shelf, const char *text, enum nano_barrier barrier);
void shelf_prepare(struct probe_shelf *shelf, struct machine *machine);
void shelf_forget(struct probe_shelf *shelf);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * coder.h - takes random walks of code on this machine; private to machine/
 */
#ifndef XRAY_MACHINE_CODER_H
#define XRAY_MACHINE_CODER_H

#include "machine.h"

struct coder;

struct coder *coder_open(void);
void coder_close(struct coder *coder);

/* Writes the walk's places, unless they are there; a walk must have been prepared last when it is taken. */
enum machine_status coder_prepare(struct coder *coder, const struct walk *walk, uint64_t memory,
				  struct reading *reading);

/* As machine_ops.walk; hot places lie from `data` on. With `again` all places were run a moment ago. */
enum machine_status coder_walk(struct coder *coder, const struct walk *walk, const char *data, bool again, long steps,
			       int count, struct reading *reading);

#endif

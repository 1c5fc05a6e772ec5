/* SPDX-License-Identifier: MIT */
/*
 * child.h - a process of our own, where what faults or hangs harms nobody; in process.c
 */
#ifndef XRAY_HOST_CHILD_H
#define XRAY_HOST_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/* A copy of this process with one thread, that has none of its files, handlers and output, and goes when we do. It
 * calls work with a pipe to write to, and ends. SIGTERM is for host_interrupted. */
struct host_child {
	long pid;
	int pipe; /* what it writes */
};
bool host_child_start(struct host_child *child, void (*work)(void *context, int output), void *context);
/* Bytes read; 0 at the end; -1 when it was silent for so long. */
long host_child_read(const struct host_child *child, char *bytes, size_t size, double seconds);
/* Asks it to end, or makes it. */
void host_child_stop(const struct host_child *child, bool at_once);
/* Waits until it has ended. NULL, or how it died; `why` is where that may be written. */
const char *host_child_end(struct host_child *child, char *why, size_t size);

#endif

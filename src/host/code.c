/* SPDX-License-Identifier: MIT */
/*
 * code.c - memory that holds code: it may be written or run, never both
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "host.h"

/* Whole pieces, as memory comes: a huge page of which only a part changed would be split. */
static bool protect(void *start, size_t bytes, int what)
{
	return mprotect(start, (bytes + HOST_MEMORY_PIECE - 1) / HOST_MEMORY_PIECE * HOST_MEMORY_PIECE, what) == 0;
}

bool host_code_write(void *start, size_t bytes, char *error, size_t size)
{
	bool done = protect(start, bytes, PROT_READ | PROT_WRITE);

	if (!done)
		snprintf(error, size, "memory with code in it cannot be written again: %s", strerror(errno));
	return done;
}

/* All addresses are named, though some may share memory: an instruction cache may know it by each of them. */
bool host_code_run(void *start, size_t bytes, char *error, size_t size)
{
	bool done = protect(start, bytes, PROT_READ | PROT_EXEC);

	if (done)
		__builtin___clear_cache((char *)start, (char *)start + bytes);
	else
		snprintf(error, size, "this system does not let memory be run that was written: %s", strerror(errno));
	return done;
}

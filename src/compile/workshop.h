/* SPDX-License-Identifier: MIT */
/*
 * workshop.h - compiles and loads nano-benchmarks, and keeps what it compiled; for the real machine
 */
#ifndef XRAY_COMPILE_WORKSHOP_H
#define XRAY_COMPILE_WORKSHOP_H

#include "../nano/nano.h"

struct workshop;

struct workshop_options {
	const char *cc, *cflags; /* NULL: gcc or else clang; -O2 */
	bool no_cache; /* into a scratch directory that goes with the workshop */
	double patience; /* seconds that one translation unit may take */
};

struct workshop *workshop_open(const struct workshop_options *options, const char *cpu_model);
void workshop_close(struct workshop *workshop);

/* "gcc (Debian 12.2.0-14) 12.2.0 -O2", or why there is none. */
const char *workshop_compiler(struct workshop *workshop);

/* Does it compile with what xray itself was compiled with? Then it would make what is built in once more. */
bool workshop_has_our_compiler(const struct workshop *workshop);

/* One call per nano-benchmark: its function and length in bytes, or NULL and why. With both it is built-in code, which
 * stands in for a compiler that is missing, fails or hangs. */
typedef void workshop_deliver(void *context, const struct nano *nano, void *function, size_t bytes, const char *why);

void workshop_build(struct workshop *workshop, const struct nano *const *set, int count, workshop_deliver *deliver,
		    void *context);

/* Compiles C that is no nano-benchmark, with one more flag, and frees it. The library stays until the workshop closes;
 * NULL and why. */
void *workshop_library(struct workshop *workshop, char *source, const char *flag, char *why, size_t size);

#endif

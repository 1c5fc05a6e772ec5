/* SPDX-License-Identifier: MIT */
/*
 * builtin.h - nano-benchmarks that were compiled together with xray, for machines without a compiler
 */
#ifndef XRAY_COMPILE_BUILTIN_H
#define XRAY_COMPILE_BUILTIN_H

#include "../nano/nano.h"

/* What compiled them, as workshop_compiler says it. */
const char *builtin_compiler(void);

/* Its function and length in bytes; NULL when it is not built in. */
void *builtin_find(const struct nano *nano, size_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * claims.h - what the kernel says about caches; private to host/
 */
#ifndef XRAY_HOST_CLAIMS_H
#define XRAY_HOST_CLAIMS_H

#include <stdbool.h>

/* cache.levels, cache.LEVEL.PROPERTY or line.constructive. */
bool claim_of_cache(const char *parameter, double *value);

#endif
